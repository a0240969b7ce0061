package saddle_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"lamcap/saddle"
)

// The theory quotes Monte Carlo of the max-margin scores at d = 24, ±0.003: p = 60
// has K* = 1.309, correct score 2.619 ± 0.269, 6.14 active; p = 100 has 0.268,
// 1.949 ± 0.286, 5.25. The quadrature is two of those errors away from each; the
// projections in package extremes decide for it: at K = 1.309 sixty facts would
// leave two of the 576 weights unused.
func TestMarginOfTheory(t *testing.T) {
	for _, test := range []struct {
		p, margin, correct, std, active            float64
		quotedMargin, quotedCorrect, quotedStd, of float64
	}{
		{60, 1.315475, 2.624555, 0.269055, 6.147463, 1.309, 2.619, 0.269, 6.14},
		{100, 0.262925, 1.943988, 0.286408, 5.248877, 0.268, 1.949, 0.286, 5.25},
	} {
		m, err := saddle.Margin(576, test.p, test.p)
		require.NoError(t, err)
		assert.InDelta(t, test.margin, m.Margin, 5e-7, "p = %v", test.p)
		assert.InDelta(t, test.correct, m.CorrectMean, 5e-7)
		assert.InDelta(t, test.std, m.CorrectStd, 5e-7)
		assert.InDelta(t, test.active, m.Active, 5e-7)
		assert.InDelta(t, test.quotedMargin, m.Margin, 0.007)
		assert.InDelta(t, test.quotedCorrect, m.CorrectMean, 0.007)
		assert.InDelta(t, test.quotedStd, m.CorrectStd, 0.001)
		assert.InDelta(t, test.of, m.Active, 0.01)
		assert.True(t, m.Status.OK())
		assert.Less(t, m.Error, 1e-12)
		assert.Less(t, math.Abs(m.Residual), 1e-13)
		assert.Equal(t, m.Margin, m.Cone.Margin)
	}
}

// Margin and FactsAtMarginAmong are inverse to each other from loads next to
// nothing up to capacity, and the residual is that of the margin returned.
func TestMarginSolvesItsEquation(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		weights := math.Exp(rapid.Float64Range(0, 600).Draw(t, "log weights"))
		n := math.Floor(math.Exp(rapid.Float64Range(math.Ln2+1e-9, 690).Draw(t, "log n")))
		critical, err := saddle.CriticalFactsAmong(weights, n)
		require.NoError(t, err)
		load := math.Exp(rapid.Float64Range(-40, -1e-9).Draw(t, "log load"))
		p := load * critical.Facts
		m, err := saddle.Margin(weights, p, n)
		require.NoError(t, err)
		if !(m.Margin > 0 && m.Status.OK() && math.Abs(m.Residual) < 1e-11) {
			t.Fatalf("weights = %v, p = %v, n = %v: %+v", weights, p, n, m)
		}
		back, err := saddle.FactsAtMarginAmong(weights, n, m.Margin)
		require.NoError(t, err)
		if !(math.Abs(back.Facts-p) <= back.Error+p*(math.Abs(m.Residual)+1e-15)) {
			t.Fatalf("weights = %v, n = %v: %v facts have the margin %v, which %v have", weights, n, p, m.Margin, back.Facts)
		}
		if !(m.CorrectStd > 0 && m.Error < 1e-9*(1+m.Margin)) {
			t.Fatalf("weights = %v, p = %v, n = %v: %+v", weights, p, n, m)
		}
	})
}

func TestFactsAtMargin(t *testing.T) {
	capacity, err := saddle.CriticalFacts(576)
	require.NoError(t, err)
	none, err := saddle.FactsAtMargin(576, 0)
	require.NoError(t, err)
	assert.Equal(t, capacity, none)
	last := capacity.Facts
	for _, k := range []float64{1e-6, 0.1, 0.262925174364, 1, 1.31547489881, 5, 20} {
		c, err := saddle.FactsAtMargin(576, k)
		require.NoError(t, err)
		assert.Less(t, c.Facts, last)
		assert.Less(t, c.Error, 1e-9)
		last = c.Facts
		m, err := saddle.Margin(576, c.Facts, c.Facts)
		require.NoError(t, err)
		// dK/dp = −D/(2Bp) and more, so K turns within a few errors of p.
		assert.InDelta(t, k, m.Margin, 1e-11*(1+k), "p = %v", c.Facts)
	}
	c, err := saddle.FactsAtMargin(1e12, 100)
	require.NoError(t, err)
	assert.True(t, c.Status.OK())
	assert.InDelta(t, 1, c.Facts*c.Dimension.Value/1e12, 1e-12)
}

// Towards capacity K* = (N/p − D)/(2 E m*), to second order in K*: relative 1e-8
// at 1e-8 below it, where N/p − D has seven digits left.
func TestMarginTowardsCapacity(t *testing.T) {
	const weights, n = 576, 116
	c, err := saddle.CriticalFactsAmong(weights, n)
	require.NoError(t, err)
	m, err := saddle.Margin(weights, c.Facts, n)
	require.NoError(t, err)
	assert.InDelta(t, 0, m.Margin, 4*m.Error)
	for _, below := range []float64{1e-3, 1e-5, 1e-7} {
		p := c.Facts * (1 - below)
		m2, err := saddle.Margin(weights, p, n)
		require.NoError(t, err)
		first := (weights/p - c.Dimension.Value) / (2 * m.CorrectMean)
		// D is between 2BK and 2BK + K²: K is below the linear form by K/(2B) at most.
		assert.InDelta(t, 1, m2.Margin/first, 0.3*m2.Margin+5e-15/below, "%v below capacity", below)
	}
}

func TestMarginWrongArguments(t *testing.T) {
	for _, test := range []struct {
		weights, p, n float64
		want          string
	}{
		{0, 10, 10, "weights = 0: want 0 < weights ≤ 1e300"},
		{math.NaN(), 10, 10, "weights = NaN: want 0 < weights ≤ 1e300"},
		{576, 0, 10, "p = 0: want 0 < p ≤ 1e300"},
		{576, math.NaN(), 10, "p = NaN: want 0 < p ≤ 1e300"},
		{576, 10, 1, "n = 1: want 2 ≤ n ≤ 1e300"},
		{576, 120, 120, "p = 120: no margin above capacity: want p ≤ p_c = 115.4674159 (576 weights, n = p candidates)"},
		{576, 1200, 2, "p = 1200: no margin above capacity: want p ≤ p_c = 1152 (576 weights, 2 candidates)"},
		{1e300, 1, 2, "p = 1: want p ≥ weights/2.5e+299: the margin of fewer is above 1e150"},
	} {
		m, err := saddle.Margin(test.weights, test.p, test.n)
		assert.EqualError(t, err, test.want)
		assert.True(t, math.IsNaN(m.Margin) && math.IsInf(m.Error, 1) && !m.Status.OK())
	}
	_, err := saddle.FactsAtMargin(576, -1)
	assert.EqualError(t, err, "margin = -1: want 0 ≤ margin ≤ 1e150")
	_, err = saddle.FactsAtMargin(576, 50)
	assert.EqualError(t, err, "margin = 50: two facts take 2502 of 576 weights with it: want a smaller margin or more weights")
	_, err = saddle.FactsAtMarginAmong(576, 10, math.NaN())
	assert.EqualError(t, err, "margin = NaN: want 0 ≤ margin ≤ 1e150")
	_, err = saddle.FactsAtMarginAmong(-1, 10, 1)
	assert.EqualError(t, err, "weights = -1: want 0 < weights ≤ 1e300")
	_, err = saddle.FactsAtMarginAmong(576, 1, 1)
	assert.EqualError(t, err, "n = 1: want 2 ≤ n ≤ 1e300")
}

// A change of the weights moves margin and moments by no more than Moved says, and
// not by much less than that in the margin itself.
func TestMarginMoved(t *testing.T) {
	for _, p := range []float64{5, 20, 60, 100, 115} {
		const weights, more = 576.0, 0.05
		k, err := saddle.Margin(weights, p, p)
		require.NoError(t, err)
		other, err := saddle.Margin(weights+more, p, p)
		require.NoError(t, err)
		// D is convex in K: the slope at the smaller K bounds the step.
		moved := k.Moved(more / (2 * p * k.CorrectMean))
		assert.LessOrEqual(t, other.Margin-k.Margin, moved.Error)
		assert.Greater(t, other.Margin-k.Margin, 0.9*moved.Error)
		assert.LessOrEqual(t, math.Abs(other.CorrectMean-k.CorrectMean), moved.CorrectMeanError)
		assert.LessOrEqual(t, math.Abs(other.CorrectStd-k.CorrectStd), moved.CorrectStdError)
		assert.LessOrEqual(t, math.Abs(other.Active-k.Active), moved.ActiveError)
		for _, bound := range []float64{k.CorrectMeanError, k.CorrectStdError, k.ActiveError} {
			assert.Positive(t, bound)
			assert.Less(t, bound, 1e-11)
		}
		// The solution of the margin found is the same.
		again, err := saddle.MarginSolution(k.Cone)
		require.NoError(t, err)
		assert.InDelta(t, k.CorrectMean, again.CorrectMean, again.CorrectMeanError)
		assert.Equal(t, k.Active, again.Active)
	}
}
