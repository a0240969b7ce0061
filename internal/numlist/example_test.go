package numlist_test

import (
	"fmt"

	"lamcap/internal/numlist"
)

func ExampleFloats() {
	kappa := numlist.Range{Lo: 0, LoOpen: true, Hi: 1}
	fmt.Println(numlist.Floats("kappa", "0.05,0.1:0.4:0.1,1", kappa, 100))
	_, err := numlist.Floats("kappa", "1.2", kappa, 100)
	fmt.Println(err)
	// Output:
	// [0.05 0.1 0.2 0.3 0.4 1] <nil>
	// kappa = 1.2: want 0 < kappa ≤ 1
}
