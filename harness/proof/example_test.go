package proof_test

import (
	"bytes"
	"fmt"

	"lamcap/harness/learn"
	"lamcap/harness/pattern"
	"lamcap/harness/proof"
)

// Forty facts are too many for a 8×8 matrix; twelve steps of training are
// enough to prove it, and the proof fits in a file.
func ExampleRefute() {
	spec := pattern.Spec{Model: pattern.OP, DIn: 8, DOut: 8, P: 40, N: 40}
	address := proof.Address{Seed: 1, Experiment: "example"}
	in, _ := address.Draw(spec)
	run := learn.Train(learn.LBFGS, learn.NewObjective(in), learn.NewWeights(8, 8, 0), learn.Options{MaxEvaluations: 12})
	multipliers, r := proof.Refute(in, run.Weights, proof.RefuteOptions{})
	fmt.Println("not storable:", r.Outcome, "at any margin:", r.Exact)

	certificate, err := proof.NewNotStorable(in, address, multipliers, r)
	if err != nil {
		fmt.Println(err)
		return
	}
	var file bytes.Buffer
	if err := certificate.Write(&file); err != nil {
		fmt.Println(err)
		return
	}
	var read proof.Certificate
	if err := read.Read(&file); err != nil {
		fmt.Println(err)
		return
	}
	report, err := proof.Check(&read)
	fmt.Println("valid:", report.Valid, report.Outcome, err)
	// Output:
	// not storable: true at any margin: true
	// valid: true not_storable <nil>
}

func ExampleVerify() {
	spec := pattern.Spec{Model: pattern.OP, DIn: 64, DOut: 64, P: 100, N: 100}
	address := proof.Address{Seed: 1, Experiment: "example"}
	in, _ := address.Draw(spec)
	v := proof.Verify(in, learn.TrainHebb(in))
	fmt.Printf("Hebb's rule recalls %d of 100, %d in doubt\n", v.Recalled, v.Doubtful)
	// Output:
	// Hebb's rule recalls 98 of 100, 0 in doubt
}
