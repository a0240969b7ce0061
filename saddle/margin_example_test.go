package saddle_test

import (
	"fmt"

	"lamcap/saddle"
)

// The best margin of a 24 × 24 memory with 60 facts, at score level.
func ExampleMargin() {
	m, err := saddle.Margin(24*24, 60, 60)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("margin %.9f, correct score %.9f ± %.9f, %.8f active (%v)\n", m.Margin, m.CorrectMean, m.CorrectStd, m.Active, m.Status)
	_, err = saddle.Margin(24*24, 120, 120)
	fmt.Println(err)
	// Output:
	// margin 1.315474899, correct score 2.624555266 ± 0.269054821, 6.14746343 active (converged)
	// p = 120: no margin above capacity: want p ≤ p_c = 115.4674159 (576 weights, n = p candidates)
}
