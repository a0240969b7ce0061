package saddle

import (
	"fmt"
	"math"
)

// LimitCapacity is the full-rank capacity in the limit, as α = p log p/d².
const LimitCapacity = 0.5

// FreeEnergy returns the replica-symmetric free entropy per weight in the limit
// p → ∞ at load alpha, at overlap 0 ≤ q < 1 of two solutions:
//
//	Φ(q) = ½ log(1 − q) + q/(2(1 − q)) − α/(1 − q).
func FreeEnergy(q, alpha float64) (float64, error) {
	if err := checkOverlap(q); err != nil {
		return math.NaN(), err
	}
	if !(alpha >= 0) {
		return math.NaN(), fmt.Errorf("alpha = %v: want alpha ≥ 0", alpha)
	}
	return math.Log1p(-q)/2 + (q/2-alpha)/(1-q), nil
}

// Overlap returns the stationary point of [FreeEnergy], q = 2α, and the free
// entropy there, ½ log(1 − 2α), for 0 ≤ alpha < 1/2; at 1/2 the volume of
// solutions vanishes.
func Overlap(alpha float64) (q, freeEnergy float64, err error) {
	if !(alpha >= 0 && alpha < LimitCapacity) {
		return math.NaN(), math.NaN(), fmt.Errorf("alpha = %v: want 0 ≤ alpha < 0.5, below capacity", alpha)
	}
	return 2 * alpha, math.Log1p(-2*alpha) / 2, nil
}

func checkOverlap(q float64) error {
	if !(q >= 0 && q < 1) {
		return fmt.Errorf("q = %v: want 0 ≤ q < 1", q)
	}
	return nil
}
