package spectrum

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"lamcap/internal/stream"
)

// A Gaussian matrix has p-values as they come; equal singular values have none of its
// statistics. Of the quarter circle a fourth and a half of m are the law's.
func TestAlone(t *testing.T) {
	const m = 32
	s := Shape{m, m, m}
	own, err := Alone(context.Background(), GaussianMatrix.Draw(stream.New(1, "alone", "", 0), s), s, 200, 1)
	require.NoError(t, err)
	assert.InDelta(t, 2, own.FourthMomentLaw, 1e-6)
	assert.InDelta(t, m/4., own.StableRankLaw, 1e-9)
	for _, x := range own.Statistics() {
		assert.Greater(t, x.PValue, 0.01, x.Name)
		assert.LessOrEqual(t, x.Central.Lo, x.Central.Hi, x.Name)
	}
	equal := make([]float64, m)
	for i := range equal {
		equal[i] = 7
	}
	other, err := Alone(context.Background(), equal, s, 200, 1)
	require.NoError(t, err)
	want := map[string]float64{"fourth_moment": 1, "stable_rank": m, "participation": m}
	for _, x := range other.Statistics() {
		assert.InDelta(t, 2./201, x.PValue, 1e-12, x.Name)
		assert.False(t, x.Central.Lo <= x.Value && x.Value <= x.Central.Hi, x.Name)
		if w, ok := want[x.Name]; ok {
			assert.InDelta(t, w, x.Value, 1e-9, x.Name)
		}
	}
	_, err = Alone(context.Background(), equal, Shape{m, m, 3}, 200, 1)
	assert.ErrorContains(t, err, "want as many as the rank")
}
