package vector

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"lamcap/internal/embedding"
	"lamcap/internal/status"
	"lamcap/saddle"
)

// For Gaussian values package saddle has the largest margin by a sum over active sets, which
// shares nothing with projections of draws.
func TestExactMargins(t *testing.T) {
	for _, c := range []struct {
		d, p float64
	}{{24, 60}, {16, 25}} {
		want, err := saddle.MarginOfVectors(c.d*c.d, c.p, c.p, c.d, embedding.Gaussian)
		require.NoError(t, err)
		got, err := Margin(c.d*c.d, c.p, c.p, Ensemble{DOut: int(c.d), Seed: 2}, Precision{MaxDraws: 1500, Target: 1e-3})
		require.NoError(t, err)
		require.Equal(t, status.MaxIterations, got.Status)
		t.Logf("d = %v, p = %v: %.4f ± %.4f, exact %.4f", c.d, c.p, got.Margin.Value, got.Margin.Error, want.Margin)
		assert.InDelta(t, want.Margin, got.Margin.Value, alarm*got.Margin.Error)
		assert.Greater(t, math.Abs(want.Score-got.Margin.Value), 4*got.Margin.Error, "score level is rejected")
	}
}
