package saddle

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"lamcap/internal/embedding"
)

// Three nodes have the moments E ρ^{−j} = (m/2)^{j/2} Γ((m−j)/2)/Γ(m/2) up to the fifth.
func TestKeyLengths(t *testing.T) {
	for _, m := range []float64{8, 24, 1000} {
		nodes, err := keyLengths(m)
		require.NoError(t, err)
		require.Len(t, nodes, 3)
		for j := range 6 {
			got := 0.0
			for _, c := range nodes {
				assert.Positive(t, c.weight)
				got += c.weight * math.Pow(c.x, float64(j))
			}
			over, _ := math.Lgamma((m - float64(j)) / 2)
			under, _ := math.Lgamma(m / 2)
			want := math.Exp(float64(j)/2*math.Log(m/2) + over - under)
			tolerance := 1e-8
			if m == 8 { // whose law has heavy tails that the rule cuts off
				tolerance = 1e-5
			}
			assert.InEpsilon(t, want, got, tolerance, "d_in = %v, moment %d", m, j)
		}
	}
	_, err := keyLengths(7)
	assert.EqualError(t, err, "d_in = 7: want 8 ≤ d_in ≤ 1e6 for keys with normal entries")
}

// Lengths of keys take 4% of this margin: vector.Margin has 1.0430 ± 0.0021 from draws (a false
// alarm has probability 6e-5),
// and 1.0870 is that of keys of equal length.
func TestMarginOfKeys(t *testing.T) {
	g, err := MarginOfKeys(576, 60, 60, 24, 24, embedding.Gaussian)
	require.NoError(t, err)
	assert.InDelta(t, 1.0430, g.Margin, 4*0.0021)
}

// The table of logBelow is what it says, at the ranges that a dimension has.
func TestBelowTable(t *testing.T) {
	for _, n := range []float64{20, 139, 1e9} {
		for _, k := range []float64{1, 6, 15} {
			r := levelRange{0.2, 8}
			below := belowTable(n, k, r)
			for kappa := r.lo; kappa <= r.hi; kappa *= 1.07 {
				assert.InDelta(t, logBelow(n, k, kappa), below(kappa), 1e-9*(1-below(kappa)), "n = %v, k = %v, κ = %v", n, k, kappa)
			}
		}
	}
}

// Where the probabilities of active sets are products of numbers beyond the range of float64. What
// is left beyond first order is 9e-5 of D.
func TestVectorDimensionOfManyCandidates(t *testing.T) {
	const n, margin, d = 1e9, 0.5, 1000
	v, err := VectorDimension(n, margin, d)
	require.NoError(t, err)
	c, err := CorrectedDimension(n, margin)
	require.NoError(t, err)
	assert.InEpsilon(t, c.Dimension+c.Gaussian/d, v.Dimension, 2e-4)
	assert.InDelta(t, 34.79, v.Active, 0.05)
}
