package trial_test

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"
	"pgregory.net/rapid"

	"lamcap/harness/learn"
	"lamcap/harness/pattern"
	"lamcap/harness/trial"
	"lamcap/internal/status"
	"lamcap/internal/stream"
)

func square(m pattern.Model, d, p int) pattern.Spec {
	return pattern.Spec{Model: m, DIn: d, DOut: d, P: p, N: p}
}

func one(s pattern.Spec, o trial.Options, t uint64) trial.Result {
	return trial.One(s, o, 1, "trial test", "", t)
}

func TestOutcomeNames(t *testing.T) {
	assert.Equal(t, "stored", trial.Stored.String())
	assert.Equal(t, "not_storable", trial.NotStorable.String())
	assert.Equal(t, "undecided", trial.Undecided.String())
	assert.Equal(t, "outcome(-1)", trial.Outcome(-1).String())
	assert.Equal(t, trial.Undecided, trial.Result{}.Outcome, "an unrun trial is undecided")
}

func TestValidate(t *testing.T) {
	s := square(pattern.DP, 4, 6)
	require.NoError(t, trial.Options{}.Validate(s))
	require.NoError(t, trial.Options{Rule: learn.Hebb, Rank: 4}.Validate(s))
	for want, o := range map[string]trial.Options{
		"rule = rule(9): want hebb, descent, adam, lbfgs or maxmargin":                                          {Rule: 9},
		"rank = 5: want 1 ≤ rank ≤ min(d_in, d_out) = 4":                                                        {Rank: 5},
		"rank = 2: want full rank, 4, with rule hebb":                                                           {Rule: learn.Hebb, Rank: 2},
		"tolerance = 0.1: want 0 < tolerance ≤ 1e-10, the largest bound that counts as a proof, or 0 for 1e-11": {Tolerance: 0.1},
		"tolerance = -1: want 0 < tolerance ≤ 1e-10, the largest bound that counts as a proof, or 0 for 1e-11":  {Tolerance: -1},
		"tolerance = NaN: want 0 < tolerance ≤ 1e-10, the largest bound that counts as a proof, or 0 for 1e-11": {Tolerance: math.NaN()},
		"max evaluations = -1: want ≥ 1, or 0 for 5000":                                                         {MaxEvaluations: -1},
		"restarts = -1: want ≥ 1, or 0 for 5":                                                                   {Restarts: -1},
		"threads = -1: want ≥ 1, or 0 to choose":                                                                {Threads: -1},
		"learning rate = NaN: want a finite rate > 0, or 0 for 0.1 (adam) and 0.3 (descent)":                    {LearningRate: math.NaN()},
		"memory = -1: want ≥ 1, or 0 for 20 to 100, as many steps as fit into 128 MiB":                          {Memory: -1},
	} {
		assert.EqualError(t, o.Validate(s), want)
		assert.Panics(t, func() { trial.Many(context.Background(), s, o, 1, "", "", 1, nil) })
	}
	// Pools that do not fit are drawn again in every pass.
	assert.NoError(t, trial.Options{}.Validate(pattern.Spec{Model: pattern.DP, DIn: 100, DOut: 100, P: 1e4, N: 1e4}))
	assert.EqualError(t, trial.Options{}.Validate(pattern.Spec{}), "d_in = 0: want d_in ≥ 1")
}

// Half of capacity (p_c = 40.0 at d = 12, n = p = 40) is stored by every rule
// but Hebb's, at full rank and at half of it.
func TestEasyInstancesAreStored(t *testing.T) {
	for _, m := range []pattern.Model{pattern.OP, pattern.DP} {
		for _, o := range []trial.Options{{}, {Rank: 6}, {Rank: 12}, {Rule: learn.Adam}, {Rule: learn.Adam, Rank: 6}} {
			r := one(square(m, 12, 20), o, 0)
			assert.Equal(t, trial.Stored, r.Outcome, "%v %+v: %+v", m, o, r)
			assert.Equal(t, status.Converged, r.Status)
			assert.Equal(t, 20, r.Recalled)
			assert.Equal(t, 1.0, r.Accuracy)
			assert.Greater(t, r.Margin, 0.0)
			assert.GreaterOrEqual(t, r.MarginBound, r.Margin)
			assert.Greater(t, r.Seconds, 0.0)
			assert.Equal(t, uint64(1), r.Seed)
		}
	}
}

// Far above capacity nothing may be called stored, and every rule that minimises
// the loss at full rank, if only to begin with, proves it.
func TestImpossibleInstances(t *testing.T) {
	for _, m := range []pattern.Model{pattern.OP, pattern.DP} {
		for i, o := range []trial.Options{
			{}, {Rank: 4, Restarts: 2}, {Rule: learn.Adam, MaxEvaluations: 200}, {Rule: learn.Hebb},
		} {
			r := one(square(m, 8, 60), o, 0)
			if o.Rule == learn.Hebb {
				assert.Equal(t, trial.Undecided, r.Outcome, "%v: %+v", m, r)
			} else {
				assert.Equal(t, trial.NotStorable, r.Outcome, "%v %d: %+v", m, i, r)
				assert.Equal(t, status.Converged, r.Status)
				assert.True(t, r.Exact)
				assert.Less(t, r.MarginBound, 1e-10)
			}
			assert.Less(t, r.Recalled, 60)
			assert.Less(t, r.Margin, 0.0)
		}
	}
}

// Seven times capacity: softmax weights are flat there, and the first attempt must
// have enough competitors of each input.
func TestFarAboveCapacity(t *testing.T) {
	for _, m := range []pattern.Model{pattern.OP, pattern.DP} {
		for d, p := range map[int]int{12: 300, 24: 600} {
			r := one(square(m, d, p), trial.Options{}, 0)
			assert.Equal(t, trial.NotStorable, r.Outcome, "%v d = %d: %+v", m, d, r)
			assert.True(t, r.Exact, "%v d = %d", m, d)
			assert.Equal(t, 1, r.Refutations, "%v d = %d", m, d)
		}
	}
}

// A training that ends undecided looks for a proof where it ended: a ridge keeps
// the duality bound above where attempts are due (0.03), and few passes have not
// brought it there. p is 1.2 times capacity and twice.
func TestLastAttempt(t *testing.T) {
	for _, m := range []pattern.Model{pattern.OP, pattern.DP} {
		for _, c := range []struct {
			d, p int
			o    trial.Options
		}{
			{24, 140, trial.Options{Ridge: 5}},
			{24, 140, trial.Options{Ridge: 5, Rule: learn.Adam, MaxEvaluations: 60}},
			{12, 80, trial.Options{MaxEvaluations: 4}},
			{12, 80, trial.Options{MaxEvaluations: 4, Rank: 6, Restarts: 1}},
		} {
			r := one(square(m, c.d, c.p), c.o, 0)
			assert.Equal(t, trial.NotStorable, r.Outcome, "%v %+v: %+v", m, c.o, r)
			assert.Equal(t, 1, r.Refutations)
			assert.Less(t, r.MarginBound, 1e-10)
		}
		// One attempt, and no more, where there is nothing to prove.
		r := one(square(m, 12, 20), trial.Options{Ridge: 500}, 0)
		assert.Equal(t, trial.Undecided, r.Outcome, "%+v", r)
		assert.Equal(t, 1, r.Refutations)
	}
}

// Two inputs with the same key and exchanged targets, and a target that equals
// a competitor: no weights recall them, whatever the rest.
func TestContradictions(t *testing.T) {
	s := square(pattern.OP, 3, 2)
	contradiction, err := pattern.FromData(s, []float64{1, 2, 3, 1, 2, 3}, []float64{1, 0, 0, 0, 1, 0})
	require.NoError(t, err)
	rng := stream.New(1, "", "", 0)
	r := trial.Decide(rng, contradiction, trial.Options{})
	assert.Equal(t, trial.NotStorable, r.Outcome)
	assert.True(t, math.IsNaN(r.Margin), "W = 0 is the minimiser: %+v", r)
	for _, o := range []trial.Options{{Rank: 1}, {Rule: learn.Adam, MaxEvaluations: 100}, {Rule: learn.Hebb}} {
		assert.NotEqual(t, trial.Stored, trial.Decide(rng, contradiction, o).Outcome)
	}

	for _, d := range []int{1, 2, 3, 24} {
		for _, n := range []int{2, 3, 6} {
			s := pattern.Spec{Model: pattern.DP, DIn: d, DOut: d, P: 2, N: n}
			drawn := pattern.Sample(rng, s)
			pools := append(drawn.Pool(0, nil), drawn.Pool(1, nil)...)
			copy(pools[(2*n-1)*d:], pools[n*d:(n+1)*d])
			in, err := pattern.FromData(s, drawn.Keys(), pools)
			require.NoError(t, err)
			for _, o := range []trial.Options{{MaxEvaluations: 300}, {Rule: learn.Hebb}, {Rule: learn.Adam, MaxEvaluations: 100}} {
				r := trial.Decide(rng, in, o)
				assert.NotEqual(t, trial.Stored, r.Outcome, "d = %d, n = %d, %v", d, n, o.Rule)
				assert.Less(t, r.Recalled, 2)
				// λ = 1 on the duplicate is a proof.
				if o.Rule == learn.LBFGS {
					assert.Equal(t, trial.NotStorable, r.Outcome, "d = %d, n = %d: %+v", d, n, r)
				}
			}
		}
	}
}

// The smallest instances. p = 1: without a competitor every W recalls, W = 0
// included; with one, W = (u_0 − u_1) eᵀ does.
func TestSmallest(t *testing.T) {
	for _, o := range []trial.Options{{}, {Rule: learn.Adam}, {Rule: learn.Hebb}, {Rank: 1}} {
		r := one(square(pattern.OP, 1, 1), o, 0)
		assert.Equal(t, trial.Stored, r.Outcome, "%+v", o)
		assert.Equal(t, math.Inf(1), r.Margin)
		assert.Equal(t, math.Inf(1), r.MarginBound)
		r = one(pattern.Spec{Model: pattern.DP, DIn: 2, DOut: 3, P: 4, N: 1}, o, 0)
		assert.Equal(t, trial.Stored, r.Outcome, "%+v", o)
		if o.Rule == learn.Hebb {
			continue
		}
		for seed := range uint64(10) {
			r = one(pattern.Spec{Model: pattern.DP, DIn: 1, DOut: 1, P: 1, N: 2}, o, seed)
			assert.Equal(t, trial.Stored, r.Outcome, "%+v: %+v", o, r)
		}
	}
}

// Numbers beyond the range of float64 are reported as divergence, never as an
// outcome; data that could only end there are refused.
func TestDivergence(t *testing.T) {
	s := square(pattern.OP, 1, 2)
	_, err := pattern.FromData(s, []float64{1e200, -1e200}, []float64{1, -1})
	assert.ErrorContains(t, err, "key 0: largest entry 1e+200: want 1e-75 to 1e+75")
	_, err = pattern.FromData(s, []float64{1, -1}, []float64{1e-200, 0})
	assert.ErrorContains(t, err, "pool 0: largest entry 1e-200")

	// Keys on one side with values on two cannot be stored; the first step leaves
	// the range.
	in, err := pattern.FromData(s, []float64{10, 5}, []float64{10, -9})
	require.NoError(t, err)
	r := trial.Decide(nil, in, trial.Options{Rule: learn.Adam, LearningRate: 1e308, Tolerance: 1e-300})
	assert.Equal(t, trial.Undecided, r.Outcome, "%+v", r)
	assert.Equal(t, status.Diverged, r.Status, "%+v", r)
}

// For every rule and rank: no margin exceeds a bound that any other run on the
// same instance has seen, and no two rules contradict each other.
func TestRulesNeverContradict(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := pattern.Spec{
			Model: pattern.Model(rapid.IntRange(0, 1).Draw(t, "model")),
			DIn:   rapid.IntRange(1, 5).Draw(t, "d_in"), DOut: rapid.IntRange(1, 5).Draw(t, "d_out"),
			P: rapid.IntRange(1, 14).Draw(t, "p"), N: rapid.IntRange(1, 8).Draw(t, "n"),
			Keys:   pattern.Embedding(rapid.IntRange(0, 1).Draw(t, "keys")),
			Values: pattern.Embedding(rapid.IntRange(0, 1).Draw(t, "values")),
		}
		if s.Model == pattern.OP {
			s.N = s.P
		}
		rng := stream.New(rapid.Uint64().Draw(t, "seed"), "", "", 0)
		in := pattern.Sample(rng, s)
		best, bound := math.Inf(-1), math.Inf(1)
		seen := map[trial.Outcome]int{}
		for _, o := range []trial.Options{
			{MaxEvaluations: 1000}, {Rank: 1, Restarts: 2, MaxEvaluations: 200},
			{Rule: learn.Adam, MaxEvaluations: 100, LearningRate: 0.1}, {Rule: learn.Hebb},
		} {
			r := trial.Decide(rng, in, o)
			seen[r.Outcome]++
			if r.Margin > best {
				best = r.Margin
			}
			bound = min(bound, r.MarginBound)
			if (r.Outcome == trial.Stored) != (r.Recalled == s.P) {
				t.Fatalf("%+v", r)
			}
		}
		if best > bound || seen[trial.Stored] > 0 && seen[trial.NotStorable] > 0 {
			t.Fatalf("margin %g, bound %g, outcomes %v", best, bound, seen)
		}
	})
}

// Rescaling keys (each by its own power of 2) and values changes no outcome,
// and permuting the inputs of DP, or inputs and pool of OP together, neither.
func TestInvariances(t *testing.T) {
	for seed := range uint64(12) {
		for _, m := range []pattern.Model{pattern.OP, pattern.DP} {
			s := square(m, 5, 9) // p_c = 11.6: both outcomes occur
			rng := stream.New(seed, "invariances", "", 0)
			in := pattern.Sample(rng, s)
			want := trial.Decide(rng, in, trial.Options{})
			require.NotEqual(t, trial.Undecided, want.Outcome)

			var keys, pools, keys2, pools2 []float64
			for mu := range s.P {
				for _, x := range in.Key(mu) {
					keys = append(keys, math.Ldexp(x, mu%5-2))
				}
			}
			perm := rng.Perm(s.P)
			for _, mu := range perm {
				keys2 = append(keys2, in.Key(mu)...)
				if m == pattern.OP {
					pools2 = append(pools2, in.TargetValue(mu, nil)...)
				} else {
					pools2 = append(pools2, in.Pool(mu, nil)...)
				}
			}
			for mu := range s.P {
				for _, x := range in.Pool(mu, nil) {
					pools = append(pools, x/8)
				}
				if m == pattern.OP {
					break
				}
			}
			scaled, err := pattern.FromData(s, keys, pools)
			require.NoError(t, err)
			permuted, err := pattern.FromData(s, keys2, pools2)
			require.NoError(t, err)
			assert.Equal(t, want.Outcome, trial.Decide(rng, scaled, trial.Options{}).Outcome)
			got := trial.Decide(rng, permuted, trial.Options{})
			assert.Equal(t, want.Outcome, got.Outcome)
			if want.Outcome == trial.Stored && got.Evaluations == want.Evaluations {
				assert.InDelta(t, want.Margin, got.Margin, 1e-6)
			}
		}
	}
}

// Same seed, same numbers, for any GOMAXPROCS. d = 70 is in the list because
// gonum's blocked routines start goroutines from 64 rows on.
func TestThreadsDoNotMatter(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, c := range []struct {
		s pattern.Spec
		o trial.Options
	}{
		{square(pattern.DP, 8, 22), trial.Options{}},
		{square(pattern.OP, 8, 22), trial.Options{Rank: 4, Restarts: 2}},
		{square(pattern.OP, 8, 12), trial.Options{Rule: learn.Adam, MaxEvaluations: 50}},
		{square(pattern.DP, 8, 12), trial.Options{Rule: learn.Hebb}},
		{square(pattern.OP, 70, 90), trial.Options{}},
	} {
		var want []trial.Result
		for _, procs := range []int{1, 2, 5} {
			runtime.GOMAXPROCS(procs)
			got := trial.Many(context.Background(), c.s, c.o, 3, "threads", "cell", 6, nil)
			for i := range got {
				got[i].Seconds, got[i].ProofSeconds = 0, 0
			}
			if want == nil {
				want = got
			}
			assert.Equal(t, fmt.Sprintf("%+v", want), fmt.Sprintf("%+v", got), "GOMAXPROCS %d", procs)
		}
		alone := trial.One(c.s, c.o, 3, "threads", "cell", 4)
		alone.Seconds, alone.ProofSeconds = 0, 0
		assert.Equal(t, fmt.Sprintf("%+v", want[4]), fmt.Sprintf("%+v", alone))
	}
}

func TestManyProgressAndCancel(t *testing.T) {
	calls := 0 // not synchronised here: Many promises that calls do not overlap
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	s := square(pattern.DP, 3, 4)
	results := trial.Many(ctx, s, trial.Options{}, 1, "", "", 50, func() {
		if calls++; calls == 10 {
			cancel()
		}
	})
	require.Len(t, results, 50)
	done := 0
	for _, r := range results {
		if r.Status != status.Unknown {
			done++
		}
	}
	assert.Equal(t, calls, done)
	assert.GreaterOrEqual(t, done, 10)
	assert.Less(t, done, 50)
	assert.Empty(t, trial.Many(ctx, s, trial.Options{}, 1, "", "", 0, nil))
	assert.ErrorIs(t, trial.Run(ctx, 3, 2, func(int) { t.Error("must not start") }), context.Canceled)
	sum := make([]int, 100)
	assert.NoError(t, trial.Run(context.Background(), 100, 7, func(i int) { sum[i]++ }))
	for _, n := range sum {
		require.Equal(t, 1, n)
	}
}

// Storability does not change with the scale of the data, nor may the outcome:
// the tolerance is relative to it.
func TestScaleInvariance(t *testing.T) {
	s := pattern.Spec{Model: pattern.DP, DIn: 4, DOut: 4, P: 9, N: 9}
	seen := map[trial.Outcome]int{}
	for k := range uint64(40) {
		base := pattern.Sample(stream.New(3, "scale", "", k), s)
		var pools []float64
		for mu := range s.P {
			pools = append(pools, base.Pool(mu, nil)...)
		}
		want := trial.Decide(nil, base, trial.Options{}).Outcome
		require.NotEqual(t, trial.Undecided, want)
		seen[want]++
		for _, scale := range []float64{1e-60, 1e-3, 1e3, 1e60} {
			keys, values := slices.Clone(base.Keys()), slices.Clone(pools)
			floats.Scale(scale, keys)
			floats.Scale(scale, values)
			in, err := pattern.FromData(s, keys, values)
			require.NoError(t, err)
			r := trial.Decide(nil, in, trial.Options{})
			assert.Equal(t, want, r.Outcome, "scale %g, draw %d", scale, k)
		}
	}
	assert.Positive(t, seen[trial.Stored])
	assert.Positive(t, seen[trial.NotStorable])
}

// Only random starts need a generator.
func TestNoGenerator(t *testing.T) {
	in := pattern.Sample(stream.New(1, "", "", 0), square(pattern.DP, 4, 6))
	assert.PanicsWithValue(t, "trial: no rng: want one for the random starts of rank 2", func() { trial.Decide(nil, in, trial.Options{Rank: 2}) })
	assert.Equal(t, trial.Stored, trial.Decide(nil, in, trial.Options{Rank: 4}).Outcome)
}

// What does not fit is refused, not tried.
func TestMemoryIsBounded(t *testing.T) {
	s := pattern.Spec{Model: pattern.DP, DIn: 100_000, DOut: 100_000, P: 10, N: 10}
	assert.ErrorContains(t, trial.Options{}.Validate(s), "weights of d_out × d_in = 100000 × 100000")
	assert.ErrorContains(t, trial.Options{Rule: learn.Hebb}.Validate(s), "GB")
	s.DIn, s.DOut = math.MaxInt, 1
	assert.Error(t, s.Validate())
	s.DIn, s.DOut = 512, 512
	assert.NoError(t, trial.Options{}.Validate(s))
	// A step remembered takes 8 bytes for each weight.
	s.DIn, s.DOut = 1<<11, 1<<12
	assert.NoError(t, trial.Options{Memory: 112}.Validate(s))
	assert.EqualError(t, trial.Options{Memory: 113}.Validate(s), "weights of d_out × d_in = 4096 × 2048 take 8.66 GB with rule lbfgs: want ≤ 8.6 GB")
}
