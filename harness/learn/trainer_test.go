package learn_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"lamcap/harness/learn"
	"lamcap/harness/pattern"
	"lamcap/internal/status"
)

// single rounds losses and gradients to float32, as an engine of that precision
// would.
type single struct{ learn.Evaluator }

func (s single) Evaluate(w *learn.Weights, gradient []float64) learn.Evaluation {
	e := s.Evaluator.Evaluate(w, gradient)
	e.Loss = float64(float32(e.Loss))
	size := 0.0
	for _, g := range gradient {
		size = max(size, math.Abs(g))
	}
	// Sums of terms that cancel are off by a share of the terms, not of the sum.
	unit := math.Ldexp(max(size, e.Competition), -22)
	for i, g := range gradient {
		gradient[i] = (math.Floor(g/unit) + 0.5) * unit
	}
	return e
}

func (single) Noise() float64 { return 1e-7 }

// In low precision a training near the minimum stalls and says so; another
// Evaluator takes it up where it was, with all that was learnt, and converges.
func TestSwitchTo(t *testing.T) {
	in, rng := draw(pattern.Spec{Model: pattern.DP, DIn: 6, DOut: 6, P: 30, N: 30}, 1)
	exact := learn.NewObjective(in)
	for _, rank := range []int{0, 3} {
		start := learn.NewWeights(6, 6, 0)
		if rank > 0 {
			start = learn.RandomWeights(rng, 6, 6, rank, 1)
		}
		o := learn.Options{GradientTolerance: 1e-9, MaxEvaluations: 2000}
		alone := learn.Train(learn.LBFGS, exact, start, o)
		require.Equal(t, status.Converged, alone.Status)

		trainer := learn.NewTrainer(learn.LBFGS, single{exact}, start, o)
		r := trainer.Run(2000)
		require.Equal(t, status.Stalled, r.Status, "rank %d", rank)
		assert.InDelta(t, alone.Evaluation.Loss, r.Evaluation.Loss, 1e-4)
		first := r.Evaluations
		trainer.SwitchTo(exact)
		again := trainer.Run(first + 1)
		assert.Equal(t, r.Weights, again.Weights, "the next pass is at the point reached")
		assert.LessOrEqual(t, again.Evaluations, first+1)
		r = trainer.Run(2000)
		assert.Equal(t, status.Converged, r.Status, "rank %d", rank)
		if rank == 0 { // in factors another minimum may be near
			assert.InEpsilon(t, alone.Evaluation.Loss, r.Evaluation.Loss, 1e-12)
		}
		assert.Less(t, r.Evaluations-first, alone.Evaluations, "what was learnt is kept")
	}
}

// A switch between passes, resumed or not, is the same; one after divergence or
// before the first pass goes on.
func TestSwitchAnyTime(t *testing.T) {
	in, _ := draw(pattern.Spec{Model: pattern.OP, DIn: 4, DOut: 4, P: 12, N: 12}, 1)
	exact := learn.NewObjective(in)
	for _, rule := range []learn.Rule{learn.LBFGS, learn.Adam, learn.GradientDescent} {
		var want learn.Run
		for i, saved := range []bool{false, true} {
			trainer := learn.NewTrainer(rule, single{exact}, learn.NewWeights(4, 4, 0), learn.Options{})
			trainer.Run(7)
			trainer.SwitchTo(exact)
			if saved {
				var err error
				trainer, err = learn.ResumeTrainer(trainer.State(), exact, learn.Options{})
				require.NoError(t, err)
			}
			got := trainer.Run(25)
			if i == 0 {
				want = got
			}
			assert.Equal(t, want, got, "%v", rule)
		}
		trainer := learn.NewTrainer(rule, broken{exact}, learn.NewWeights(4, 4, 0), learn.Options{})
		require.Equal(t, status.Diverged, trainer.Run(5).Status)
		trainer.SwitchTo(exact)
		r := trainer.Run(6)
		assert.Equal(t, status.MaxIterations, r.Status)
		assert.Equal(t, learn.Train(rule, exact, learn.NewWeights(4, 4, 0), learn.Options{MaxEvaluations: 5}).Weights, r.Weights)
	}
	other, _ := draw(pattern.Spec{Model: pattern.OP, DIn: 4, DOut: 4, P: 13, N: 13}, 1)
	assert.Panics(t, func() {
		learn.NewTrainer(learn.Adam, exact, learn.NewWeights(4, 4, 0), learn.Options{}).SwitchTo(learn.NewObjective(other))
	})
}

type broken struct{ learn.Evaluator }

func (broken) Evaluate(*learn.Weights, []float64) learn.Evaluation {
	return learn.Evaluation{Loss: math.NaN()}
}

// constant has a finite loss and gradient everywhere.
type constant struct{ learn.Evaluator }

func (constant) Evaluate(_ *learn.Weights, gradient []float64) learn.Evaluation {
	for i := range gradient {
		gradient[i] = 1
	}
	return learn.Evaluation{Loss: 1, Competition: 1, Bound: 1}
}

// Weights that overflow are divergence although no loss says so, and the last
// finite ones are returned.
func TestWeightsOverflow(t *testing.T) {
	in, _ := draw(shapes[0], 1)
	for _, rule := range []learn.Rule{learn.Adam, learn.GradientDescent} {
		r := learn.Train(rule, constant{learn.NewObjective(in)}, learn.NewWeights(5, 3, 0), learn.Options{LearningRate: math.MaxFloat64})
		assert.Equal(t, status.Diverged, r.Status, "%v", rule)
		assert.Less(t, r.Evaluations, 20)
		assert.Equal(t, 1.0, r.Evaluation.Loss)
		for _, x := range r.Weights.Parameters {
			assert.False(t, math.IsInf(x, 0) || math.IsNaN(x))
		}
	}
}

// What NewTrainer refuses, and a training that was not begun.
func TestTrainerEdges(t *testing.T) {
	in, _ := draw(shapes[0], 1)
	obj := learn.NewObjective(in)
	for _, f := range []func(){
		func() { learn.NewTrainer(learn.Rule(9), obj, learn.NewWeights(5, 3, 0), learn.Options{}) },
		func() { learn.NewTrainer(learn.Adam, obj, learn.NewWeights(3, 5, 0), learn.Options{}) },
		func() { learn.NewTrainer(learn.Hebb, obj, learn.NewWeights(5, 3, 2), learn.Options{}) },
		func() { learn.NewTrainer(learn.Adam, obj, learn.NewWeights(5, 3, 0), learn.Options{Ridge: -1}) },
	} {
		assert.Panics(t, f)
	}
	trainer := learn.NewTrainer(learn.Adam, obj, learn.NewWeights(5, 3, 0), learn.Options{})
	for _, budget := range []int{0, -5} {
		r := trainer.Run(budget)
		assert.Equal(t, status.MaxIterations, r.Status)
		assert.Zero(t, r.Evaluations)
		assert.True(t, math.IsNaN(r.Evaluation.Loss) && math.IsInf(r.Bound, 1))
	}
	want := trainer.Run(5)
	got := trainer.Run(3) // less than was made
	assert.Equal(t, want, got)
	want.Weights.Parameters[0]++ // shares nothing with the trainer
	assert.NotEqual(t, want, trainer.Run(5))
}

// After set-up, and a full memory, passes allocate nothing but the Run.
func TestStepsAllocateNothing(t *testing.T) {
	in, _ := draw(pattern.Spec{Model: pattern.OP, DIn: 6, DOut: 6, P: 40, N: 40}, 1)
	for _, rule := range []learn.Rule{learn.LBFGS, learn.Adam, learn.GradientDescent} {
		trainer := learn.NewTrainer(rule, learn.NewObjective(in), learn.NewWeights(6, 6, 0), learn.Options{Memory: 3, Ridge: 0.1})
		budget := 10
		trainer.Run(budget)
		few := testing.AllocsPerRun(10, func() { budget++; trainer.Run(budget) })
		many := testing.AllocsPerRun(10, func() { budget += 4; trainer.Run(budget) })
		assert.Equal(t, few, many, "%v", rule)
	}
}

// linear falls without end: a line search along it runs into its last trial.
type linear struct{ learn.Evaluator }

func (linear) Evaluate(w *learn.Weights, gradient []float64) learn.Evaluation {
	e := learn.Evaluation{Competition: 1, Bound: 1}
	for i, x := range w.Parameters {
		gradient[i] = -1
		e.Loss -= x
	}
	return e
}

// The trials of a line search are counted across a cut too.
func TestLineSearchEnds(t *testing.T) {
	in, _ := draw(shapes[0], 1)
	e := linear{learn.NewObjective(in)}
	whole := learn.Train(learn.LBFGS, e, learn.NewWeights(5, 3, 0), learn.Options{})
	assert.Equal(t, status.Stalled, whole.Status)
	assert.Equal(t, 41, whole.Evaluations) // the start and 40 trials
	trainer := learn.NewTrainer(learn.LBFGS, e, learn.NewWeights(5, 3, 0), learn.Options{})
	trainer.Run(20)
	trainer, err := learn.ResumeTrainer(trainer.State(), e, learn.Options{})
	require.NoError(t, err)
	assert.Equal(t, whole, trainer.Run(1000))
}
