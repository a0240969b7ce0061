package root_test

import (
	"fmt"
	"math"

	"lamcap/internal/root"
)

func ExampleFind() {
	r := root.Find(func(x float64) float64 { return math.Cos(x) - x }, 0, 1, root.Options{})
	fmt.Printf("%.12f, |residual| < 1e-15: %v, %v\n", r.X, math.Abs(r.F) < 1e-15, r.Status)
	// Output: 0.739085133215, |residual| < 1e-15: true, converged
}
