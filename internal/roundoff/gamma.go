package roundoff

import "math"

const (
	// Unit is u of float64, the relative error of one rounding to nearest.
	Unit = 0x1p-53
	// UnitSingle is u of float32.
	UnitSingle = 0x1p-24
)

// Gamma returns γ_k = k u/(1 − k u) for k ≥ 0 roundings in float64; +Inf, which
// bounds anything, for k u ≥ 1.
func Gamma(k int) float64 { return gamma(float64(k) * Unit) }

// GammaSingle is [Gamma] for roundings in float32: it is +Inf from k = 2²⁴ on.
func GammaSingle(k int) float64 { return gamma(float64(k) * UnitSingle) }

func gamma(ku float64) float64 {
	if ku >= 1 {
		return math.Inf(1)
	}
	return ku / (1 - ku)
}
