package stats

import (
	"fmt"
	"math"
)

// Interval is a closed interval of real numbers; Lo may be −Inf and Hi +Inf when
// the data do not bound the quantity on that side.
type Interval struct{ Lo, Hi float64 }

// Contains reports whether Lo ≤ x ≤ Hi.
func (i Interval) Contains(x float64) bool { return i.Lo <= x && x <= i.Hi }

// Scale returns the interval of c·x for c > 0, for example the interval of the
// ratio of a half-point to a predicted capacity (c = 1/p_c).
// It panics if c is not positive.
func (i Interval) Scale(c float64) Interval {
	if !(c > 0) {
		panic(fmt.Sprintf("stats: Scale: c = %v: want c > 0", c))
	}
	return Interval{Lo: c * i.Lo, Hi: c * i.Hi}
}

// everything is what data that say nothing leave open.
func everything() Interval { return Interval{Lo: math.Inf(-1), Hi: math.Inf(1)} }

// checkLevel panics unless level is a confidence level.
func checkLevel(name string, level float64) {
	if !(level > 0 && level < 1) {
		panic(fmt.Sprintf("stats: %s: level = %v: want 0 < level < 1", name, level))
	}
}

// checkProbability panics unless p is a probability or NaN (a prediction that
// does not exist). Round-off beyond 0 or 1 is forgiven and removed.
func checkProbability(name string, p float64) float64 {
	const roundoff = 1e-9
	if p < -roundoff || p > 1+roundoff {
		panic(fmt.Sprintf("stats: %s: probability %v: want 0 ≤ p ≤ 1", name, p))
	}
	if math.IsNaN(p) {
		return p
	}
	return math.Min(1, math.Max(0, p))
}
