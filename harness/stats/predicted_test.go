package stats

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestPredictedHalfPoint(t *testing.T) {
	loads, trials := []float64{36, 38, 40, 42, 44}, []int{120, 120, 120, 120, 120}
	// A probit curve has its own half-point.
	curve := Transition{Loads: loads}.Curve(39.7, 2.3)
	assert.InDelta(t, 39.7, PredictedHalfPoint(loads, trials, curve), 1e-9)
	// The exact transition at N = 144, n = p, crosses 1/2 at 40.03, p_c is 39.997,
	// and a probit through these loads has 40.080 (recomputed independently).
	exact := []float64{0.95854, 0.80357, 0.50461, 0.21208, 0.05691}
	assert.InDelta(t, 40.080, PredictedHalfPoint(loads, trials, exact), 2e-3)
	// It is what a fit of many instances gives.
	many := Transition{Loads: loads}
	for i := range loads {
		many.Trials = append(many.Trials, 1_000_000)
		many.Stored = append(many.Stored, int(math.Round(1e6*exact[i])))
	}
	assert.InDelta(t, maximise(many.points()).half, PredictedHalfPoint(loads, trials, exact), 1e-4)
	assert.True(t, math.IsNaN(PredictedHalfPoint(loads, trials, []float64{1, 1, 1, 1, 1})))
	assert.Panics(t, func() { PredictedHalfPoint(loads, trials[:1], exact) })
}
