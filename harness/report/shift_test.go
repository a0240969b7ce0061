package report

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"lamcap/harness/stats"
)

// A curve is rejected only if every reading of the undecided instances rejects it.
func TestShift(t *testing.T) {
	curve := []float64{0.9, 0.5, 0.1}
	trials := []int{100, 100, 100}
	counts := func(stored ...int) stats.Transition {
		return stats.Transition{Loads: []float64{1, 2, 3}, Stored: stored, Trials: trials}
	}
	all := func(c stats.Transition) float64 { return stats.CurvePValue(c.Stored, trials, curve) }
	for _, c := range []struct {
		name        string
		least, most stats.Transition
		want        func(z, p float64) bool
	}{
		{"too many, whatever they are", counts(98, 70, 25), counts(99, 75, 25), func(z, p float64) bool { return z > 3 && p == all(counts(98, 70, 25)) }},
		{"too few, whatever they are", counts(80, 30, 2), counts(82, 30, 2), func(z, p float64) bool { return z < -3 && p == all(counts(82, 30, 2)) }},
		{"either", counts(85, 40, 8), counts(95, 60, 14), func(z, p float64) bool { return z == 0 && p == 1 }},
		{"none undecided", counts(93, 55, 12), counts(93, 55, 12), func(z, p float64) bool { return z > 0 && p == all(counts(93, 55, 12)) }},
	} {
		z, p := shift(c.least, c.most, curve)
		assert.True(t, c.want(z, p), "%s: z = %v, p = %v", c.name, z, p)
	}
}
