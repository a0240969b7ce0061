package saddle

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"lamcap/extremes"
	"lamcap/internal/embedding"
)

// What the corrected moments share with the margin cone's is computed by other contours
// there.
func TestCorrectedDimensionAtScoreLevel(t *testing.T) {
	for _, n := range []float64{2, 3, 20, 139, 1e6} {
		for _, margin := range []float64{0, 0.7, 1.3, 4} {
			c, err := CorrectedDimension(n, margin)
			require.NoError(t, err)
			m, err := extremes.MarginCone{N: n, Margin: margin}.Moments()
			require.NoError(t, err)
			off := math.Abs(c.Mass - 1)
			assert.Less(t, off, 1e-6, "n = %v, K = %v", n, margin)
			assert.InEpsilon(t, m.Dimension.Value, c.Dimension, 1e-9+20*off, "n = %v, K = %v", n, margin)
			if margin == 0 {
				assert.InDelta(t, 0, c.Gaussian, 1e-8, "n = %v", n)
			}
		}
	}
}

// At K = 0 lengths do not matter: E dist² is D_n less what the excluded hulls take, and those
// are the sums of intrinsic volumes that Hull has.
func TestVectorDimensionAtCapacity(t *testing.T) {
	for _, d := range []int{4, 8, 16} {
		v, err := VectorDimension(20, 0, float64(d))
		require.NoError(t, err)
		hull, err := NewTransition().Hull(d, 20)
		require.NoError(t, err)
		assert.InDelta(t, hull.Value, v.Excluded, 1e-8, "d = %d", d)
		assert.InDelta(t, v.Active, v.Dimension, 1e-8, "d = %d: dist² is χ² with |A| degrees of freedom", d)
	}
	exact, err := extremes.ConeDimension(20)
	require.NoError(t, err)
	v, err := VectorDimension(20, 0, 24)
	require.NoError(t, err)
	assert.InDelta(t, exact.Value, v.Dimension, 1e-8)
}

// The remainder of first order falls like 1/d²: its products with d² agree.
func TestCorrectedDimensionIsFirstOrder(t *testing.T) {
	for _, n := range []float64{20, 60, 139} {
		for _, margin := range []float64{0.5, 1.3} {
			c, err := CorrectedDimension(n, margin)
			require.NoError(t, err)
			rest := func(d float64) float64 {
				v, err := VectorDimension(n, margin, d)
				require.NoError(t, err)
				return (v.Dimension - c.Dimension - c.Gaussian/d) * d * d
			}
			// The next term of the expansion is left in them: the difference halves with it.
			a, b := rest(400), rest(800)
			assert.InDelta(t, 1, a/b, 0.08, "n = %v, K = %v", n, margin)
		}
	}
}

// Draws of vectors against both; the probability of a false alarm is 6e-5 for each
// row. The score level would fail by more than 10 standard errors at K > 0.
func TestCorrectedDimensionAgainstDraws(t *testing.T) {
	for _, test := range []struct {
		n, d   int
		margin float64
		draws  int
	}{{20, 16, 1, 1500}, {60, 24, 1.1, 600}} {
		v, err := VectorDimension(float64(test.n), test.margin, float64(test.d))
		require.NoError(t, err)
		c, err := CorrectedDimension(float64(test.n), test.margin)
		require.NoError(t, err)
		difference, standardError := vectorMargin(3, test.draws, test.n, test.d, test.margin, embedding.Gaussian)
		assert.InDelta(t, v.Dimension-c.Dimension, difference, 4*standardError, "n = %d, d = %d", test.n, test.d)
		assert.Greater(t, difference, 10*standardError, "n = %d, d = %d", test.n, test.d)
	}
	// Values of norm √d at d = 96, where what is left is a tenth of the correction.
	c, err := CorrectedDimension(20, 1)
	require.NoError(t, err)
	difference, standardError := vectorMargin(4, 1500, 20, 96, 1, embedding.Sphere)
	assert.InDelta(t, c.Sphere/96, difference, 4*standardError+0.15*c.Sphere/96)
	assert.Greater(t, math.Abs(difference-c.Gaussian/96), 4*standardError)
}

// Monte Carlo of the vector level: 1.086 ± 0.007 for values with normal entries,
// 1.192 ± 0.007 for norm √d; the score level is at 1.315.
func TestMarginOfVectors(t *testing.T) {
	g, err := MarginOfVectors(576, 60, 60, 24, embedding.Gaussian)
	require.NoError(t, err)
	assert.InDelta(t, 1.08697, g.Margin, 1e-5)
	assert.InDelta(t, 1.31547, g.Score, 1e-5)
	assert.Less(t, g.Error, 1e-5)
	s, err := MarginOfVectors(576, 60, 60, 24, embedding.Sphere)
	require.NoError(t, err)
	assert.InDelta(t, 1.192, s.Margin, s.Error+0.02)
	assert.Less(t, s.Error, 0.05)

	_, err = MarginOfVectors(576, 60, 60, 8, embedding.Gaussian)
	assert.ErrorContains(t, err, "d_out = 8")
	_, err = MarginOfVectors(576, 120, 120, 24, embedding.Gaussian)
	assert.ErrorContains(t, err, "above capacity")
}
