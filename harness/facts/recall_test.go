package facts_test

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"

	"lamcap/harness/facts"
	"lamcap/harness/trial"
	"lamcap/harness/vectors"
	"lamcap/internal/stream"
)

// Answers are those of a sort of all scores, at d_in ≠ d_out, for any k and size
// of the numbers.
func TestRecallAgainstSort(t *testing.T) {
	rng := stream.New(1, "recall", "", 0)
	w, queries, values := gaussian(t, rng, 7, 5), gaussian(t, rng, 130, 5), gaussian(t, rng, 40, 7)
	floats.Scale(0x1p-300, w.Data)
	floats.Scale(0x1p250, values.Data)
	pairs := []facts.Pair{{Key: 3, Value: 9}, {Key: 3, Value: 10}, {Key: 129, Value: 0}}
	for _, k := range []int{1, 5, 40, 100} {
		r, err := facts.Recall(w, queries, values, pairs, facts.All, k, 0)
		require.NoError(t, err)
		first, kth := 0, 0
		for q := range queries.Rows {
			scores := make([]float64, values.Rows)
			for v := range scores {
				for i := range 7 {
					scores[v] += values.Row(v)[i] * floats.Dot(w.Row(i), queries.Row(q))
				}
			}
			order := make([]int, len(scores))
			negative := make([]float64, len(scores))
			floats.ScaleTo(negative, -1, scores)
			floats.Argsort(negative, order)
			require.Len(t, r.Top[q], min(k, 40))
			for i, a := range r.Top[q] {
				assert.Equal(t, order[i], a.Value)
				assert.InEpsilon(t, scores[order[i]], a.Score, 1e-9)
				assert.False(t, a.Tie)
			}
			for _, p := range pairs {
				if p.Key != q {
					continue
				}
				for place, v := range order {
					if v == p.Value && place == 0 {
						first++
					}
					if v == p.Value && place < k {
						kth++
					}
				}
			}
		}
		assert.Equal(t, first, r.First)
		assert.Equal(t, kth, r.Kth)
		assert.Equal(t, 3, r.Facts)
		assert.Len(t, r.Missed, 3-first)
	}
}

// Equal values tie whatever the rounding of their scores, ties are not recalled,
// and among those used only, none may be left to tie with.
func TestRecallTies(t *testing.T) {
	rng := stream.New(2, "recall", "", 0)
	w, queries, values := gaussian(t, rng, 9, 9), gaussian(t, rng, 30, 9), gaussian(t, rng, 21, 9)
	copy(values.Row(20), values.Row(4))
	pairs := make([]facts.Pair, 30)
	for q := range pairs {
		pairs[q] = facts.Pair{Key: q, Value: 4}
	}
	r, err := facts.Recall(w, queries, values, pairs, facts.All, 2, 0)
	require.NoError(t, err)
	assert.Zero(t, r.First)
	tied := 0
	for q, top := range r.Top {
		if top[0].Value == 4 {
			tied++
			assert.Equal(t, 20, top[1].Value, "query %d", q)
			assert.True(t, top[0].Tie && top[1].Tie)
		} else {
			assert.False(t, top[0].Tie)
		}
		assert.True(t, r.Missed[q].Answer.Tie)
		assert.NotEqual(t, 4, r.Missed[q].Answer.Value)
	}
	assert.Greater(t, tied, 0)
	assert.Equal(t, tied, r.Kth, "the two best are those two")
	r, err = facts.Recall(w, queries, values, pairs, facts.Used, 2, 0)
	require.NoError(t, err)
	assert.Equal(t, 30, r.First, "alone")
	assert.Equal(t, 4, r.Top[0][0].Value)
	zero := set(t, 9, make([]float64, 81)...)
	r, err = facts.Recall(zero, queries, values, pairs, facts.All, 1, 0)
	require.NoError(t, err)
	assert.Zero(t, r.First)
	assert.True(t, r.Top[7][0].Tie)
}

func TestRecallErrors(t *testing.T) {
	rng := stream.New(3, "recall", "", 0)
	keys, values := gaussian(t, rng, 3, 4), gaussian(t, rng, 3, 6)
	w := gaussian(t, rng, 6, 4)
	for want, f := range map[string]func() error{
		"W is d_out × d_in = 4 × 6; keys have 4 columns; is it transposed?": func() error {
			_, err := facts.Recall(gaussian(t, rng, 4, 6), keys, values, nil, facts.All, 1, 0)
			return err
		},
		"W is d_out × d_in = 6 × 5; keys have 4 columns": func() error {
			_, err := facts.Recall(gaussian(t, rng, 6, 5), keys, values, nil, facts.All, 1, 0)
			return err
		},
		"W is d_out × d_in = 5 × 4; values have 6 columns": func() error {
			_, err := facts.Recall(gaussian(t, rng, 5, 4), keys, values, nil, facts.All, 1, 0)
			return err
		},
		"topk = 0: want topk ≥ 1": func() error {
			_, err := facts.Recall(w, keys, values, nil, facts.All, 0, 0)
			return err
		},
		"candidates = used: want the facts, too, whose values compete": func() error {
			_, err := facts.Recall(w, keys, values, nil, facts.Used, 1, 0)
			return err
		},
	} {
		assert.EqualError(t, f(), want)
	}
}

// A product of 20,000 queries and 2,000 values takes 320 MB; the scores held at a
// time, 3.
func TestRecallMemory(t *testing.T) {
	rng := stream.New(4, "recall", "", 0)
	w, queries, values := gaussian(t, rng, 2, 2), gaussian(t, rng, 20_000, 2), gaussian(t, rng, 2_000, 2)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := facts.Recall(w, queries, values, nil, facts.All, 3, 2)
	require.NoError(t, err)
	runtime.ReadMemStats(&after)
	assert.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(40<<20))
}

// What was stored is recalled as it was: from the files alone, with preprocessing.
func TestMemoryRoundTrip(t *testing.T) {
	folder := t.TempDir()
	rng := stream.New(5, "recall", "", 0)
	keys, values := gaussian(t, rng, 40, 5), gaussian(t, rng, 40, 7)
	for i := range keys.Data {
		keys.Data[i] += 2
	}
	for s, name := range map[*vectors.Set]string{keys: "K.npy", values: "V.npy"} {
		s.Source = filepath.Join(folder, name)
		require.NoError(t, vectors.WriteNPY(s.Source, s.Rows, s.Columns, s.Data))
	}
	for i, p := range []int{8, 40} {
		steps := []vectors.Preprocessing{{vectors.Centre, vectors.UnitNorm}, {vectors.Whiten}}[i]
		preparedKeys, from, err := facts.Prepare(keys, steps)
		require.NoError(t, err)
		preparedValues, of, err := facts.Prepare(values, vectors.Preprocessing{vectors.Whiten})
		require.NoError(t, err)
		f, stored := store(t, preparedKeys, preparedValues, rowPairs(p), facts.All, facts.Options{})
		path := filepath.Join(folder, "W.npy")
		require.NoError(t, f.Write(path, stored, facts.Sources{Keys: from, Values: of}))

		w, m, err := facts.ReadMemory(path)
		require.NoError(t, err)
		require.NotNil(t, m)
		assert.Equal(t, stored.Weights, w.Data)
		assert.Equal(t, [2]int{7, 5}, [2]int{w.Rows, w.Columns})
		assert.Equal(t, stored.Outcome.String(), m.Outcome)
		assert.Equal(t, steps.String(), m.Keys.Preprocessing)
		q, err := m.Keys.Transform.Apply(keys)
		require.NoError(t, err)
		v, err := m.Values.Transform.Apply(values)
		require.NoError(t, err)
		r, err := facts.Recall(w, q, v, f.Pairs(), facts.All, 1, 0)
		require.NoError(t, err)
		assert.Equal(t, stored.Recalled, r.First)
		assert.Equal(t, stored.Outcome == trial.Stored, r.First == p)
		require.Len(t, r.Missed, len(stored.Missed))
		for j, miss := range r.Missed {
			want := stored.Missed[j]
			assert.Equal(t, want.Rank, miss.Rank)
			assert.Equal(t, want.Answer.Value, miss.Answer.Value)
			assert.InEpsilon(t, want.Answer.Score, miss.Answer.Score, 1e-6)
		}

		// Nothing beside it: vectors as they are.
		require.NoError(t, os.Rename(facts.Beside(path), facts.Beside(path)+"x"))
		_, m, err = facts.ReadMemory(path)
		require.NoError(t, err)
		assert.Nil(t, m)
		require.NoError(t, os.Rename(facts.Beside(path)+"x", facts.Beside(path)))
		// Another memory beside it.
		require.NoError(t, vectors.WriteNPY(path, 7, 5, make([]float64, 35)))
		_, _, err = facts.ReadMemory(path)
		assert.ErrorContains(t, err, "belongs to another memory")
		require.NoError(t, os.Remove(path))
		// Neither is written where one is there already.
		err = f.Write(path, stored, facts.Sources{Keys: from, Values: of})
		require.ErrorIs(t, err, os.ErrExist)
		assert.NoFileExists(t, path)
		require.NoError(t, os.Remove(facts.Beside(path)))
	}
}

// Nothing in the file beside W is believed that does not fit.
func TestReadMemoryErrors(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "W.npy")
	rng := stream.New(6, "recall", "", 0)
	keys := gaussian(t, rng, 3, 2)
	keys.Source = filepath.Join(folder, "K.npy")
	require.NoError(t, vectors.WriteNPY(keys.Source, 3, 2, keys.Data))
	prepared, from, err := facts.Prepare(keys, vectors.Preprocessing{vectors.Centre})
	require.NoError(t, err)
	f, stored := store(t, prepared, prepared, []facts.Pair{{0, 1}}, facts.All, facts.Options{})
	require.NoError(t, f.Write(path, stored, facts.Sources{Keys: from, Values: from}))
	good, err := os.ReadFile(facts.Beside(path))
	require.NoError(t, err)
	for want, change := range map[string]func(m map[string]any){
		`format = "x": want "lamcap memory"`:             func(m map[string]any) { m["format"] = "x" },
		"version = 2: want 1":                            func(m map[string]any) { m["version"] = 2 },
		"d_out × d_in = 2 × 0: want both":                func(m map[string]any) { m["d_in"] = 0 },
		"keys: no preprocessing of vectors of 3 numbers": func(m map[string]any) { m["d_in"] = 3 },
		"candidates = some: want all or used":            func(m map[string]any) { m["candidates"] = "some" },
		"values: no preprocessing":                       func(m map[string]any) { delete(m["values"].(map[string]any), "transform") },
		`keys: preprocessing = "none", and the steps are centre`: func(m map[string]any) {
			m["keys"].(map[string]any)["preprocessing"] = "none"
		},
		"not what store wrote":      func(m map[string]any) { m["p"] = "many" },
		"belongs to another memory": func(m map[string]any) { m["sha256"] = "0" },
	} {
		var m map[string]any
		require.NoError(t, json.Unmarshal(good, &m))
		change(m)
		text, err := json.Marshal(m)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(facts.Beside(path), text, 0o600))
		_, _, err = facts.ReadMemory(path)
		assert.ErrorContains(t, err, want)
		assert.ErrorContains(t, err, facts.Beside(path))
	}
	require.NoError(t, os.WriteFile(facts.Beside(path), good[:len(good)/2], 0o600))
	_, _, err = facts.ReadMemory(path)
	assert.ErrorContains(t, err, "not what store wrote")
	_, _, err = facts.ReadMemory(path + "x")
	assert.ErrorContains(t, err, "no such file")
}

// Ranks count what storage depends on: of keys their span, of values that of their
// differences; and the probability is that of the package predict.
func TestTheory(t *testing.T) {
	rng := stream.New(7, "theory", "", 0)
	flat := func(n, d, rank int, shift float64) *vectors.Set {
		a, b := gaussian(t, rng, n, rank), gaussian(t, rng, d, rank)
		out := make([]float64, 0, n*d)
		for i := range n {
			for j := range d {
				out = append(out, floats.Dot(a.Row(i), b.Row(j))+shift)
			}
		}
		return set(t, d, out...)
	}
	for _, c := range []struct {
		keys, values         *vectors.Set
		keyRank, valuesRank  int
		rank                 int
		predictions, weights int
	}{
		{flat(40, 6, 6, 0), flat(40, 5, 5, 0), 6, 5, 0, 2, 30},
		{flat(40, 6, 4, 0), flat(40, 5, 3, 7), 4, 3, 0, 2, 12},
		{flat(40, 6, 4, 3), flat(40, 5, 3, 0), 5, 3, 0, 2, 15},
		{flat(40, 6, 6, 0), flat(40, 5, 3, 0), 6, 3, 3, 2, 18},
		{flat(40, 6, 6, 0), flat(40, 5, 5, 0), 6, 5, 2, 1, 0},
	} {
		f, err := facts.New(c.keys, c.values, rowPairs(15), facts.All)
		require.NoError(t, err)
		th, err := f.Theory(c.rank)
		require.NoError(t, err)
		assert.Equal(t, c.keyRank, th.Keys.Rank)
		assert.Equal(t, c.valuesRank, th.Values.Rank)
		assert.Equal(t, 15, th.Keys.Vectors)
		assert.Equal(t, 40, th.Values.Vectors)
		require.Len(t, th.Predictions, c.predictions)
		for _, p := range th.Predictions {
			if c.weights > 0 {
				assert.Equal(t, float64(c.weights), p.Weights)
			}
			assert.True(t, p.Probability >= 0 && p.Probability <= 1)
			assert.Greater(t, p.Critical, 1.)
			if p.Probability > 0 {
				assert.Positive(t, p.ProbabilityError, p.Theory)
			}
		}
		assert.NotEmpty(t, f.Tables(&facts.Stored{}, th, facts.Sources{}, 3))
	}
	// A value between others is never first.
	f, err := facts.New(set(t, 1, 1, 2), set(t, 1, 1, 0, 2), []facts.Pair{{0, 0}, {1, 2}}, facts.All)
	require.NoError(t, err)
	th, err := f.Theory(0)
	require.NoError(t, err)
	assert.Equal(t, []int{0}, th.Inside)
	assert.Zero(t, th.Predictions[len(th.Predictions)-1].Probability)
	// One value: nothing to predict.
	f, err = facts.New(set(t, 1, 1, 2), set(t, 1, 1), []facts.Pair{{0, 0}}, facts.All)
	require.NoError(t, err)
	th, err = f.Theory(0)
	require.NoError(t, err)
	assert.Empty(t, th.Predictions)
	assert.True(t, math.IsNaN(th.Values.ParticipationRatio))
}

// Scores whose order round-off could exchange are a tie, which is no recall.
func TestTieUpToRoundoff(t *testing.T) {
	w := set(t, 3, 1, 0, 0, 0, 1, 0, 0, 0, 1)
	values := set(t, 3, 0.1, 0.2, 0, 0.3, 0, 0, 0, 0, 0.1) // 0.1 + 0.2 is 0.30000000000000004
	r, err := facts.Recall(w, set(t, 3, 1, 1, 1), values, []facts.Pair{{Key: 0, Value: 0}}, facts.All, 3, 1)
	require.NoError(t, err)
	assert.Greater(t, r.Top[0][0].Score, r.Top[0][1].Score)
	assert.Equal(t, []bool{true, true, false}, []bool{r.Top[0][0].Tie, r.Top[0][1].Tie, r.Top[0][2].Tie})
	assert.Zero(t, r.First)
	require.Len(t, r.Missed, 1)
	assert.Equal(t, 2, r.Missed[0].Rank)
	assert.True(t, r.Missed[0].Answer.Tie)
}

// Among the values of facts only, rows keep their numbers, and facts their values.
func TestRecallAmongUsed(t *testing.T) {
	w := set(t, 2, 1, 0, 0, 1)
	values := set(t, 2, 9, 9, 1, 0, 8, 8, 0, 1, 7, 7, -1, -1) // rows 0, 2 and 4 would win
	keys := set(t, 2, 1, 0, 0, 1, -1, -1)
	pairs := []facts.Pair{{Key: 0, Value: 1}, {Key: 1, Value: 3}, {Key: 2, Value: 5}}
	r, err := facts.Recall(w, keys, values, pairs, facts.Used, 1, 1)
	require.NoError(t, err)
	assert.Equal(t, 3, r.First)
	for i, p := range pairs {
		assert.Equal(t, p.Value, r.Top[i][0].Value)
	}
}

// Margins and their bound are in units of the vectors.
func TestMarginsHaveTheUnitsOfVectors(t *testing.T) {
	rng := stream.New(9, "units", "", 0)
	keys, values := gaussian(t, rng, 6, 4), gaussian(t, rng, 6, 4)
	_, one := store(t, keys, values, rowPairs(6), facts.All, facts.Options{})
	for i := range keys.Data {
		keys.Data[i] *= 1 << 20
	}
	_, large := store(t, keys, values, rowPairs(6), facts.All, facts.Options{})
	assert.InEpsilon(t, one.Margin*(1<<20), large.Margin, 1e-12)
	assert.InEpsilon(t, one.MarginBound*(1<<20), large.MarginBound, 1e-12)
}
