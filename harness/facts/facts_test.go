package facts_test

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"

	"lamcap/harness/facts"
	"lamcap/harness/proof"
	"lamcap/harness/trial"
	"lamcap/harness/vectors"
	"lamcap/internal/status"
	"lamcap/internal/stream"
)

func set(t require.TestingT, columns int, data ...float64) *vectors.Set {
	s, err := vectors.NewSet(len(data)/columns, columns, data)
	require.NoError(t, err)
	return s
}

func gaussian(t require.TestingT, rng *rand.Rand, n, d int) *vectors.Set {
	x := make([]float64, n*d)
	for i := range x {
		x[i] = rng.NormFloat64()
	}
	return set(t, d, x...)
}

func store(t require.TestingT, keys, values *vectors.Set, pairs []facts.Pair, c facts.Candidates, o facts.Options) (*facts.Facts, *facts.Stored) {
	f, err := facts.New(keys, values, pairs, c)
	require.NoError(t, err)
	require.NoError(t, o.Validate(f))
	r, err := f.Store(context.Background(), o)
	require.NoError(t, err)
	check(t, f, r)
	return f, r
}

// check verifies a memory by plain loops over the vectors as they were given, and
// its certificate.
func check(t require.TestingT, f *facts.Facts, r *facts.Stored) {
	keys, values := f.Keys(), f.Values()
	require.Len(t, r.Weights, keys.Columns*values.Columns)
	missed := map[int]facts.Miss{}
	for _, m := range r.Missed {
		missed[m.Fact] = m
		assert.Equal(t, f.Pairs()[m.Fact], m.Pair)
	}
	assert.Equal(t, f.Len(), r.Recalled+len(r.Missed))
	margin := math.Inf(1)
	for mu, p := range f.Pairs() {
		hidden := make([]float64, values.Columns)
		for i := range hidden {
			hidden[i] = floats.Dot(r.Weights[i*keys.Columns:(i+1)*keys.Columns], keys.Row(p.Key))
		}
		best, answer := math.Inf(-1), -1
		correct := floats.Dot(values.Row(p.Value), hidden)
		for row := range values.Rows {
			competes := f.Instance().Spec().N == values.Rows
			for _, q := range f.Pairs() {
				competes = competes || q.Value == row
			}
			if score := floats.Dot(values.Row(row), hidden); competes && row != p.Value && score > best {
				best, answer = score, row
			}
		}
		margin = min(margin, correct-best)
		if m, ok := missed[mu]; ok {
			assert.LessOrEqual(t, correct-best, 1e-9*math.Abs(correct)+1e-300)
			assert.Greater(t, m.Rank, 1)
			if !m.Answer.Tie {
				assert.Equal(t, answer, m.Answer.Value)
				assert.InEpsilon(t, best, m.Answer.Score, 1e-8)
				assert.InEpsilon(t, correct, m.Score, 1e-8)
			}
		} else {
			assert.Greater(t, correct, best)
		}
	}
	if norm := floats.Norm(r.Weights, 2); norm > 0 && !math.IsInf(margin, 0) {
		assert.InDelta(t, margin/norm, r.Margin, 1e-9*math.Abs(margin/norm))
	}
	if r.Outcome == trial.Stored {
		assert.Empty(t, r.Missed)
	}
	if r.Outcome == trial.Undecided {
		assert.Nil(t, r.Certificate)
		return
	}
	report, err := proof.CheckFor(r.Certificate, f.Instance())
	require.NoError(t, err)
	assert.True(t, report.Valid, "%+v", report)
	assert.Equal(t, r.Outcome, report.Outcome)
	assert.Equal(t, r.Exact, report.Exact)
}

func rowPairs(n int) (pairs []facts.Pair) {
	for i := range n {
		pairs = append(pairs, facts.Pair{Key: i, Value: i})
	}
	return pairs
}

// Around capacity (p_c = N/D_n), with d_in ≠ d_out, values that compete only and
// values of several facts.
func TestStore(t *testing.T) {
	outcomes := map[trial.Outcome]int{}
	for seed := range uint64(6) {
		rng := stream.New(seed, "facts", "", 0)
		keys, values := gaussian(t, rng, 40, 6), gaussian(t, rng, 30, 9)
		var pairs []facts.Pair
		for i := range 10 + 5*int(seed) {
			pairs = append(pairs, facts.Pair{Key: i, Value: rng.IntN(30)})
		}
		f, r := store(t, keys, values, pairs, facts.All, facts.Options{})
		outcomes[r.Outcome]++
		require.NotEqual(t, trial.Undecided, r.Outcome)
		assert.Equal(t, 30, f.Instance().Spec().N)
		_, used := store(t, keys, values, pairs, facts.Used, facts.Options{})
		if r.Outcome == trial.Stored {
			assert.Equal(t, facts.MaxMargin, r.Method)
			assert.InDelta(t, 1, floats.Norm(r.Weights, 2), 1e-12)
			assert.LessOrEqual(t, r.Gap, facts.DefaultGap)
			assert.Equal(t, trial.Stored, used.Outcome)
			assert.GreaterOrEqual(t, used.Margin, r.Margin*(1-facts.DefaultGap), "fewer constraints")
			_, near := store(t, keys, values, pairs, facts.All, facts.Options{Gap: 1e-5})
			assert.LessOrEqual(t, near.Gap, 1e-5)
			assert.GreaterOrEqual(t, near.Margin, r.Margin*(1-1e-5))
			assert.True(t, math.IsNaN(r.Loss))
		} else {
			assert.Equal(t, facts.CrossEntropy, r.Method)
			assert.Greater(t, r.Loss, 0.)
			assert.Empty(t, r.Conflicts)
			assert.Greater(t, len(r.Missed), 0)
		}
	}
	assert.Greater(t, outcomes[trial.Stored], 1)
	assert.Greater(t, outcomes[trial.NotStorable], 1)
}

// The memory of facts that are not stored is the minimiser of the cross-entropy:
// no step from it, in any direction, gains anything. (The proof comes long before.)
func TestNotStoredMinimisesLoss(t *testing.T) {
	rng := stream.New(1, "facts", "", 0)
	keys, values := gaussian(t, rng, 40, 5), gaussian(t, rng, 40, 4)
	_, r := store(t, keys, values, rowPairs(40), facts.All, facts.Options{})
	require.Equal(t, trial.NotStorable, r.Outcome)
	require.Equal(t, status.Converged, r.Status)
	loss := func(w []float64) (sum float64) {
		for mu := range 40 {
			hidden := make([]float64, 4)
			for i := range hidden {
				hidden[i] = floats.Dot(w[i*5:(i+1)*5], keys.Row(mu))
			}
			scores := make([]float64, 40)
			for c := range scores {
				scores[c] = floats.Dot(values.Row(c), hidden)
			}
			sum += floats.LogSumExp(scores) - scores[mu]
		}
		return sum / 40
	}
	at := loss(r.Weights)
	assert.InEpsilon(t, at, r.Loss, 1e-9)
	assert.Less(t, at, math.Log(40))
	for range 20 {
		step := make([]float64, 20)
		for i := range step {
			step[i] = r.Weights[i] + 1e-2*rng.NormFloat64()
		}
		assert.Greater(t, loss(step), at)
	}
}

// Powers of 2 change no bit of W but its scale, whatever the range, and other
// factors neither outcome nor facts recalled.
func TestScaleOfVectors(t *testing.T) {
	for _, p := range []int{12, 40} {
		rng := stream.New(2, "facts", "", 0)
		keys, values := gaussian(t, rng, p, 5), gaussian(t, rng, p, 6)
		scaled := func(s *vectors.Set, factor float64) *vectors.Set {
			c := append([]float64(nil), s.Data...)
			floats.Scale(factor, c)
			return set(t, s.Columns, c...)
		}
		_, want := store(t, keys, values, rowPairs(p), facts.All, facts.Options{})
		for _, c := range [][2]int{{0, 3}, {40, -10}, {-300, 90}, {400, 400}, {-400, -400}} {
			f, err := facts.New(scaled(keys, math.Ldexp(1, c[0])), scaled(values, math.Ldexp(1, c[1])), rowPairs(p), facts.All)
			require.NoError(t, err)
			got, err := f.Store(context.Background(), facts.Options{})
			require.NoError(t, err)
			assert.Equal(t, want.Outcome, got.Outcome)
			assert.Equal(t, want.Evaluations, got.Evaluations)
			assert.Equal(t, want.Recalled, got.Recalled)
			assert.Equal(t, math.Ldexp(want.Margin, c[0]+c[1]), got.Margin)
			exponent := 0
			if want.Method == facts.CrossEntropy && c[0]+c[1] > -660 && c[0]+c[1] < 660 {
				exponent = -c[0] - c[1]
			}
			for i, x := range want.Weights {
				require.Equal(t, math.Ldexp(x, exponent), got.Weights[i], "%v", c)
			}
		}
		_, third := store(t, scaled(keys, 1./3), scaled(values, 1e5), rowPairs(p), facts.All, facts.Options{})
		assert.Equal(t, want.Outcome, third.Outcome)
		assert.Equal(t, want.Recalled, third.Recalled)
	}
}

// Whether facts can be stored does not change under invertible linear maps of keys
// and invertible affine maps of values, as the package's documentation proves.
func TestInvariance(t *testing.T) {
	outcomes := map[trial.Outcome]int{}
	for seed := range uint64(8) {
		rng := stream.New(seed, "maps", "", 0)
		keys, values := gaussian(t, rng, 17, 5), gaussian(t, rng, 12, 4)
		var pairs []facts.Pair
		for i := range 5 + int(seed) {
			pairs = append(pairs, facts.Pair{Key: i, Value: rng.IntN(12)})
		}
		mapped := func(s *vectors.Set, shift float64) *vectors.Set {
			d := s.Columns
			a := gaussian(t, rng, d, d)
			out := make([]float64, 0, len(s.Data))
			for i := range s.Rows {
				for j := range d {
					out = append(out, floats.Dot(a.Row(j), s.Row(i))+shift*float64(j+1))
				}
			}
			return set(t, d, out...)
		}
		_, want := store(t, keys, values, pairs, facts.All, facts.Options{})
		_, got := store(t, mapped(keys, 0), mapped(values, 3), pairs, facts.All, facts.Options{})
		assert.Equal(t, want.Outcome, got.Outcome, "seed %d", seed)
		outcomes[want.Outcome]++
	}
	assert.Greater(t, outcomes[trial.Stored], 1, "%v", outcomes)
	assert.Greater(t, outcomes[trial.NotStorable], 1, "%v", outcomes)
}

func TestLowRank(t *testing.T) {
	rng := stream.New(3, "facts", "", 0)
	keys, values := gaussian(t, rng, 60, 8), gaussian(t, rng, 60, 8)
	for _, c := range []struct {
		p, rank int
		want    trial.Outcome
	}{{4, 2, trial.Stored}, {2, 1, trial.Stored}, {60, 3, trial.NotStorable}, {14, 1, trial.Undecided}} {
		_, r := store(t, keys, values, rowPairs(c.p), facts.Used, facts.Options{Rank: c.rank, MaxEvaluations: 400, Restarts: 3})
		assert.Equal(t, c.want, r.Outcome, "p = %d, rank %d", c.p, c.rank)
		assert.Equal(t, c.rank, r.Rank)
		assert.Equal(t, facts.CrossEntropy, r.Method)
		if c.rank == 1 { // all rows of W are multiples of one
			for i := 8; i < 64; i++ {
				assert.InDelta(t, r.Weights[i]*r.Weights[0], r.Weights[i%8]*r.Weights[i-i%8], 1e-9*floats.Dot(r.Weights, r.Weights))
			}
		}
	}
}

// The smallest facts.
func TestSmallest(t *testing.T) {
	one, two := set(t, 1, 2), set(t, 1, 3, -1)
	for name, c := range map[string]struct {
		keys, values *vectors.Set
		pairs        []facts.Pair
		want         trial.Outcome
	}{
		"one fact, one value":    {one, one, rowPairs(1), trial.Stored},
		"one fact, two values":   {one, two, rowPairs(1), trial.Stored},
		"two facts, one value":   {two, one, []facts.Pair{{0, 0}, {1, 0}}, trial.Stored},
		"signs":                  {two, two, rowPairs(2), trial.Stored},
		"one side":               {set(t, 1, 3, 1), two, rowPairs(2), trial.NotStorable},
		"three on a line":        {set(t, 1, 1), set(t, 1, 1, 0, 2), rowPairs(1), trial.NotStorable},
		"the largest on a line":  {set(t, 1, 1), set(t, 1, 1, 0, 2), []facts.Pair{{0, 2}}, trial.Stored},
		"many columns, one fact": {set(t, 4, 1, 2, 3, 4), set(t, 3, 1, 2, 3, 0, 0, 0), rowPairs(1), trial.Stored},
	} {
		for _, o := range []facts.Options{{}, {Rank: 1}} {
			_, r := store(t, c.keys, c.values, c.pairs, facts.All, o)
			assert.Equal(t, c.want, r.Outcome, "%s, %+v: %+v", name, o, r)
			if c.want == trial.NotStorable {
				assert.True(t, r.Exact, name)
			}
		}
	}
}

func TestNewErrors(t *testing.T) {
	two := set(t, 1, 3, -1)
	for want, f := range map[string]func() error{
		"no facts: want at least one pair of a key and a value": func() error { _, err := facts.New(two, two, nil, facts.All); return err },
		"candidates = candidates(2): want all or used":          func() error { _, err := facts.New(two, two, rowPairs(1), 2); return err },
		"pair 1 = (2, 0): want rows from 0 to 1 of the keys and to 1 of the values": func() error {
			_, err := facts.New(two, two, []facts.Pair{{0, 0}, {2, 0}}, facts.All)
			return err
		},
		"pair 0 = (0, -1): want rows from 0 to 1 of the keys and to 1 of the values": func() error {
			_, err := facts.New(two, two, []facts.Pair{{0, -1}}, facts.All)
			return err
		},
	} {
		assert.EqualError(t, f(), want)
	}
	_, err := facts.New(set(t, 1, 1e-200, 1e200), two, rowPairs(2), facts.All)
	assert.ErrorContains(t, err, "keys: numbers from 1e-200 to 1e+200 in size: want them, unless 0, above 2^−1022 of their mean")
	_, err = facts.New(two, set(t, 2, 1e-250, 1, 1, 1), rowPairs(2), facts.All)
	require.NoError(t, err)
	_, err = facts.New(set(t, 1, 1e-90, 1), two, rowPairs(2), facts.All)
	assert.ErrorContains(t, err, "keys and values, scaled to numbers near 1: key 0: largest entry")
	f, err := facts.New(two, two, []facts.Pair{{0, 0}, {1, 1}, {0, 0}}, facts.All)
	require.NoError(t, err)
	assert.Equal(t, rowPairs(2), f.Pairs(), "each once")
}

// A training cut short says so, and its memory is there.
func TestStoreInterrupted(t *testing.T) {
	rng := stream.New(4, "facts", "", 0)
	f, err := facts.New(gaussian(t, rng, 40, 6), gaussian(t, rng, 40, 6), rowPairs(40), facts.All)
	require.NoError(t, err)
	whole, err := f.Store(context.Background(), facts.Options{})
	require.NoError(t, err)
	require.Greater(t, whole.Evaluations, 10)
	for _, stopAt := range []int{1, 5, 10} {
		ctx, stop := context.WithCancel(context.Background())
		passes := 0
		r, err := f.Store(ctx, facts.Options{Progress: func() {
			if passes++; passes == stopAt {
				stop()
			}
		}})
		stop()
		require.NoError(t, err)
		assert.Equal(t, status.Unknown, r.Status)
		assert.Error(t, r.Interrupted(ctx))
		assert.Len(t, r.Weights, 36)
		assert.Equal(t, 40, r.Recalled+len(r.Missed))
	}
}

// Facts that are stored stay so when the search for the largest margin is cut
// short: the memory recalls all, with margin and bound as far as they came.
func TestStoreInterruptedOnTheWayToTheMargin(t *testing.T) {
	rng := stream.New(5, "facts", "", 0)
	f, err := facts.New(gaussian(t, rng, 24, 10), gaussian(t, rng, 24, 10), rowPairs(24), facts.All)
	require.NoError(t, err)
	calls := 0
	whole, err := f.Store(context.Background(), facts.Options{Gap: 1e-4, Progress: func() { calls++ }})
	require.NoError(t, err)
	require.Equal(t, status.Converged, whole.Status)
	require.Greater(t, calls, whole.Evaluations+50, "most calls are steps towards the margin")
	last := 0.0
	for _, stopAt := range []int{whole.Evaluations + 2, (whole.Evaluations + calls) / 2, calls - 1} {
		ctx, stop := context.WithCancel(context.Background())
		passes := 0
		r, err := f.Store(ctx, facts.Options{Gap: 1e-4, Progress: func() {
			if passes++; passes == stopAt {
				stop()
			}
		}})
		stop()
		require.NoError(t, err)
		assert.Equal(t, stopAt, passes, "it returns at once")
		assert.Equal(t, status.Unknown, r.Status)
		assert.Error(t, r.Interrupted(ctx))
		assert.Equal(t, trial.Stored, r.Outcome)
		check(t, f, r)
		assert.Equal(t, 24, r.Recalled)
		assert.Greater(t, r.Gap, whole.Gap)
		assert.LessOrEqual(t, r.Margin, whole.MarginBound)
		assert.GreaterOrEqual(t, r.MarginBound, whole.Margin)
		assert.GreaterOrEqual(t, r.Margin, last, "it only gets larger")
		last = r.Margin
	}
	assert.Greater(t, last, whole.Margin/2)
}
