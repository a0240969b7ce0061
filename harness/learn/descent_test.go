package learn_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"lamcap/harness/learn"
	"lamcap/harness/pattern"
)

// Two inputs with keys 1 and 2, targets 1 and −½, competitors −1 and ¼ have
// margins 2w and −3w/2 and the gradient
//
//	g(w) = ½ [−2/(1 + e^{2w}) + (3/2)/(1 + e^{−3w/2})].
//
// From w = 0, g = −1/8 and, at rate 1, w = 1/8; then, with momentum β,
// w = 1/8 − (−β/8 + g(1/8)).
func TestDescentByHand(t *testing.T) {
	s := pattern.Spec{Model: pattern.DP, DIn: 1, DOut: 1, P: 2, N: 2}
	in, err := pattern.FromData(s, []float64{1, 2}, []float64{1, -1, -0.5, 0.25})
	require.NoError(t, err)
	g := (-2/(1+math.Exp(0.25)) + 1.5/(1+math.Exp(-0.1875))) / 2
	for _, momentum := range []float64{0, 0.5} {
		for steps, want := range []float64{0, 0.125, 0.125 + momentum/8 - g} {
			r := learn.Train(learn.GradientDescent, learn.NewObjective(in), learn.NewWeights(1, 1, 0),
				learn.Options{LearningRate: 1, Momentum: momentum, MaxEvaluations: steps + 1})
			assert.InDelta(t, want, r.Weights.Parameters[0], 1e-16, "after %d steps, momentum %g", steps, momentum)
		}
	}
}
