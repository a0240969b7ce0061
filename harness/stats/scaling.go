package stats

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mathext"

	"lamcap/internal/status"
)

// ScalingPoint is a quantity measured at one size.
type ScalingPoint struct {
	Size          float64 // > 0, a dimension say
	Value         float64
	StandardError float64 // of Value, > 0
	// DegreesOfFreedom of StandardError; 0 or +Inf: known exactly.
	DegreesOfFreedom float64
}

// At returns the mean of a sample as a point of a [Scaling].
func (s Sample) At(size float64) ScalingPoint {
	return ScalingPoint{Size: size, Value: s.Mean, StandardError: s.StandardError(), DegreesOfFreedom: float64(s.N - 1)}
}

// At returns a fitted half-point, moved and scaled, (X − shift)·scale, as a point of
// a [Scaling]: its standard error is half the interval at the given level over
// the normal quantile of that level. Without an interval it is infinite.
func (h HalfPoint) At(size, shift, scale, level float64) ScalingPoint {
	checkLevel("At", level)
	return ScalingPoint{Size: size, Value: (h.X - shift) * scale,
		StandardError: scale * (h.Interval.Hi - h.Interval.Lo) / (2 * levelQuantile(level))}
}

// Scaling is one quantity at several sizes, measured independently, for fits of how
// it changes with size. Both fits are weighted by the standard errors, taken as those
// of normal errors, and deal with values of any sign: nothing is taken a logarithm of.
// A standard error that is itself estimated with ν degrees of freedom counts as √(ν/(ν
// − 2)) times itself, the standard deviation of Student's t; points with ν ≤ 2, or
// without a finite value and a finite standard error > 0, do not count.
type Scaling []ScalingPoint

// weighted is a point that counts.
type weighted struct{ size, value, weight float64 }

func (s Scaling) points() []weighted {
	var out []weighted
	for _, p := range s {
		if !(p.Size > 0) || math.IsInf(p.Size, 1) {
			panic(fmt.Sprintf("stats: Scaling: size %v: want a finite size > 0", p.Size))
		}
		variance, degrees := p.StandardError*p.StandardError, p.DegreesOfFreedom
		if degrees != 0 && !math.IsInf(degrees, 1) {
			if !(degrees > 2) {
				continue
			}
			variance *= degrees / (degrees - 2)
		}
		if weight := 1 / variance; weight > 0 && !math.IsInf(weight, 1) && !math.IsInf(p.Value, 0) && !math.IsNaN(p.Value) {
			out = append(out, weighted{p.Size, p.Value, weight})
		}
	}
	return out
}

// middle is the geometric mean of the sizes, from which fits count them.
func middle(points []weighted) float64 {
	sum := 0.0
	for _, p := range points {
		sum += math.Log(p.size)
	}
	return math.Exp(sum / float64(len(points)))
}

// Goodness is the χ² of a fit with known standard errors.
type Goodness struct {
	ChiSquare float64
	Degrees   int     // points less parameters
	PValue    float64 // P(χ²_Degrees ≥ ChiSquare); NaN for 0 degrees
}

func goodness(chi float64, degrees int) Goodness {
	g := Goodness{ChiSquare: chi, Degrees: degrees, PValue: math.NaN()}
	if degrees > 0 {
		g.PValue = mathext.GammaIncRegComp(float64(degrees)/2, chi/2)
	}
	return g
}

// PowerLaw is a fit of value = Amplitude·(size/Reference)^(−Exponent).
type PowerLaw struct {
	Exponent float64
	// Interval of the exponent holds every one that the likelihood ratio does not
	// reject; an end is infinite where steeper or flatter laws fit as well, which
	// happens when the values at all sizes but one may be 0.
	Interval Interval
	// Amplitude is the value at Reference, the geometric mean of the sizes;
	// AmplitudeError is its standard error for the fitted exponent.
	Amplitude, AmplitudeError, Reference float64
	Fit                                  Goodness
	// None tests that the value is 0 at every size.
	None Goodness
	// Status is NoBracket when no exponent between −largestExponent and
	// largestExponent is the best; Exponent and Amplitude are NaN then.
	Status status.Status
}

const (
	largestExponent = 8
	exponentStep    = 1. / 16
)

// PowerLaw fits amplitude and exponent by the likelihood of normal errors,
//
//	χ²(a) = min_c Σ_i (y_i − c (x_i/x₀)^(−a))²/s_i²,
//
// and returns the minimum with all a of χ²(a) − min χ² ≤ z², P(|normal| ≤ z) =
// level. Of a set with gaps the interval is the hull. Status is NoBracket, and the
// interval the whole line, with fewer than two points of different sizes. It panics
// unless 0 < level < 1 and all sizes are positive.
func (s Scaling) PowerLaw(level float64) PowerLaw {
	checkLevel("PowerLaw", level)
	points := s.points()
	nan := math.NaN()
	f := PowerLaw{Exponent: nan, Amplitude: nan, AmplitudeError: nan, Reference: nan, Interval: everything(),
		Fit: goodness(nan, 0), None: goodness(nan, 0), Status: status.NoBracket}
	if len(points) == 0 {
		return f
	}
	f.Reference = middle(points)
	none, different := 0.0, false
	for _, p := range points {
		none += p.weight * p.value * p.value
		different = different || p.size != points[0].size
	}
	f.None = goodness(none, len(points))
	if !different {
		return f
	}
	logs, powers := make([]float64, len(points)), make([]float64, len(points))
	for i, p := range points {
		logs[i] = math.Log(p.size / f.Reference)
	}
	// χ² and amplitude at an exponent.
	at := func(a float64) (chi, amplitude, variance float64) {
		var xy, xx float64
		for i, p := range points {
			x := math.Exp(-a * logs[i])
			powers[i] = x
			xy += p.weight * x * p.value
			xx += p.weight * x * x
		}
		amplitude, variance = xy/xx, 1/xx
		for i, p := range points {
			d := p.value - amplitude*powers[i]
			chi += p.weight * d * d
		}
		return chi, amplitude, variance
	}
	chi := func(a float64) float64 { v, _, _ := at(a); return v }
	const steps = int(largestExponent / exponentStep)
	best, least := 0.0, math.Inf(1)
	for k := -steps; k <= steps; k++ {
		if v := chi(float64(k) * exponentStep); v < least {
			best, least = float64(k)*exponentStep, v
		}
	}
	if math.Abs(best) < largestExponent {
		best = maximiseGolden(func(a float64) float64 { return -chi(a) }, best-exponentStep, best+exponentStep, 1e-9)
		least = chi(best)
		f.Exponent, f.Status = best, status.Converged
		var variance float64
		_, f.Amplitude, variance = at(best)
		f.AmplitudeError = math.Sqrt(variance)
		f.Fit = goodness(least, len(points)-2)
	}
	z := levelQuantile(level)
	outside := func(a float64) bool { return chi(a)-least > z*z }
	end := func(sign float64) float64 {
		if !outside(sign * largestExponent) {
			return math.Inf(int(sign))
		}
		k := steps
		for k > -steps && outside(sign*float64(k)*exponentStep) {
			k--
		}
		inside := sign * float64(k) * exponentStep
		if sign*best > sign*inside {
			inside = best
		}
		return bisect(inside, inside+sign*exponentStep, 1e-9, outside)
	}
	f.Interval = Interval{Lo: end(-1), Hi: end(1)}
	return f
}

// At returns the fitted value at a size.
func (f PowerLaw) At(size float64) float64 {
	return f.Amplitude * math.Pow(size/f.Reference, -f.Exponent)
}
