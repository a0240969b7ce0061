package extremes

import (
	"fmt"
	"math"

	"lamcap/internal/logarithm"
	"lamcap/internal/quad"
	"lamcap/internal/status"
)

// MaxSize is the largest number of candidates that is supported.
const MaxSize = 1e300

// Value is a number with a bound on its absolute error.
type Value struct {
	Value, Error float64
	Status       status.Status
}

// SizeFromLog returns the number of candidates e^{logN}; the result is rounded
// to the integer, or to the limit 10^300, that logN can only have meant, if
// there is one.
func SizeFromLog(logN float64) (float64, error) {
	n := math.Exp(logN)
	// One ulp of log n moves n by n·logN·2⁻⁵³.
	if r := math.Round(n); math.Abs(n-r) <= 4*n*math.Max(1, logN)*0x1p-53 {
		n = r
	}
	if math.Abs(n-MaxSize) <= 4*MaxSize*691*0x1p-53 { // log 1e300 < 691
		n = MaxSize
	}
	return n, checkSize(n, 1)
}

func checkSize(n, least float64) error {
	if !(n >= least && n <= MaxSize) {
		return fmt.Errorf("n = %v: want %v ≤ n ≤ 1e300", n, least)
	}
	return nil
}

// MaximumMean returns E max(t_1 … t_n) for independent standard normals,
// 1 ≤ n ≤ 10^300, with an error bound:
//
//	E M = x_0 + ∫_{x_0}^∞ (1 − Φ(x)^n) dx − ∫_{−∞}^{x_0} Φ(x)^n dx
//
// with x_0 the median, so that both integrals are of the order of the spread.
func MaximumMean(n float64) (Value, error) {
	if err := checkSize(n, 1); err != nil {
		return Value{Value: math.NaN(), Error: math.Inf(1)}, err
	}
	if n == 1 {
		return Value{Status: status.Converged}, nil
	}
	median := maximumQuantile(n, -math.Ln2)
	// The spread of M is about the hazard's inverse at the median; the
	// integrands are below 1e-20 of it outside the two ranges.
	low := maximumQuantile(n, -50)
	high := maximumQuantile(n, -1e-22)
	options := quad.Options{Rel: 1e-14}
	above := quad.Integrate(func(x float64) float64 { return -math.Expm1(n * LogCDF(x)) }, median, high, options)
	below := quad.Integrate(func(x float64) float64 { return math.Exp(n * LogCDF(x)) }, low, median, options)
	st := above.Status
	if !below.Status.OK() {
		st = below.Status
	}
	mean := median + (above.Value - below.Value)
	rounding := 4e-16 * (math.Abs(median) + above.Value + below.Value)
	// Tails: ∫_high^∞ ≤ (1 − Φ(high)^n)/high, ∫_−∞^low ≤ e^{−50}·(scale ≤ 1).
	return Value{mean, above.Error + below.Error + rounding + 2e-22, st}, nil
}

// MaximumQuantile returns the x with P(max(t_1 … t_n) ≤ x) = e^{logP}, for
// logP ≤ 0 and 1 ≤ n ≤ 10^300.
func MaximumQuantile(n, logP float64) (float64, error) {
	if err := checkSize(n, 1); err != nil {
		return math.NaN(), err
	}
	if !(logP <= 0) {
		return math.NaN(), fmt.Errorf("log probability = %v: want ≤ 0", logP)
	}
	return maximumQuantile(n, logP), nil
}

func maximumQuantile(n, logP float64) float64 {
	// log Φ(x) = logP/n.
	each := logP / n
	var x float64
	switch {
	case each > -0x1p-60:
		// Q(x) = −logP/n to all digits; the quotient may underflow.
		x, _ = SurvivalQuantile(logarithm.Natural(-logP) - math.Log(n))
	case each > -math.Ln2:
		x, _ = SurvivalQuantile(logarithm.OneMinusExp(each))
	default:
		x, _ = CDFQuantile(each)
	}
	return x
}

// Gumbel returns the location b_n and scale a_n with (M − b_n)/a_n → Gumbel:
//
//	Q(b_n) = 1/n,   a_n = 1/(n φ(b_n)) = Q(b_n)/φ(b_n)
//
// for 2 ≤ n ≤ 10^300. These exact constants converge like 1/log n; the textbook
// expansion of b_n in √(2 log n) does not get better at any n in reach.
func Gumbel(n float64) (location, scale float64, err error) {
	if err := checkSize(n, 2); err != nil {
		return math.NaN(), math.NaN(), err
	}
	b, err := SurvivalQuantile(-math.Log(n))
	return b, 1 / Hazard(b), err
}
