package conformance

import (
	"math"
	"runtime"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"gonum.org/v1/gonum/floats"

	"lamcap/harness/learn"
	"lamcap/harness/pattern"
	"lamcap/internal/stream"
)

// direction is W/‖W‖_F.
func direction(w *learn.Weights) []float64 {
	m := append([]float64(nil), w.Matrix(make([]float64, w.DOut*w.DIn))...)
	floats.Scale(1/w.Norm(), m)
	return m
}

// permutation reorders the inputs, in OP together with the pool; of given facts
// the pool in another way. Sums then
// round differently, by some 1e-15, which ten steps of L-BFGS may enlarge.
func (c subjectCase) permutation(t *testing.T) {
	const d, p, n = 6, 9, 7
	in := c.sample(d, p, n)
	keys, pools := data(in)
	rng := stream.New(3, "conformance", "", 0)
	order := rng.Perm(p)
	rows := order // of values in OP, of pools in DP
	if c.model == pattern.Facts {
		rows = rng.Perm(n)
	}
	size := len(pools) / len(rows)
	keys2, pools2 := make([]float64, len(keys)), make([]float64, len(pools))
	for to, from := range order {
		copy(keys2[to*d:(to+1)*d], keys[from*d:])
	}
	place := make([]int, len(rows))
	for to, from := range rows {
		copy(pools2[to*size:(to+1)*size], pools[from*size:])
		place[from] = to
	}
	targets := make([]int, p)
	for mu, from := range order {
		targets[mu] = place[in.Target(from)%len(rows)]
	}
	want := c.train(in, 10)
	got := c.train(instance(t, in.Spec(), keys2, pools2, targets), 10)
	assert.InDeltaSlice(t, direction(want.Weights), direction(got.Weights), 1e-9)
	assert.InEpsilon(t, want.Evaluation.Loss, got.Evaluation.Loss, 1e-9)
	assert.InEpsilon(t, want.Bound, got.Bound, 1e-9)
	assert.Equal(t, want.Evaluation.Recalled, got.Evaluation.Recalled)
	assert.Equal(t, want.Status, got.Status)
	assert.Equal(t, want.Evaluations, got.Evaluations)
}

// scale multiplies the keys by c² = 2^10 and 2^−10, which is exact.
func (c subjectCase) scale(t *testing.T) {
	in := c.sample(6, 9, 7)
	want := c.train(in, 30)
	for _, factor := range []float64{0x1p5, 0x1p-5} {
		keys, pools := data(in)
		floats.Scale(factor*factor, keys)
		scaled := instance(t, in.Spec(), keys, pools, targetsOf(in))
		start := c.start(scaled)
		o, q, r := c.Scaled(c.Options, c.rank, factor)
		o.MaxEvaluations = 30
		if c.rank == 0 {
			floats.Scale(1/(q*r), start.Parameters)
		} else {
			left, right := start.Factors()
			floats.Scale(1/q, left)
			floats.Scale(1/r, right)
		}
		got := learn.Train(c.Rule, learn.NewObjective(scaled), start, o)
		assert.InDeltaSlice(t, direction(want.Weights), direction(got.Weights), 1e-9, "keys times %g", factor*factor)
		assert.Equal(t, want.Evaluation.Recalled, got.Evaluation.Recalled)
		assert.Equal(t, want.Evaluations, got.Evaluations)
	}
}

// threads: gonum's blocked routines, for one, start goroutines from 64 rows on.
func (c subjectCase) threads(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	in := c.sample(70, 20, 20)
	var want []uint64
	for _, threads := range []int{1, 2, 5} {
		runtime.GOMAXPROCS(threads)
		got := exactly(c.train(in, 6))
		if want == nil {
			want = got
		}
		assert.True(t, slices.Equal(want, got), "%d threads", threads)
	}
}

// exactly is every bit of a run.
func exactly(r learn.Run) []uint64 {
	e := r.Evaluation
	bits := []uint64{uint64(r.Evaluations), uint64(r.Status), uint64(e.Recalled)}
	for _, x := range append([]float64{r.Bound, r.Penalised, e.Loss, e.Margin, e.Competition, e.Bound}, r.Weights.Parameters...) {
		bits = append(bits, math.Float64bits(x))
	}
	return bits
}
