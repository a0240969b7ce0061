// Package patterntest draws instances for tests, those of given facts among them.
package patterntest

import (
	"math/rand/v2"

	"lamcap/harness/pattern"
)

// Draw is [pattern.Sample]; of pattern.Facts it draws Gaussian keys and values,
// and a target of each fact among all rows, so that some rows are the target of
// several facts and others of none.
func Draw(rng *rand.Rand, s pattern.Spec) *pattern.Instance {
	if s.Model != pattern.Facts {
		return pattern.Sample(rng, s)
	}
	normals := func(n int) []float64 {
		x := make([]float64, n)
		for i := range x {
			x[i] = rng.NormFloat64()
		}
		return x
	}
	keys, values := normals(s.P*s.DIn), normals(s.N*s.DOut)
	targets := make([]int, s.P)
	for mu := range targets {
		targets[mu] = rng.IntN(s.N)
	}
	in, err := pattern.FromPairs(keys, values, s.DIn, s.DOut, targets)
	if err != nil {
		panic("patterntest: " + err.Error())
	}
	return in
}

// AsFacts returns an instance of OP as one of Facts, with the same numbers in
// the same order.
func AsFacts(in *pattern.Instance) *pattern.Instance {
	s := in.Spec()
	targets := make([]int, s.P)
	for mu := range targets {
		targets[mu] = in.Target(mu)
	}
	facts, err := pattern.FromPairs(in.Keys(), in.Pool(0, nil), s.DIn, s.DOut, targets)
	if err != nil {
		panic("patterntest: " + err.Error())
	}
	return facts
}
