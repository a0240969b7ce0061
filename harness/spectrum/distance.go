package spectrum

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"lamcap/internal/quad"
)

// KolmogorovSmirnov returns sup |F_m − F| of values in ascending order.
func KolmogorovSmirnov(values []float64, l Law) float64 {
	m, largest := float64(len(values)), 0.0
	for i, x := range values {
		f := l.CDF(x)
		largest = max(largest, float64(i+1)/m-f, f-float64(i)/m)
	}
	return largest
}

// Wasserstein returns W₁ = ∫ |F_m − F| dx of values in ascending order: between two
// of them F_m is a constant c, and |c − F| changes its sign at the quantile of c.
func Wasserstein(values []float64, l Law) float64 {
	if len(values) == 0 {
		return 0
	}
	m := float64(len(values))
	first, last := values[0], values[len(values)-1]
	_, hi := l.Support()
	sum := l.Integral(first)
	if hi > last {
		sum += hi - last - (l.Integral(hi) - l.Integral(last))
	}
	for i := range values[1:] {
		a, b, c := values[i], values[i+1], float64(i+1)/m
		middle := max(a, min(b, l.Quantile(c)))
		at := l.Integral(middle)
		sum += c*(middle-a) - (at - l.Integral(a)) // F below c up to middle
		sum += l.Integral(b) - at - c*(b-middle)
	}
	return math.Max(0, sum)
}

// FourthMoment returns m Σσ⁴/(Σσ²)², which no scale changes: 1 if all singular
// values are equal, 2 by the quarter circle.
func FourthMoment(values []float64) float64 {
	second, fourth := 0.0, 0.0
	for _, x := range values {
		second += x * x
		fourth += x * x * x * x
	}
	return float64(len(values)) * fourth / (second * second)
}

// StableRank returns Σσ²/max σ², ‖W‖²_F/‖W‖²: by the quarter circle a quarter of all.
func StableRank(values []float64) float64 {
	second, largest := 0.0, 0.0
	for _, x := range values {
		second += x * x
		largest = max(largest, x*x)
	}
	return second / largest
}

// rescale sorts and scales to a mean square.
func rescale(sigma []float64, second float64) []float64 {
	values := slices.Clone(sigma)
	slices.Sort(values)
	if norm := floats.Norm(values, 2); norm > 0 {
		floats.Scale(math.Sqrt(second*float64(len(values)))/norm, values)
	}
	return values
}

// FourthMomentOf returns the same of a law, ∫ x⁴ dF/(∫ x² dF)².
func FourthMomentOf(l Law) (float64, error) {
	lo, hi := l.Support()
	r := quad.Integrate(func(x float64) float64 { return 4 * x * x * x * (1 - l.CDF(x)) }, lo, hi, quad.Options{Rel: 1e-9})
	if !r.Status.OK() {
		return math.NaN(), fmt.Errorf("fourth moment of a law: %v", r.Status)
	}
	second := l.SecondMoment()
	return (lo*lo*lo*lo + r.Value) / (second * second), nil
}
