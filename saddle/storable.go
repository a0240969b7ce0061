package saddle

import (
	"fmt"
	"math"

	"lamcap/extremes"
)

const (
	// maxExactFacts bounds p in [StorableProbability]: the convolution takes
	// time ∝ p·Var|A|.
	maxExactFacts = 50_000
	// maxWeights is far above p·n, where everything is storable.
	maxWeights = 1 << 52
	// trimBelow is where the ends of a convolution are dropped, relative to
	// its largest entry.
	trimBelow = 1e-60
)

// StorableProbability returns the probability that p facts with n candidates
// each can be stored in a memory with the given number of weights, N = d_out
// d_in at full rank:
//
//	P = 2 Σ_{j = N−1, N−3, … ≥ 0} c_j,   c = v(n)^{*p},
//
// with v(n) the conic intrinsic volumes of the winner-take-all cone. It is exact
// for score vectors that form a uniformly random subspace; n = 2 is Cover's
// 2^{1−p} Σ_{k<N} C(p−1, k). 1 ≤ p ≤ 50,000, 2 ≤ n ≤ 10^6, N ≥ 0. The sum
// runs over positive terms from the smaller side, so both P and 1 − P keep
// their relative accuracy; values below 1e-55 are cut to 0.
func StorableProbability(weights, p, n int) (probability, complement float64, err error) {
	if weights < 0 || weights > maxWeights {
		return math.NaN(), math.NaN(), fmt.Errorf("weights = %d: want 0 ≤ weights ≤ %d", weights, maxWeights)
	}
	if p < 1 || p > maxExactFacts {
		return math.NaN(), math.NaN(), fmt.Errorf("p = %d: want 1 ≤ p ≤ %d; beyond, use the normal form", p, maxExactFacts)
	}
	v, err := extremes.IntrinsicVolumes(n)
	if err != nil {
		return math.NaN(), math.NaN(), err
	}
	c := power(distribution{0, v}, p)
	// Σ c_j over either parity is 1/2 (Gauss-Bonnet), so the complement is the
	// same sum from N+1 up.
	return c.everySecond(weights-1, -1), c.everySecond(weights+1, 1), nil
}

// StorableProbabilityNormal returns the normal form of the transition,
//
//	P ≈ Φ((N − p D_n)/√(p V_n)),
//
// for real weights, p and n = candidates; at rank below full, with N_eff for
// N, a prediction.
func StorableProbabilityNormal(weights, p, n float64) (float64, error) {
	if !(weights >= 0 && weights <= extremes.MaxSize && p >= 1e-300 && p <= extremes.MaxSize) {
		return math.NaN(), fmt.Errorf("weights = %v, p = %v: want 0 ≤ weights ≤ 1e300 and 1e-300 ≤ p ≤ 1e300", weights, p)
	}
	d, err := extremes.ConeDimension(n)
	if err != nil {
		return math.NaN(), err
	}
	v, err := extremes.ConeVariance(n)
	if err != nil {
		return math.NaN(), err
	}
	return math.Exp(extremes.LogCDF((weights - p*d.Value) / math.Sqrt(p*v.Value))), nil
}

// distribution is a law on the integers first, first+1, …
type distribution struct {
	first int
	mass  []float64
}

// everySecond returns 2 Σ c_j over j = from, from + 2·direction, …
func (c distribution) everySecond(from, direction int) float64 {
	total := 0.0
	// The terms are summed from the far, small end towards from.
	i, end := 0, len(c.mass)
	if direction > 0 {
		i = len(c.mass) - 1
	}
	if (c.first+i-from)%2 != 0 {
		i -= direction
	}
	for ; i >= 0 && i < end && (from-c.first-i)*direction <= 0; i -= 2 * direction {
		total += c.mass[i]
	}
	return math.Min(1, 2*total)
}

// power returns the p-fold convolution of v with itself by repeated squaring.
// Sums of positive terms: no cancellation, the relative accuracy of the tails
// is that of the bulk.
func power(v distribution, p int) distribution {
	result := distribution{0, []float64{1}}
	for base := v; ; base = base.convolve(base) {
		if p&1 == 1 {
			result = result.convolve(base)
		}
		if p >>= 1; p == 0 {
			return result
		}
	}
}

func (c distribution) convolve(d distribution) distribution {
	out := make([]float64, len(c.mass)+len(d.mass)-1)
	for i, x := range c.mass {
		row := out[i : i+len(d.mass)]
		for j, y := range d.mass {
			row[j] += x * y
		}
	}
	return distribution{c.first + d.first, out}.trim()
}

func (c distribution) trim() distribution {
	top := 0.0
	for _, x := range c.mass {
		top = math.Max(top, x)
	}
	lo, hi := 0, len(c.mass)
	for c.mass[lo] < trimBelow*top {
		lo++
	}
	for c.mass[hi-1] < trimBelow*top {
		hi--
	}
	return distribution{c.first + lo, c.mass[lo:hi]}
}
