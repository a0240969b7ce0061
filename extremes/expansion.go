package extremes

import "math"

// ConeDimensionExpansion returns the first four terms of D_n for n → ∞,
//
//	D_n = 2 log n − 3 log(2 log n) − log 2π + 3 + o(1),
//
// as a function of log n > 0. What is left out falls like (log log n)/log n:
// 0.65 at n = 10^8, 0.10 at 10^100.
func ConeDimensionExpansion(logN float64) float64 {
	return 2*logN - expansionDeficit(logN)
}

// CapacityExpansion returns α_c = log n/D_n with the same terms,
//
//	1/α_c = 2 − [3 log(2 log n) + log 2π − 3]/log n + o(1/log n).
//
// At small n, where the bracket is not small, it is far from the truth; it is
// +Inf or negative where the expansion of 1/α_c is not positive.
func CapacityExpansion(logN float64) float64 {
	return 1 / (2 - expansionDeficit(logN)/logN)
}

func expansionDeficit(logN float64) float64 {
	return 3*math.Log(2*logN) + log2Pi - 3
}
