package stats

import (
	"math"
	"slices"
)

// Simulated is the null distribution of a statistic, known from independent draws.
type Simulated struct {
	sorted []float64
	// Sample summarises the draws.
	Sample Sample
}

// NewSimulated keeps a copy of the draws.
func NewSimulated(draws []float64) Simulated {
	s := Simulated{sorted: slices.Clone(draws), Sample: NewSample(draws)}
	slices.Sort(s.sorted)
	return s
}

// Prediction returns the mean of the draws, with its standard error.
func (s Simulated) Prediction() Prediction {
	return Prediction{Value: s.Sample.Mean, StandardError: s.Sample.StandardError(), DegreesOfFreedom: float64(s.Sample.N - 1)}
}

// PValue returns the two-sided p-value of one observation by its rank among N draws,
//
//	p = min(1, 2 (1 + min(#{draws ≥ x}, #{draws ≤ x}))/(N + 1)),
//
// valid at any N, P(p ≤ u) ≤ u, and never below 2/(N + 1). NaN without draws or for
// a NaN.
func (s Simulated) PValue(x float64) float64 {
	if len(s.sorted) == 0 || math.IsNaN(x) || math.IsNaN(s.sorted[0]) {
		return math.NaN()
	}
	below, _ := slices.BinarySearch(s.sorted, x)
	above := len(s.sorted) - below
	notAbove, _ := slices.BinarySearch(s.sorted, math.Nextafter(x, math.Inf(1)))
	return math.Min(1, 2*float64(1+min(above, notAbove))/float64(len(s.sorted)+1))
}

// Central returns the interval between the (1 − level)/2 quantiles of the draws: where
// one observation lies with that probability. Without draws it is (−Inf, +Inf). It
// panics unless 0 < level < 1.
func (s Simulated) Central(level float64) Interval {
	checkLevel("Central", level)
	n := len(s.sorted)
	if n == 0 {
		return everything()
	}
	cut := int(math.Floor(float64(n+1)*(1-level)/2 + 1e-9)) // of 1 − level, rounded
	if cut < 1 {                                            // too few draws to leave any out
		return Interval{Lo: s.sorted[0], Hi: s.sorted[n-1]}
	}
	return Interval{Lo: s.sorted[cut-1], Hi: s.sorted[n-cut]}
}
