package saddle_test

import (
	"fmt"

	"lamcap/saddle"
)

// How many facts a 24 × 24 memory stores.
func ExampleCriticalFacts() {
	c, err := saddle.CriticalFacts(24 * 24)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("p_c = %.8f, with D = %.8f weights a fact (%v)\n", c.Facts, c.Dimension.Value, c.Status)
	// Output: p_c = 115.46741594, with D = 4.98842029 weights a fact (converged)
}

// Cover's theorem: with twice as many facts as weights the chance is even.
func ExampleStorableProbability() {
	stored, not, err := saddle.StorableProbability(20, 40, 2)
	fmt.Printf("two candidates each: %.12f stored, %.12f not, %v\n", stored, not, err)
	stored, not, err = saddle.StorableProbability(24*24, 115, 115)
	fmt.Printf("115 candidates each: %.12f stored, %.12f not, %v\n", stored, not, err)
	// Output:
	// two candidates each: 0.500000000000 stored, 0.500000000000 not, <nil>
	// 115 candidates each: 0.550229592856 stored, 0.449770407144 not, <nil>
}

func ExampleGardner_Capacity() {
	for _, threshold := range []float64{0, 1, 3} {
		c, err := saddle.Gardner{Threshold: threshold}.Capacity()
		fmt.Printf("T = %v: gamma_c = %.12f, %v\n", threshold, c.Value, err)
	}
	// Output:
	// T = 0: gamma_c = 2.000000000000, <nil>
	// T = 1: gamma_c = 0.519572229605, <nil>
	// T = 3: gamma_c = 0.100002034392, <nil>
}

func ExampleOverlap() {
	q, energy, err := saddle.Overlap(0.25)
	fmt.Printf("overlap %.12f, free energy %.12f, %v\n", q, energy, err)
	_, _, err = saddle.Overlap(0.5)
	fmt.Println(err)
	// Output:
	// overlap 0.500000000000, free energy -0.346573590280, <nil>
	// alpha = 0.5: want 0 ≤ alpha < 0.5, below capacity
}
