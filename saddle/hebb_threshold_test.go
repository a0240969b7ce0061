package saddle_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"lamcap/extremes"
	"lamcap/saddle"
)

// At the load returned the criterion holds, evaluated afresh.
func TestHebbThresholdsSolve(t *testing.T) {
	for name, law := range map[string]saddle.HebbLaw{
		"limit":     saddle.HebbLimitLaw(24),
		"decoupled": saddle.HebbDecoupledLaw(24),
		"corrected": saddle.HebbDecoupledCorrectedLaw(24),
	} {
		typical, err := saddle.HebbTypicalThreshold(24, law)
		require.NoError(t, err, name)
		v, err := law(typical.Load)
		require.NoError(t, err, name)
		assert.InDelta(t, 0.5, v.Value, 1e-9+1e-3*v.Error, name)
		all, err := saddle.HebbAllThreshold(24, law)
		require.NoError(t, err, name)
		v, err = law(all.Load)
		require.NoError(t, err, name)
		assert.InDelta(t, 0.5, math.Pow(v.Value, all.Load), 1e-9+1e-3*all.Load*v.Error, name)
		for _, x := range []saddle.HebbThreshold{typical, all} {
			assert.True(t, x.Status.OK(), name)
			assert.Less(t, math.Abs(x.Residual), 1e-4*x.Error+1e-9, name)
			assert.Less(t, x.Error, 0.01*x.Load, name)
			assert.InEpsilon(t, x.Load*math.Log(x.Load)/(24*24), x.Alpha, 1e-14, name)
		}
		assert.Less(t, all.Load, typical.Load, name)
	}
}

// The loads where half of the simulated instances are stored completely: 21.86 in
// OP, from P(all) = 0.562, 0.490 (± 0.002) at p = 21, 22, and 27.28 in DP, from
// 0.519, 0.451 (± 0.001) at 27, 28. Independent items are right to 0.1 fact.
func TestHebbAllThresholdAgainstSimulation(t *testing.T) {
	original, err := saddle.HebbAllThreshold(24, saddle.HebbOriginalLaw(24))
	require.NoError(t, err)
	assert.InDelta(t, 21.86, original.Load, 0.1)
	assert.True(t, original.Status.OK())
	assert.Less(t, math.Abs(original.Residual), 1e-4)
	assert.Less(t, original.Error, 0.2)
	decoupled, err := saddle.HebbAllThreshold(24, saddle.HebbDecoupledCorrectedLaw(24))
	require.NoError(t, err)
	assert.InDelta(t, 27.28, decoupled.Load, 0.1)
	limit, err := saddle.HebbAllThreshold(24, saddle.HebbLimitLaw(24))
	require.NoError(t, err)
	assert.Greater(t, limit.Load, 30.0, "the limit law must be rejected")
}

// α falls to the limits as d → ∞, as slowly as 1/log d.
func TestHebbThresholdsApproachLimits(t *testing.T) {
	last := math.Inf(1)
	for _, d := range []float64{10, 100, 1e4, 1e10, 1e30, 1e100} {
		x, err := saddle.HebbTypicalThreshold(d, saddle.HebbLimitLaw(d))
		require.NoError(t, err)
		assert.Less(t, x.Alpha, last)
		assert.Greater(t, x.Alpha, saddle.HebbLimitTypical)
		last = x.Alpha
	}
	assert.InDelta(t, saddle.HebbLimitTypical, last, 0.005)

	last = math.Inf(1)
	for _, d := range []float64{10, 100, 1e4, 1e6} {
		x, err := saddle.HebbAllThreshold(d, saddle.HebbLimitLaw(d))
		require.NoError(t, err)
		assert.Less(t, x.Alpha, last)
		assert.Greater(t, x.Alpha, saddle.HebbLimitAll)
		last = x.Alpha
	}
	assert.InDelta(t, saddle.HebbLimitAll, last, 0.011)
}

func TestHebbThresholdErrors(t *testing.T) {
	_, err := saddle.HebbTypicalThreshold(1, saddle.HebbLimitLaw(1))
	assert.EqualError(t, err, "d = 1: want 2 ≤ d ≤ 1e100")
	// 1 − P = log 2/p is below rounding there; no root is made up.
	x, err := saddle.HebbAllThreshold(1e12, saddle.HebbLimitLaw(1e12))
	assert.ErrorContains(t, err, "below the law's error")
	assert.True(t, math.IsNaN(x.Load))
	// A law's own error comes through.
	_, err = saddle.HebbTypicalThreshold(24, saddle.HebbOriginalLaw(1))
	assert.EqualError(t, err, "d = 1: want 2 ≤ d ≤ 10000")
	_, err = saddle.HebbTypicalThreshold(24, func(float64) (extremes.Value, error) {
		return extremes.Value{Value: 1}, nil
	})
	assert.ErrorContains(t, err, "not crossed")
}
