package measure

import (
	"math"

	"lamcap/internal/root"
)

// FactsAt returns the number of facts p ≥ 2 nearest to a load, a fraction > 0 of
// critical = p_c. What exceeds the largest p is cut there: no instance has as many.
func FactsAt(load, critical float64) int { return wholeFacts(load * critical) }

// FactsAtAlpha returns the number of facts p ≥ 2 nearest to the solution of
//
//	p log p = α d_in d_out
//
// for α > 0, cut as in [FactsAt].
func FactsAtAlpha(alpha float64, dIn, dOut int) int {
	target := math.Log(alpha) + math.Log(float64(dIn)) + math.Log(float64(dOut))
	f := root.Find(func(logP float64) float64 { return logP + math.Log(math.Max(logP, 1e-300)) - target }, 1e-3, 700, root.Options{})
	return wholeFacts(math.Exp(f.X))
}

func wholeFacts(p float64) int { return max(2, int(math.Round(math.Min(p, math.MaxInt32)))) }

// RankAt returns the rank m ≥ 1 nearest to κ·full for 0 < κ ≤ 1, full being the
// smaller dimension.
func RankAt(kappa float64, full int) int {
	return min(full, max(1, int(math.Round(kappa*float64(full)))))
}
