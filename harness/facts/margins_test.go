package facts_test

import (
	"context"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"lamcap/harness/facts"
	"lamcap/harness/table"
	"lamcap/internal/stream"
	"lamcap/saddle"
	"lamcap/saddle/anisotropy"
)

// Where each candidate is the value of one fact p_c is that at n = p, and the shared pool's
// half-point is beside it; more candidates than facts leave neither.
func TestOneToOne(t *testing.T) {
	const p, d = 50, 16
	rng := stream.New(3, "one to one", "", 0)
	f, err := facts.New(gaussian(t, rng, 80, d), gaussian(t, rng, 80, d), rowPairs(p), facts.Used)
	require.NoError(t, err)
	th, err := f.Theory(0)
	require.NoError(t, err)
	require.True(t, th.OneToOne)
	require.Len(t, th.Predictions, 2)
	original, err := saddle.OriginalFacts(d, d)
	require.NoError(t, err)
	g, pool := th.Predictions[0], th.Predictions[1]
	assert.InEpsilon(t, original.Decoupled.Facts, g.OneToOne, 1e-9)
	assert.Equal(t, original.Facts.Value, g.HalfPoint)
	assert.Greater(t, g.Critical, g.OneToOne, "at p < p_c more facts bring more candidates")
	assert.Equal(t, "pool", pool.Theory)
	assert.InDelta(t, g.OneToOne, pool.OneToOne, 4*pool.OneToOneError)
	assert.InEpsilon(t, original.Facts.Value/original.Decoupled.Facts, pool.HalfPoint/pool.OneToOne, 1e-12)
	assert.Greater(t, pool.HalfPointError, pool.OneToOneError)
	assert.Positive(t, pool.ProbabilityError)
	assert.Equal(t, 1, count(f.Tables(&facts.Stored{}, th, facts.Sources{}, 3), "one_to_one"))

	f, err = facts.New(f.Keys(), f.Values(), rowPairs(p), facts.All)
	require.NoError(t, err)
	th, err = f.Theory(0)
	require.NoError(t, err)
	assert.False(t, th.OneToOne)
	assert.True(t, math.IsNaN(th.Predictions[0].OneToOne))
	assert.Zero(t, count(f.Tables(&facts.Stored{}, th, facts.Sources{}, 3), "one_to_one"))

	// As many facts as candidates, but one value twice and another not at all.
	pairs := append(rowPairs(p-1), facts.Pair{Key: p, Value: 0})
	f, err = facts.New(f.Keys(), f.Values().Select(rowsTo(p)), pairs, facts.All)
	require.NoError(t, err)
	th, err = f.Theory(2)
	require.NoError(t, err)
	assert.False(t, th.OneToOne)
}

func rowsTo(n int) []int {
	rows := make([]int, n)
	for i := range rows {
		rows[i] = i
	}
	return rows
}

func count(tables []*table.Table, name string) (n int) {
	for _, t := range tables {
		if t.Name == name {
			n++
		}
	}
	return n
}

// Scaled columns are another spectrum: the predicted margin follows that of what is
// stored where the isotropic one does not. Units of the vectors multiply margins.
func TestPredictedMargins(t *testing.T) {
	const p, d = 60, 16
	rng := stream.New(4, "margins", "", 0)
	keys, values := gaussian(t, rng, p, d), gaussian(t, rng, p, d)
	for i := range keys.Data {
		keys.Data[i] *= math.Exp2(-float64(i%d) / 2)
	}
	keys, values = keys.Select(rowsTo(24)), values.Select(rowsTo(24))
	predicted := func(scale float64) (*facts.Theory, *facts.Facts) {
		k := keys.Select(rowsTo(keys.Rows))
		for i := range k.Data {
			k.Data[i] *= scale
		}
		f, err := facts.New(k, values, rowPairs(24), facts.All)
		require.NoError(t, err)
		th, err := f.Theory(0)
		require.NoError(t, err)
		f.PredictMargins(context.Background(), th)
		require.Len(t, th.Margins, 2)
		return th, f
	}
	th, f := predicted(1)
	r, err := f.Store(context.Background(), facts.Options{Gap: 0.02})
	require.NoError(t, err)
	equal, spectra := th.Margins[0], th.Margins[1]
	assert.Equal(t, "gaussian_spectra", spectra.Theory)
	assert.Less(t, math.Abs(math.Log(spectra.Margin/r.Margin)), math.Abs(math.Log(equal.Margin/r.Margin)))
	assert.Equal(t, float64(d*d), equal.Dimension)
	assert.Less(t, spectra.Hebb, spectra.Dimension)
	assert.Less(t, spectra.Dimension, equal.Dimension)
	// Hebb's dimension is a product of participation ratios; that of values is in the theory.
	assert.InEpsilon(t, th.Values.ParticipationRatio, spectra.Hebb/participation(t, f), 1e-9)
	assert.Equal(t, 1, count(f.Tables(r, th, facts.Sources{}, 3), "predicted_margin"))

	far, _ := predicted(0x1p300)
	assert.InEpsilon(t, math.Ldexp(spectra.Margin, 300), far.Margins[1].Margin, 1e-9)
	assert.InEpsilon(t, spectra.Hebb, far.Margins[1].Hebb, 1e-9)
}

// participation is that of the second moments of the keys, from their Gram matrix: tr G²
// and tr G are those of K Kᵀ.
func participation(t *testing.T, f *facts.Facts) float64 {
	t.Helper()
	trace, square := 0.0, 0.0
	for i := range f.Keys().Rows {
		for j := range f.Keys().Rows {
			dot := 0.0
			for c, x := range f.Keys().Row(i) {
				dot += x * f.Keys().Row(j)[c]
			}
			square += dot * dot
			if i == j {
				trace += dot
			}
		}
	}
	return trace * trace / square
}

// Above p_c of Gaussian vectors the margin that is predicted is 0.
func TestNoMarginAboveCapacity(t *testing.T) {
	rng := stream.New(5, "margins", "", 0)
	f, err := facts.New(gaussian(t, rng, 80, 6), gaussian(t, rng, 80, 6), rowPairs(80), facts.All)
	require.NoError(t, err)
	th, err := f.Theory(0)
	require.NoError(t, err)
	f.PredictMargins(context.Background(), th)
	require.Len(t, th.Margins, 2)
	assert.Zero(t, th.Margins[1].Margin)
	assert.Equal(t, anisotropy.Isotropic(6, 6).Weights(), th.Margins[1].Dimension)
}
