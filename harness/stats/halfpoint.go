package stats

import (
	"errors"
	"fmt"
	"math"

	"lamcap/internal/logarithm"
	"lamcap/internal/status"
)

// HalfPoint is the fitted load at which half the instances are stored.
type HalfPoint struct {
	// X is the maximum-likelihood half-point, in the units of the loads. On separated
	// data (everything stored up to one load, nothing from the next on) every point
	// between the two is as likely: X is the middle. NaN when no half-point is the
	// most likely (Status NoBracket).
	X float64
	// Interval holds all half-points that the likelihood-ratio test does not reject at
	// the level asked for; an end is infinite when the data leave it open.
	Interval Interval
	// Width of the transition, standard deviation in units of the loads: 0 when a
	// step is most likely, NaN without X.
	Width float64
	// LogLikelihood is its supremum, without the binomial coefficients.
	LogLikelihood float64
	// Separated reports that a step fits the data perfectly, or all but one load: Width is 0
	// only because the data cannot resolve it.
	Separated bool
	Status    status.Status
	Warnings  []error
}

var (
	// ErrNoTransition means that all or no instances were stored, that there is a single load, or
	// that more is stored at larger loads.
	ErrNoTransition = errors.New("the loads do not bracket the transition: no half-point; the interval is one-sided or the whole line")
	// ErrUnresolvedWidth means that at most one load lies inside the transition.
	ErrUnresolvedWidth = errors.New("the loads are too far apart to see the width of the transition")
)

// fit is the maximum of the likelihood over half-point and width.
type fit struct {
	half, width float64
	logL        float64
	lo, hi      float64 // all half-points in [lo, hi] are as likely (lo < hi: not unique)
	separated   bool
	status      status.Status
}

// maximise finds the maximum-likelihood fit. With η = a − b z and z the standardised load,
// the log-likelihood is concave in (a, b); it has a finite maximum with b > 0 unless the
// data are separated or increase [Sil], cases decided by counting.
func maximise(points []point) fit {
	nan := math.NaN()
	var stored, total, centre float64
	for _, p := range points {
		n := p.stored + p.missed
		stored += p.stored
		total += n
		centre += n * p.x
	}
	none := fit{half: nan, width: nan, lo: math.Inf(-1), hi: math.Inf(1), status: status.NoBracket}
	if total == 0 {
		return none
	}
	centre /= total
	// Slope of the likelihood in −b along the flat curve of the pooled fraction.
	pooled, decrease, spread := stored/total, 0.0, 0.0
	for _, p := range points {
		n, d := p.stored+p.missed, p.x-centre
		decrease -= d * (p.stored - n*pooled)
		spread += n * d * d
	}
	spread = math.Sqrt(spread / total)
	if stored == total || stored == 0 || !(decrease > 1e-12*spread*total) {
		none.logL = binomialLogLikelihood(stored, total-stored)
		// Stored by more than half at every load: the half-point is beyond, and conversely.
		if 2*stored > total {
			none.lo = math.Inf(1)
		} else if 2*stored < total {
			none.hi = math.Inf(-1)
		}
		return none
	}
	if f, ok := step(points); ok {
		return f
	}
	a, b := -upperQuantileSigned(pooled), 0.0
	value := func(a, b float64) float64 {
		sum := 0.0
		for _, p := range points {
			sum += p.logLikelihood(a - b*(p.x-centre)/spread)
		}
		return sum
	}
	current := value(a, b)
	result := status.MaxIterations
	for range 200 {
		var ga, gb, haa, hab, hbb float64
		for _, p := range points {
			z := (p.x - centre) / spread
			first, curvature := p.slopes(a - b*z)
			ga += first
			gb -= z * first
			haa += curvature
			hab -= z * curvature
			hbb += z * z * curvature
		}
		determinant := haa*hbb - hab*hab
		da := (hbb*ga - hab*gb) / determinant
		db := (haa*gb - hab*ga) / determinant
		gain := ga*da + gb*db // twice the expected rise
		if math.IsNaN(gain) || math.IsInf(gain, 0) {
			result = status.Diverged
			break
		}
		// gain is the squared distance to the maximum in standard errors, down to 1e-6 of one
		// or to the round-off of the likelihood. Newton squares it in this last step.
		if gain <= 1e-12+1e-14*math.Abs(current) {
			a, b = a+da, b+db
			current = value(a, b)
			result = status.Converged
			break
		}
		length := 1.0
		next := value(a+da, b+db)
		for next < current+1e-4*length*gain && length > 1e-9 {
			length *= 0.5
			next = value(a+length*da, b+length*db)
		}
		if length <= 1e-9 {
			result = status.Stalled
			break
		}
		a, b, current = a+length*da, b+length*db, next
	}
	half := centre + spread*a/b
	return fit{half: half, width: spread / b, logL: current, lo: half, hi: half, status: result}
}

// upperQuantileSigned returns x with Q(x) = p for 0 < p < 1.
func upperQuantileSigned(p float64) float64 {
	if p > 0.5 {
		return -upperQuantile(math.Log1p(-p))
	}
	return upperQuantile(logarithm.Natural(p))
}

// step recognises decreasing data that a step fits: everything stored, at most one
// mixed load, nothing stored. The likelihood then increases towards width 0.
func step(points []point) (fit, bool) {
	i := 0
	for i < len(points) && points[i].missed == 0 {
		i++
	}
	j := len(points) - 1
	for j >= 0 && points[j].stored == 0 {
		j--
	}
	switch {
	case j < i: // no mixed load: i−1 = j is the last one stored
		lo, hi := points[j].x, points[i].x
		return fit{half: 0.5 * (lo + hi), lo: lo, hi: hi, separated: true, status: status.Converged}, true
	case j == i:
		x := points[i].x
		return fit{half: x, lo: x, hi: x, separated: true, status: status.Converged,
			logL: binomialLogLikelihood(points[i].stored, points[i].missed)}, true
	}
	return fit{}, false
}

// binomialLogLikelihood returns s log(s/n) + f log(f/n).
func binomialLogLikelihood(s, f float64) float64 {
	sum := 0.0
	if s > 0 {
		sum += s * math.Log(s/(s+f))
	}
	if f > 0 {
		sum += f * math.Log(f/(s+f))
	}
	return sum
}

// deviance returns twice the log-likelihood ratio of the best fit to the best one
// with the half-point given.
func (f fit) deviance(points []point, half float64) float64 {
	if half > f.lo && half < f.hi || half == f.lo && half == f.hi && !f.separated {
		return 0
	}
	var logL float64
	if math.IsInf(half, 0) {
		logL = farLogLikelihood(points, half > 0)
	} else {
		logL, _ = profile(points, half)
	}
	return math.Max(0, 2*(f.logL-logL))
}

// farLogLikelihood is the limit of the profile for a half-point far above (below) all
// loads: one probability for all loads, at least (at most) one half.
func farLogLikelihood(points []point, above bool) float64 {
	var stored, missed float64
	for _, p := range points {
		stored += p.stored
		missed += p.missed
	}
	if (stored >= missed) == above {
		return binomialLogLikelihood(stored, missed)
	}
	return -math.Ln2 * (stored + missed)
}

// interval returns all half-points with deviance below the critical value of the calibrated
// test at its own ends. The set is connected: the set of (a, b) with a given likelihood
// is convex, and a/b maps it to an interval.
func (f fit) interval(points []point, level float64, replicates int) Interval {
	end := func(inside, sign float64) float64 {
		at := levelQuantile(level)
		critical := at * at // χ²₁
		// The critical value changes slowly with the tested half-point: two corrections.
		for correction := 0; ; correction++ {
			half := boundary(points, inside, sign, func(half float64) bool {
				return f.deviance(points, half) > critical
			})
			if math.IsInf(half, 0) || replicates == 0 || correction == 2 {
				return half
			}
			critical = calibrate(points, half, replicates).critical(level)
		}
	}
	return Interval{Lo: end(f.lo, -1), Hi: end(f.hi, 1)}
}

// halfPointTolerance is the fraction of the range of the loads to which ends of intervals
// are located.
const halfPointTolerance = 1e-9

// boundary walks from a half-point that is inside (possibly infinite) in the direction sign
// and returns the last one that is, ±Inf if there is no end.
func boundary(points []point, inside, sign float64, outside func(float64) bool) float64 {
	if !outside(math.Inf(int(sign))) {
		return math.Inf(int(sign))
	}
	first, last := points[0].x, points[len(points)-1].x
	size := last - first
	if size == 0 {
		size = math.Max(1, math.Abs(last))
	}
	tolerance := halfPointTolerance * size
	if math.IsInf(inside, 0) { // from the far side: step back until inside
		in, out := first, first
		if inside > 0 {
			in, out = last, last
		}
		for step := size; outside(in); step *= 2 {
			out, in = in, in-sign*step
		}
		if in != out {
			return bisect(in, out, tolerance, outside)
		}
		inside = in
	}
	in, out := inside, inside+sign*size
	for step := 2 * size; !outside(out); step *= 2 {
		in, out = out, inside+sign*step
	}
	return bisect(in, out, tolerance, outside)
}

// bisect returns the last point found not to be outside, between in and out.
func bisect(in, out, tolerance float64, outside func(float64) bool) float64 {
	for math.Abs(out-in) > tolerance {
		mid := 0.5 * (in + out)
		if mid == in || mid == out {
			break
		}
		if outside(mid) {
			out = mid
		} else {
			in = mid
		}
	}
	return in
}

// tails of the calibrated likelihood-ratio test of a half-point.
func (f fit) tails(points []point, half float64, replicates int) tails {
	failed := !f.status.OK() && f.status != status.NoBracket
	if len(points) == 0 || math.IsNaN(half) || failed {
		return tails{math.NaN(), math.NaN()}
	}
	deviance := f.deviance(points, half)
	if deviance == 0 {
		return tails{0, 0}
	}
	logP := logChiSquareTail(deviance)
	if !math.IsInf(half, 0) && replicates > 0 {
		logP = calibrate(points, half, replicates).logPValue(deviance)
	}
	small := logP - math.Ln2
	if f.above(points, half) {
		return tails{lower: logarithm.OneMinusExp(small), upper: small}
	}
	return tails{lower: small, upper: logarithm.OneMinusExp(small)}
}

// above reports whether the fitted half-point lies above the given one. A step with one
// mixed load has its half-point just above that load when most are stored there.
func (f fit) above(points []point, half float64) bool {
	if half == f.half && f.separated {
		for _, p := range points {
			if p.x == half {
				return p.stored > p.missed
			}
		}
	}
	return half < f.lo
}

// Fit returns the maximum-likelihood half-point, its interval at the confidence level and
// the width of the transition.
//
// The interval inverts the likelihood-ratio test of PValue. On separated data it is still
// finite; with everything stored it is [≈ largest load, +Inf) and X is NaN, conversely
// with nothing stored. A single load bounds the half-point on one side at most. Loads without
// trials are ignored. It panics unless 0 < level < 1, the slices have equal
// lengths, the loads are finite and 0 ≤ stored ≤ trials. It takes some 0.2 s, for the
// bootstrap. Loads that nearly coincide (10⁻⁷ of the range apart) can defeat the fit: Status
// is then Stalled or Diverged and the interval the whole line. Merge them.
func (t Transition) Fit(level float64) HalfPoint {
	checkLevel("Fit", level)
	return t.fit(level, bootstrapReplicates)
}

func (t Transition) fit(level float64, replicates int) HalfPoint {
	points := t.points()
	f := maximise(points)
	h := HalfPoint{X: f.half, Width: f.width, LogLikelihood: f.logL, Separated: f.separated,
		Status: f.status, Interval: everything()}
	// A fit that failed bounds nothing; its status says so.
	if len(points) > 0 && (f.status.OK() || f.status == status.NoBracket) {
		h.Interval = f.interval(points, level, replicates)
	}
	h.warn(len(points))
	return h
}

func (h *HalfPoint) warn(loads int) {
	if h.Status == status.NoBracket {
		h.Warnings = append(h.Warnings, fmt.Errorf("transition of %d loads: %w", loads, ErrNoTransition))
	}
	if h.Separated {
		h.Warnings = append(h.Warnings, fmt.Errorf("transition of %d loads: %w", loads, ErrUnresolvedWidth))
	}
}

// PValue returns the p-value of a predicted half-point with the width left free: likelihood
// ratio, calibrated by a parametric bootstrap on a fixed stream (add-one rule) down to
// 1%, and beyond by the χ² tail scaled to join it. In simulations of 5 loads × 10-40 trials,
// spacing 0.6 to 3 widths, false alarms at nominal 5% were 0.2-5%. If theory gives
// the width too, PValueKnownWidth is exact, and far more powerful against distant half-points:
// with the width free they are only as wrong as a flat curve is. NaN without trials, for a
// NaN prediction, and if the fit failed.
func (t Transition) PValue(half float64) float64 {
	return math.Exp(t.halfTails(half).logTwoSided())
}

// Z returns the normal equivalent of PValue, positive when the data put the half-point
// above the prediction.
func (t Transition) Z(half float64) float64 { return t.halfTails(half).z() }

// Rejects returns how strongly the data speak against a named theory that predicts the
// half-point, whatever the width.
func (t Transition) Rejects(theory string, half float64) Rejection {
	return newRejection(theory, t.halfTails(half))
}

func (t Transition) halfTails(half float64) tails {
	points := t.points()
	return maximise(points).tails(points, half, bootstrapReplicates)
}
