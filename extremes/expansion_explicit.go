package extremes

import (
	"math"

	"lamcap/internal/status"
)

// explicitSeries evaluates Σ c_i T^{1−i} for T + 3 log T = X − log 2π in powers of
// 1/X, X = 2 log n. The polynomials in y = 3 log X + log 2π come out as numbers:
// with T = X(1 + u),
//
//	u = −[y + 3 log(1 + u)]/X
//
// gives each coefficient of u from the ones before it.
func explicitSeries(logN float64, order int, c []float64) Value {
	x := 2 * logN
	y := 3*math.Log(x) + log2Pi
	size := min(order+5, len(c))     // up to three terms beyond the order
	ratio := make([]float64, size)   // 1 + u = T/X
	inverse := make([]float64, size) // X/T
	logs := make([]float64, size)    // log(1 + u)
	ratio[0], inverse[0] = 1, 1
	for i := 1; i < size; i++ {
		ratio[i] = -3 * logs[i-1]
		if i == 1 {
			ratio[i] = -y
		}
		// (1 + u) (log(1 + u))' = u'.
		logs[i] = ratio[i]
		for k := 1; k < i; k++ {
			logs[i] -= float64(k) / float64(i) * logs[k] * ratio[i-k]
		}
		for k := 1; k <= i; k++ {
			inverse[i] -= ratio[k] * inverse[i-k]
		}
	}
	terms := make([]float64, size) // coefficients of X^{1−i}
	power := ratio                 // (T/X)^{1−i}
	for i := range size {
		for k := i; k < size; k++ {
			terms[k] += c[i] * power[k-i]
		}
		power = product(power, inverse)
	}
	var sum, modulus, next float64
	scale := x
	for i, coefficient := range terms {
		term := coefficient * scale
		if i < order+2 {
			sum += term
			modulus += math.Abs(term)
		} else {
			// One of these may be near a zero of its polynomial.
			next += math.Abs(term)
		}
		scale /= x
	}
	return Value{sum, 2*next + math.Exp(-logN) + 0x1p-50*modulus, status.Converged}
}

// product multiplies two power series.
func product(a, b []float64) []float64 {
	out := make([]float64, len(a))
	for i := range out {
		for j := range i + 1 {
			out[i] += a[j] * b[i-j]
		}
	}
	return out
}
