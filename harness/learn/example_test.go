package learn_test

import (
	"fmt"

	"lamcap/harness/learn"
	"lamcap/harness/pattern"
	"lamcap/internal/stream"
)

func ExampleTrainLBFGS() {
	spec := pattern.Spec{Model: pattern.OP, DIn: 8, DOut: 8, P: 16, N: 16}
	in := pattern.Sample(stream.New(1, "example", "", 0), spec)
	run := learn.TrainLBFGS(learn.NewObjective(in), learn.NewWeights(8, 8, 0), learn.Options{
		Stop: func(_ *learn.Weights, e learn.Evaluation) bool { return e.Recalled == spec.P },
	})
	v := learn.Verify(in, run.Weights)
	fmt.Printf("%v: %d of %d recalled, margin %.3f of at most %.3f\n", run.Status, v.Recalled, spec.P, v.Margin, run.Bound)
	fmt.Println("Hebb recalls", learn.Verify(in, learn.TrainHebb(in)).Recalled)
	// Output:
	// converged: 16 of 16 recalled, margin 0.054 of at most 1.074
	// Hebb recalls 4
}
