package stats

import (
	"math"

	"lamcap/extremes"
)

// upperQuantile returns x ≥ 0 with log Q(x) = logTail, 0 for tails of 1/2 and more.
func upperQuantile(logTail float64) float64 {
	if logTail >= -math.Ln2 {
		return 0
	}
	x, _ := extremes.SurvivalQuantile(logTail) // NaN, for a NaN, is its only error here
	return x
}

// levelQuantile returns z with P(|standard normal| ≤ z) = level.
func levelQuantile(level float64) float64 { return upperQuantile(math.Log(0.5 * (1 - level))) }

// tails is a lower and an upper tail probability of one observation, both
// including the observation itself, as logarithms.
type tails struct{ lower, upper float64 }

// logTwoSided returns the log of the doubled smaller tail, capped at 0.
func (t tails) logTwoSided() float64 {
	return math.Min(0, math.Ln2+math.Min(t.lower, t.upper))
}

// z returns the normal equivalent of the two-sided p-value, positive when the
// upper tail is the smaller one.
func (t tails) z() float64 {
	if math.IsNaN(t.lower) || math.IsNaN(t.upper) {
		return math.NaN()
	}
	z := upperQuantile(math.Min(t.lower, t.upper))
	if z == 0 {
		return 0
	}
	if t.lower < t.upper {
		return -z
	}
	return z
}
