package extremes

import (
	"math"

	"lamcap/internal/quad"
	"lamcap/internal/status"
)

// integersBelow is where D and V of a non-integer n are interpolated between
// integers: there L(s)^{n−2} with a fractional power has a branch cut near the
// contour, beyond it that region carries less than 2^{−64} of the integral.
const integersBelow = 64

// ConeDimension returns D_n, the statistical dimension of the polar of the
// winner-take-all cone C_n = {s ∈ R^n : s_0 ≥ s_ρ, ρ = 1 … n−1}, which is the
// mean number of tight constraints of the projection onto C_n and the number
// of weights that one stored fact uses up at capacity:
//
//	D_n = E dist²(g, C_n) = E|A| = (n − 1) ∫ φ(t) H_{n−2}(t) dt,
//	H_k(t) = P(t_0 + Σ_{i≤k} (t_i − t)_+ ≤ t),
//
// for 2 ≤ n ≤ 10^300, with a bound on the absolute error. H_k is inverted
// along the line through its saddle point. A real n between two integers
// below 64, which only a root finder asks for, is interpolated by a cubic
// through four integers (that n is a convention, not a number of candidates).
func ConeDimension(n float64) (Value, error) {
	if err := checkSize(n, 2); err != nil {
		return Value{Value: math.NaN(), Error: math.Inf(1)}, err
	}
	return BetweenSizes(n, func(n float64) Value { return factorialMoment(n, 0) }), nil
}

// ConeVariance returns V_n = Var|A|, the variance of the conic intrinsic
// volumes of the winner-take-all cone, for 2 ≤ n ≤ 10^300 with a bound on the
// absolute error. It follows from the second factorial moment, a pair of
// competitors in A of which the lower, at t, decides:
//
//	E|A|(|A|−1) = 2 (n−1)(n−2) ∫ φ(t) P(x > t, t_0 + (x−t) + Σ_{i≤n−3} (t_i−t)_+ ≤ t) dt.
func ConeVariance(n float64) (Value, error) {
	if err := checkSize(n, 2); err != nil {
		return Value{Value: math.NaN(), Error: math.Inf(1)}, err
	}
	return BetweenSizes(n, func(n float64) Value {
		mean := factorialMoment(n, 0)
		second := Value{Status: status.Converged}
		if n > 2 {
			second = factorialMoment(n, 1)
		}
		st := mean.Status
		if !second.Status.OK() {
			st = second.Status
		}
		return Value{
			Value:  second.Value + mean.Value - mean.Value*mean.Value,
			Error:  second.Error + mean.Error*(1+2*mean.Value),
			Status: st,
		}
	}), nil
}

// BetweenSizes evaluates f at n, by a cubic through integers where only they
// have a meaning, with the same weights applied to the error bounds.
func BetweenSizes(n float64, f func(float64) Value) Value {
	if n == math.Floor(n) || n >= integersBelow {
		return f(n)
	}
	first := math.Max(2, math.Floor(n)-1)
	out := Value{Status: status.Converged}
	for i := range 4 {
		x := first + float64(i)
		weight := 1.0
		for j := range 4 {
			if j != i {
				y := first + float64(j)
				weight *= (n - y) / (x - y)
			}
		}
		v := f(x)
		out.Value += weight * v.Value
		out.Error += math.Abs(weight) * v.Error
		if !v.Status.OK() {
			out.Status = v.Status
		}
	}
	return out
}

// factorialMoment returns E|A| for pairs = 0 and E|A|(|A|−1) for pairs = 1, by
// the integrals in the docs of [ConeDimension] and [ConeVariance]: a competitor
// at t is in A iff t − t_0 exceeds Σ_ρ (t_ρ − t)_+, and of two the lower decides.
func factorialMoment(n float64, pairs int) Value {
	k := n - 2 - float64(pairs)
	logPrefactor := math.Log(n - 1)
	if pairs == 1 {
		logPrefactor += math.Log(n-2) + math.Ln2
	}
	lo, hi, tail := momentRange(n, k, pairs, logPrefactor)
	integrand := func(t, contour, refine float64) float64 {
		e := newExcess(t, k, pairs)
		return e.weighted(logPrefactor, contour, refine)
	}
	// The adaptive rule ends up with about nine segments: start from them.
	const segments = 9
	breaks := make([]float64, segments-1)
	for i := range breaks {
		breaks[i] = lo + (hi-lo)*float64(i+1)/segments
	}
	r := quad.Integrate(func(t float64) float64 { return integrand(t, 1, 1) }, lo, hi,
		quad.Options{Rel: 1e-13, Breaks: breaks})
	// Another line with other steps gives the same value up to the error of the
	// inner rule; a rough integral of what differs is enough.
	const samples = 32
	inner := 0.0
	for i := range samples {
		t := lo + (hi-lo)*(float64(i)+0.5)/samples
		inner += math.Abs(integrand(t, 1, 1)-integrand(t, 0.85, 1.25)) * (hi - lo) / samples
	}
	value := r.Value + tail
	rounding := 0x1p-52 * (16 + 2*math.Log(n)) * value
	return Value{value, r.Error + inner + rounding, r.Status}
}

// weighted returns e^{logPrefactor} φ(t) · P(sum ≤ t, all pairs > t), the
// probability of the excess with its pairs.
func (e *excess) weighted(logPrefactor, contour, refine float64) float64 {
	logWeight := minusSquares(logPrefactor, 1+e.pairs, e.t) - logSqrt2Pi
	if e.mean() > e.t {
		value, shift := e.line(contour*e.saddle(true), refine)
		return math.Exp(logWeight+shift) * value
	}
	// To the left of the pole its residue, the unconstrained expectation, is
	// picked up, and the integral is minus the complement.
	value, shift := e.line(contour*e.saddle(false), refine)
	whole := logWeight + float64(e.pairs)*math.Log(e.atT/2)
	return math.Exp(whole) + math.Exp(logWeight+shift)*value
}

// mean returns the mean of t_0 + Σ (t_i − t)_+ + Σ_pairs (x − t | x > t).
func (e *excess) mean() float64 {
	mills := math.Sqrt(math.Pi/2) * e.atT
	// E(x − t)_+ = φ(t)(1 − t Q/φ); the hazard form of the pairs alike.
	m := math.Exp(e.logK+LogDensity(e.t)) * math.Max(0, 1-e.t*mills)
	if e.k == 0 {
		m = 0
	}
	return m + float64(e.pairs)*(1/mills-e.t)
}

// chernoff bounds log of the probability (positive side) or of its complement.
func (e *excess) chernoff(positive bool) float64 {
	c := e.saddle(positive)
	v, _ := e.realExponent(c)
	return v + math.Log(math.Abs(c)) + e.logPairScale()
}

// momentRange returns the range of t outside of which the integrand is below
// e^{−50} below and known in closed form above, and that upper tail.
func momentRange(n, k float64, pairs int, logPrefactor float64) (lo, hi, tail float64) {
	const negligible = -50
	center := 0.0
	if n > 8 {
		// Where the mean of the sum crosses t.
		l, h := 0.0, 40.0
		for h-l > 1e-3 {
			center = (l + h) / 2
			e := newExcess(center, k, pairs)
			if e.mean() > center {
				l = center
			} else {
				h = center
			}
		}
	}
	step := 0.5 / math.Max(1, center)
	power := float64(pairs + 1)
	for lo = center; ; lo -= step {
		e := newExcess(lo, k, pairs)
		if logPrefactor+LogCDF(lo)+e.chernoff(true) < negligible {
			break
		}
	}
	for hi = center + step; ; hi += step {
		e := newExcess(hi, k, pairs)
		if e.mean() < hi && logPrefactor+LogSurvival(hi)+e.chernoff(false) < negligible {
			break
		}
	}
	tail = math.Exp(logPrefactor+power*LogSurvival(hi)) / power
	return lo, hi, tail
}
