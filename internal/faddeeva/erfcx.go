package faddeeva

import "math"

// Erfcx returns e^{x²} erfc(x), the scaled complementary error function, with a
// relative error of a few 1e−16. It tends to 1/(√π x) for large x and is +Inf
// where it overflows, below x = −26.63.
func Erfcx(x float64) float64 {
	switch {
	case math.IsNaN(x):
		return x
	case x > 25:
		return erfcxFar(x)
	case x < -27:
		return math.Inf(1)
	}
	// erfc has full relative accuracy up to 26.5, where it underflows.
	square := float64(x * x)
	low := math.FMA(x, x, -square)
	scaled := math.Exp(square) * math.Erfc(x)
	if math.IsInf(scaled, 1) {
		return scaled
	}
	return scaled + scaled*low
}

// erfcxFar sums the asymptotic series for x > 25, with u = 1/(2x²) < 8e−4:
// 1 − u + 3u² − 15u³ + …; the first term left out, 135135 u⁷, is below 3e−17.
func erfcxFar(x float64) float64 {
	const invSqrtPi = 0.56418958354775628694807945
	inv := 1 / x
	u := 0.5 * inv * inv
	series := 1 - u*(1-3*u*(1-5*u*(1-7*u*(1-9*u*(1-11*u)))))
	return invSqrtPi * inv * series
}

// LogErfc returns log erfc(x) with small relative error for every x: log 2 at
// −∞, −x² − log(√π x) + O(x^{−2}) at +∞.
func LogErfc(x float64) float64 {
	switch {
	case x > 20:
		return -x*x + math.Log(Erfcx(x))
	case x > 0.5:
		return math.Log(math.Erfc(x))
	case x > -0.5:
		return math.Log1p(-math.Erf(x))
	default:
		return math.Ln2 + math.Log1p(-0.5*math.Erfc(-x))
	}
}
