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

// Cover's theorem: with twice as many facts as weights the chance is even. And a
// 24 × 24 memory with one fact for every five weights, or with so many that it
// would be a miracle.
func ExampleTransition_Probability() {
	transition := saddle.NewTransition()
	for _, c := range []struct{ weights, p, n float64 }{{20, 40, 2}, {24 * 24, 115, 115}, {24 * 24, 200, 200}} {
		r, err := transition.Probability(c.weights, c.p, c.n)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%v facts of %v candidates: %.12g stored, %.12g not, %v\n", c.p, c.n, r.Value, r.Complement, r.Status)
	}
	// Output:
	// 40 facts of 2 candidates: 0.5 stored, 0.5 not, converged
	// 115 facts of 115 candidates: 0.550229592856 stored, 0.449770407144 not, converged
	// 200 facts of 200 candidates: 7.95826332023e-70 stored, 1 not, converged
}

// How sharp capacity is: the numbers of facts that a 24 × 24 memory stores with a
// probability of 99%, 50% and 1%.
func ExampleTransition_Facts() {
	transition := saddle.NewTransition()
	for _, probability := range []float64{0.99, 0.5, 0.01} {
		q, err := transition.Facts(24*24, probability)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%v: %v facts, crossed at %.8f (%v)\n", probability, q.Whole, q.Value, q.Status)
	}
	// Output:
	// 0.99: 106 facts, crossed at 106.58857164 (converged)
	// 0.5: 115 facts, crossed at 115.49746068 (converged)
	// 0.01: 124 facts, crossed at 124.92307616 (converged)
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
