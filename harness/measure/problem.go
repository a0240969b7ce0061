package measure

import (
	"fmt"
	"math"

	"lamcap/harness/learn"
	"lamcap/harness/pattern"
	"lamcap/harness/trial"
)

// Problem is an instance at an address, and how a memory is trained on it.
type Problem struct {
	Spec pattern.Spec
	Rule learn.Rule
	// Rank is m of W = Q Rᵀ; 0, or the least dimension, means full rank. Hebb's
	// rule and max-margin have no other.
	Rank int
	// Seed, Experiment, Cell and Trial are the address of the stream that draws
	// the instance, and the starts of factors after it.
	Seed             uint64
	Experiment, Cell string
	Trial            uint64
	Options          Options
}

// Options say how far a training goes. The zero value has all the defaults.
type Options struct {
	// MaxEvaluations is the budget of each start in passes over the instance,
	// and the horizon of Adam's schedule; 0 means [DefaultEvaluations], for Adam
	// and gradient descent [DefaultSteps].
	MaxEvaluations int
	// GradientTolerance ends a training at the minimum (the measure is that of
	// [learn.Options.GradientTolerance]); 0 means [DefaultGradientTolerance], or
	// [DefaultFactorTolerance] for factors.
	GradientTolerance float64
	// LossTolerance is the mean loss per input, in nats, that ends a training where
	// there is no minimum; 0 means [DefaultLossTolerance]. Lower losses are nearer
	// to the direction of largest margin.
	LossTolerance float64
	// Restarts is the number of random starts of Q and R; 0 means
	// [DefaultRestarts].
	Restarts int
	// LearningRate is the step size of Adam and gradient descent, 0 meaning their
	// defaults; Schedule its course, a zero value meaning [learn.CosineSchedule],
	// whose steps end at 0.
	LearningRate float64
	Schedule     learn.Schedule
}

const (
	// DefaultEvaluations is the default budget of L-BFGS.
	DefaultEvaluations = 10_000
	// DefaultSteps is the default budget of Adam and gradient descent.
	DefaultSteps = 2000
	// DefaultGradientTolerance is the default gradient at the minimum, at full
	// rank relative to the weight of all wrong answers.
	DefaultGradientTolerance = 1e-6
	// DefaultFactorTolerance is that of factors, in its own measure.
	DefaultFactorTolerance = 1e-5
	// DefaultLossTolerance is the default mean loss below capacity, in nats.
	DefaultLossTolerance = 1e-3
	// DefaultRestarts is the default number of starts of factors.
	DefaultRestarts = 3
	// startNorm is ‖Q Rᵀ‖_F of a random start.
	startNorm = 1
)

// Validate reports the first field outside its range, or an instance too large
// for the rule.
func (p Problem) Validate() error {
	o := trial.Options{
		Rule: p.Rule, Rank: p.Rank, MaxEvaluations: p.Options.MaxEvaluations, Restarts: p.Options.Restarts,
		LearningRate: p.Options.LearningRate, Schedule: p.Options.Schedule,
	}
	if err := o.Validate(p.Spec); err != nil {
		return err
	}
	for _, t := range []struct {
		name  string
		value float64
	}{{"gradient tolerance", p.Options.GradientTolerance}, {"loss tolerance", p.Options.LossTolerance}} {
		if !(t.value >= 0) || math.IsInf(t.value, 0) {
			return fmt.Errorf("%s = %g: want a finite tolerance > 0, or 0 for the default", t.name, t.value)
		}
	}
	return nil
}

// full reports whether all weights are free.
func (p Problem) full() bool { return p.Rank == 0 || p.Rank == min(p.Spec.DIn, p.Spec.DOut) }

// rank is m, also where it was left out.
func (p Problem) rank() int {
	if p.Rank == 0 {
		return min(p.Spec.DIn, p.Spec.DOut)
	}
	return p.Rank
}

func (o Options) withDefaults(rule learn.Rule, full bool) Options {
	gradual := rule == learn.Adam || rule == learn.GradientDescent
	if o.MaxEvaluations == 0 {
		o.MaxEvaluations = DefaultEvaluations
		if gradual {
			o.MaxEvaluations = DefaultSteps
		}
	}
	if o.GradientTolerance == 0 {
		o.GradientTolerance = DefaultFactorTolerance
		if full {
			o.GradientTolerance = DefaultGradientTolerance
		}
	}
	if o.LossTolerance == 0 {
		o.LossTolerance = DefaultLossTolerance
	}
	if o.Restarts == 0 {
		o.Restarts = DefaultRestarts
	}
	if gradual && o.Schedule.Factor == nil {
		o.Schedule = learn.CosineSchedule()
	}
	return o
}
