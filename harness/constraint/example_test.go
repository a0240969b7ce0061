package constraint_test

import (
	"fmt"

	"lamcap/harness/constraint"
	"lamcap/harness/learn"
	"lamcap/harness/pattern"
)

// The pairs that Hebb's rule gets wrong: the keys (1, 0) and (1, 1) overlap.
func ExampleSelect() {
	spec := pattern.Spec{Model: pattern.OP, DIn: 2, DOut: 2, P: 2, N: 2}
	in, err := pattern.FromData(spec, []float64{1, 0, 1, 1}, []float64{1, 0, 0, 1})
	if err != nil {
		panic(err)
	}
	w := learn.TrainHebb(in).Parameters
	wrong := constraint.Select(in, w, func(_ int, scores []float64, target int, add func(candidate int)) {
		for c, score := range scores {
			if c != target && score >= scores[target] {
				add(c)
			}
		}
	})
	differences := make([]float64, wrong.Len())
	wrong.Forward(differences, w)
	for mu := range spec.P {
		for i := wrong.Start()[mu]; i < wrong.Start()[mu+1]; i++ {
			fmt.Printf("input %d, candidate %d: %g\n", mu, wrong.Candidate()[i], differences[i])
		}
	}
	// Output:
	// input 0, candidate 1: 0
}
