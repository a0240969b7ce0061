package saddle_test

import (
	"fmt"

	"lamcap/saddle"
)

// At d = 100 the criterion moves the answer from about 1/8 to about 1/2.
func ExampleHebbTypicalThreshold() {
	const d = 100
	for _, l := range []struct {
		name string
		law  saddle.HebbLaw
	}{
		{"limit law", saddle.HebbLimitLaw(d)},
		{"DP", saddle.HebbDecoupledCorrectedLaw(d)},
		{"OP", saddle.HebbOriginalLaw(d)},
	} {
		all, err := saddle.HebbAllThreshold(d, l.law)
		if err != nil {
			fmt.Println(err)
			return
		}
		typical, err := saddle.HebbTypicalThreshold(d, l.law)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%-9s  all items α = %.3f  typical item α = %.3f\n", l.name, all.Alpha, typical.Alpha)
	}
	fmt.Printf("d → ∞      all items α = %.3f  typical item α = %.3f\n", saddle.HebbLimitAll, saddle.HebbLimitTypical)
	// Output:
	// limit law  all items α = 0.161  typical item α = 0.660
	// DP         all items α = 0.149  typical item α = 0.629
	// OP         all items α = 0.124  typical item α = 0.571
	// d → ∞      all items α = 0.125  typical item α = 0.500
}

func ExampleHebbItemRecall() {
	v, err := saddle.HebbItemRecall(100, 1200, 1200)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.12f %v\n", v.Value, v.Status)
	// Output: 0.351735143813 converged
}
