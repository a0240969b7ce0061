package compare_test

import (
	"fmt"

	"lamcap/harness/compare"
)

// What the exact theory and the limit say of a full-rank memory with d = 24.
func ExampleTheory() {
	for _, theory := range []compare.Theory{compare.Exact{}, compare.LimitDimension()} {
		critical, err := theory.Critical(24 * 24)
		if err != nil {
			fmt.Println(err)
			return
		}
		stored, err := theory.Storable(24*24, 112)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%-25s p_c = %.2f, P(112 facts stored) = %.4f\n", theory.Name(), critical, stored)
	}
	// Output:
	// p·D_p = N                 p_c = 115.47, P(112 facts stored) = 0.8152
	// D_n = 2 log n (the limit) p_c = 68.21, P(112 facts stored) = 0.0000
}
