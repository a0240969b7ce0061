package extremes

import (
	"fmt"
	"math"

	"lamcap/internal/faddeeva"
	"lamcap/internal/logarithm"
)

// LogDensity returns log φ(x), the log of the standard normal density.
func LogDensity(x float64) float64 { return -(x/2)*x - logSqrt2Pi }

const (
	logSqrt2Pi = 0.918938533204672741780329736405617639861 // log √(2π)
	log2Pi     = 2 * logSqrt2Pi
)

// LogSurvival returns log Q(x) = log P(t > x) for a standard normal t, with
// full relative accuracy in both tails: −x²/2 leads for x → ∞, −Φ(x) for
// x → −∞.
func LogSurvival(x float64) float64 {
	if x < 0 {
		return math.Log1p(-upperTail(-x))
	}
	return math.Log(faddeeva.Erfcx(x/math.Sqrt2)/2) - (x/2)*x // x² may overflow
}

// upperTail returns Q(x) for x ≥ 0. The rounding of x/√2 alone would move it by
// x² roundings, so what the quotient leaves out is put back to first order.
func upperTail(x float64) float64 {
	const inverse, inverseLow = 0x1.6a09e667f3bcdp-1, -0x1.bdd3413b26456p-55 // 1/√2 in two parts
	z := float64(x * inverse)
	if z > 28 {
		return 0 // far below the smallest float64
	}
	low := math.FMA(x, inverse, -z) + x*inverseLow
	// −d log erfc/dz = 2/(√π erfcx(z)), within 5% of this everywhere.
	slope := z + math.Sqrt(z*z+1.6)
	tail := math.Erfc(z) / 2
	return tail - tail*(slope*low)
}

// LogCDF returns log Φ(x) with full relative accuracy in both tails.
func LogCDF(x float64) float64 { return LogSurvival(-x) }

// Hazard returns φ(x)/Q(x), the normal hazard rate (inverse Mills ratio).
func Hazard(x float64) float64 {
	switch {
	case x < -39:
		return 0 // below the smallest float64
	case x < -1:
		square := float64(x * x)
		low := math.FMA(x, x, -square)
		density := math.Exp(-square/2) / math.Sqrt(2*math.Pi)
		return (density - density*low/2) / (1 - upperTail(-x))
	}
	return math.Sqrt(2/math.Pi) / faddeeva.Erfcx(x/math.Sqrt2)
}

// SurvivalQuantile returns the x with log Q(x) = logQ, for logQ ≤ 0; −Inf at
// logQ = 0 and +Inf at logQ = −Inf.
func SurvivalQuantile(logQ float64) (float64, error) {
	switch {
	case !(logQ <= 0):
		return math.NaN(), fmt.Errorf("log probability = %v: want ≤ 0", logQ)
	case logQ == 0:
		return math.Inf(-1), nil
	case math.IsInf(logQ, -1):
		return math.Inf(1), nil
	case math.Abs(logQ+math.Ln2) < 0.4:
		// erf(x/√2) = 1 − 2Q keeps the relative accuracy of x near 0.
		const ln2, ln2Low = 0x1.62e42fefa39efp-1, math.Ln2 - 0x1.62e42fefa39efp-1
		return math.Sqrt2 * math.Erfinv(-math.Expm1((logQ+ln2)+ln2Low)), nil
	case logQ > -math.Ln2:
		// x < 0: solve for the other tail, log(1 − e^{logQ}).
		return -upperQuantile(logarithm.OneMinusExp(logQ)), nil
	}
	return upperQuantile(logQ), nil
}

// CDFQuantile returns the x with log Φ(x) = logP, for logP ≤ 0.
func CDFQuantile(logP float64) (float64, error) {
	x, err := SurvivalQuantile(logP)
	return -x, err
}

// upperQuantile solves log Q(x) = logQ ≤ −log 2, so x ≥ 0, by Newton's method.
// log Q is concave and the start is to the right of the root for all but the
// smallest x, so the iterates fall monotonically onto it.
func upperQuantile(logQ float64) float64 {
	// Q(x) ≤ e^{−x²/2}/2 gives an upper bound to start from.
	x := math.Sqrt2 * math.Sqrt(math.Max(0, -(logQ+math.Ln2)))
	if x > 1e100 {
		return x // log x is nothing beside x², and x² may overflow
	}
	for range 60 {
		step := (LogSurvival(x) - logQ) / Hazard(x)
		x += step
		if math.Abs(step) <= 0x1p-53*math.Abs(x) {
			break
		}
	}
	return x
}
