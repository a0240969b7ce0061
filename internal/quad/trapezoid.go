package quad

import (
	"math"

	"lamcap/internal/status"
	"lamcap/internal/sum"
)

// Trapezoid returns ∫_{−∞}^{∞} f(x) dx by the trapezoidal rule, for f analytic near the
// real line and decaying fast in both directions. center should lie where f
// counts and step be about the length over which f varies; Breaks is ignored.
//
// Each direction is summed from the center until six terms in a row are below
// ε times the sum of the absolute terms; the step is halved until two
// successive values agree within the tolerance. Error is their difference,
// which for an analytic integrand is far above the error of the finer one, plus a
// round-off term. An f that is zero at 64 steps to each side is taken for
// zero.
func Trapezoid(f func(x float64) float64, center, step float64, o Options) Result {
	o = o.normalised()
	if !(step > 0) || math.IsInf(step, 0) {
		panic("quad: Trapezoid needs a finite step > 0")
	}
	t := ladder{f: f, center: center, limit: o.MaxEvaluations}
	t.add(center)
	if !t.walk(step, step, 0, 0) {
		return t.failed(step)
	}
	value := step * t.total.Sum()
	for {
		// The new points lie half a step off the old ones.
		half := 0.5 * step
		reachUp, reachDown := t.reachUp, t.reachDown
		if half == 0 || !t.walk(half, step, reachUp, reachDown) {
			r := t.failed(half)
			if r.Status == status.MaxIterations {
				r.Value = value // the last complete sum
			}
			return r
		}
		step = half
		previous := value
		value = step * t.total.Sum()
		difference := math.Abs(value - previous)
		// The abscissae are rounded too, which counts where f varies, near the center:
		// its variation is about twice its peak.
		roundoff := roundoffPerAbs*step*t.abs.Sum() + 2*epsilon*math.Abs(center)*t.peak
		r := Result{Value: value, Error: difference + roundoff, Evaluations: t.evaluations}
		switch {
		case r.Error <= o.tolerance(value):
			r.Status = status.Converged
			return r
		case difference <= roundoff:
			r.Status = status.Roundoff
			return r
		}
	}
}

// ladder accumulates samples on ever finer grids.
type ladder struct {
	f                  func(float64) float64
	center             float64
	total, abs         sum.Neumaier
	evaluations, limit int
	reachUp, reachDown float64 // how far the sums went
	peak               float64 // largest |f|
	notFinite          bool
}

const (
	// quietTerms is the number of negligible terms in a row that ends a sum:
	// more than one, because an oscillating f has zeros.
	quietTerms = 6
	// emptySteps is how far to look when everything so far was zero.
	emptySteps = 64
)

func (t *ladder) add(x float64) float64 {
	t.evaluations++
	v := t.f(x)
	if math.IsNaN(v) || math.IsInf(v, 0) {
		t.notFinite = true
		return v
	}
	t.total.Add(v)
	t.abs.Add(math.Abs(v))
	t.peak = math.Max(t.peak, math.Abs(v))
	return math.Abs(v)
}

// walk adds the points center ± (first + k·step), at least as far as given;
// false if the limit was reached or f was not finite.
func (t *ladder) walk(first, step, atLeastUp, atLeastDown float64) bool {
	for _, sign := range [2]float64{1, -1} {
		reach := &t.reachUp
		atLeast := atLeastUp
		if sign < 0 {
			reach, atLeast = &t.reachDown, atLeastDown
		}
		quiet := 0
		for k := 0; ; k++ {
			if t.evaluations >= t.limit {
				return false
			}
			distance := first + float64(k)*step
			v := t.add(t.center + sign*distance)
			if t.notFinite {
				return false
			}
			if v <= epsilon*t.abs.Sum() {
				quiet++
			} else {
				quiet = 0
			}
			*reach = math.Max(*reach, distance)
			enough := quietTerms
			if t.abs.Sum() == 0 {
				enough = emptySteps
			}
			if quiet >= enough && distance >= atLeast {
				break
			}
		}
	}
	return true
}

func (t *ladder) failed(step float64) Result {
	if t.notFinite {
		return diverged(t.evaluations)
	}
	return Result{
		Value:       step * t.total.Sum(),
		Error:       math.Inf(1),
		Evaluations: t.evaluations,
		Status:      status.MaxIterations,
	}
}
