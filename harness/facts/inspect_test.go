package facts_test

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"

	"lamcap/harness/facts"
	"lamcap/harness/predict"
	"lamcap/harness/trial"
	"lamcap/harness/vectors"
	"lamcap/internal/stream"
)

// gaussianSet has independent normal entries of a size, in the first columns only.
func gaussianSet(t *testing.T, name string, rows, columns, used int, size float64) *vectors.Set {
	t.Helper()
	rng := stream.New(1, "inspect test", name, 0)
	data := make([]float64, rows*columns)
	for i := range data {
		if i%columns < used {
			data[i] = size * stream.Normal(rng)
		}
	}
	s, err := vectors.NewSet(rows, columns, data)
	require.NoError(t, err)
	return s
}

func rowByRow(t *testing.T, k, v *vectors.Set) *facts.Facts {
	t.Helper()
	pairs, err := facts.RowByRow(k, v)
	require.NoError(t, err)
	f, err := facts.New(k, v, pairs, facts.All)
	require.NoError(t, err)
	return f
}

func inspect(t *testing.T, f *facts.Facts, w []float64, o facts.InspectOptions) *facts.Inspected {
	t.Helper()
	o.References, o.Level = 100, predict.ScoreLevel
	set, err := vectors.NewSet(f.Values().Columns, f.Keys().Columns, w)
	require.NoError(t, err)
	r, err := f.Inspect(context.Background(), set, o)
	require.NoError(t, err)
	return r
}

func times(x []float64, c float64) []float64 {
	y := slices.Clone(x)
	floats.Scale(c, y)
	return y
}

// What store writes has the largest margin, and Hebb's W is far from it; no
// multiple of W changes that, and the vectors' lengths only the unit of the margin.
func TestInspectFindsWhatIsOptimal(t *testing.T) {
	const p, d = 40, 16
	const gap = 1e-3
	k, v := gaussianSet(t, "keys", p, d, d, 1), gaussianSet(t, "values", p, d, d, 1)
	f := rowByRow(t, k, v)
	o := facts.InspectOptions{Best: facts.Options{Gap: gap}}
	stored, err := f.Store(context.Background(), o.Best)
	require.NoError(t, err)
	r := inspect(t, f, stored.Weights, o)
	assert.Equal(t, p, r.Recalled)
	assert.LessOrEqual(t, r.Gap, gap)
	assert.Equal(t, trial.Stored, r.Outcome)
	assert.Equal(t, d, r.Rank)
	assert.Zero(t, r.Unseen)
	assert.True(t, math.IsInf(r.Scale, 1))
	assert.Equal(t, -1, r.Transposed)
	// Of Gaussian vectors, to which these belong, it is what theory says: the
	// margins of single instances of this size differ by some 5%.
	w, err := vectors.NewSet(d, d, stored.Weights)
	require.NoError(t, err)
	full, err := f.Inspect(context.Background(), w, o)
	require.NoError(t, err)
	assert.Equal(t, predict.CorrectedLevel, full.Gaussian.Level)
	assert.InDelta(t, 1, full.Gaussian.Margin/r.Margin, 0.1)
	assert.Less(t, full.Gaussian.Margin, 0.95*r.Gaussian.Margin, "that for d → ∞ is too large")
	assert.Equal(t, predict.ScoreLevel, r.Gaussian.Level)
	assert.Equal(t, 1., r.Gaussian.Accuracy)
	_, err = f.Inspect(context.Background(), w, facts.InspectOptions{Level: "vector"})
	assert.EqualError(t, err, "level = vector: want score, or nothing for the best")

	hebb := make([]float64, d*d)
	for mu := range p {
		for i := range d {
			floats.AddScaled(hebb[i*d:(i+1)*d], v.Data[mu*d+i], k.Data[mu*d:(mu+1)*d])
		}
	}
	h := inspect(t, f, hebb, o)
	assert.Less(t, h.Recalled, p)
	require.Len(t, h.Missed, p-h.Recalled)
	assert.Equal(t, r.Largest, h.Largest)
	assert.Less(t, h.Margin, 0.)
	assert.Less(t, h.ScaledLoss, h.Loss)
	assert.Less(t, h.ScaledLoss, math.Log(p))
	for _, c := range []float64{0x1p-300, 1e120} {
		far := inspect(t, f, times(hebb, c), o)
		assert.Equal(t, h.Recalled, far.Recalled)
		assert.InEpsilon(t, h.Margin, far.Margin, 1e-12)
		assert.InEpsilon(t, h.Scale, far.Scale*c, 1e-3)
		assert.InEpsilon(t, h.ScaledLoss, far.ScaledLoss, 1e-6)
		assert.InEpsilon(t, h.FourthMoment, far.FourthMoment, 1e-12)
		assert.InEpsilon(t, h.Norm*c, far.Norm, 1e-12)
		assert.InEpsilon(t, h.Spectrum.KS, far.Spectrum.KS, 1e-9)
	}
	// The least loss along the line.
	for _, c := range []float64{0.9, 1.1} {
		assert.Greater(t, inspect(t, f, times(hebb, c*h.Scale), o).Loss, h.ScaledLoss)
	}
	assert.InDelta(t, h.ScaledLoss, inspect(t, f, times(hebb, h.Scale), o).Loss, 1e-6)

	const size = 1024
	big := rowByRow(t, gaussianSet(t, "keys", p, d, d, size), v)
	b := inspect(t, big, hebb, o)
	assert.InEpsilon(t, size*h.Margin, b.Margin, 1e-12)
	assert.InEpsilon(t, size*h.Largest[1], b.Largest[1], 1e-9)
	assert.InEpsilon(t, size*h.Gaussian.Margin, b.Gaussian.Margin, 1e-9)
	assert.InEpsilon(t, h.Scale/size, b.Scale, 1e-3)
}

// Where facts cannot be stored, the memory of least cross-entropy is at its best
// scale, others have a larger loss, and the Gaussian prediction is near it.
func TestInspectBeyondCapacity(t *testing.T) {
	const p, d = 160, 16
	f := rowByRow(t, gaussianSet(t, "keys", p, d, d, 1), gaussianSet(t, "values", p, d, d, 1))
	stored, err := f.Store(context.Background(), facts.Options{})
	require.NoError(t, err)
	require.Equal(t, trial.NotStorable, stored.Outcome)
	r := inspect(t, f, stored.Weights, facts.InspectOptions{})
	assert.Equal(t, trial.NotStorable, r.Outcome)
	assert.True(t, math.IsNaN(r.Gap))
	assert.InDelta(t, 1, r.Scale, 1e-2)
	assert.InDelta(t, stored.Loss, r.Loss, 1e-9)
	assert.Equal(t, stored.Recalled, r.Recalled)
	assert.InDelta(t, r.Loss, r.Gaussian.Loss, 0.3)
	assert.InDelta(t, float64(r.Recalled)/p, r.Gaussian.Accuracy, 0.1)
	twice := inspect(t, f, times(stored.Weights, 2), facts.InspectOptions{})
	assert.Greater(t, twice.Loss, r.Loss+0.01)
	assert.InDelta(t, r.Scale/2, twice.Scale, 1e-3)
	// Turned around, scores are worst: no positive multiple is better than 0.
	turned := inspect(t, f, times(stored.Weights, -1), facts.InspectOptions{})
	assert.Zero(t, turned.Scale)
	assert.InDelta(t, math.Log(p), turned.ScaledLoss, 1e-12)
}

// What W has where no keys are and no values differ changes no ranking: its share
// of the norm is told, and left out of the spectrum.
func TestInspectTellsWhatNoScoreSees(t *testing.T) {
	const p, d, keys, values = 12, 10, 6, 7
	v := gaussianSet(t, "values", p, d, values, 1)
	for i := range p {
		v.Data[i*d+d-1] = 3 // of all, so that it makes no difference
	}
	f := rowByRow(t, gaussianSet(t, "keys", p, d, keys, 1), v)
	stored, err := f.Store(context.Background(), facts.Options{})
	require.NoError(t, err)
	r := inspect(t, f, stored.Weights, facts.InspectOptions{})
	assert.InDelta(t, 0, r.Unseen, 1e-12)
	assert.Equal(t, keys, r.Spectrum.Shape.DIn)
	assert.Equal(t, values, r.Spectrum.Shape.DOut)

	w := slices.Clone(stored.Weights)
	w[d-1] += 2         // of a key's last number
	w[(d-1)*d] += 1     // of a value's
	w[(d-1)*d+d-1] -= 2 // of both
	unseen := 9.
	before := floats.Dot(stored.Weights, stored.Weights)
	n := inspect(t, f, w, facts.InspectOptions{})
	assert.InDelta(t, unseen/(unseen+before), n.Unseen, 1e-9)
	assert.Equal(t, p, n.Recalled)
	assert.InEpsilon(t, r.Margin*math.Sqrt(before/(unseen+before)), n.Margin, 1e-9)
	assert.InEpsilon(t, r.Spectrum.KS, n.Spectrum.KS, 1e-6)

	only := make([]float64, d*d)
	only[d-1] = 1
	o := inspect(t, f, only, facts.InspectOptions{})
	assert.Equal(t, 1., o.Unseen)
	assert.Nil(t, o.Spectrum)
	assert.Zero(t, o.Recalled)
	assert.Equal(t, p, o.Doubtful)
	assert.NotPanics(t, func() { f.InspectTables(o, facts.Sources{}, 0) })
}

// The rank is that of the product, not of its rounding to float32.
func TestInspectRank(t *testing.T) {
	const p, d, m = 12, 10, 3
	f := rowByRow(t, gaussianSet(t, "keys", p, d, d, 1), gaussianSet(t, "values", p, d, d, 1))
	q, r := gaussianSet(t, "q", d, m, m, 1), gaussianSet(t, "r", d, m, m, 1)
	w := make([]float64, d*d)
	for i := range d {
		for j := range d {
			w[i*d+j] = floats.Dot(q.Data[i*m:(i+1)*m], r.Data[j*m:(j+1)*m])
		}
	}
	assert.Equal(t, m, inspect(t, f, w, facts.InspectOptions{}).Rank)
	for i := range w {
		w[i] = float64(float32(w[i]))
	}
	low := inspect(t, f, w, facts.InspectOptions{})
	assert.Equal(t, m, low.Rank)
	assert.Equal(t, m, low.Spectrum.Shape.Rank)
	assert.Equal(t, d, inspect(t, f, w, facts.InspectOptions{Rank: d}).Spectrum.Shape.Rank)
	w[0] += 1e-9 // a number of float64
	assert.Equal(t, d, inspect(t, f, w, facts.InspectOptions{}).Rank)
}

// One candidate: nothing competes.
func TestInspectWithoutCompetitors(t *testing.T) {
	f := rowByRow(t, gaussianSet(t, "keys", 1, 2, 2, 1), gaussianSet(t, "values", 1, 2, 2, 1))
	r := inspect(t, f, []float64{1, 2, 3, 4}, facts.InspectOptions{})
	assert.Equal(t, 1, r.Recalled)
	assert.Nil(t, r.Spectrum)
	for _, table := range f.InspectTables(r, facts.Sources{}, 0) {
		assert.NotEmpty(t, table.Name)
	}
}
