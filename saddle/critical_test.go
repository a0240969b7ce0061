package saddle_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"lamcap/extremes"
	"lamcap/quartercircle"
	"lamcap/saddle"
)

func TestCriticalFacts(t *testing.T) {
	c, err := saddle.CriticalFacts(576)
	require.NoError(t, err)
	assert.InDelta(t, 115.467416, c.Facts, 5.1e-7, "24 × 24 weights")
	assert.Less(t, c.Error, 1e-9)
	assert.Less(t, math.Abs(c.Residual), 1e-12)
	assert.Equal(t, 576.0, c.Weights)
	assert.True(t, c.Status.OK())

	// Cover: two facts of two candidates each take one weight.
	c, err = saddle.CriticalFacts(1)
	require.NoError(t, err)
	assert.InDelta(t, 2, c.Facts, c.Error)
}

// At rank m the weights are N_eff. The theory quotes 105.8 and 80.3 facts from
// an average over fewer matrices; dense SVDs of 3,000 of 24 × 24 give N_eff =
// 516.7 ± 0.1 and 361.7 ± 0.2, and so 106.0 and 80.4. Counting parameters,
// 2md − m², would give 92 and 61.
func TestCriticalFactsAtLowRank(t *testing.T) {
	spectra := quartercircle.NewSpectra()
	for rank, want := range map[int]struct{ facts, quoted float64 }{12: {106.04, 105.8}, 6: {80.37, 80.3}} {
		n, err := spectra.EffectiveDimension(24, 24, rank)
		require.NoError(t, err)
		c, err := saddle.CriticalFacts(n.Value)
		require.NoError(t, err)
		// dp/dN = 0.17: four standard errors of either N_eff.
		assert.InDelta(t, want.facts, c.Facts, 4*0.17*0.2, "m = %d", rank)
		assert.InDelta(t, want.quoted, c.Facts, 0.3, "m = %d", rank)
	}
}

// p_c D_p = N, from one weight to 1e300, and more weights store more facts.
func TestCriticalFactsSolveTheirEquation(t *testing.T) {
	last := 0.0
	for _, weights := range []float64{1, 1.001, 2, 7.5, 30, 144, 250.25, 1024, 1e4, 1e6, 1e9, 1e15, 1e30, 1e100, 1e200, 1e300} {
		c, err := saddle.CriticalFacts(weights)
		require.NoError(t, err)
		assert.True(t, c.Status.OK(), "N = %v", weights)
		assert.GreaterOrEqual(t, c.Facts, 2.0)
		assert.Greater(t, c.Facts, last)
		last = c.Facts
		assert.LessOrEqual(t, c.Error, 1e-10*c.Facts, "N = %v", weights)
		d, err := extremes.ConeDimension(c.Facts)
		require.NoError(t, err)
		// An error δ of log p moves log(pD) by at most 2δ: D_p grows slower than p.
		assert.InDelta(t, 1, c.Facts*d.Value/weights, 2*c.Error/c.Facts+d.Error/d.Value, "N = %v", weights)
	}
}

func TestCriticalFactsAmong(t *testing.T) {
	for _, weights := range []float64{0.01, 1, 576, 1e20, 1e300} {
		c, err := saddle.CriticalFactsAmong(weights, 2)
		require.NoError(t, err)
		assert.InDelta(t, 1, c.Facts/(2*weights), c.Error/c.Facts, "Cover")
		assert.Less(t, c.Error, 1e-12*c.Facts)
		assert.Less(t, math.Abs(c.Residual), 1e-15)
	}
	// With the candidates that go with p = p_c the two agree.
	all, err := saddle.CriticalFacts(1000)
	require.NoError(t, err)
	fixed, err := saddle.CriticalFactsAmong(1000, all.Facts)
	require.NoError(t, err)
	assert.InDelta(t, all.Facts, fixed.Facts, all.Error+fixed.Error)
	// 1e300 candidates and few weights: less than one fact.
	c, err := saddle.CriticalFactsAmong(1000, 1e300)
	require.NoError(t, err)
	assert.InDelta(t, 1000/1361.060722, c.Facts, 1e-9)
}

func TestCriticalFactsWrongArguments(t *testing.T) {
	for _, weights := range []float64{0.99, 0, -1, 1.1e300, math.Inf(1), math.NaN()} {
		c, err := saddle.CriticalFacts(weights)
		assert.ErrorContains(t, err, "want 1 ≤ weights ≤ 1e300")
		assert.True(t, math.IsNaN(c.Facts) && math.IsInf(c.Error, 1) && !c.Status.OK())
	}
	for _, weights := range []float64{0, -1, math.Inf(1), math.NaN()} {
		c, err := saddle.CriticalFactsAmong(weights, 10)
		assert.ErrorContains(t, err, "want 0 < weights ≤ 1e300")
		assert.True(t, math.IsNaN(c.Facts))
	}
	c, err := saddle.CriticalFactsAmong(10, 1.5)
	assert.EqualError(t, err, "n = 1.5: want 2 ≤ n ≤ 1e300")
	assert.True(t, math.IsNaN(c.Facts))
}
