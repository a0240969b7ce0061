package learn

import "lamcap/harness/pattern"

// Evaluator gives the rules the loss of an instance. [Objective] is one; tests
// put others in front of it.
//
// Evaluate fills gradient, which has the length of w.Parameters, with the
// gradient of Evaluation.Loss with respect to them. Equal weights must give
// equal numbers. Rules read Loss and, as measures of rest and of divergence,
// Competition and Margin; a [Run] reports the least Bound; Recalled and Residual
// are for [Options.Stop]. So an Evaluator of its own fills all six, and may leave
// a Residual or Bound that it has none of at +Inf.
//
// An Evaluator may have a method
//
//	Noise() float64
//
// that bounds the relative round-off of its losses; without one it is taken for
// 1e-12, that of float64. A wrapper that embeds an Evaluator does not have that
// of the one inside: it must pass it on itself.
type Evaluator interface {
	Evaluate(w *Weights, gradient []float64) Evaluation
	Instance() *pattern.Instance
}

// float64Noise is the relative round-off of losses summed in float64.
const float64Noise = 1e-12

func noiseOf(e Evaluator) float64 {
	if n, ok := e.(interface{ Noise() float64 }); ok {
		return n.Noise()
	}
	return float64Noise
}
