package sum_test

import (
	"fmt"

	"lamcap/internal/sum"
)

func ExampleNeumaier() {
	var s sum.Neumaier
	for _, x := range []float64{1, 1e100, 1, -1e100} {
		s.Add(x)
	}
	fmt.Println(s.Sum())
	// Output: 2
}
