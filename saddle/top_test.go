package saddle_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"lamcap/saddle"
)

func TestFactsTop(t *testing.T) {
	for _, weights := range []float64{7, 576, 1e300} {
		first, err := saddle.FactsTop(weights, 1)
		require.NoError(t, err)
		capacity, err := saddle.CriticalFacts(weights)
		require.NoError(t, err)
		assert.Equal(t, capacity.Facts, first.Facts)
	}
	// More ranks, more facts, each solving its equation.
	last := 0.0
	for _, k := range []float64{1, 50} {
		c, err := saddle.FactsTop(576, k)
		require.NoError(t, err)
		assert.True(t, c.Status.OK())
		assert.Greater(t, c.Facts, math.Max(last, k))
		assert.Less(t, c.Error, 1e-10*c.Facts, "k = %v", k)
		again, err := saddle.FactsTopAmong(576, c.Facts, k)
		require.NoError(t, err)
		assert.InDelta(t, c.Facts, again.Facts, 2*c.Error, "k = %v", k)
		last = c.Facts
	}
}

// With k = rn the limit is Gardner's perceptron at z, Q(z) = r, above the convex
// surrogate, which certifies the same ranks.
func TestFactsTopAmongInTheLimit(t *testing.T) {
	c, err := saddle.FactsTopAmong(1, 1e12, 1e10)
	require.NoError(t, err)
	// z = 2.32634787404084, Q(z) = 0.01
	gardner, err := saddle.Gardner{Threshold: 2.32634787404084}.Capacity()
	require.NoError(t, err)
	assert.InEpsilon(t, gardner.Value, c.Facts, 1e-4)
	surrogate, err := saddle.TailAverageCapacity(0.01)
	require.NoError(t, err)
	assert.Less(t, surrogate, c.Facts)
	assert.Greater(t, surrogate, 0.7*c.Facts)
}

func TestFactsTopWrongArguments(t *testing.T) {
	for _, k := range []float64{0, 1.5, -1, 1e300, math.NaN()} {
		c, err := saddle.FactsTop(576, k)
		assert.ErrorContains(t, err, "want an integer, 1 ≤ k")
		assert.True(t, math.IsNaN(c.Facts) && math.IsInf(c.Error, 1))
	}
	_, err := saddle.FactsTop(0.5, 2)
	assert.ErrorContains(t, err, "want 1 ≤ weights ≤ 1e300")
	_, err = saddle.FactsTopAmong(0, 10, 2)
	assert.ErrorContains(t, err, "want 0 < weights ≤ 1e300")
	_, err = saddle.FactsTopAmong(1, 10, 11)
	assert.ErrorContains(t, err, "1 ≤ k ≤ n = 10")
	_, err = saddle.FactsTopAmong(1, 10, 10)
	assert.ErrorContains(t, err, "want k < n = 10: every input counts")
}
