package learn

import (
	"math"

	"gonum.org/v1/gonum/floats"
)

// Constants of the strong Wolfe conditions ([NW06], (3.7)). The curvature
// condition is loose on purpose: steps of length 1 then pass almost always.
// With 0.1, or a search to the minimum of the line, a decision at d = 24 takes
// two to three times the evaluations.
const (
	sufficientDecrease = 1e-4
	curvature          = 0.9
	// lossNoise bounds the relative round-off of the loss.
	lossNoise = 1e-12
	// maxTrials ends a line search; each trial cuts the bracket to less than
	// 0.9 of its length.
	maxTrials = 40
)

// trial is a point of a line search.
type trial struct{ t, value, slope float64 }

// search looks for a step with the strong Wolfe conditions ([NW06], algorithms
// 3.5 and 3.6) and leaves the lbfgs there; t is the first step tried.
func (l *lbfgs) search(start trial, t float64) (found, ends bool) {
	low, high := start, trial{t: math.Inf(1)}
	noise := lossNoise * start.value
	for range maxTrials {
		if l.evaluate(t) {
			return false, true
		}
		now := trial{t, l.result.Evaluation.Loss, floats.Dot(l.newGradient, l.direction)}
		// Round-off hides a decrease long before it hides a slope, so a loss
		// within the noise counts as decreased.
		decreased := now.value <= start.value+sufficientDecrease*t*start.slope+noise
		if decreased && math.Abs(now.slope) <= -curvature*start.slope {
			return true, false
		}
		switch {
		case !decreased || now.value > low.value+noise:
			high = now
		case (now.slope > 0) == (high.t > low.t): // the minimum lies behind
			low, high = now, low
		default:
			low = now
		}
		if math.IsInf(high.t, 0) {
			t *= 4
			continue
		}
		if t = inside(low, high); t == low.t || t == high.t {
			return false, false
		}
	}
	return false, false
}

// inside returns the minimiser of the cubic through two points with slopes
// ([NW06], (3.59)), kept a tenth of the interval away from its ends.
func inside(a, b trial) float64 {
	d1 := a.slope + b.slope - 3*(a.value-b.value)/(a.t-b.t)
	d2 := math.Copysign(math.Sqrt(d1*d1-a.slope*b.slope), b.t-a.t)
	t := b.t - (b.t-a.t)*(b.slope+d2-d1)/(b.slope-a.slope+2*d2)
	if math.IsNaN(t) {
		t = (a.t + b.t) / 2
	}
	from, to := min(a.t, b.t), max(a.t, b.t)
	return max(from+0.1*(to-from), min(t, to-0.1*(to-from)))
}
