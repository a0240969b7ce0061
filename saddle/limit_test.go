package saddle_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"lamcap/saddle"
)

// q = 2α minimises the free energy, which is ½ log(1 − 2α) there.
func TestLimitOverlap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		alpha := rapid.Float64Range(0, 0.4999).Draw(t, "alpha")
		q, energy, err := saddle.Overlap(alpha)
		require.NoError(t, err)
		if q != 2*alpha {
			t.Fatalf("q = %v at α = %v", q, alpha)
		}
		at, err := saddle.FreeEnergy(q, alpha)
		require.NoError(t, err)
		if !(math.Abs(at-energy) <= 4e-16*math.Max(1, -energy)) {
			t.Fatalf("α = %v: Φ(2α) = %v, ½ log(1 − 2α) = %v", alpha, at, energy)
		}
		other := rapid.Float64Range(0, 0.99999).Draw(t, "q")
		away, err := saddle.FreeEnergy(other, alpha)
		require.NoError(t, err)
		if !(away >= energy-4e-16*math.Max(1, -energy)) {
			t.Fatalf("α = %v: Φ(%v) = %v is below Φ(2α) = %v", alpha, other, away, energy)
		}
	})
}

func TestLimitTowardsCapacity(t *testing.T) {
	q, energy, err := saddle.Overlap(math.Nextafter(saddle.LimitCapacity, 0))
	require.NoError(t, err)
	assert.Less(t, q, 1.0)
	assert.InDelta(t, -53*math.Ln2/2, energy, 1e-12, "1 − 2α is one ulp, 2⁻⁵³")
}

func TestLimitWrongArguments(t *testing.T) {
	for _, alpha := range []float64{-0.1, 0.5, 0.7, math.NaN()} {
		q, energy, err := saddle.Overlap(alpha)
		assert.ErrorContains(t, err, "want 0 ≤ alpha < 0.5")
		assert.True(t, math.IsNaN(q) && math.IsNaN(energy))
	}
	for _, q := range []float64{-0.1, 1, math.NaN()} {
		_, err := saddle.FreeEnergy(q, 0.1)
		assert.ErrorContains(t, err, "want 0 ≤ q < 1")
	}
	for _, alpha := range []float64{-1, math.NaN()} {
		_, err := saddle.FreeEnergy(0.5, alpha)
		assert.ErrorContains(t, err, "want alpha ≥ 0")
	}
}
