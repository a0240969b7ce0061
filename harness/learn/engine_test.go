package learn_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"lamcap/harness/learn"
	"lamcap/harness/pattern"
	"lamcap/harness/proof"
	"lamcap/internal/simd"
)

// large are shapes that cross every block of the engine: candidates (32 to 512
// in a block or strip), chunks of 256 queries, groups of panels, with ragged
// ends everywhere.
var large = []pattern.Spec{
	{Model: pattern.OP, DIn: 37, DOut: 29, P: 701, N: 701},
	{Model: pattern.OP, DIn: 5, DOut: 130, P: 275, N: 275, Values: pattern.Sphere},
	{Model: pattern.DP, DIn: 33, DOut: 41, P: 70, N: 300},
	{Model: pattern.DP, DIn: 17, DOut: 3, P: 263, N: 19},
	{Model: pattern.Facts, DIn: 21, DOut: 37, P: 301, N: 703},
	{Model: pattern.Facts, DIn: 19, DOut: 11, P: 530, N: 45},
}

// tolerances are what rounding of the scores (sizes up to the given one) and of
// sums may do to a relative accuracy of 1: some hundred units of round-off times
// the size of the scores. A missing competitor, key or block is off by 1/N or 1/P.
func tolerance(p learn.Precision, scores float64) float64 {
	if p == learn.Single {
		return 3e-6 * (1 + scores)
	}
	return 1e-14 * (1 + scores)
}

func engines(t *testing.T, f func(t *testing.T, level simd.Level, p learn.Precision)) {
	for _, level := range simd.Available() {
		for _, p := range []learn.Precision{learn.Double, learn.Single} {
			t.Run(level.String()+"/"+p.String(), func(t *testing.T) { f(t, level, p) })
		}
	}
}

// Scores of size 1 make sums over all competitors, scores of size 40 leave a few
// per input (sums entry by entry), and of size 200 margins beyond the range of
// exp in float32 (panels that are done again).
func TestEngineAgainstDefinitions(t *testing.T) {
	for i, s := range append(large, shapes...) {
		in, rng := draw(s, uint64(i))
		for _, size := range []float64{0, 1, 40, 200} {
			w := weightsOf(rng, s, 0, size/math.Sqrt(float64(s.DIn*s.DOut)))
			want, full := oracle(in, w)
			name := fmt.Sprintf("%v %dx%d p=%d n=%d scores %g", s.Model, s.DOut, s.DIn, s.P, s.N, size)
			engines(t, func(t *testing.T, level simd.Level, p learn.Precision) {
				gradient := make([]float64, len(w.Parameters))
				got := learn.NewObjectiveAt(in, learn.Engine{Precision: p}, level).Evaluate(w, gradient)
				tol := tolerance(p, size)
				const smallest = 1e-35 // in float32 exponentials vanish below 1e-38
				assert.InDelta(t, want.Loss, got.Loss, tol*want.Loss+smallest, name)
				assert.InDelta(t, want.Margin, got.Margin, tol*(1+math.Abs(want.Margin)), name)
				assert.InDelta(t, want.Competition, got.Competition, tol*want.Competition+smallest, name)
				assert.Equal(t, want.Recalled, got.Recalled, name)
				worst := 0.0
				for j := range full {
					worst = max(worst, math.Abs(full[j]-gradient[j]))
				}
				// Each λ comes with |u||e| of order 3·3.
				assert.LessOrEqual(t, worst, 20*tol*want.Competition+smallest, name)
				assert.LessOrEqual(t, got.Residual, got.Bound, name)
				assert.GreaterOrEqual(t, got.Bound, want.Bound*(1-1e-12), name)
			})
		}
	}
}

// The same bits from any number of threads.
func TestEngineThreads(t *testing.T) {
	engines(t, func(t *testing.T, level simd.Level, p learn.Precision) {
		for i, s := range large {
			in, rng := draw(s, uint64(i))
			for _, size := range []float64{1, 200} {
				w := weightsOf(rng, s, 0, size/math.Sqrt(float64(s.DIn*s.DOut)))
				var want []float64
				var first learn.Evaluation
				for _, threads := range []int{1, 2, 3, 7} {
					gradient := make([]float64, len(w.Parameters))
					e := learn.NewObjectiveAt(in, learn.Engine{Precision: p, Threads: threads}, level).Evaluate(w, gradient)
					if want == nil {
						want, first = gradient, e
					}
					require.Equal(t, want, gradient)
					require.Equal(t, first, e)
				}
			}
		}
	})
}

// No bound may fall below a margin that weights have, whatever their size: where
// all inputs lead by a hundred nats, λ leaves the range of float32.
func TestBoundHoldsAtEveryScale(t *testing.T) {
	for _, s := range []pattern.Spec{
		{Model: pattern.DP, DIn: 24, DOut: 24, P: 40, N: 40}, {Model: pattern.DP, DIn: 64, DOut: 32, P: 3, N: 900},
		{Model: pattern.OP, DIn: 24, DOut: 24, P: 40, N: 40},
	} {
		in, _ := draw(s, 1)
		run := learn.Train(learn.LBFGS, learn.NewObjective(in), learn.NewWeights(s.DOut, s.DIn, 0), learn.Options{
			Stop: func(_ *learn.Weights, e learn.Evaluation) bool { return e.Margin > 5 },
		})
		certified := proof.Verify(in, run.Weights).Certified
		require.Positive(t, certified)
		engines(t, func(t *testing.T, level simd.Level, p learn.Precision) {
			obj := learn.NewObjectiveAt(in, learn.Engine{Precision: p}, level)
			finite := 0
			for nats := 10.0; nats < 800; nats += 3 {
				w := run.Weights.Clone()
				for i := range w.Parameters {
					w.Parameters[i] *= nats / run.Evaluation.Margin
				}
				e := obj.Evaluate(w, make([]float64, len(w.Parameters)))
				require.GreaterOrEqual(t, e.Bound, certified, "%v, least margin of %g nats", s.Model, nats)
				if !math.IsInf(e.Bound, 0) {
					finite++
				}
			}
			require.Greater(t, finite, 15)
		})
	}
}
