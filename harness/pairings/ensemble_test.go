package pairings_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"lamcap/harness/pairings"
	"lamcap/harness/pattern"
	"lamcap/harness/trial"
	"lamcap/harness/vectors"
	"lamcap/internal/stream"
)

// What is built in is the file that its documentation describes.
func TestWords(t *testing.T) {
	s := pairings.Words()
	file, err := vectors.Read("../testdata/glove_words_1500x100.npy")
	require.NoError(t, err)
	assert.Equal(t, []int{1500, 100}, []int{s.Rows, s.Columns})
	assert.Equal(t, file.Data, s.Data)
	names, err := vectors.ReadNames("../testdata/glove_words_1500.txt")
	require.NoError(t, err)
	assert.Equal(t, names, s.Names)
	assert.Equal(t, []string{"the", "and"}, s.Names[:2])
	assert.Empty(t, s.Duplicates())
}

func words(t *testing.T, components int) pairings.Ensemble {
	t.Helper()
	s, err := pairings.Leading(pairings.Words(), components)
	require.NoError(t, err)
	return pairings.Ensemble{Name: "words", Keys: s, Values: s}
}

func preprocess(t *testing.T, e pairings.Ensemble, keys, values string) pairings.Ensemble {
	t.Helper()
	k, err := vectors.ParsePreprocessing(keys)
	require.NoError(t, err)
	v, err := vectors.ParsePreprocessing(values)
	require.NoError(t, err)
	out, err := e.Preprocess(k, v)
	require.NoError(t, err)
	return out
}

// Leading directions are uncorrelated, descending, and all of them are a rotation.
func TestLeading(t *testing.T) {
	whole := pairings.Words()
	s, err := pairings.Leading(whole, 12)
	require.NoError(t, err)
	all, err := whole.Spectrum()
	require.NoError(t, err)
	some, err := s.Spectrum()
	require.NoError(t, err)
	assert.InDeltaSlice(t, all.Eigenvalues[:12], some.Eigenvalues, 1e-9)
	rotated, err := pairings.Leading(whole, whole.Columns)
	require.NoError(t, err)
	lengths := func(s *vectors.Set) (out []float64) {
		for i := range s.Rows {
			out = append(out, mat.Norm(mat.NewVecDense(s.Columns, s.Row(i)), 2))
		}
		return out
	}
	assert.InDeltaSlice(t, lengths(whole), lengths(rotated), 1e-9)
	for _, k := range []int{0, 101, -1} {
		_, err := pairings.Leading(whole, k)
		assert.ErrorContains(t, err, "want 1 to 100")
	}
}

// A trial has its rows whatever else is done: other preprocessings, other trials before it.
func TestRowsHaveAnAddress(t *testing.T) {
	e := words(t, 12)
	white := preprocess(t, e, "whiten", "unit")
	a, b := e.Rows(5, 30, 2)
	for range 2 {
		c, d := white.Rows(5, 30, 2)
		assert.Equal(t, a, c)
		assert.Equal(t, b, d)
	}
	assert.NotEqual(t, a, b)
	other, _ := e.Rows(5, 30, 3)
	assert.NotEqual(t, a, other)
	for _, rows := range [][]int{a, b} {
		assert.Len(t, rows, 30)
		seen := map[int]bool{}
		for _, i := range rows {
			assert.False(t, seen[i], "drawn twice")
			seen[i] = true
		}
	}
	in, err := e.Instance(5, 30, 2)
	require.NoError(t, err)
	assert.Equal(t, pattern.Spec{Model: pattern.OP, DIn: 12, DOut: 12, P: 30, N: 30}, in.Spec())
	for mu := range a {
		assert.Equal(t, e.Keys.Row(a[mu]), in.Key(mu))
		assert.Equal(t, e.Values.Row(b[mu]), in.TargetValue(mu, nil))
	}
	for _, p := range []int{1, 0, -3, 1501} {
		_, err := e.Instance(1, p, 0)
		assert.ErrorContains(t, err, "want 2 to 1500")
	}
}

func allRows(s *vectors.Set) []int {
	rows := make([]int, s.Rows)
	for i := range rows {
		rows[i] = i
	}
	return rows
}

// outcomes decides instances at loads in the transition.
func outcomes(t *testing.T, e pairings.Ensemble, loads []int, trials int) (out []trial.Outcome) {
	t.Helper()
	for _, p := range loads {
		for i := range trials {
			in, err := e.Instance(1, p, i)
			require.NoError(t, err)
			out = append(out, trial.Decide(nil, in, trial.Options{Threads: 1}).Outcome)
		}
	}
	return out
}

// differing counts instances that are decided in both ways of preparing them, and differently.
func differing(a, b []trial.Outcome) (decided, different int) {
	for i := range a {
		if a[i] != trial.Undecided && b[i] != trial.Undecided {
			decided++
			if a[i] != b[i] {
				different++
			}
		}
	}
	return decided, different
}

// Invertible linear maps of the keys, affine ones of the values and the lengths of keys change the
// outcome of no instance. Other keys or values with the same rows do, so that the test sees a difference.
func TestWhatCannotMatter(t *testing.T) {
	raw := words(t, 12)
	loads, trials := []int{37, 41}, 14
	want := outcomes(t, raw, loads, trials)
	stored := 0
	for _, o := range want {
		if o == trial.Stored {
			stored++
		}
	}
	require.Greater(t, stored, 5)
	require.Less(t, stored, len(want)-5)

	mapped := raw
	rng := stream.New(3, "map", "", 0)
	matrix := mat.NewDense(12, 12, nil)
	for i := range 12 {
		for j := range 12 {
			matrix.Set(i, j, rng.NormFloat64())
		}
	}
	var keys mat.Dense
	keys.Mul(mat.NewDense(raw.Keys.Rows, 12, raw.Keys.Data), matrix)
	var err error
	mapped.Keys, err = vectors.NewSet(raw.Keys.Rows, 12, keys.RawMatrix().Data)
	require.NoError(t, err)

	for name, e := range map[string]pairings.Ensemble{
		"values centred":      preprocess(t, raw, "none", "centre"),
		"values whitened":     preprocess(t, raw, "none", "whiten"),
		"keys of unit norm":   preprocess(t, raw, "unit", "none"),
		"keys mapped":         mapped,
		"keys mapped, scaled": preprocess(t, mapped, "unit", "whiten"),
	} {
		decided, different := differing(want, outcomes(t, e, loads, trials))
		assert.Zero(t, different, name)
		assert.Greater(t, decided, len(want)*9/10, name)
	}
	centred := outcomes(t, preprocess(t, raw, "centre", "none"), loads, trials)
	_, different := differing(centred, outcomes(t, preprocess(t, raw, "whiten", "centre"), loads, trials))
	assert.Zero(t, different, "keys whitened, which are centred too")

	moved := raw // far from the origin: a bias in place of one of the directions
	moved.Keys = raw.Keys.Select(allRows(raw.Keys))
	for i := range moved.Keys.Data {
		moved.Keys.Data[i] += 30
	}
	for name, e := range map[string]pairings.Ensemble{
		"values of unit norm":       preprocess(t, raw, "none", "unit"),
		"values white of unit norm": preprocess(t, raw, "none", "whiten,unit"),
		"keys moved":                moved,
	} {
		_, different := differing(want, outcomes(t, e, loads, trials))
		assert.Positive(t, different, name)
	}
}
