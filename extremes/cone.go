package extremes

import (
	"math"

	"lamcap/internal/faddeeva"
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
	return InterpolateSizes(n, math.Max(2, math.Floor(n)-1), f)
}

// factorialMoment returns E|A|(|A|−1)…(|A|−pairs) by the integral in the docs
// of [ConeDimension] and [ConeVariance], with (pairs+1)(n−1)…(n−1−pairs) in
// front of it: a competitor at t is in A iff t − t_0 exceeds Σ_ρ (t_ρ − t)_+, and
// of several the lowest decides.
func factorialMoment(n float64, pairs int) Value { return activeMoment(n, 0, pairs) }

// activeMoment is factorialMoment for the cone of margin K.
func activeMoment(n, margin float64, pairs int) Value {
	k := n - 2 - float64(pairs)
	if k < 0 {
		return Value{Status: status.Converged}
	}
	logPrefactor := math.Log(float64(pairs + 1))
	for i := range pairs + 1 {
		logPrefactor += math.Log(n - 1 - float64(i))
	}
	b := crossing(margin, k, pairs)
	// Beyond this t the sum is below t + K but for a share of rounding.
	certain := math.Inf(1)
	values, errors, st := b.integrate(func(t, distance float64) sample {
		weight := minusSquares(logPrefactor, 1+pairs, t) - float64(1+pairs)*logSqrt2Pi
		if t >= certain {
			whole := math.Exp(weight) * power(sqrtHalfPi*faddeeva.Erfcx(t/math.Sqrt2), pairs)
			return sample{values: [bellPowers]float64{whole}}
		}
		e := newExcess(t, margin, k, pairs)
		p := e.probability()
		if distance > 0 && p.complement < 1e-18*p.value {
			certain = t
		}
		factor := math.Exp(weight)
		return sample{[bellPowers]float64{factor * p.value}, relative(p.err, p.value), p.noise}
	})
	rounding := 0x1p-52 * (16 + 2*math.Log(n)) * values[0]
	return Value{values[0], errors[0] + rounding, st}
}

// crossing returns the bell around the t at which the mean of the sum of k
// competitors crosses t + K.
func crossing(margin, k float64, pairs int) bell {
	// The mean less t + K falls with t.
	lo, hi := -13.0, 40.0
	for width := 1.0; hi-lo > 0.05*width; {
		middle := (lo + hi) / 2
		if middle == lo || middle == hi {
			break
		}
		e := newExcess(middle, margin, k, pairs)
		if e.mean() > 0 {
			lo = middle
		} else {
			hi = middle
		}
		if hi-lo < 0.1 {
			width = e.width()
		}
	}
	e := newExcess(lo, margin, k, pairs)
	return bell{center: lo, scale: 1.6 * e.width(), right: math.Max(0, 1-lo)}
}

// width is how far t moves while t + K less the sum moves by a standard
// deviation: its mean has the slope 1 + k Q(t).
func (e *excess) width() float64 {
	_, _, variance := e.realExponent(0)
	return math.Sqrt(variance) / (1 + e.kDensity*e.ratio)
}

// relative returns err/value, 0 for nothing.
func relative(err, value float64) float64 {
	if err == 0 {
		return 0
	}
	return err / math.Abs(value)
}
