package learn

import (
	"fmt"
	"math"
)

// Options of a training. The zero value asks for all the defaults.
//
// The objective is that of all inputs together,
//
//	J(W) = Σ_μ ℓ_μ + (λ/2) ‖W‖²_F,
//
// W = Q Rᵀ for factors (so that λ means the same at any rank). L-BFGS minimises
// J; Adam and gradient descent follow the gradient of J/p, with which a rate
// means the same at any number of inputs p. In the convention of a mean loss
// with weight decay c, λ = c p.
type Options struct {
	// MaxEvaluations is the budget of [Train] in passes over the instance, and
	// the horizon of schedules that end; 0 means [DefaultMaxEvaluations].
	MaxEvaluations int
	// GradientTolerance ends a training when the gradient, relative to Σ λ and
	// to the size of the weights, falls to it; 0 means never. For weights
	// stored in full the measure is ‖∂J/∂W‖_F/Σ λ; for factors it is
	// √m ‖∂J/∂(Q, R)‖_F/(Σ λ ‖(Q, R)‖_F), which does not change with the
	// scales of W and of λ either.
	GradientTolerance float64
	// LearningRate is the step size of Adam and gradient descent; 0 means
	// [DefaultLearningRate] and [DefaultDescentRate].
	LearningRate float64
	// Schedule changes the learning rate in time; the zero value keeps it.
	Schedule Schedule
	// Beta1 and Beta2 are the decay rates of Adam's moments and Epsilon is
	// what it adds to the root of the second; 0 means those of [KB15]. (1e-300
	// acts as 0.)
	Beta1, Beta2, Epsilon float64
	// Momentum is β in gradient descent's v ← β v + ∂J/p, x ← x − rate·v.
	Momentum float64
	// Ridge is λ ≥ 0 of the objective above. Hebb's rule has none.
	Ridge float64
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
	// DefaultDescentRate is the default step size of gradient descent. Near
	// W = 0 the largest eigenvalue of the Hessian of J/p is about
	// (1 + √(d/p))² for keys and values of unit variance, and twice its inverse
	// the largest stable rate. Mean passes of 4 stored instances of DP, d = 24:
	//
	//	rate                0.1  0.3    1    3
	//	full, p = 60         34   12    7   12
	//	full, p = 90        230   77   30   40
	//	full, p = 104      1027  342  127  142
	//	  momentum 0.9       79   27   17  156
	//	rank 12, p = 50      56   20   none stored
	//	rank 12, p = 75     165   56   none stored
	DefaultDescentRate = 0.3
	// DefaultBeta1, DefaultBeta2 and DefaultEpsilon are Adam's constants in
	// [KB15].
	DefaultBeta1   = 0.9
	DefaultBeta2   = 0.999
	DefaultEpsilon = 1e-8
	// DefaultMemory is the default number of steps that L-BFGS remembers. Mean
	// passes to a decision at full rank, 10 instances at d = 24, 8 at d = 48:
	//
	//	memory           30    60   100   200
	//	d = 24  DP 0.98   70    63    61    61
	//	        DP 1.02   82    70    70    68
	//	        OP 1.02   79    73    71    71
	//	d = 48  DP 0.98   34    34    34    34
	//	        OP 1.02  142   124   108   106
	//
	// The hardest instances gain most (one at d = 48 took 1897, 870, 797 and 563
	// passes). A step reads what is remembered twice, 16 bytes a weight and
	// pair: at d = 128, with 100, a twentieth of the time of a training.
	DefaultMemory = 200
)

// Validate reports the first option outside its range.
func (o Options) Validate() error {
	finite := func(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }
	switch {
	case o.MaxEvaluations < 0:
		return fmt.Errorf("max evaluations = %d: want ≥ 1, or 0 for %d", o.MaxEvaluations, DefaultMaxEvaluations)
	case !(o.GradientTolerance >= 0) || !finite(o.GradientTolerance):
		return fmt.Errorf("gradient tolerance = %g: want a finite tolerance > 0, or 0 for none", o.GradientTolerance)
	case !(o.LearningRate >= 0) || !finite(o.LearningRate):
		return fmt.Errorf("learning rate = %g: want a finite rate > 0, or 0 for %g (adam) and %g (descent)", o.LearningRate, DefaultLearningRate, DefaultDescentRate)
	case o.Schedule.Name != "" && o.Schedule.Factor == nil:
		return fmt.Errorf("schedule = %s: want a function with the name; see the schedules of this package", o.Schedule.Name)
	case o.Schedule.Name == "" && o.Schedule.Factor != nil:
		return fmt.Errorf("schedule: want a name with the function, by which a saved training is continued")
	case !(o.Beta1 >= 0 && o.Beta1 < 1):
		return fmt.Errorf("beta1 = %g: want 0 < beta1 < 1, or 0 for %g", o.Beta1, DefaultBeta1)
	case !(o.Beta2 >= 0 && o.Beta2 < 1):
		return fmt.Errorf("beta2 = %g: want 0 < beta2 < 1, or 0 for %g", o.Beta2, DefaultBeta2)
	case !(o.Epsilon >= 0) || !finite(o.Epsilon):
		return fmt.Errorf("epsilon = %g: want a finite number > 0, or 0 for %g", o.Epsilon, DefaultEpsilon)
	case !(o.Momentum >= 0 && o.Momentum < 1):
		return fmt.Errorf("momentum = %g: want 0 ≤ momentum < 1", o.Momentum)
	case !(o.Ridge >= 0) || !finite(o.Ridge):
		return fmt.Errorf("ridge = %g: want a finite number ≥ 0", o.Ridge)
	case o.Memory < 0:
		return fmt.Errorf("memory = %d: want ≥ 1, or 0 for %d", o.Memory, DefaultMemory)
	}
	return nil
}

// withDefaults fills in what the rule takes for 0.
func (o Options) withDefaults(r Rule) Options {
	set := func(x *float64, value float64) {
		if *x == 0 {
			*x = value
		}
	}
	if r == GradientDescent {
		set(&o.LearningRate, DefaultDescentRate)
	}
	set(&o.LearningRate, DefaultLearningRate)
	set(&o.Beta1, DefaultBeta1)
	set(&o.Beta2, DefaultBeta2)
	set(&o.Epsilon, DefaultEpsilon)
	if o.MaxEvaluations == 0 {
		o.MaxEvaluations = DefaultMaxEvaluations
	}
	if o.Memory == 0 {
		o.Memory = DefaultMemory
	}
	if o.Schedule.Factor == nil {
		o.Schedule = ConstantSchedule()
	}
	return o
}
