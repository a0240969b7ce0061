package trial_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"lamcap/harness/learn"
	"lamcap/harness/pattern"
	"lamcap/harness/pattern/patterntest"
	"lamcap/harness/trial"
	"lamcap/internal/stream"
)

// Given facts of which input μ has the target μ are OP, bit for bit: of every
// rule, at any rank, in float64 and float32, stored or not.
func TestFactsAreOP(t *testing.T) {
	for _, c := range []struct {
		d, p int
		o    trial.Options
	}{
		{8, 14, trial.Options{}},
		{8, 40, trial.Options{}},
		{8, 14, trial.Options{Rule: learn.MaxMargin}},
		{8, 14, trial.Options{Rule: learn.Hebb}},
		{6, 8, trial.Options{Rule: learn.Adam, MaxEvaluations: 60}},
		{8, 12, trial.Options{Rank: 4, Restarts: 2}},
		{8, 40, trial.Options{Rank: 2, Restarts: 2, MaxEvaluations: 60}},
		{64, 300, trial.Options{Threads: 2}},
	} {
		name := fmt.Sprintf("d = %d, p = %d, %+v", c.d, c.p, c.o)
		op := pattern.Sample(stream.New(3, "facts", "", 0), square(pattern.OP, c.d, c.p))
		e1, r1 := trial.Train(stream.New(4, "", "", 0), op, c.o)
		e2, r2 := trial.Train(stream.New(4, "", "", 0), patterntest.AsFacts(op), c.o)
		r1.Seconds, r1.ProofSeconds, r2.Seconds, r2.ProofSeconds = 0, 0, 0, 0
		assert.Equal(t, r1, r2, name)
		assert.Equal(t, e1, e2, name)
	}
}

// Another order of the candidates changes nothing but their numbers, and values
// that are no target add constraints: what is stored with them is stored without.
func TestFactsInvariances(t *testing.T) {
	outcomes := map[trial.Outcome]int{}
	for seed := range uint64(16) {
		rng := stream.New(seed, "facts", "", 0)
		s := pattern.Spec{Model: pattern.Facts, DIn: 5, DOut: 4, P: 10, N: 9}
		in := patterntest.Draw(rng, s)
		o := trial.Options{Rule: learn.MaxMargin}
		want := trial.Decide(nil, in, o)
		require.NotEqual(t, trial.Undecided, want.Outcome)
		outcomes[want.Outcome]++

		perm := rng.Perm(s.N)
		values, targets := make([]float64, s.N*s.DOut), make([]int, s.P)
		for from, to := range perm {
			copy(values[to*s.DOut:], in.PoolRows(0, from, 1, nil))
		}
		used := map[int]int{}
		var fewer []float64
		renumbered := make([]int, s.P)
		for mu := range targets {
			row := in.Target(mu)
			targets[mu] = perm[row]
			if _, ok := used[row]; !ok {
				used[row] = len(used)
				fewer = append(fewer, in.PoolRows(0, row, 1, nil)...)
			}
			renumbered[mu] = used[row]
		}
		permuted, err := pattern.FromPairs(in.Keys(), values, s.DIn, s.DOut, targets)
		require.NoError(t, err)
		got := trial.Decide(nil, permuted, o)
		assert.Equal(t, want.Outcome, got.Outcome)
		if want.Outcome == trial.Stored {
			assert.InEpsilon(t, want.Margin, got.Margin, 1e-3, "each is within 0.1% of the largest")
		}
		without, err := pattern.FromPairs(in.Keys(), fewer, s.DIn, s.DOut, renumbered)
		require.NoError(t, err)
		if r := trial.Decide(nil, without, trial.Options{}); want.Outcome == trial.Stored {
			assert.Equal(t, trial.Stored, r.Outcome)
		} else {
			assert.NotEqual(t, trial.Undecided, r.Outcome)
		}
	}
	assert.Greater(t, outcomes[trial.Stored], 2, "%v", outcomes)
	assert.Greater(t, outcomes[trial.NotStorable], 2, "%v", outcomes)
}

// A key given twice with two values, a value given twice, and a key of zeros.
func TestFactsContradictions(t *testing.T) {
	for name, c := range map[string]struct {
		keys, values []float64
		targets      []int
		want         trial.Outcome
	}{
		"one key, two values":       {[]float64{1, 2, 1, 2}, []float64{1, 0, 0, 1}, []int{0, 1}, trial.NotStorable},
		"one key, one value twice":  {[]float64{1, 2, 1, 2}, []float64{1, 0, 0, 1}, []int{1, 1}, trial.Stored},
		"a multiple, two values":    {[]float64{1, 2, 3, 6}, []float64{1, 0, 0, 1}, []int{0, 1}, trial.NotStorable},
		"a negative one":            {[]float64{1, 2, -3, -6}, []float64{1, 0, 0, 1}, []int{0, 1}, trial.Stored},
		"equal values":              {[]float64{1, 2, 3, 4}, []float64{1, 0, 0, 1, 1, 0}, []int{0, 1}, trial.NotStorable},
		"equal values, not targets": {[]float64{1, 2, 3, 4}, []float64{1, 0, 0, 1, 1, 1, 1, 1}, []int{0, 1}, trial.Stored},
		"a key of zeros":            {[]float64{1, 2, 0, 0}, []float64{1, 0, 0, 1}, []int{0, 1}, trial.NotStorable},
		"zeros, alone":              {[]float64{0, 0}, []float64{1, 0}, []int{0}, trial.Stored},
		"one fact":                  {[]float64{1, 2}, []float64{1, 0, 0, 1, 2, 2}, []int{2}, trial.Stored},
		"inside the others":         {[]float64{1, 2}, []float64{1, 0, 0, 1, 0.5, 0.5}, []int{2}, trial.NotStorable},
	} {
		in, err := pattern.FromPairs(c.keys, c.values, 2, 2, c.targets)
		require.NoError(t, err)
		r := trial.Decide(nil, in, trial.Options{})
		assert.Equal(t, c.want, r.Outcome, "%s: %+v", name, r)
		if c.want == trial.NotStorable {
			assert.Less(t, r.MarginBound, 1e-10, name)
		}
	}
}
