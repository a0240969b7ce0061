package pattern_test

import (
	"fmt"

	"lamcap/harness/pattern"
	"lamcap/internal/stream"
)

func ExampleSample() {
	spec := pattern.Spec{Model: pattern.DP, DIn: 2, DOut: 3, P: 4, N: 5, Values: pattern.Sphere}
	in := pattern.Sample(stream.New(1, "example", "", 0), spec)
	fmt.Printf("first key %.6f\n", in.Key(0))
	fmt.Printf("its target, row %d of %d: %.6f\n", in.Target(0), spec.N, in.Pool(0, nil)[:3])
	spec.N = 0
	fmt.Println(spec.Validate())
	// Output:
	// first key [-0.888993 -0.658599]
	// its target, row 0 of 5: [0.328221 0.922224 1.428906]
	// n = 0: want n ≥ 1
}
