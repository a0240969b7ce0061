package vector_test

import (
	"fmt"

	"lamcap/internal/embedding"
	"lamcap/saddle"
	"lamcap/saddle/vector"
)

// A memory of 24×24 weights above its capacity of 115 facts, trained to the minimum of the
// cross-entropy: at score level its norm is 1.71.
func ExampleSolve() {
	r, err := vector.Solve(vector.Training{
		Training:  saddle.Training{Weights: 24 * 24, Facts: 231, Loss: saddle.CrossEntropy},
		Ensemble:  vector.Ensemble{DOut: 24, Values: embedding.Gaussian, Seed: 1},
		Precision: vector.Precision{Target: 0.02},
	})
	if err != nil {
		panic(err)
	}
	fmt.Printf("%v, %v: norm %.1f, loss %.1f, accuracy %.1f\n", r.Phase, r.Status, r.Norm.Value, r.Loss.Value, r.Accuracy.Value)
	// Output: unstorable, converged: norm 1.9, loss 4.2, accuracy 0.1
}

// The largest margin at half the capacity; at score level it is 1.31.
func ExampleMargin() {
	m, err := vector.Margin(24*24, 60, 60, vector.Ensemble{DOut: 24, Values: embedding.Sphere, Seed: 1}, vector.Precision{})
	if err != nil {
		panic(err)
	}
	fmt.Printf("%v: K* = %.1f\n", m.Status, m.Margin.Value)
	// Output: converged: K* = 1.2
}
