// Package logarithm takes logarithms of probabilities down to the smallest float64.
//
// On amd64 [math.Log] and [math.Log10] of Go 1.26 take every subnormal number, 0 < x <
// 2^−1022, for about 2^−1023: math.Log(5e-324) is −709.09 instead of −744.44.
// [math.Log1p] and [math.Log2] are right, and so is all of arm64.
package logarithm

import "math"

// smallestNormal is the least number with 53 significant bits.
const smallestNormal = 0x1p-1022

// Natural returns log x: NaN for x < 0, −Inf for 0.
func Natural(x float64) float64 {
	if x > 0 && x < smallestNormal {
		// 54 log 2 in two parts, so that the sum is rounded once.
		const high, low = 54 * 0x1.62e42fefa38p-1, 54 * (math.Ln2 - 0x1.62e42fefa38p-1)
		return (math.Log(x*0x1p54) - low) - high
	}
	return math.Log(x)
}

// Decimal returns the logarithm of x to base 10: NaN for x < 0, −Inf for 0.
func Decimal(x float64) float64 {
	if x > 0 && x < smallestNormal {
		return Natural(x) / math.Ln10
	}
	return math.Log10(x)
}

// OneMinusExp returns log(1 − e^z) for z ≤ 0, the log of the complement of a probability
// that is given by its log, with a small relative error for every z: −Inf at 0, NaN above.
func OneMinusExp(z float64) float64 {
	if z > -math.Ln2 {
		return Natural(-math.Expm1(z))
	}
	return math.Log1p(-math.Exp(z))
}
