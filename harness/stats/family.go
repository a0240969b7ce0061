package stats

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"lamcap/internal/logarithm"
	"lamcap/internal/root"
	"lamcap/internal/status"
	"lamcap/internal/stream"
)

// CurveFamily is a prediction of a whole transition up to one positive scale c, for example the factor by
// which the capacity differs from a theory's: At(c) returns the probabilities at all loads, in
// the order of the counts, none of which decreases with c. (Where At returns NaN there is no test.)
type CurveFamily struct {
	At func(scale float64) []float64
	// Width is the relative scale on which At changes, for example width/half-point of the
	// transition: steps of searches are in units of it. 0 means 0.05.
	Width float64
}

// largestScale bounds the search: scales are between 1/largestScale and largestScale.
const largestScale = 20

func (f CurveFamily) width() float64 {
	if f.Width == 0 {
		return 0.05
	}
	if !(f.Width > 0) || math.IsInf(f.Width, 1) {
		panic(fmt.Sprintf("stats: CurveFamily: width = %v: want a finite width > 0", f.Width))
	}
	return f.Width
}

// CurveFit is a fitted member of a family.
type CurveFit struct {
	// Scale is the most likely one; NaN (Status NoBracket) when there is none, for example when
	// everything or nothing is stored.
	Scale  float64
	Status status.Status
}

// Fit returns the maximum-likelihood scale, the zero of the score, to 1e-5 Width.
func (f CurveFamily) Fit(stored, trials []int) CurveFit {
	none := CurveFit{Scale: math.NaN(), Status: status.NoBracket}
	some, missed := false, false
	for i, s := range stored {
		some, missed = some || s > 0, missed || s < trials[i]
	}
	if !some || !missed {
		return none
	}
	// In log(scale)/width.
	width := f.width()
	score := func(x float64) float64 {
		// A difference across 2e-3 widths moves the zero by some 1e-6 of them.
		const half = 1e-3
		up, down := f.At(math.Exp((x+half)*width)), f.At(math.Exp((x-half)*width))
		d := logLikelihood(stored, trials, up) - logLikelihood(stored, trials, down)
		if d == 0 || math.IsNaN(d) || math.IsInf(d, 0) { // impossible counts: whether more is stored
			d = 0
			for i, p := range up {
				d += float64(stored[i]) - float64(trials[i])*p
			}
		}
		return d
	}
	limit := math.Log(largestScale) / width
	lo, hi, ok := root.Expand(score, 0, 0.5, -limit, limit)
	if !ok {
		return none
	}
	r := root.Find(score, lo, hi, root.Options{AbsX: 1e-5})
	if !r.Status.OK() {
		return CurveFit{Scale: math.NaN(), Status: r.Status}
	}
	return CurveFit{Scale: math.Exp(r.X * width), Status: r.Status}
}

// logLikelihood returns Σ s log p + f log(1 − p); −Inf for impossible counts.
func logLikelihood(stored, trials []int, predicted []float64) float64 {
	sum := 0.0
	for i, p := range predicted {
		if s := stored[i]; s > 0 {
			sum += float64(s) * logarithm.Natural(p)
		}
		if m := trials[i] - stored[i]; m > 0 {
			sum += float64(m) * math.Log1p(-p)
		}
	}
	return sum
}

// Kept returns the scales around the fitted one that CurvePValue does not reject at the confidence
// level: an exact interval at any counts. An end is 0 or +Inf where the data leave it open.
// Without a fit it is [0, +Inf].
func (f CurveFamily) Kept(stored, trials []int, level float64) Interval {
	checkLevel("Kept", level)
	fit := f.Fit(stored, trials)
	if !fit.Status.OK() {
		return Interval{0, math.Inf(1)}
	}
	outside := func(scale float64) bool {
		return CurvePValue(stored, trials, f.At(scale)) < 1-level
	}
	return f.around(fit.Scale, outside)
}

// Detectable returns the nearest wrong scales on both sides of the true one that an experiment with these
// trials would reject at significance level `level` with the given power: truth is At(scale),
// the theory on trial At(lo) or At(hi). Ends are 0 or +Inf where none is found so often.
func (f CurveFamily) Detectable(trials []int, scale, level, power float64) Interval {
	checkLevel("Detectable", level)
	checkLevel("Detectable", power)
	truth := f.At(scale)
	return f.around(scale, func(wrong float64) bool {
		return CurvePower(trials, f.At(wrong), truth, level) >= power
	})
}

// around returns the ends of the scales around one that are not outside, on the inner side.
func (f CurveFamily) around(scale float64, outside func(scale float64) bool) Interval {
	end := func(sign float64) float64 {
		width := sign * f.width()
		at := func(x float64) float64 { return scale * math.Exp(x*width) }
		inside, out := 0.0, 0.25
		for !outside(at(out)) {
			inside, out = out, 2*out
			if math.Abs(out*width) > math.Log(largestScale) {
				return math.Inf(int(sign))
			}
		}
		return at(bisect(inside, out, intervalTolerance, func(x float64) bool { return outside(at(x)) }))
	}
	return Interval{Lo: math.Max(0, end(-1)), Hi: end(1)}
}

// intervalTolerance locates ends of intervals, in units of Width: far below the standard error, which is
// 1/√(trials) of it.
const intervalTolerance = 1e-4

// ChiSquare tests the shape of a curve whose scale is fitted: X² about the most likely member,
// one degree of freedom less. Its law is that of counts drawn from the fitted member and fitted
// again (parametric bootstrap on a fixed stream, add-one rule) down to 1%, where the bootstrap
// ceases to resolve it. Beyond, PValue is the largest exact p-value that CurveChiSquare gives
// to any member: a valid test of the family, a little conservative. The χ² law is
// used nowhere. NaN, with Degrees 0, where no scale can be fitted.
func (f CurveFamily) ChiSquare(stored, trials []int) ChiSquare {
	return f.chiSquare(stored, trials, bootstrapReplicates)
}

func (f CurveFamily) chiSquare(stored, trials []int, replicates int) ChiSquare {
	fit := f.Fit(stored, trials)
	if !fit.Status.OK() {
		return ChiSquare{Statistic: math.NaN(), PValue: math.NaN()}
	}
	predicted := f.At(fit.Scale)
	loads, tested, _ := curveLoads(stored, trials, predicted)
	c := ChiSquare{Statistic: math.NaN(), PValue: math.NaN(), Degrees: len(loads) - 1}
	if !tested || c.Degrees < 1 {
		c.Degrees = 0
		return c
	}
	c.Statistic = statistic(stored, trials, predicted)
	simulated := f.bootstrap(trials, predicted, replicates)
	exceed := exceedances(simulated, c.Statistic, 1e-6)
	c.PValue = float64(exceed+1) / float64(replicates+1)
	if exceed < resolvedExceedances {
		resolved := float64(resolvedExceedances+1) / float64(replicates+1)
		c.PValue = math.Min(resolved, f.largestPValue(stored, trials, fit.Scale))
	}
	return c
}

// bootstrap returns X² about the fit of counts drawn from the predicted curve, in descending order.
// Counts that cannot be fitted count as exceeding everything.
func (f CurveFamily) bootstrap(trials []int, predicted []float64, replicates int) []float64 {
	laws := make([][]float64, len(trials))
	for i, n := range trials {
		laws[i] = cumulativeBinomial(n, predicted[i], 1-predicted[i])
	}
	rng := stream.New(0, "harness/stats", "curve shape calibration", 0)
	out := make([]float64, replicates)
	counts := make([]int, len(trials))
	for r := range out {
		for i, law := range laws {
			counts[i] = countQuantile(law, rng.Float64())
		}
		out[r] = math.Inf(1)
		if fit := f.Fit(counts, trials); fit.Status.OK() {
			out[r] = statistic(counts, trials, f.At(fit.Scale))
		}
	}
	slices.SortFunc(out, func(a, b float64) int { return cmp.Compare(b, a) })
	return out
}

// largestPValue returns the largest exact p-value of X² about any member, on a grid that ends where
// the score test rejects the scale at 1e-9.
func (f CurveFamily) largestPValue(stored, trials []int, scale float64) float64 {
	kept := f.Kept(stored, trials, 1-1e-9)
	lo, hi := math.Max(kept.Lo, scale/largestScale), math.Min(kept.Hi, scale*largestScale)
	largest := 0.0
	const points = 60 // of 0.2 standard errors: the p-value changes by less than 1% within half of it
	for i := range points + 1 {
		at := lo * math.Pow(hi/lo, float64(i)/points)
		largest = math.Max(largest, CurveChiSquare(stored, trials, f.At(at)).PValue)
	}
	return largest
}
