package faddeeva_test

import (
	"fmt"

	"lamcap/internal/faddeeva"
)

func ExampleW() {
	fmt.Printf("%.12f\n", faddeeva.W(1+1i))
	fmt.Printf("%.12f\n", faddeeva.Erfcx(30))
	// Output:
	// (0.304744205257+0.208218938203i)
	// 0.018795888861
}
