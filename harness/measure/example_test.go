package measure_test

import (
	"fmt"

	"lamcap/harness/measure"
	"lamcap/harness/pattern"
)

// Twice the capacity of d = 12: the training ends at the minimum of the loss.
func ExampleRun() {
	m, err := measure.Run(measure.Problem{
		Spec: pattern.Spec{Model: pattern.DP, DIn: 12, DOut: 12, P: 80, N: 80},
		Seed: 1, Experiment: "example",
	})
	if err != nil {
		panic(err)
	}
	correct, wrong := m.Scores()
	fmt.Println(m.Result.Status, len(m.SingularValues()), len(correct), len(wrong), m.Gradient < 1e-6)
	// Output: converged 12 80 80 true
}
