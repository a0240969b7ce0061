package quartercircle

import (
	"fmt"
	"math"
)

// Density returns ρ(x) = √(4 − x²)/π on [0, 2] and 0 elsewhere.
func Density(x float64) float64 {
	if !(x >= 0 && x <= 2) {
		return nanOr(x, 0)
	}
	return math.Sqrt((2-x)*(2+x)) / math.Pi
}

// CDF returns the fraction of singular values at or below x, with full
// relative accuracy as x → 0.
func CDF(x float64) float64 {
	switch {
	case math.IsNaN(x):
		return x
	case x <= 0:
		return 0
	case x >= 2:
		return 1
	case x > 1:
		return 1 - Survival(x)
	}
	u := 2 * math.Asin(x/2)
	return (u + x*math.Sqrt((2-x)*(2+x))/2) / math.Pi
}

// Survival returns the fraction of singular values above x, κ as a function
// of the cut, with full relative accuracy as x → 2.
func Survival(x float64) float64 {
	switch {
	case math.IsNaN(x):
		return x
	case x <= 0:
		return 1
	case x >= 2:
		return 0
	case x <= 1:
		return 1 - CDF(x)
	}
	// sin²(θ/2) = (1 − cos θ)/2 = (2 − x)/4, and 2 − x is exact here.
	return kepler(4*math.Asin(math.Sqrt((2-x)/4))) / math.Pi
}

// Quantile returns the x with CDF(x) = p, for 0 ≤ p ≤ 1.
func Quantile(p float64) (float64, error) {
	if !(p >= 0 && p <= 1) {
		return math.NaN(), fmt.Errorf("p = %v: want 0 ≤ p ≤ 1", p)
	}
	if p <= 0.5 {
		return 2 * math.Sin(invertComplement(math.Pi*p)/2), nil
	}
	return cut(1 - p), nil
}

// Cut returns x_κ, the singular value above which the fraction κ lies,
// for 0 < κ ≤ 1 (x_1 = 0, x_κ → 2 as κ → 0).
func Cut(kappa float64) (float64, error) {
	if err := checkKappa(kappa); err != nil {
		return math.NaN(), err
	}
	return cut(kappa), nil
}

func cut(kappa float64) float64 {
	if kappa > 0.5 {
		return 2 * math.Sin(invertComplement(math.Pi*(1-kappa))/2)
	}
	return 2 * math.Cos(invertKepler(math.Pi*kappa)/2)
}

// TruncatedSecondMoment returns I(κ), the second moment of the law above x_κ,
// for 0 < κ ≤ 1: I(1) = 1 and I ≈ 4κ as κ → 0.
func TruncatedSecondMoment(kappa float64) (float64, error) {
	if err := checkKappa(kappa); err != nil {
		return math.NaN(), err
	}
	if kappa > 0.5 {
		// 4θ = 2π − 2u with u the complementary angle; 1 − κ is exact.
		u := invertComplement(math.Pi * (1 - kappa))
		return 1 - kepler(2*u)/(2*math.Pi), nil
	}
	return kepler(2*invertKepler(math.Pi*kappa)) / (2 * math.Pi), nil
}

// Capacity returns the asymptotic capacity α_c(κ) = I(κ)/2 of a memory of rank
// κd, as a load α = p log p/d² ([paper]); α_c(1) = 1/2.
func Capacity(kappa float64) (float64, error) {
	i, err := TruncatedSecondMoment(kappa)
	return i / 2, err
}

// Kappa inverts [Capacity]: the rank fraction κ ∈ (0, 1] whose capacity is
// alpha ∈ (0, 1/2].
//
// As α → 1/2 the inverse is ill-conditioned by nature, 1 − κ ≈
// (2/π)(3π(1 − 2α)/2)^{1/3}: a rounding ε of α moves κ by about ε^{1/3} there.
func Kappa(alpha float64) (float64, error) {
	if !(alpha > 0 && alpha <= 0.5) {
		return math.NaN(), fmt.Errorf("alpha = %v: want 0 < alpha ≤ 0.5, the capacities that some rank reaches", alpha)
	}
	if alpha > 0.25 {
		u := invertKepler(2*math.Pi*(1-2*alpha)) / 2
		return 1 - (u+math.Sin(u))/math.Pi, nil
	}
	return kepler(invertKepler(4*math.Pi*alpha)/2) / math.Pi, nil
}

func checkKappa(kappa float64) error {
	if !(kappa > 0 && kappa <= 1) {
		return fmt.Errorf("kappa = %v: want 0 < kappa ≤ 1", kappa)
	}
	return nil
}

func nanOr(x, otherwise float64) float64 {
	if math.IsNaN(x) {
		return x
	}
	return otherwise
}
