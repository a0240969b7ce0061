package anisotropy

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"lamcap/saddle"
)

// From a Gaussian pool of any size, p_c with n = p is that of saddle.CriticalFacts, though
// p_c at the candidates in hand is not.
func TestCriticalOneToOne(t *testing.T) {
	const d = 24
	want, err := saddle.CriticalFacts(d * d)
	require.NoError(t, err)
	for _, p := range []int{80, 200} {
		rng := rand.New(rand.NewPCG(uint64(p), 1))
		values, targets := make([]float64, p*d), make([]int, p)
		for i := range values {
			values[i] = rng.NormFloat64()
		}
		for i := range targets {
			targets[i] = i
		}
		pool, err := PoolDimension(values, d, targets, PoolOptions{Seed: 1, Draws: 16})
		require.NoError(t, err)
		own, err := pool.CriticalOneToOne(d)
		require.NoError(t, err)
		fixed, err := pool.Critical(d)
		require.NoError(t, err)
		assert.InDelta(t, want.Facts, own.Value, 4*own.Error, "p = %d", p)
		assert.Greater(t, math.Abs(fixed.Value-want.Facts), math.Abs(own.Value-want.Facts))
		assert.Less(t, own.Error, fixed.Error, "what a fact takes grows with n")
		_, err = Pool{Facts: p, Candidates: p + 1, Rank: d, Total: pool.Total, Dimensions: pool.Dimensions}.CriticalOneToOne(d)
		assert.ErrorContains(t, err, "want as many of both")
	}
}

// Far from the transition P rounds to 1, but what the draws leave of 1 − P is not 0.
func TestProbabilityErrorFarAway(t *testing.T) {
	p := Pool{Facts: 10, Rank: 10}
	p.Total.Value, p.Total.Error = 100, 2
	p.Spread.Value, p.Spread.Error = 4, 0.1
	above, err := p.Probability(12) // room 20, 10 widths
	require.NoError(t, err)
	assert.Equal(t, 1., above.Value)
	below, err := p.Probability(8)
	require.NoError(t, err)
	assert.InEpsilon(t, below.Error, above.Error, 1e-12)
	assert.InEpsilon(t, 0.5*math.Erfc(9/math.Sqrt2)/2, above.Error, 0.01)
}
