package learn

import (
	"math"

	"lamcap/internal/status"
)

// Options of a training. The zero value asks for all the defaults.
type Options struct {
	// MaxEvaluations is the budget of passes over the instance; 0 means
	// [DefaultMaxEvaluations].
	MaxEvaluations int
	// GradientTolerance ends a training when the gradient, relative to Σ λ and
	// to the size of the weights, falls to it; 0 means never. For weights
	// stored in full the measure is ‖∂L/∂W‖_F/Σ λ; for factors it is
	// √m ‖∂L/∂(Q, R)‖_F/(Σ λ ‖(Q, R)‖_F), which does not change with the
	// scales of W and of λ either.
	GradientTolerance float64
	// LearningRate is Adam's step size; 0 means [DefaultLearningRate].
	LearningRate float64
	// Memory is the number of steps that L-BFGS remembers; 0 means
	// [DefaultMemory].
	Memory int
	// Stop, if not nil, sees weights and their evaluation after every pass and
	// ends the training by returning true. It must not change or keep w.
	Stop func(w *Weights, e Evaluation) bool
}

const (
	// DefaultMaxEvaluations is the default budget of passes.
	DefaultMaxEvaluations = 5000
	// DefaultLearningRate is Adam's default step size. Full-batch gradients are
	// exact, so it can be large: at d = 24, p = 109 in DP (0.94 of capacity) 11
	// of 12 instances are stored within 4,000 passes at any rate from 0.01 to
	// 0.3, after 1,043, 592, 433 and 377 passes on average at 0.01, 0.03, 0.1
	// and 0.3.
	DefaultLearningRate = 0.1
	// DefaultMemory is the default number of steps that L-BFGS remembers. It
	// hardly matters away from capacity; the hardest instances within a percent
	// or two of it take twice as many passes with 100, and with 30 three times
	// as many again.
	DefaultMemory = 200
)

// Run is the outcome of a training.
type Run struct {
	// Weights are the last ones reached, with their Evaluation.
	Weights    *Weights
	Evaluation Evaluation
	// Bound is the least duality bound met on the way, an upper bound on the
	// normalised margin of all weights.
	Bound float64
	// Evaluations counts passes over the instance, those of line searches
	// included.
	Evaluations int
	// Status is Converged if Stop, the gradient tolerance or a loss of 0 ended the run,
	// MaxIterations if the budget did, Stalled if no step decreased the loss
	// any more, Diverged if a NaN or an infinity appeared.
	Status status.Status
}

func (o Options) withDefaults() Options {
	if o.MaxEvaluations == 0 {
		o.MaxEvaluations = DefaultMaxEvaluations
	}
	if o.LearningRate == 0 {
		o.LearningRate = DefaultLearningRate
	}
	if o.Memory == 0 {
		o.Memory = DefaultMemory
	}
	if o.MaxEvaluations < 0 || o.Memory < 0 || !(o.LearningRate > 0) || math.IsInf(o.LearningRate, 0) || o.GradientTolerance < 0 {
		panic("learn: options out of range")
	}
	return o
}

// stationarity is the measure of [Options.GradientTolerance].
func stationarity(w *Weights, gradient []float64, e Evaluation) float64 {
	if w.Rank == 0 {
		return e.Bound
	}
	if e.Competition == 0 {
		return math.Inf(1)
	}
	return math.Sqrt(float64(w.Rank)) * norm(gradient) / (e.Competition * norm(w.Parameters))
}

// finished looks at the evaluation just made at r.Weights, keeps it, and says
// whether the training ends.
func (r *Run) finished(e Evaluation, gradient []float64, o Options) bool {
	r.Evaluation = e
	if math.IsNaN(e.Loss) || math.IsInf(e.Loss, 0) || math.IsNaN(e.Competition) {
		r.Status = status.Diverged
		return true
	}
	if e.Bound < r.Bound {
		r.Bound = e.Bound
	}
	switch {
	case e.Competition == 0, // the loss is 0: nothing is left to learn
		o.Stop != nil && o.Stop(r.Weights, e),
		o.GradientTolerance > 0 && stationarity(r.Weights, gradient, e) <= o.GradientTolerance:
		r.Status = status.Converged
		return true
	case r.Evaluations >= o.MaxEvaluations:
		r.Status = status.MaxIterations
		return true
	}
	return false
}
