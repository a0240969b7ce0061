package pairings_test

import (
	"bytes"
	"context"
	"math"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"lamcap/harness/chart"
	"lamcap/harness/pairings"
	"lamcap/harness/table"
	"lamcap/harness/vectors"
	"lamcap/internal/stream"
	"lamcap/saddle"
)

// synthetic returns rows×d Gaussian vectors, each multiplied by a length and with columns of given scales.
func synthetic(t *testing.T, rows, d int, length func(x float64) float64, scale func(column int) float64) *vectors.Set {
	t.Helper()
	rng := stream.New(11, "synthetic", "", 0)
	data := make([]float64, 0, rows*d)
	for range rows {
		c := length(rng.NormFloat64())
		for j := range d {
			data = append(data, c*scale(j)*rng.NormFloat64())
		}
	}
	s, err := vectors.NewSet(rows, d, data)
	require.NoError(t, err)
	return s
}

func constant(float64) float64 { return 1 }
func even(int) float64         { return 1 }

func predict(t *testing.T, keys, values *vectors.Set, pools int) pairings.Prediction {
	t.Helper()
	q, err := pairings.Predict(context.Background(), pairings.Ensemble{Name: "synthetic", Keys: keys, Values: values}, pairings.Options{Seed: 1, Pools: pools})
	require.NoError(t, err)
	return q
}

// For Gaussian values the pool as it is says what Gaussian theory says, whatever the spectrum; values of
// unequal length take more, those of equal length less: causes that are known here.
func TestPredictOfKnownCauses(t *testing.T) {
	gauss := synthetic(t, 600, 16, constant, even)
	power := synthetic(t, 600, 16, constant, func(j int) float64 { return math.Pow(float64(1+j), -1.5) })
	heavy := synthetic(t, 600, 16, func(x float64) float64 { return math.Exp(x / 4) }, even)
	sphere, err := vectors.Preprocessing{vectors.UnitNorm}.Fit(gauss)
	require.NoError(t, err)
	equal, err := sphere.Apply(gauss)
	require.NoError(t, err)

	original, err := saddle.OriginalFacts(16, 16)
	require.NoError(t, err)
	q := predict(t, gauss, gauss, 24)
	assert.Equal(t, original.Facts, q.Gaussian.Facts)
	assert.InDelta(t, original.Facts.Value, q.Pool.Facts.Value, 1) // 0.4 of a width
	assert.InDelta(t, q.Gaussian.Width, q.Pool.Width, 0.2*q.Gaussian.Width)
	assert.InDelta(t, 0.5, q.Pool.At(q.Pool.Facts.Value), 1e-12)
	assert.InDelta(t, 0.8413447, q.Pool.At(q.Pool.Facts.Value-q.Pool.Width), 1e-6)

	spectrum := predict(t, power, power, 24)
	assert.InDelta(t, q.Pool.Facts.Value, spectrum.Pool.Facts.Value, 1)
	assert.Less(t, predict(t, gauss, heavy, 24).Pool.Facts.Value, q.Pool.Facts.Value-1.5)
	assert.Greater(t, predict(t, gauss, equal, 24).Pool.Facts.Value, q.Pool.Facts.Value+1)
}

// Elliptical values: measured half-points lie where the pool as it is says, and Gaussian theory is rejected.
func TestMeasureElliptical(t *testing.T) {
	heavy := synthetic(t, 400, 12, func(x float64) float64 { return math.Exp(x / 3) }, even)
	gauss := synthetic(t, 400, 12, constant, even)
	ms, err := pairings.Measure(context.Background(), []pairings.Ensemble{{Name: "elliptical", Keys: gauss, Values: heavy}}, pairings.Options{Seed: 1, Trials: 24})
	require.NoError(t, err)
	m := ms[0]
	assert.Len(t, m.Loads, 7)
	q := m.Prediction
	t.Log(m.Loads, m.Outcomes, m.Half.X, m.Half.Interval, q.Pool.Facts, q.Gaussian.Facts)
	counts := m.Decided()
	assert.InDelta(t, q.Pool.Facts.Value, m.Half.X, q.Pool.Facts.Error+0.8) // two standard errors of the half-point
	assert.True(t, counts.Rejects("Gaussian", q.Gaussian.Facts.Value-q.Gaussian.Facts.Error).At(1e-4))

	// The same numbers on one thread.
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	o := pairings.Options{Seed: 1, Trials: 4, Loads: m.Loads[:2]}
	again, err := pairings.Decide(context.Background(), m.Ensemble, o)
	require.NoError(t, err)
	for i := range o.Loads {
		assert.Equal(t, m.Results[i][:4], again.Results[i])
	}
}

// Tables and figures have what was measured.
func TestTablesAndFigure(t *testing.T) {
	e := words(t, 12)
	unit := preprocess(t, e, "none", "whiten,unit")
	ms, err := pairings.Measure(context.Background(), []pairings.Ensemble{e, unit}, pairings.Options{Seed: 1, Trials: 3, Pools: 2, Loads: []int{36, 48}})
	require.NoError(t, err)
	tables := pairings.Tables(ms)
	require.Len(t, tables, 2)
	assert.Len(t, tables[0].Rows, 4)
	assert.Equal(t, []any{"words", 36, 3}, tables[0].Rows[0][:3])
	assert.Len(t, tables[1].Rows, 2)
	for _, f := range table.Formats() {
		var b strings.Builder
		require.NoError(t, table.Write(&b, table.Format(f), tables...))
		assert.Contains(t, b.String(), "whiten,unit")
	}
	// Theories that are the same up to the draws have one curve.
	for _, c := range []struct {
		apart float64 // in widths
		pools []string
	}{
		{0.1, []string{"pool theory: words"}},
		{1, []string{"pool theory: words", "pool theory: " + unit.Name}},
	} {
		ms[1].Prediction.Pool = ms[0].Prediction.Pool
		ms[1].Prediction.Pool.Facts.Value += c.apart * ms[0].Prediction.Pool.Width
		figure := pairings.Figure(ms)
		var svg bytes.Buffer
		require.NoError(t, figure.Write(&svg, "svg", chart.Light))
		names := []string{}
		for _, s := range figure.Panels[0].Series {
			names = append(names, s.Name)
		}
		assert.Equal(t, append([]string{"words", unit.Name, "Gaussian vectors, theory"}, c.pools...), names)
	}
}

// What cannot be predicted is missing, and said; what cannot be drawn is refused.
func TestPredictRefusals(t *testing.T) {
	gauss := synthetic(t, 30, 12, constant, even) // p_½ = 41 needs more rows
	q := predict(t, gauss, gauss, 2)
	assert.False(t, math.IsNaN(q.Gaussian.Facts.Value))
	assert.True(t, math.IsNaN(q.Pool.Facts.Value))
	assert.True(t, math.IsNaN(q.Pool.At(30)))
	require.Len(t, q.Notes, 1)
	assert.Contains(t, q.Notes[0], "without replacement")

	twice := gauss.Select(append(allRows(gauss), allRows(gauss)...))
	q = predict(t, twice, twice, 2)
	require.Len(t, q.Notes, 1)
	assert.Contains(t, q.Notes[0], "2 have values in the hull of the others")

	small := synthetic(t, 40, 2, constant, even)
	q = predict(t, small, small, 2)
	assert.True(t, math.IsNaN(q.Gaussian.Facts.Value))
	_, _, err := pairings.Plan(context.Background(), []pairings.Ensemble{{Keys: small, Values: small}}, pairings.Options{})
	assert.ErrorContains(t, err, "give the loads")
	_, _, err = pairings.Plan(context.Background(), []pairings.Ensemble{{Keys: gauss, Values: gauss}}, pairings.Options{Loads: []int{31}})
	assert.ErrorContains(t, err, "p = 31: want 2 to 30")
	_, err = pairings.Decide(context.Background(), pairings.Ensemble{Keys: gauss, Values: gauss}, pairings.Options{Loads: []int{4}})
	assert.ErrorContains(t, err, "trials = 0")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err = pairings.Decide(ctx, pairings.Ensemble{Keys: gauss, Values: gauss}, pairings.Options{Loads: []int{4}, Trials: 2})
	assert.ErrorIs(t, err, context.Canceled)
}
