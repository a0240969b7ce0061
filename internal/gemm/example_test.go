package gemm_test

import (
	"fmt"

	"lamcap/internal/gemm"
	"lamcap/internal/simd"
)

// The scores of two queries against three stored patterns: the second factor
// is given by its rows, so that its strides are swapped.
func ExampleMultiplier_Multiply() {
	queries := []float64{1, 2, 3, 4} // 2×2
	patterns := []float64{1, 0, 0, 1, 1, -1}
	scores := make([]float64, 2*3)
	m := gemm.NewMultiplier(gemm.NewKernel[float64](simd.Default()), 1)
	m.Multiply(2, 3, 2, queries, 2, 1, patterns, 1, 2, scores, 3, false)
	fmt.Println(scores[:3], scores[3:])
	// Output: [1 2 -1] [3 4 -1]
}
