package saddle_test

import (
	"fmt"

	"lamcap/saddle"
)

// A 24 × 24 memory in which some facts may be lost.
func ExampleFactsWithErrors() {
	for _, fraction := range []float64{0, 0.01, 0.1, 0.5} {
		c, err := saddle.FactsWithErrors(24*24, fraction)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%4.0f%% lost: p = %.6f, %.6f weights a fact\n", 100*fraction, c.Facts, c.Dimension.Value)
	}
	// Output:
	//    0% lost: p = 115.467416, 4.988420 weights a fact
	//    1% lost: p = 119.306881, 4.827886 weights a fact
	//   10% lost: p = 147.228587, 3.912284 weights a fact
	//   50% lost: p = 371.022101, 1.552468 weights a fact
}

// What any weights must leave unrecalled at half as many facts again as fit.
func ExampleMinimalErrors() {
	c, err := saddle.CriticalFactsAmong(1, 1000)
	if err != nil {
		fmt.Println(err)
		return
	}
	e, err := saddle.MinimalErrors(1.5*c.Facts, 1000)
	fmt.Printf("at least %.8f, beyond dist² = %.6f; replicon %.4f, %v\n", e.Fraction, e.Cutoff, e.Replicon, err)
	// Output: at least 0.15780354, beyond dist² = 13.136373; replicon 1.1716, <nil>
}

// Among the five best in place of the best.
func ExampleFactsTopAmong() {
	for _, k := range []float64{1, 5} {
		c, err := saddle.FactsTopAmong(24*24, 115, k)
		fmt.Printf("k = %v: %.8f facts, %v\n", k, c.Facts, err)
	}
	// Output:
	// k = 1: 115.59555372 facts, <nil>
	// k = 5: 188.69561125 facts, <nil>
}

func ExampleTailAverageCapacity() {
	for _, r := range []float64{0.5, 0.01, 1e-6} {
		alpha, err := saddle.TailAverageCapacity(r)
		fmt.Printf("r = %v: alpha_c = %.9f, %v\n", r, alpha, err)
	}
	// Output:
	// r = 0.5: alpha_c = 0.657712728, <nil>
	// r = 0.01: alpha_c = 0.123415894, <nil>
	// r = 1e-06: alpha_c = 0.039237233, <nil>
}
