package quad_test

import (
	"fmt"
	"math"

	"lamcap/internal/quad"
)

func ExampleIntegrate() {
	r := quad.Integrate(func(x float64) float64 { return math.Exp(-x * x) }, math.Inf(-1), 38, quad.Options{})
	fmt.Printf("%.12f, within the bound: %v, %v\n", r.Value, math.Abs(r.Value-math.Sqrt(math.Pi)) <= r.Error, r.Status)
	// Output: 1.772453850906, within the bound: true, converged
}
