package learn_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"lamcap/harness/learn"
	"lamcap/harness/pattern"
	"lamcap/internal/stream"
)

// Sums of tens of terms of order 1: agreement to 1e-12 leaves room for 10⁴
// roundings and would reject any missing term.
func TestEvaluateAgainstDefinitions(t *testing.T) {
	for i, s := range shapes {
		in, rng := draw(s, uint64(i))
		for _, rank := range []int{0, 1, 2} {
			w := weightsOf(rng, s, rank, 0.7)
			obj := learn.NewObjective(in)
			gradient := make([]float64, len(w.Parameters))
			got := obj.Evaluate(w, gradient)
			want, full := oracle(in, w)
			assert.InDelta(t, want.Loss, got.Loss, 1e-12*(1+want.Loss))
			assert.InDelta(t, want.Margin, got.Margin, 1e-12*(1+math.Abs(want.Margin)))
			assert.InDelta(t, want.Competition, got.Competition, 1e-12)
			assert.InEpsilon(t, want.Bound, got.Bound, 1e-11)
			assert.Equal(t, want.Recalled, got.Recalled)
			if rank == 0 {
				assert.InDeltaSlice(t, full, gradient, 1e-11)
			}
			// Without gradient all but the bound is the same, to the last bit.
			light := obj.Evaluate(w, nil)
			assert.True(t, math.IsNaN(light.Bound) && math.IsNaN(light.Residual))
			light.Bound, light.Residual = got.Bound, got.Residual
			assert.Equal(t, got, light)
			assert.Same(t, in, obj.Instance())
		}
	}
}

// Central differences with h = 2^-17 are off by h²/6 times a third derivative
// of order 100, and by round-off 1e-16·L/h: below 1e-8 together.
func TestGradientAgainstDifferences(t *testing.T) {
	const h = 0x1p-17
	for i, s := range shapes {
		in, rng := draw(s, 100+uint64(i))
		obj := learn.NewObjective(in)
		for _, rank := range []int{0, 1, 3} {
			w := weightsOf(rng, s, rank, 0.5)
			gradient := make([]float64, len(w.Parameters))
			obj.Evaluate(w, gradient)
			for j, x := range w.Parameters {
				w.Parameters[j] = x + h
				up := obj.Evaluate(w, nil).Loss
				w.Parameters[j] = x - h
				down := obj.Evaluate(w, nil).Loss
				w.Parameters[j] = x
				assert.InDelta(t, (up-down)/(2*h), gradient[j], 2e-7, "shape %d rank %d parameter %d", i, rank, j)
			}
		}
	}
}

// An instance that generates its pools must give the same bits.
func TestEvaluateStreamed(t *testing.T) {
	s := pattern.Spec{Model: pattern.DP, DIn: 3, DOut: 4, P: 5, N: 6}
	stored := pattern.Sample(stream.New(1, "", "", 0), s)
	streamed := pattern.SampleStreamed(stream.New(1, "", "", 0), s)
	w := learn.TrainHebb(stored)
	assert.Equal(t, w, learn.TrainHebb(streamed))
	a, b := make([]float64, 12), make([]float64, 12)
	e1, e2 := learn.NewObjective(stored).Evaluate(w, a), learn.NewObjective(streamed).Evaluate(w, b)
	// Not to generate all pools, the bound on round-off takes the largest value for
	// granted.
	assert.Less(t, e1.Bound, e2.Bound)
	e2.Bound = e1.Bound
	assert.Equal(t, e1, e2)
	assert.Equal(t, a, b)
}

// One input, one competitor, margin z: loss log(1 + e^{−z}) and λ = 1/(1 + e^z)
// must keep their relative accuracy and never overflow.
func TestExtremeScores(t *testing.T) {
	s := pattern.Spec{Model: pattern.DP, DIn: 1, DOut: 1, P: 1, N: 2}
	in, err := pattern.FromData(s, []float64{1}, []float64{0.5, -0.5})
	require.NoError(t, err)
	obj := learn.NewObjective(in)
	w, gradient := learn.NewWeights(1, 1, 0), make([]float64, 1)
	for _, c := range []struct{ z, loss, lambda float64 }{
		{0, math.Ln2, 0.5},
		{1, 0.3132616875182228, 0.2689414213699951},
		{-1, 1.3132616875182228, 0.7310585786300049},
		{40, 4.248354255291589e-18, 4.248354255291589e-18},
		{700, 9.859676543759770e-305, 9.859676543759770e-305},
		{-700, 700, 1},
		{1e6, 0, 0},
		{-1e6, 1e6, 1},
		{1e300, 0, 0},
		{-1e300, 1e300, 1},
	} {
		w.Parameters[0] = c.z
		e := obj.Evaluate(w, gradient)
		assert.InDelta(t, c.loss, e.Loss, 4e-16*c.loss, "z = %g", c.z)
		assert.InDelta(t, c.lambda, e.Competition, 4e-16*c.lambda, "z = %g", c.z)
		assert.InDelta(t, -c.lambda, gradient[0], 4e-16*c.lambda, "z = %g", c.z)
		assert.Equal(t, c.z, e.Margin)
		assert.Equal(t, c.z > 0, e.Recalled == 1)
		if c.lambda > 0 {
			assert.InEpsilon(t, 1, e.Bound, 1e-14) // ‖X‖ = 1 whatever λ
		} else {
			assert.Equal(t, math.Inf(1), e.Bound)
		}
	}
}

func TestNotFinite(t *testing.T) {
	s := pattern.Spec{Model: pattern.OP, DIn: 2, DOut: 2, P: 3, N: 3}
	in, _ := draw(s, 1)
	obj := learn.NewObjective(in)
	for _, x := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		w := learn.NewWeights(2, 2, 0)
		w.Parameters[1] = x
		e := obj.Evaluate(w, make([]float64, 4))
		assert.True(t, math.IsNaN(e.Loss) && math.IsNaN(e.Margin), "%g: %+v", x, e)
		assert.Zero(t, e.Recalled)
	}
}

// W = 0 ties every score and recalls nothing, unless there is no competitor:
// then every W recalls.
func TestTiesAreNotRecalled(t *testing.T) {
	for _, n := range []int{1, 2, 5} {
		s := pattern.Spec{Model: pattern.DP, DIn: 2, DOut: 3, P: 4, N: n}
		in, _ := draw(s, 1)
		w := learn.NewWeights(3, 2, 0)
		e := learn.NewObjective(in).Evaluate(w, make([]float64, 6))
		if n == 1 {
			assert.Equal(t, 4, e.Recalled)
			assert.Equal(t, math.Inf(1), e.Margin)
			assert.Equal(t, math.Inf(1), e.Bound)
			assert.Zero(t, e.Loss)
			continue
		}
		assert.Zero(t, e.Recalled)
		assert.InEpsilon(t, 4*math.Log(float64(n)), e.Loss, 1e-15)
	}
}

// Evaluation must not depend on the order of the inputs.
func TestPermutedInputs(t *testing.T) {
	s := pattern.Spec{Model: pattern.DP, DIn: 4, DOut: 3, P: 6, N: 5}
	in, rng := draw(s, 1)
	var keys, pools []float64
	for _, mu := range rng.Perm(s.P) {
		keys = append(keys, in.Key(mu)...)
		pools = append(pools, in.Pool(mu, nil)...)
	}
	permuted, err := pattern.FromData(s, keys, pools)
	require.NoError(t, err)
	w := weightsOf(rng, s, 0, 1)
	a, b := make([]float64, 12), make([]float64, 12)
	e1, e2 := learn.NewObjective(in).Evaluate(w, a), learn.NewObjective(permuted).Evaluate(w, b)
	assert.InEpsilon(t, e1.Loss, e2.Loss, 1e-14)
	assert.InEpsilon(t, e1.Bound, e2.Bound, 1e-14)
	assert.Equal(t, e1.Recalled, e2.Recalled)
	assert.Equal(t, e1.Margin, e2.Margin)
	assert.InDeltaSlice(t, a, b, 1e-13)
}

func TestEvaluateAllocatesNothing(t *testing.T) {
	s := pattern.Spec{Model: pattern.DP, DIn: 5, DOut: 4, P: 6, N: 7}
	in, rng := draw(s, 1)
	obj := learn.NewObjective(in)
	for _, rank := range []int{0, 2} {
		w := weightsOf(rng, s, rank, 1)
		gradient := make([]float64, len(w.Parameters))
		assert.Zero(t, testing.AllocsPerRun(10, func() { obj.Evaluate(w, gradient) }))
	}
}

// The sizes that the field trains, on all cores: 8 p n d flops of two products
// with the pool, and what the softmax costs.
func BenchmarkEvaluateLarge(b *testing.B) {
	for _, c := range [][2]int{{64, 430}, {128, 1400}, {256, 4800}} {
		for _, precision := range []learn.Precision{learn.Single, learn.Double} {
			for _, threads := range []int{1, 2} {
				b.Run(fmt.Sprintf("op/d=%d/p=%d/%v/threads=%d", c[0], c[1], precision, threads), func(b *testing.B) {
					s := pattern.Spec{Model: pattern.OP, DIn: c[0], DOut: c[0], P: c[1], N: c[1]}
					in, rng := draw(s, 1)
					obj, w := learn.NewObjectiveWith(in, learn.Engine{Precision: precision, Threads: threads}), weightsOf(rng, s, 0, 3/float64(c[0]))
					gradient := make([]float64, len(w.Parameters))
					for b.Loop() {
						obj.Evaluate(w, gradient)
					}
					flops := 4 * float64(c[1]) * float64(c[0]) * float64(c[1]+c[0])
					b.ReportMetric(flops*float64(b.N)/b.Elapsed().Seconds()/1e9, "GFLOP/s")
				})
			}
		}
	}
}

func BenchmarkEvaluate(b *testing.B) {
	for _, model := range []pattern.Model{pattern.OP, pattern.DP} {
		for _, c := range [][2]int{{12, 40}, {24, 115}, {48, 351}} {
			b.Run(fmt.Sprintf("%v/d=%d", model, c[0]), func(b *testing.B) {
				s := pattern.Spec{Model: model, DIn: c[0], DOut: c[0], P: c[1], N: c[1]}
				in, rng := draw(s, 1)
				obj, w := learn.NewObjective(in), weightsOf(rng, s, 0, 3/float64(c[0]))
				gradient := make([]float64, len(w.Parameters))
				for b.Loop() {
					obj.Evaluate(w, gradient)
				}
			})
		}
	}
}
