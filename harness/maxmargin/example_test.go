package maxmargin_test

import (
	"fmt"

	"lamcap/harness/maxmargin"
	"lamcap/harness/pattern"
)

// Three unit vectors as keys and as values: the solution is (1 − ⅓ J)/√2, J all
// ones, with margin 1/√2 and all six pairs as support. The same keys with two
// equal values cannot be stored.
func ExampleSolve() {
	unit := []float64{1, 0, 0, 0, 1, 0, 0, 0, 1}
	spec := pattern.Spec{Model: pattern.OP, DIn: 3, DOut: 3, P: 3, N: 3}
	in, err := pattern.FromData(spec, unit, unit)
	if err != nil {
		panic(err)
	}
	r := maxmargin.Solve(in, maxmargin.Options{Gap: 1e-9})
	fmt.Printf("%v: margin %.6f, %d support vectors\n", r.Status, r.Margin, r.Active)
	fmt.Printf("%.4f\n", r.Weights.Parameters[:3])

	in, err = pattern.FromData(spec, unit, []float64{1, 0, 0, 1, 0, 0, 0, 0, 1})
	if err != nil {
		panic(err)
	}
	r = maxmargin.Solve(in, maxmargin.Options{})
	fmt.Printf("%v: not storable %v, margin %v\n", r.Status, r.NotStorable, r.Margin)
	// Output:
	// converged: margin 0.707107, 6 support vectors
	// [0.4714 -0.2357 -0.2357]
	// converged: not storable true, margin NaN
}
