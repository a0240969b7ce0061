package stats

import (
	"errors"
	"fmt"
	"math"

	"lamcap/internal/logarithm"
)

// Sample summarises one number per independent instance. Numbers from the same
// instance (the items of one memory, say) are not independent: average them
// first.
type Sample struct {
	N                 int
	Mean              float64
	StandardDeviation float64 // with divisor N − 1; NaN below two values
	// Warnings say why intervals and tests of this sample are empty, if they are.
	Warnings []error
}

var (
	// ErrTooFew means fewer than two values: the spread cannot be estimated.
	ErrTooFew = errors.New("fewer than two values: no interval and no test; run more instances")
	// ErrNoSpread means all values agree to round-off: the spread cannot be estimated.
	ErrNoSpread = errors.New("all values are equal: no interval and no test; run more instances, or test a count")
	// ErrNotFinite means a value was NaN, infinite or too large to be squared.
	ErrNotFinite = errors.New("a value is not finite, or beyond 1e150: no interval and no test")
)

// NewSample summarises the values, one per independent instance.
func NewSample(values []float64) Sample {
	s := Sample{N: len(values), Mean: math.NaN(), StandardDeviation: math.NaN()}
	warn := func(err error) {
		s.Warnings = append(s.Warnings, fmt.Errorf("sample of %d: %w", s.N, err))
	}
	if s.N == 0 {
		warn(ErrTooFew)
		return s
	}
	n := float64(s.N)
	sum, largest := 0.0, 0.0
	for _, v := range values {
		if !(math.Abs(v) <= 1e150) { // whose square is finite
			warn(ErrNotFinite)
			return s
		}
		sum += v / n
		largest = math.Max(largest, math.Abs(v))
	}
	// A second pass removes the round-off of the first from mean and spread.
	first, second := 0.0, 0.0
	for _, v := range values {
		d := v - sum
		first += d
		second += d * d
	}
	s.Mean = sum + first/n
	if s.N < 2 {
		warn(ErrTooFew)
		return s
	}
	s.StandardDeviation = math.Sqrt(math.Max(0, second-first*first/n) / (n - 1))
	// 4 units of round-off: what different orders of summation leave in equal values.
	if s.StandardDeviation <= 4*0x1p-52*largest {
		warn(ErrNoSpread)
	}
	return s
}

// usable reports whether the spread of the sample is an estimate at all.
func (s Sample) usable() bool { return s.N >= 2 && s.StandardDeviation > 0 && len(s.Warnings) == 0 }

// StandardError returns StandardDeviation/√N, NaN when the sample has no usable
// spread.
func (s Sample) StandardError() float64 {
	if !s.usable() {
		return math.NaN()
	}
	return s.StandardDeviation / math.Sqrt(float64(s.N))
}

// Interval returns the Student-t interval of the mean. It is exact for normal
// values and good for averages of many items; for a sample without a usable spread
// (see Warnings) it is (−Inf, +Inf). It panics unless 0 < level < 1.
func (s Sample) Interval(level float64) Interval {
	checkLevel("Interval", level)
	if !s.usable() {
		return everything()
	}
	half := studentQuantile(level, float64(s.N-1)) * s.StandardError()
	return Interval{Lo: s.Mean - half, Hi: s.Mean + half}
}

// Prediction is a predicted mean. A prediction by Monte Carlo has a standard
// error of its own, with the degrees of freedom it was estimated from.
type Prediction struct {
	Value         float64
	StandardError float64 // 0: exact
	// DegreesOfFreedom of StandardError; 0 or +Inf: known exactly.
	DegreesOfFreedom float64
}

// tails of (mean − value)/√(SE² + SE_prediction²), Student t with the degrees of
// freedom of Welch and Satterthwaite [Wel].
func (s Sample) tails(p Prediction) tails {
	if p.StandardError < 0 || p.DegreesOfFreedom < 0 {
		panic(fmt.Sprintf("stats: Prediction: standard error %v, degrees of freedom %v: want ≥ 0",
			p.StandardError, p.DegreesOfFreedom))
	}
	if !s.usable() || math.IsNaN(p.Value) || math.IsNaN(p.StandardError) || math.IsNaN(p.DegreesOfFreedom) {
		return tails{math.NaN(), math.NaN()}
	}
	own := s.StandardError()
	total := math.Hypot(own, p.StandardError)
	// Shares of the variance, so that nothing over- or underflows.
	a, b := own/total, p.StandardError/total
	inverse := a * a * a * a / float64(s.N-1)
	if p.DegreesOfFreedom > 0 {
		inverse += b * b * b * b / p.DegreesOfFreedom
	}
	t := (s.Mean - p.Value) / total
	small := logStudentTwoSided(t, 1/inverse) - math.Ln2
	if t < 0 {
		return tails{lower: small, upper: logarithm.OneMinusExp(small)}
	}
	return tails{lower: logarithm.OneMinusExp(small), upper: small}
}

// PValue returns the two-sided Student-t p-value of the exactly predicted mean;
// NaN (no test) when the sample has no usable spread or the prediction is NaN.
func (s Sample) PValue(mean float64) float64 { return s.PValueOf(Prediction{Value: mean}) }

// PValueOf is PValue for a prediction with a standard error of its own.
func (s Sample) PValueOf(p Prediction) float64 { return math.Exp(s.tails(p).logTwoSided()) }

// Z returns the normal equivalent of PValue, positive when the sample mean is above
// the predicted mean.
func (s Sample) Z(mean float64) float64 { return s.ZOf(Prediction{Value: mean}) }

// ZOf is Z for a prediction with a standard error of its own.
func (s Sample) ZOf(p Prediction) float64 { return s.tails(p).z() }

// Rejects returns how strongly the sample speaks against a named theory that predicts
// this mean.
func (s Sample) Rejects(theory string, p Prediction) Rejection {
	return newRejection(theory, s.tails(p))
}
