package extremes_test

import (
	"fmt"
	"math"

	"lamcap/extremes"
)

// Three ways to write one series, at 10^6 candidates; the exact values are
// D = 19.597588 and α_c = 0.704960.
func ExampleConeDimensionExpansion() {
	logN := math.Log(1e6)
	for _, form := range extremes.ExpansionForms() {
		for _, order := range []int{0, 2, 10} {
			d, err := extremes.ConeDimensionExpansion(form, logN, order)
			if err != nil {
				fmt.Println(err)
				return
			}
			fmt.Printf("%-8v order %2d: D = %.6f, alpha_c = %.6f\n", form, order, d.Value, logN/d.Value)
		}
	}
	// Output:
	// explicit order  0: D = 18.836327, alpha_c = 0.733450
	// explicit order  2: D = 19.601688, alpha_c = 0.704812
	// explicit order 10: D = 19.597591, alpha_c = 0.704960
	// implicit order  0: D = 20.249750, alpha_c = 0.682256
	// implicit order  2: D = 19.701123, alpha_c = 0.701255
	// implicit order 10: D = 19.674652, alpha_c = 0.702198
	// fraction order  0: D = 20.249750, alpha_c = 0.682256
	// fraction order  2: D = 19.614599, alpha_c = 0.704348
	// fraction order 10: D = 19.597588, alpha_c = 0.704960
}
