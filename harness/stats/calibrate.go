package stats

import (
	"cmp"
	"math"
	"slices"

	"lamcap/extremes"
	"lamcap/internal/stream"
)

// The χ² law of the likelihood ratio is good when several loads lie inside the
// transition (5.0-5.5% false alarms at a nominal 5% for 5 loads × 20, 10,000 replicates,
// spacing up to one width) and poor when they straddle it (8-10% at a spacing of three widths;
// bootstrap 2-5%). A parametric bootstrap from the best curve through the tested
// half-point replaces it in the bulk and corrects it in the tail.
const (
	bootstrapReplicates = 1999
	// With fewer exceedances than this the bootstrap cannot resolve a p-value: from here
	// (1%) outward the χ² tail is used, scaled to meet the bootstrap here.
	resolvedExceedances = 20
)

// calibration is the bootstrap law of the deviance under one null hypothesis.
type calibration struct {
	deviances    []float64 // descending
	logInflation float64   // log of (bootstrap tail)/(χ² tail) where they meet, at least 0
}

// logChiSquareTail returns log P(χ²₁ ≥ d).
func logChiSquareTail(d float64) float64 {
	return math.Min(0, math.Ln2+extremes.LogSurvival(math.Sqrt(d)))
}

// calibrate simulates the deviance at `half` from the curve with this half-point and
// the inverse width most likely given it. The stream is fixed and feeds the
// inverse distribution function: the result is a function of the data, and smooth.
func calibrate(points []point, half float64, replicates int) calibration {
	_, inverseWidth := profile(points, half)
	laws := make([][]float64, len(points)) // cumulative
	simulated := make([]point, len(points))
	for i, p := range points {
		n := int(p.stored + p.missed)
		eta := 0.0
		if p.x != half {
			eta = inverseWidth * (half - p.x)
		}
		laws[i] = cumulativeBinomial(n, math.Exp(extremes.LogCDF(eta)), math.Exp(extremes.LogCDF(-eta)))
	}
	rng := stream.New(0, "harness/stats", "half-point calibration", 0)
	deviances := make([]float64, replicates)
	for r := range deviances {
		for i, p := range points {
			k := countQuantile(laws[i], rng.Float64())
			simulated[i] = point{x: p.x, stored: float64(k), missed: p.stored + p.missed - float64(k)}
		}
		deviances[r] = maximise(simulated).deviance(simulated, half)
	}
	slices.SortFunc(deviances, func(a, b float64) int { return cmp.Compare(b, a) })
	c := calibration{deviances: deviances}
	tail := math.Log(float64(resolvedExceedances+1) / float64(replicates+1))
	c.logInflation = math.Max(0, tail-logChiSquareTail(deviances[resolvedExceedances-1]))
	return c
}

// countQuantile returns the quantile of u, 0 ≤ u < 1, of a cumulativeBinomial.
func countQuantile(cumulative []float64, u float64) int {
	k, _ := slices.BinarySearch(cumulative, u)
	return k
}

// cumulativeBinomial returns P(X ≤ k) for k = 0 … n−1: the quantile of u is the number of
// entries below u.
func cumulativeBinomial(n int, p, q float64) []float64 {
	cumulative := make([]float64, n)
	sum := 0.0
	for k := range cumulative {
		sum += math.Exp(logBinomialPMF(k, n, p, q))
		cumulative[k] = sum
	}
	return cumulative
}

// logPValue returns the log of the calibrated p-value of a deviance, by the add-one rule
// where the bootstrap resolves it.
func (c calibration) logPValue(deviance float64) float64 {
	if deviance <= 0 {
		return 0
	}
	// Values equal up to round-off of the likelihoods count as exceedances.
	exceed := exceedances(c.deviances, deviance, 1e-9)
	if exceed >= resolvedExceedances {
		return math.Log(float64(exceed+1) / float64(len(c.deviances)+1))
	}
	return math.Min(0, c.logInflation+logChiSquareTail(deviance))
}

// exceedances returns how many of the simulated values, sorted in descending order, are at least the
// observed one, to a relative tolerance.
func exceedances(descending []float64, observed, tolerance float64) int {
	floor := observed - tolerance*(1+observed)
	n, _ := slices.BinarySearchFunc(descending, floor, func(d, floor float64) int {
		if d >= floor {
			return -1
		}
		return 1
	})
	return n
}

// critical returns the deviance beyond which the p-value is below 1 − level.
func (c calibration) critical(level float64) float64 {
	target := math.Log1p(-level)
	lo, hi := 0.0, 1.0
	for c.logPValue(hi) >= target {
		hi *= 2
	}
	for hi-lo > 1e-9*hi {
		mid := 0.5 * (lo + hi)
		if c.logPValue(mid) >= target {
			lo = mid
		} else {
			hi = mid
		}
	}
	return hi
}
