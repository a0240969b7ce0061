package pairings_test

import (
	"context"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"lamcap/harness/pairings"
	"lamcap/harness/vectors"
	"lamcap/internal/stream"
)

// frequent returns values whose other coordinates are the longer the larger the first is, so that a linear function
// tells the short ones.
func frequent(t *testing.T, rows, d int) *vectors.Set {
	t.Helper()
	rng := stream.New(11, "frequent", "", 0)
	data := make([]float64, 0, rows*d)
	for range rows {
		x := rng.NormFloat64()
		data = append(data, x)
		for range d - 1 {
			data = append(data, math.Exp(x/2)*rng.NormFloat64())
		}
	}
	s, err := vectors.NewSet(rows, d, data)
	require.NoError(t, err)
	return s
}

func moved(t *testing.T, s *vectors.Set, by float64) *vectors.Set {
	t.Helper()
	data := append([]float64{}, s.Data...)
	for i := range s.Rows {
		data[i*s.Columns] += by
	}
	out, err := vectors.NewSet(s.Rows, s.Columns, data)
	require.NoError(t, err)
	return out
}

func TestKeyMean(t *testing.T) {
	s := synthetic(t, 4000, 5, constant, func(j int) float64 { return float64(1 + j) })
	for _, by := range []float64{0, 0.5, 3, 1e6} {
		beta, err := pairings.KeyMean(moved(t, s, by))
		require.NoError(t, err)
		assert.InDelta(t, by, beta, 0.06*(1+by), "the first column has variance 1")
	}
	e := words(t, 24)
	raw, err := pairings.KeyMean(e.Keys)
	require.NoError(t, err)
	assert.InDelta(t, 4.896, raw, 1e-3)
	for steps, want := range map[string]float64{"centre": 0, "whiten": 0} {
		beta, err := pairings.KeyMean(preprocess(t, e, steps, "none").Keys)
		require.NoError(t, err)
		assert.InDelta(t, want, beta, 1e-9, steps)
	}
	flat := synthetic(t, 50, 3, constant, func(j int) float64 { return float64(j) }) // the first column is 0
	beta, err := pairings.KeyMean(moved(t, flat, 1))
	require.NoError(t, err)
	assert.True(t, math.IsInf(beta, 1))
}

// Values that are short where a linear function is large: a mean of the keys, which acts as a bias, lets more of
// them be stored, as many as predicted. That the mean does nothing is rejected by both.
func TestBias(t *testing.T) {
	const d = 12
	values := frequent(t, 4000, d)
	keys := synthetic(t, 4000, d, constant, even)
	none := predict(t, keys, values, 24).Pool.Facts.Value
	far := moved(t, keys, 50)
	m, err := pairings.Measure(context.Background(), []pairings.Ensemble{{Name: "keys with a mean", Keys: far, Values: values}},
		pairings.Options{Seed: 1, Trials: 40, Pools: 24})
	require.NoError(t, err)
	q := m[0].Prediction.Pool
	t.Log(m[0].Loads, m[0].Outcomes, m[0].Half.X, m[0].Half.Interval, q.Facts, none)
	assert.Greater(t, q.Facts.Value, none+1)
	assert.InDelta(t, q.Facts.Value, m[0].Half.X, q.Facts.Error+0.6) // two standard errors of the half-point
	assert.True(t, m[0].Decided().Rejects("no bias", none).At(1e-4))
}
