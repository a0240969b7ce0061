package nnls_test

import (
	"fmt"

	"lamcap/internal/nnls"
)

// The point of the quarter plane v₁ ≥ 1, v₂ ≥ 1 next to (0, 3).
func ExampleSolver_Project() {
	s := nnls.New(2, 2)
	r := s.Project([]float64{0, 3}, []float64{1, 0, 0, 1}, []float64{1, 1})
	fmt.Println(r.Status, r.Point, "active:", r.Active, "multipliers:", r.Multipliers)
	// Output: converged [1 3] active: [0] multipliers: [1]
}
