package trial_test

import (
	"context"
	"fmt"

	"lamcap/harness/pattern"
	"lamcap/harness/trial"
)

func ExampleMany() {
	spec := pattern.Spec{Model: pattern.DP, DIn: 12, DOut: 12, P: 40, N: 40}
	counts := map[trial.Outcome]int{}
	for _, r := range trial.Many(context.Background(), spec, trial.Options{}, 1, "example", "dp d=12 p=40", 20, nil) {
		counts[r.Outcome]++
	}
	fmt.Println(counts[trial.Stored], counts[trial.NotStorable], counts[trial.Undecided])
	// Output:
	// 11 9 0
}
