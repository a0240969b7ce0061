package vectors

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Vectors with a known covariance: ±√(n/2) σ_j along axis j about a mean.
func TestSpectrum(t *testing.T) {
	sigma := []float64{3, 2, 1e-5, 0}
	d := len(sigma)
	n := float64(2 * d)
	s := &Set{Rows: 2 * d, Columns: d}
	for j, v := range sigma {
		for _, sign := range []float64{1, -1} {
			row := []float64{1, 0, 0, 0.5}
			row[j] += sign * v * math.Sqrt(n/2)
			s.Data = append(s.Data, row...)
		}
	}
	sp, err := s.Spectrum()
	require.NoError(t, err)
	assert.InDeltaSlice(t, []float64{9, 4, 1e-10, 0}, sp.Eigenvalues, 1e-14)
	assert.InEpsilon(t, 1e-10, sp.Eigenvalues[2], 1e-9, "a small one has digits of its own")
	assert.Equal(t, 3, sp.Rank)
	assert.InDeltaSlice(t, []float64{1, 0, 0, 0.5}, sp.Mean, 1e-15)
	assert.InDelta(t, 13+1e-10, sp.Trace(), 1e-13)
	assert.InDelta(t, 169.0/97, sp.ParticipationRatio(), 1e-9)
	assert.InDelta(t, math.Sqrt(1.25/(13+1e-10)), sp.MeanShare(), 1e-14)
}

func TestSpectrumOfFewOrEqualVectors(t *testing.T) {
	sp, err := gaussian(3, 5, 1, 0, 1).Spectrum()
	require.NoError(t, err)
	assert.Len(t, sp.Eigenvalues, 5)
	assert.Equal(t, 2, sp.Rank)
	s, err := NewSet(3, 2, []float64{0.1, 7, 0.1, 7, 0.1, 7})
	require.NoError(t, err)
	sp, err = s.Spectrum()
	require.NoError(t, err)
	assert.Equal(t, 0, sp.Rank)
	s, err = NewSet(2, 2, make([]float64, 4))
	require.NoError(t, err)
	sp, err = s.Spectrum()
	require.NoError(t, err)
	assert.Equal(t, 0, sp.Rank)
	assert.True(t, math.IsNaN(sp.ParticipationRatio()))
}

// The errors of many numbers rounded to float32 add up to a singular value of √n of them, and are no
// dimension of their own.
func TestRankOfManyRoundedVectors(t *testing.T) {
	const n = 2000
	data := make([]float64, 0, 2*n)
	for i := range n {
		x := 1 + float64(i)/n
		data = append(data, float64(float32(x)), float64(float32(x/3)))
	}
	s, err := NewSet(n, 2, data)
	require.NoError(t, err)
	s.single = true
	sp, err := s.Spectrum()
	require.NoError(t, err)
	assert.Equal(t, 1, sp.Rank)
	s.single = false // as float64 they are of two dimensions
	sp, err = s.Spectrum()
	require.NoError(t, err)
	assert.Equal(t, 2, sp.Rank)
}

// About the origin a mean counts as a direction: two vectors on a line beside it span a plane.
func TestSecondMoments(t *testing.T) {
	s := &Set{Rows: 2, Columns: 2, Data: []float64{1, 2, 3, 2}}
	about, err := s.SecondMoments()
	require.NoError(t, err)
	assert.Equal(t, 2, about.Rank)
	assert.Equal(t, []float64{0, 0}, about.Mean)
	// E x xᵀ = [5 4; 4 4]: trace 9, determinant 4.
	assert.InDelta(t, 9, about.Trace(), 1e-14)
	assert.InDelta(t, 4, about.Eigenvalues[0]*about.Eigenvalues[1], 1e-14)
	centred, err := s.Spectrum()
	require.NoError(t, err)
	assert.Equal(t, 1, centred.Rank)
}
