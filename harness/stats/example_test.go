package stats_test

import (
	"fmt"

	"lamcap/harness/stats"
)

// The stored fraction of 40 decided instances against a predicted probability.
func ExampleProportion() {
	c := stats.Proportion{Successes: 33, Trials: 40}
	interval := c.Wilson(0.95)
	fmt.Printf("%.4f [%.4f, %.4f]\n", c.Estimate(), interval.Lo, interval.Hi)
	fmt.Printf("p = %.4f, z = %.3f\n", c.PValue(0.804), c.Z(0.804))
	fmt.Println(c.Rejects("α_c = 1/2", 1e-12))
	// Output:
	// 0.8250 [0.6805, 0.9125]
	// p = 0.9247, z = 0.095
	// α_c = 1/2: z = 42.2
}

// A whole transition against its predicted curve, and its half-point.
func ExampleTransition() {
	t := stats.Transition{
		Loads:  []float64{106, 111, 116, 120, 125},
		Stored: []int{23, 21, 10, 2, 0},
		Trials: []int{24, 24, 24, 24, 24},
	}
	predicted := []float64{0.994, 0.876, 0.449, 0.130, 0.010}
	fmt.Printf("curve: p = %.3f\n", stats.CurvePValue(t.Stored, t.Trials, predicted))
	h := t.FitKnownWidth(4.5, 0.95)
	fmt.Printf("half-point %.2f [%.2f, %.2f]\n", h.X, h.Interval.Lo, h.Interval.Hi)
	// Output:
	// curve: p = 0.295
	// half-point 114.85 [113.44, 116.26]
}

// Rows of a table are judged together.
func ExampleVerdicts() {
	fmt.Println(stats.Verdicts([]float64{0.40, 0.03, 1e-9}, 0.01))
	// Output: [ok ok DISAGREES]
}
