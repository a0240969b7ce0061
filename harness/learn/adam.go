package learn

import "math"

// Adam's constants, those of [KB15].
const (
	adamBeta1   = 0.9
	adamBeta2   = 0.999
	adamEpsilon = 1e-8
)

// TrainAdam runs full-batch Adam ([KB15], algorithm 1) on the mean over inputs
// of the cross-entropy, from the given weights, which it does not change.
func TrainAdam(obj *Objective, start *Weights, options Options) Run {
	options = options.withDefaults()
	r := Run{Weights: start.Clone(), Bound: math.Inf(1)}
	x := r.Weights.Parameters
	gradient, m, v := make([]float64, len(x)), make([]float64, len(x)), make([]float64, len(x))
	inverse := 1 / float64(obj.spec.P)
	decay1, decay2 := 1.0, 1.0 // β₁^t and β₂^t
	for {
		e := obj.Evaluate(r.Weights, gradient, nil)
		r.Evaluations++
		if r.finished(e, gradient, options) {
			return r
		}
		decay1 *= adamBeta1
		decay2 *= adamBeta2
		for i, g := range gradient {
			g *= inverse
			m[i] = adamBeta1*m[i] + (1-adamBeta1)*g
			v[i] = adamBeta2*v[i] + (1-adamBeta2)*g*g
			x[i] -= options.LearningRate * (m[i] / (1 - decay1)) / (math.Sqrt(v[i]/(1-decay2)) + adamEpsilon)
		}
	}
}
