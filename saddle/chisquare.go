package saddle

import "math"

// chiSquares holds the laws of χ²_k at one point c for every k from 0 up.
type chiSquares struct {
	below, above []float64 // P(χ²_k ≤ c), P(χ²_k > c)
	density      []float64 // c times the density of χ²_k at c
}

// newChiSquares computes them for k = 0 … largest at c > 0. With y = c/2 and
//
//	t_k = y^{k/2} e^{−y}/Γ(k/2 + 1),
//
// P(χ²_{k+2} > c) = P(χ²_k > c) + t_k and P(χ²_k ≤ c) = P(χ²_{k+2} ≤ c) + t_k: up
// the one and down the other only positive terms are added, so both tails keep
// their relative accuracy, at the price of one product each.
func newChiSquares(c float64, largest int) chiSquares {
	y := c / 2
	// Ten standard deviations and more beyond the peak of t_k: what is left out
	// is below e^{−50} of the sum.
	top := max(largest+2, int(c)) + int(28*math.Sqrt(c)) + 100
	terms := make([]float64, top+1)
	for parity := range 2 {
		peak := parity + 2*int(math.Max(0, (c-float64(parity))/2))
		terms[peak] = poissonTerm(float64(peak)/2, y)
		for k := peak + 2; k <= top; k += 2 {
			terms[k] = terms[k-2] * (c / float64(k)) // y/(k/2)
		}
		for k := peak - 2; k >= 0; k -= 2 {
			terms[k] = terms[k+2] * (float64(k+2) / c)
		}
	}
	x := chiSquares{
		below:   make([]float64, largest+1),
		above:   make([]float64, largest+1),
		density: make([]float64, largest+1),
	}
	below := [2]float64{}
	for k := top; k >= 0; k-- {
		below[k%2] += terms[k]
		if k <= largest {
			x.below[k] = below[k%2]
			x.density[k] = float64(k) / 2 * terms[k]
		}
	}
	above := [2]float64{0, math.Erfc(math.Sqrt(y))}
	for k := 0; k <= largest; k++ {
		x.above[k] = above[k%2]
		above[k%2] += terms[k]
	}
	return x
}

// poissonTerm returns y^a e^{−y}/Γ(a + 1) for a within 1 of y, or a ≤ 1.
func poissonTerm(a, y float64) float64 {
	if a < 16 {
		return math.Pow(y, a) * math.Exp(-y) / math.Gamma(a+1)
	}
	// Stirling's series; its next term is below 1e-16 from a = 16 on.
	r := 1 / a
	square := r * r
	series := r * (1./12 - square*(1./360-square*(1./1260-square*(1./1680-square/1188))))
	d := (y - a) / a
	return math.Exp(a*(math.Log1p(d)-d)-series) / math.Sqrt(2*math.Pi*a)
}
