package learn

import (
	"math"
)

// Constants of the strong Wolfe conditions ([NW06], (3.7)). The curvature
// condition is loose on purpose: steps of length 1 then pass almost always.
// With 0.1, or a search to the minimum of the line, a decision at d = 24 takes
// two to three times the evaluations.
const (
	sufficientDecrease = 1e-4
	curvature          = 0.9
	// maxTrials ends a line search; each trial cuts the bracket to less than
	// 0.9 of its length.
	maxTrials = 40
)

// Trial is a point of a line search: a step, the objective there and its slope
// along the line.
type Trial struct{ T, Value, Slope float64 }

// lineSearch looks for a step with the strong Wolfe conditions ([NW06],
// algorithms 3.5 and 3.6), one trial after the other.
type lineSearch struct {
	start     Trial
	low, high Trial // high.T = +Inf: nothing is bracketed yet
	t         float64
	trials    int // made before the one at t
}

// begin sets t as the first step to try.
func (s *lineSearch) begin(start Trial, t float64) {
	*s = lineSearch{start: start, low: start, high: Trial{T: math.Inf(1)}, t: t}
}

type searchVerdict int

const (
	searching searchVerdict = iota // try s.t
	found                          // the step just tried
	failed
)

// advance looks at the trial at s.t; losses are equal within noise.
func (s *lineSearch) advance(now Trial, noise float64) searchVerdict {
	// Round-off hides a decrease long before it hides a slope, so a loss
	// within the noise counts as decreased.
	decreased := now.Value <= s.start.Value+sufficientDecrease*now.T*s.start.Slope+noise
	if decreased && math.Abs(now.Slope) <= -curvature*s.start.Slope {
		return found
	}
	switch {
	case !decreased || now.Value > s.low.Value+noise:
		s.high = now
	case (now.Slope > 0) == (s.high.T > s.low.T): // the minimum lies behind
		s.low, s.high = now, s.low
	default:
		s.low = now
	}
	if s.trials++; s.trials == maxTrials {
		return failed
	}
	if math.IsInf(s.high.T, 0) {
		s.t *= 4
		return searching
	}
	if s.t = inside(s.low, s.high); s.t == s.low.T || s.t == s.high.T {
		return failed
	}
	return searching
}

// inside returns the minimiser of the cubic through two points with slopes
// ([NW06], (3.59)), kept a tenth of the interval away from its ends.
func inside(a, b Trial) float64 {
	d1 := a.Slope + b.Slope - 3*(a.Value-b.Value)/(a.T-b.T)
	d2 := math.Copysign(math.Sqrt(d1*d1-a.Slope*b.Slope), b.T-a.T)
	t := b.T - (b.T-a.T)*(b.Slope+d2-d1)/(b.Slope-a.Slope+2*d2)
	if math.IsNaN(t) {
		t = (a.T + b.T) / 2
	}
	from, to := min(a.T, b.T), max(a.T, b.T)
	return max(from+0.1*(to-from), min(t, to-0.1*(to-from)))
}
