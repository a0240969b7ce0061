package extremes

import (
	"math"

	"lamcap/internal/status"
)

// InterpolateSizes evaluates f at a real n by the cubic through the integers
// first … first + 3, with the same weights applied to the error bounds. What lies
// between two numbers of candidates is a convention that root finders need.
func InterpolateSizes(n, first float64, f func(float64) Value) Value {
	out := Value{Status: status.Converged}
	for i := range 4 {
		x := first + float64(i)
		weight := 1.0
		for j := range 4 {
			if j != i {
				y := first + float64(j)
				weight *= (n - y) / (x - y)
			}
		}
		v := f(x)
		out.Value += weight * v.Value
		out.Error += math.Abs(weight) * v.Error
		if !v.Status.OK() {
			out.Status = v.Status
		}
	}
	return out
}
