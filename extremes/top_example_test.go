package extremes_test

import (
	"fmt"

	"lamcap/extremes"
)

// The weights that one fact takes, if it must be the best or among the ten best of
// a million.
func ExampleTopConeDimension() {
	for _, k := range []float64{1, 10} {
		d, err := extremes.TopConeDimension(1e6, k)
		fmt.Printf("k = %v: D = %.8f, %v\n", k, d.Value, err)
	}
	// Output:
	// k = 1: D = 19.59758754, <nil>
	// k = 10: D = 17.36352064, <nil>
}
