package learn_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"

	"lamcap/harness/learn"
	"lamcap/harness/pattern"
	"lamcap/internal/status"
)

// At the minimum of J the gradient of the data is −λ W, for every rule and for
// factors that lose nothing by their rank; and the penalised value is J, while
// loss and bound stay those of the data.
func TestRidgeMinimum(t *testing.T) {
	for _, model := range []pattern.Model{pattern.OP, pattern.DP} {
		s := pattern.Spec{Model: model, DIn: 4, DOut: 3, P: 7, N: 7}
		in, rng := draw(s, 1)
		obj := learn.NewObjective(in)
		const lambda = 0.75
		var want []float64
		for _, c := range []struct {
			rule  learn.Rule
			start *learn.Weights
			o     learn.Options
			tol   float64
		}{
			{learn.LBFGS, learn.NewWeights(3, 4, 0), learn.Options{GradientTolerance: 1e-10}, 1e-8},
			{learn.LBFGS, learn.RandomWeights(rng, 3, 4, 3, 1), learn.Options{GradientTolerance: 1e-10}, 1e-8},
			{learn.GradientDescent, learn.NewWeights(3, 4, 0), learn.Options{LearningRate: 0.2, Momentum: 0.5, GradientTolerance: 1e-10}, 1e-8},
			{learn.Adam, learn.NewWeights(3, 4, 0), learn.Options{LearningRate: 0.02, Schedule: learn.LinearSchedule(), MaxEvaluations: 3000}, 1e-6},
			{learn.Adam, learn.RandomWeights(rng, 3, 4, 3, 1), learn.Options{LearningRate: 0.02, Schedule: learn.LinearSchedule(), MaxEvaluations: 3000}, 1e-5},
		} {
			c.o.Ridge = lambda
			r := learn.Train(c.rule, obj, c.start, c.o)
			if c.o.GradientTolerance > 0 {
				require.Equal(t, status.Converged, r.Status)
			}
			w := matrixOf(r.Weights)
			data, gradient := oracle(in, r.Weights)
			floats.AddScaled(gradient, lambda, w)
			assert.InDelta(t, 0, floats.Norm(gradient, 2), 100*c.tol, "%v", c.rule)
			if want == nil {
				want = w
			}
			assert.InDeltaSlice(t, want, w, c.tol, "%v", c.rule)
			assert.InEpsilon(t, data.Loss, r.Evaluation.Loss, 1e-12)
			assert.InEpsilon(t, data.Loss+lambda/2*floats.Dot(w, w), r.Penalised, 1e-12)
			assert.InEpsilon(t, data.Bound, r.Evaluation.Bound, 1e-12)
			assert.LessOrEqual(t, r.Bound, r.Evaluation.Bound)
		}
	}
}

// A loss that underflows is no minimum of J: with a ridge the training goes on.
func TestRidgeGoesOn(t *testing.T) {
	in, _ := draw(pattern.Spec{Model: pattern.OP, DIn: 3, DOut: 3, P: 2, N: 2}, 1)
	w := learn.NewWeights(3, 3, 0)
	copy(w.Parameters, learn.TrainHebb(in).Parameters)
	floats.Scale(1e6, w.Parameters)
	require.Equal(t, 1, learn.Train(learn.LBFGS, learn.NewObjective(in), w, learn.Options{}).Evaluations)
	r := learn.Train(learn.LBFGS, learn.NewObjective(in), w, learn.Options{Ridge: 1, GradientTolerance: 1e-9})
	assert.Equal(t, status.Converged, r.Status)
	assert.Less(t, r.Weights.Norm(), 10.0)
}
