package stats

import (
	"fmt"
	"math"
)

// Power returns the exact probability that the two-sided test of p0 at
// significance level `level` (for example 0.01: the probability of a false alarm, not
// a confidence) rejects p0, Proportion.PValue(p0) ≤ level, when each of the trials
// succeeds with probability p1. Power(p0, p0, …) is the actual size, at most level.
// It panics for probabilities outside [0, 1], trials < 0 or level outside (0, 1).
func Power(p0, p1 float64, trials int, level float64) float64 {
	checkLevel("Power", level)
	p0, p1 = checkProbability("Power", p0), checkProbability("Power", p1)
	if trials < 0 {
		panic(fmt.Sprintf("stats: Power: trials = %d: want trials ≥ 0", trials))
	}
	if trials == 0 || math.IsNaN(p0) || math.IsNaN(p1) {
		return 0 // no test, no rejection
	}
	rejected := func(k int, upper bool) bool {
		t := binomialTails(k, trials, p0, 1-p0)
		tail := t.lower
		if upper {
			tail = t.upper
		}
		return math.Exp(math.Min(0, math.Ln2+tail)) <= level
	}
	// The rejected counts are {0..low−1} and {high..trials}: each tail is monotone.
	low := firstInt(0, trials+1, func(k int) bool { return !rejected(k, false) })
	high := firstInt(0, trials+1, func(k int) bool { return rejected(k, true) })
	below := math.Exp(logBinomialUpper(trials-low+1, trials, 1-p1, p1))
	above := math.Exp(logBinomialUpper(high, trials, p1, 1-p1))
	return math.Min(1, below+above)
}

// firstInt returns the first k in [lo, hi) where the monotone condition holds, hi
// if none.
func firstInt(lo, hi int, holds func(int) bool) int {
	for lo < hi {
		mid := lo + (hi-lo)/2
		if holds(mid) {
			hi = mid
		} else {
			lo = mid + 1
		}
	}
	return lo
}
