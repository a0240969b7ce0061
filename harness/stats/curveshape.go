package stats

import (
	"math"

	"lamcap/internal/status"
)

// CurveShape is a prediction of a whole transition up to two positive factors, its
// scale and its width: At(w) is the family of all scales at the width w times the
// predicted one.
type CurveShape struct {
	At func(width float64) CurveFamily
}

// ShapeFit is a fitted member of a shape.
type ShapeFit struct {
	Scale, Width float64
	// Interval of Width by the likelihood ratio; its level is asymptotic. An end is
	// at most a factor of widestShape away.
	Interval Interval
	// ChiSquare is Pearson's statistic about the fitted curve, two degrees of freedom
	// less. PValue is that of CurveChiSquare for this curve if it had not been fitted,
	// which is conservative.
	ChiSquare ChiSquare
	// Status is NoBracket when no scale can be fitted, or the width is at an end.
	Status status.Status
}

// widestShape bounds the width: between 1/widestShape and widestShape.
const widestShape = 4

// Fit returns the most likely scale and width, the latter by golden section in its
// logarithm to 1e-4, with an interval for it at the given level.
func (s CurveShape) Fit(stored, trials []int, level float64) ShapeFit {
	checkLevel("CurveShape", level)
	// The likelihood at a width is that of the best scale.
	profile := func(logWidth float64) float64 {
		family := s.At(math.Exp(logWidth))
		fit := family.Fit(stored, trials)
		if !fit.Status.OK() {
			return math.Inf(-1)
		}
		return logLikelihood(stored, trials, family.At(fit.Scale))
	}
	const tolerance = 1e-4
	limit := math.Log(widestShape)
	best := maximiseGolden(profile, -limit, limit, tolerance)
	top := profile(best)
	none := ShapeFit{Scale: math.NaN(), Width: math.NaN(), Interval: Interval{0, math.Inf(1)},
		ChiSquare: ChiSquare{Statistic: math.NaN(), PValue: math.NaN()}, Status: status.NoBracket}
	if math.IsInf(top, -1) || math.Abs(best) > limit-2*tolerance {
		return none
	}
	z := levelQuantile(level)
	outside := func(x float64) bool { return profile(x) < top-z*z/2 }
	end := func(sign float64) float64 {
		if !outside(sign * limit) {
			return math.Exp(sign * limit)
		}
		return math.Exp(bisect(best, sign*limit, tolerance, outside))
	}
	width := math.Exp(best)
	family := s.At(width)
	scale := family.Fit(stored, trials).Scale
	chi := CurveChiSquare(stored, trials, family.At(scale))
	if chi.Degrees -= 2; chi.Degrees < 1 { // as many parameters as loads
		chi = none.ChiSquare
	}
	return ShapeFit{Scale: scale, Width: width, Interval: Interval{end(-1), end(1)}, ChiSquare: chi, Status: status.Converged}
}

// maximiseGolden returns the maximum of a unimodal function by golden section.
func maximiseGolden(f func(float64) float64, lo, hi, tolerance float64) float64 {
	const golden = 0.6180339887498949
	a, b := hi-golden*(hi-lo), lo+golden*(hi-lo)
	fa, fb := f(a), f(b)
	for hi-lo > tolerance {
		if fa > fb {
			hi, b, fb = b, a, fa
			a = hi - golden*(hi-lo)
			fa = f(a)
		} else {
			lo, a, fa = a, b, fb
			b = lo + golden*(hi-lo)
			fb = f(b)
		}
	}
	return (lo + hi) / 2
}
