package proof_test

import (
	"fmt"
	"testing"

	"lamcap/harness/learn"
	"lamcap/harness/pattern"
	"lamcap/harness/proof"
	"lamcap/internal/stream"
)

// After 20 evaluations of L-BFGS at 1.05 of capacity.
func BenchmarkRefute(b *testing.B) {
	for _, c := range [][2]int{{24, 121}, {48, 369}} {
		for _, bound := range []bool{true, false} {
			b.Run(fmt.Sprintf("d=%d/boundonly=%v", c[0], bound), func(b *testing.B) {
				s := pattern.Spec{Model: pattern.OP, DIn: c[0], DOut: c[0], P: c[1], N: c[1]}
				in := pattern.Sample(stream.New(1, "bench", "", 0), s)
				run := learn.Train(learn.LBFGS, learn.NewObjective(in), learn.NewWeights(s.DOut, s.DIn, 0), learn.Options{MaxEvaluations: 20})
				b.ResetTimer()
				var r proof.Refutation
				for range b.N {
					_, r = proof.Refute(in, run.Weights, proof.RefuteOptions{BoundOnly: bound})
				}
				b.ReportMetric(float64(r.Iterations), "iterations")
				b.Logf("%+v", r)
			})
		}
	}
}
