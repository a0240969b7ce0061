package learn_test

import (
	"fmt"

	"lamcap/harness/learn"
	"lamcap/harness/pattern"
	"lamcap/harness/proof"
	"lamcap/internal/stream"
)

func ExampleTrain() {
	spec := pattern.Spec{Model: pattern.OP, DIn: 8, DOut: 8, P: 16, N: 16}
	in := pattern.Sample(stream.New(1, "example", "", 0), spec)
	run := learn.Train(learn.LBFGS, learn.NewObjective(in), learn.NewWeights(8, 8, 0), learn.Options{
		Stop: func(_ *learn.Weights, e learn.Evaluation) bool { return e.Recalled == spec.P },
	})
	v := proof.Verify(in, run.Weights)
	fmt.Printf("%v: %d of %d recalled, margin %.3f of at most %.3f\n", run.Status, v.Recalled, spec.P, v.Margin, run.Bound)
	fmt.Println("Hebb recalls", proof.Verify(in, learn.TrainHebb(in)).Recalled)
	// Output:
	// converged: 16 of 16 recalled, margin 0.079 of at most 1.145
	// Hebb recalls 4
}

// A budget that was too small is no loss: the training goes on, here after its
// state was saved.
func ExampleTrainer() {
	spec := pattern.Spec{Model: pattern.OP, DIn: 8, DOut: 8, P: 16, N: 16}
	objective := learn.NewObjective(pattern.Sample(stream.New(1, "example", "", 0), spec))
	options := learn.Options{Stop: func(_ *learn.Weights, e learn.Evaluation) bool { return e.Recalled == spec.P }}
	trainer := learn.NewTrainer(learn.Adam, objective, learn.NewWeights(8, 8, 0), options)
	r := trainer.Run(5)
	fmt.Println(r.Status, r.Evaluations, r.Evaluation.Recalled)

	trainer, err := learn.ResumeTrainer(trainer.State(), objective, options)
	if err != nil {
		fmt.Println(err)
		return
	}
	r = trainer.Run(1000)
	fmt.Println(r.Status, r.Evaluations, r.Evaluation.Recalled)
	// Output:
	// max_iterations 5 7
	// converged 24 16
}
