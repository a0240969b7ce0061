package saddle

import (
	"fmt"
	"math"

	"lamcap/extremes"
	"lamcap/internal/root"
)

// smallestTail is the smallest tail fraction that is supported.
const smallestTail = 1e-300

// TailAverageMargin returns κ_r, the mean of the largest fraction r of infinitely
// many standard normal competitors,
//
//	κ_r = φ(z)/r,   Q(z) = r,
//
// for 1e-300 ≤ r ≤ 1, with a relative error below 1e-14. An input passes the
// tail-average margin criterion ([tam]) when its correct score exceeds that mean.
// Then fewer than a fraction r of the competitors lie above it, so the
// criterion certifies recall among the best rn of n; it is convex where that is
// not, hence a surrogate.
func TailAverageMargin(r float64) (float64, error) {
	if !(r >= smallestTail && r <= 1) {
		return math.NaN(), fmt.Errorf("r = %v: want 1e-300 ≤ r ≤ 1, the fraction of competitors that is averaged", r)
	}
	switch {
	case r == 1:
		return 0, nil
	case r > 0.5:
		// φ(z) = φ(−z) from the other tail, 1 − r, which is exact here.
		rest := 1 - r
		z, err := extremes.SurvivalQuantile(math.Log(rest))
		return rest / r * extremes.Hazard(z), err
	}
	z, err := extremes.SurvivalQuantile(math.Log(r))
	return extremes.Hazard(z), err
}

// TailAverageCapacity returns the load α_c(r) = p/(d_out d_in) up to which all
// inputs can pass the tail-average margin criterion, in the limit d → ∞ at fixed
// load and r ([tam]):
//
//	α_c(r) = 1/E(κ_r − t)_+² = 1/((1 + κ_r²) Φ(κ_r) + κ_r φ(κ_r)),
//
// for 1e-300 ≤ r ≤ 1, with a relative error below 1e-14: facts per weight, like
// γ (and not α = γ log p). α_c(1) = 2, and α_c(r) ≈ 1/(2 log(1/r)) for r → 0. It is
// Gardner's perceptron with the mean of the tail as its threshold.
func TailAverageCapacity(r float64) (float64, error) {
	kappa, err := TailAverageMargin(r)
	if err != nil {
		return math.NaN(), err
	}
	capacity, err := Gardner{Threshold: kappa}.Capacity()
	return capacity.Value, err
}

// TailAverageFraction returns the smallest tail fraction r whose criterion all
// inputs can pass at the load α = p/(d_out d_in), the inverse of
// [TailAverageCapacity], for 7.3e-4 ≤ α ≤ 2. The relative error of r is that of α
// times 2/α or less.
func TailAverageFraction(alpha float64) (float64, error) {
	least, err := TailAverageCapacity(smallestTail)
	if err != nil {
		return math.NaN(), err
	}
	if !(alpha >= least && alpha <= 2) {
		return math.NaN(), fmt.Errorf("alpha = %v: want %.4g ≤ alpha ≤ 2, facts per weight", alpha, least)
	}
	// E(κ − t)_+² − 1/2 = 1/α − 1/2 in terms that vanish at κ = 0 one by one.
	excess := (2 - alpha) / (2 * alpha)
	meanSquare := func(kappa float64) float64 {
		square := kappa * kappa
		density := math.Exp(extremes.LogDensity(kappa))
		return (1+square)*math.Erf(kappa/math.Sqrt2)/2 + square/2 + kappa*density - excess
	}
	const largest = 38 // κ at r = 1e-300 is 37.07
	at := root.Find(meanSquare, 0, largest, root.Options{})
	if !at.Status.OK() {
		return math.NaN(), fmt.Errorf("alpha = %v: the margin was not found (%v)", alpha, at.Status)
	}
	return tailFraction(at.X), nil
}

// tailFraction inverts [TailAverageMargin]; the unknown is the quantile z, in
// which both φ(z) and Q(z) are known to all digits.
func tailFraction(kappa float64) float64 {
	if kappa == 0 {
		return 1
	}
	if kappa < math.Sqrt(2/math.Pi) { // κ at r = 1/2: z ≤ 0
		mirrored := func(z float64) float64 { // φ(z)/Φ(z) − κ, Q(−z) = Φ(z)
			return math.Log(extremes.Hazard(-z) / kappa)
		}
		at := root.Find(mirrored, 0, 39, root.Options{})
		return math.Exp(extremes.LogCDF(at.X))
	}
	at := root.Find(func(z float64) float64 { return extremes.Hazard(z) - kappa }, 0, kappa, root.Options{})
	return math.Exp(extremes.LogSurvival(at.X))
}
