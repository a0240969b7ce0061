package extremes_test

import (
	"fmt"

	"lamcap/extremes"
)

// Scores of the solution of largest margin with 60 candidates each, at the margin
// 1.25: the correct one stands above a level to which the best competitors are
// pushed down.
func ExampleMarginCone() {
	cone := extremes.MarginCone{N: 60, Margin: 1.25}
	m, err := cone.Moments()
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("D = %.10f, %.10f active\n", m.Dimension.Value, m.Active.Value)
	correct := m.LevelMean.Value + cone.Margin
	p, err := cone.CorrectCDF(correct)
	fmt.Printf("correct score %.10f on average, below that with probability %.10f, %v\n", correct, p.Value, err)
	// Output:
	// D = 9.2599274823, 6.0481637691 active
	// correct score 2.5694109706 on average, below that with probability 0.5253233309, <nil>
}
