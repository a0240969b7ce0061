package learn_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"lamcap/harness/learn"
	"lamcap/harness/pattern"
	"lamcap/internal/stream"
)

func TestMatrixOfFactors(t *testing.T) {
	s := pattern.Spec{DIn: 5, DOut: 3}
	rng := stream.New(1, "", "", 0)
	w := weightsOf(rng, s, 2, 1)
	got := w.Matrix(make([]float64, 15))
	assert.InDeltaSlice(t, matrixOf(w), got, 1e-14)
	sum := 0.0
	for _, x := range got {
		sum += x * x
	}
	assert.InEpsilon(t, math.Sqrt(sum), w.Norm(), 1e-14)
	c := w.Clone()
	c.Parameters[0]++
	assert.NotEqual(t, c.Parameters[0], w.Parameters[0])
}

// ‖Q Rᵀ‖² averaged over 400 draws of 6×5 with 3 columns: each has a relative
// spread of about 0.5, so the mean is known to 2.5%; 5 of those would miss a
// missing factor m, d_in or d_out.
func TestRandomWeightsNorm(t *testing.T) {
	rng := stream.New(1, "random weights", "", 0)
	const draws, want = 400, 2.0
	sum := 0.0
	for range draws {
		n := learn.RandomWeights(rng, 6, 5, 3, want).Norm()
		sum += n * n
	}
	assert.InEpsilon(t, want*want, sum/draws, 0.125)
}

func TestProgrammersErrors(t *testing.T) {
	assert.Panics(t, func() { learn.NewWeights(0, 1, 0) })
	assert.Panics(t, func() { learn.NewWeights(1, 1, -1) })
	assert.Panics(t, func() { learn.NewWeights(1, 1, 0).Factors() })
	assert.Panics(t, func() { learn.RandomWeights(stream.New(0, "", "", 0), 1, 1, 0, 1) })
	in, _ := draw(shapes[0], 1)
	assert.Panics(t, func() { learn.Verify(in, learn.NewWeights(3, 5, 0)) })
	assert.Panics(t, func() {
		learn.TrainLBFGS(learn.NewObjective(in), learn.NewWeights(5, 3, 0), learn.Options{MaxEvaluations: -1})
	})
}

func TestRuleNames(t *testing.T) {
	for _, r := range []learn.Rule{learn.Hebb, learn.Adam, learn.LBFGS} {
		got, err := learn.ParseRule(r.String())
		require.NoError(t, err)
		assert.Equal(t, r, got)
	}
	_, err := learn.ParseRule("sgd")
	assert.EqualError(t, err, `rule = sgd: want hebb, adam or lbfgs`)
	assert.Equal(t, "rule(5)", learn.Rule(5).String())
}

// Scaling weights changes no answer: not at all by powers of 2, at any size
// short of overflow, and up to round-off of the margin otherwise.
func TestVerifyIsScaleInvariant(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := shapes[rapid.IntRange(0, len(shapes)-1).Draw(t, "shape")]
		in, rng := draw(s, rapid.Uint64().Draw(t, "seed"))
		w := weightsOf(rng, s, rapid.IntRange(0, 2).Draw(t, "rank"), 1)
		want := learn.Verify(in, w)
		scale := math.Ldexp(1, rapid.IntRange(-450, 450).Draw(t, "exponent"))
		scaled := w.Clone()
		for i := range scaled.Parameters {
			scaled.Parameters[i] *= scale
		}
		got := learn.Verify(in, scaled)
		if got.Recalled != want.Recalled || got.Margin != want.Margin {
			t.Fatalf("scale %g: %+v, want %+v", scale, got, want)
		}
		for i := range scaled.Parameters {
			scaled.Parameters[i] = w.Parameters[i] * 0.3
		}
		got = learn.Verify(in, scaled)
		if got.Recalled != want.Recalled || math.Abs(got.Margin-want.Margin) > 1e-13 {
			t.Fatalf("scale 0.3: %+v, want %+v", got, want)
		}
	})
}

// Verify against the definitions.
func TestVerifyAgainstDefinitions(t *testing.T) {
	for i, s := range shapes {
		in, rng := draw(s, uint64(i))
		for _, rank := range []int{0, 2} {
			w := weightsOf(rng, s, rank, 1)
			want, _ := oracle(in, w)
			got := learn.Verify(in, w)
			assert.Equal(t, want.Recalled, got.Recalled)
			assert.Zero(t, got.Doubtful)
			assert.InDelta(t, want.Margin/w.Norm(), got.Margin, 1e-13)
			assert.InEpsilon(t, w.Norm(), got.Norm, 1e-15)
		}
	}
}

// A margin of 1e-13 on scores of order 1 is below what 48 roundings can do at
// worst, though not what they do: doubtful. At 1e-9 it is certain.
func TestVerifyNearTies(t *testing.T) {
	const d = 24
	s := pattern.Spec{Model: pattern.DP, DIn: d, DOut: d, P: 1, N: 2}
	for gap, recalled := range map[float64]int{1e-14: 0, 1e-9: 1} {
		in, _ := draw(s, 1)
		pool := in.Pool(0, nil)
		copy(pool[d:], pool[:d])
		for i := range d {
			pool[d+i] -= gap * pool[i]
		}
		v := learn.Verify(in, learn.TrainHebb(in))
		assert.Equal(t, recalled, v.Recalled, "gap %g", gap)
		assert.Equal(t, 1-recalled, v.Doubtful, "gap %g", gap)
	}
}
