package learn_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

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
	assert.Panics(t, func() {
		learn.Train(learn.LBFGS, learn.NewObjective(in), learn.NewWeights(5, 3, 0), learn.Options{MaxEvaluations: -1})
	})
}

func TestRuleNames(t *testing.T) {
	for _, r := range []learn.Rule{learn.Hebb, learn.GradientDescent, learn.Adam, learn.LBFGS} {
		got, err := learn.ParseRule(r.String())
		require.NoError(t, err)
		assert.Equal(t, r, got)
	}
	_, err := learn.ParseRule("sgd")
	assert.EqualError(t, err, `rule = sgd: want hebb, descent, adam, lbfgs or maxmargin`)
	assert.Equal(t, "rule(5)", learn.Rule(5).String())
}
