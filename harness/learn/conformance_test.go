package learn_test

import (
	"testing"

	"lamcap/harness/learn"
	"lamcap/harness/learn/conformance"
)

func TestConformance(t *testing.T) {
	// Keys times c² are scores and gradients times c²; Q/c and R/c undo the
	// former and leave gradients times c.
	uniform := func(rank int, c float64) (parameters, q, r float64) {
		if rank == 0 {
			return c * c, c, c
		}
		return c, c, c
	}
	for _, s := range []conformance.Subject{
		// The metric of L-BFGS makes Q and R see keys and values of unit variance.
		{Rule: learn.LBFGS, Scaled: func(o learn.Options, _ int, c float64) (learn.Options, float64, float64) { return o, 1, c * c }},
		{Rule: learn.Adam, Scaled: func(o learn.Options, rank int, c float64) (learn.Options, float64, float64) {
			size, q, r := uniform(rank, c)
			o.LearningRate, o.Epsilon = learn.DefaultLearningRate/size, learn.DefaultEpsilon*size
			return o, q, r
		}},
		{Rule: learn.GradientDescent, Options: learn.Options{LearningRate: 0.1}, Scaled: func(o learn.Options, rank int, c float64) (learn.Options, float64, float64) {
			size, q, r := uniform(rank, c)
			o.LearningRate /= size * size
			return o, q, r
		}},
		{Rule: learn.Hebb, FullOnly: true, Scaled: func(o learn.Options, _ int, c float64) (learn.Options, float64, float64) { return o, 1, 1 }},
	} {
		t.Run(s.Rule.String(), func(t *testing.T) { conformance.Test(t, s) })
	}
}
