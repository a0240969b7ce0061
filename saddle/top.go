package saddle

import (
	"fmt"
	"math"

	"lamcap/extremes"
	"lamcap/internal/root"
)

// FactsTop returns how many facts p can be stored, with as many candidates as
// facts (n = p), if an input counts as recalled when its target is among the k
// best, the solution of
//
//	p · D_{p,k} = N_eff,
//
// for 1 ≤ weights ≤ 10^300 and an integer k ≥ 1; k = 1 is [CriticalFacts]. The set
// of scores that count is a cone but not convex for k ≥ 2, so this is an upper
// bound (Gordon, see [MinimalErrors]) and the replica-symmetric value, which
// is not stable: the projection onto the set jumps where two competitors of ranks
// k − 1 and k change places.
//
// In the limit p log(n/k)/d² = 1/2 for k = o(n), which says little at any size in
// use: at 24 × 24 weights k = 5 in place of 1 raises p from 115 to 163, and at n =
// 10^300 k = 100 lowers D from 1361.1 to 1360.0, not by 2 log k = 9.2, as long as k is
// small against the 2 log n competitors that are pushed down. At k = rn with
// r < 1/2 the limit is Gardner's perceptron with threshold z, Q(z) = r, and
// [TailAverageCapacity] a lower bound on what can be stored.
func FactsTop(weights, k float64) (Critical, error) {
	none := noCritical()
	if !(k >= 1 && k < extremes.MaxSize && k == math.Floor(k)) {
		return none, fmt.Errorf("k = %v: want an integer, 1 ≤ k < 1e300, the ranks that count as recalled", k)
	}
	if k == 1 {
		return CriticalFacts(weights)
	}
	if !(weights >= 1 && weights <= extremes.MaxSize) {
		return none, fmt.Errorf("weights = %v: want 1 ≤ weights ≤ 1e300", weights)
	}
	dimension := remembered(func(n float64) (extremes.Value, error) { return extremes.TopConeDimension(n, k) })
	e := factsEquation{weights: weights, least: k, used: func(p float64) extremes.Value {
		return extremes.BetweenTopSizes(p, k, dimension)
	}}
	// D grows with p, so the solution is between any p and weights/D_{p,k}.
	clamp := func(logP float64) float64 {
		return math.Max(math.Log(k), math.Min(logP, math.Log(extremes.MaxSize)))
	}
	first := clamp(thresholdFacts(weights, k))
	second := clamp(first - e.excess(first))
	return e.solve(math.Min(first, second)-1e-9, math.Max(first, second)+1e-9, fmt.Sprintf("weights = %v, k = %v", weights, k))
}

// thresholdFacts estimates log p with the pool as a fixed threshold at its k-th
// largest score.
func thresholdFacts(weights, k float64) float64 {
	excess := func(logP float64) float64 {
		z, err := extremes.SurvivalQuantile(math.Min(math.Log(k)-logP, -1e-9))
		if err != nil {
			return math.NaN()
		}
		c, err := Gardner{Threshold: z}.Capacity()
		if err != nil {
			return math.NaN()
		}
		return logP - math.Log(weights) - math.Log(c.Value)
	}
	f := root.Find(excess, math.Log(k+1), math.Log(extremes.MaxSize), root.Options{AbsX: 1e-3})
	if !f.Status.OK() {
		return math.Log(k + 1)
	}
	return f.X
}

// FactsTopAmong returns how many facts can be stored with a fixed number n of
// candidates per input if the target has to be among the k best,
// p = N_eff/D_{n,k}, for an integer 1 ≤ k < n ≤ 10^300, with what is said of the answer
// in [FactsTop].
func FactsTopAmong(weights, n, k float64) (Critical, error) {
	none := noCritical()
	if !(weights > 0 && weights <= extremes.MaxSize) {
		return none, fmt.Errorf("weights = %v: want 0 < weights ≤ 1e300", weights)
	}
	d, err := extremes.TopConeDimension(n, k)
	if err != nil {
		return none, err
	}
	if k == n {
		return none, fmt.Errorf("k = %v: want k < n = %v: every input counts as recalled, whatever the weights", k, n)
	}
	return criticalAmong(weights, d), nil
}
