package quad

import (
	"math"

	"lamcap/internal/status"
)

// Options says how far to integrate. The zero value asks for a relative error
// of 1e-12 within 200000 evaluations.
type Options struct {
	// Abs and Rel are the tolerances: the integral is accepted when its error
	// bound is at most max(Abs, Rel·|I|). If both are zero Rel is 1e-12; if
	// only Abs is given, Abs alone counts.
	Abs, Rel float64
	// MaxEvaluations limits the number of evaluations of the integrand; 0
	// means 200000. One pass over the initial segments, and the search for a
	// peak if that pass saw none, are always made.
	MaxEvaluations int
	// Breaks are interior points, in any order, where the integrand is not
	// smooth or is concentrated; points outside the range are ignored. An
	// infinite range is cut at its outermost breaks, and f should vary over a
	// length of order 1 beyond them.
	Breaks []float64
	// Peaks are where the integrand is concentrated, in any order, and over what
	// length: the only way to be sure of peaks that are narrow against their distance
	// from 0, from an end or from each other. One outside the range says over what
	// length the integrand falls off from the end next to it.
	Peaks []Peak
}

// Peak is a place, and the length > 0 over which the integrand falls off there: both
// finite, the standard deviation of a normal density. A factor of 10 does not matter.
type Peak struct{ At, Width float64 }

// Result is an integral with its error.
type Result struct {
	// Value is the integral; NaN if Status is Diverged.
	Value float64
	// Error bounds |Value − I|, round-off included, as far as the samples of
	// the integrand show; +Inf if Status is Diverged or Unknown.
	Error float64
	// Evaluations counts the evaluations of the integrand.
	Evaluations int
	// Status is Converged if Error meets the tolerance; Roundoff if round-off
	// keeps Error above it; MaxIterations if the evaluations ran out; Diverged
	// if the integrand was NaN or infinite somewhere; Unknown if all samples were 0
	// over an infinite range or with Options.Abs = 0: there is no integrand, or it
	// hides between them. Value is then 0.
	Status status.Status
}

const (
	defaultRel            = 1e-12
	defaultMaxEvaluations = 200000
	epsilon               = 0x1p-52
)

// normalised panics on tolerances that cannot be meant and fills in defaults.
func (o Options) normalised() Options {
	if !(o.Abs >= 0) || !(o.Rel >= 0) || o.MaxEvaluations < 0 {
		panic("quad: Abs, Rel and MaxEvaluations must not be negative or NaN")
	}
	for _, p := range o.Peaks {
		if !(p.Width > 0) || math.IsInf(p.Width, 0) || math.IsNaN(p.At) || math.IsInf(p.At, 0) {
			panic("quad: a peak needs a finite place and a finite width > 0")
		}
	}
	if o.Abs == 0 && o.Rel == 0 {
		o.Rel = defaultRel
	}
	if o.MaxEvaluations == 0 {
		o.MaxEvaluations = defaultMaxEvaluations
	}
	return o
}

func (o Options) tolerance(value float64) float64 {
	return math.Max(o.Abs, o.Rel*math.Abs(value))
}

func diverged(evaluations int) Result {
	return Result{Value: math.NaN(), Error: math.Inf(1), Evaluations: evaluations, Status: status.Diverged}
}
