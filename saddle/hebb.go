package saddle

import (
	"fmt"
	"math"

	"lamcap/extremes"
	"lamcap/internal/quad"
	"lamcap/internal/root"
	"lamcap/internal/status"
)

// The loads α = p log p/d² at which Hebb's rule fails in the limit d → ∞,
// by the criterion of storage (n = p).
const (
	// HebbLimitAll is where one of the p items is lost: d²/p must exceed
	// (√(2 log p) + √(2 log p))², the largest of p competitors plus the
	// smallest of p correct scores.
	HebbLimitAll = 1.0 / 8
	// HebbLimitTypical is where a typical item is lost: d²/p = 2 log p.
	HebbLimitTypical = 1.0 / 2
)

// HebbItemRecall returns the probability that the Hebbian memory
// W = Σ_μ u_μ e_μᵀ of p facts recalls one of them against n − 1 competitors,
//
//	P = ∫ φ(z) Φ(z + d/√p)^{n−1} dz,
//
// in the limit d → ∞ at fixed d/√p: the correct score has mean d/√p and every
// score has variance 1, in units of ‖W‖_F. At finite d it is too high, since the
// interference in W e_μ acts on the competitors with its own length; see
// [HebbItemRecallDecoupled] and [HebbItemRecallOriginal].
//
// d ≥ 1 and p ≥ 1 need not be integers (d = √(d_out d_in) for a rectangular W);
// 2 ≤ n ≤ 10^300.
func HebbItemRecall(d, p, n float64) (extremes.Value, error) {
	if !(d >= 1 && d <= math.MaxFloat64) {
		return noValue(), fmt.Errorf("d = %v: want a finite d ≥ 1", d)
	}
	if err := checkHebb(p, n, 1); err != nil {
		return noValue(), err
	}
	h := d / math.Sqrt(p)
	// Q(z + h) < 1e-324 from z + h = 38.6 on: beyond z = ±45 nothing is left.
	logIntegrand := func(z float64) float64 {
		return extremes.LogDensity(z) + (n-1)*extremes.LogCDF(z+h)
	}
	v := integratePeak(logIntegrand, -45, 45)
	v.Value = math.Min(v.Value, 1)
	return v, nil
}

func noValue() extremes.Value {
	return extremes.Value{Value: math.NaN(), Error: math.Inf(1)}
}

func checkHebb(p, n, leastLoad float64) error {
	if !(p >= leastLoad && p <= extremes.MaxSize) {
		return fmt.Errorf("p = %v: want %v ≤ p ≤ 1e300", p, leastLoad)
	}
	if !(n >= 2 && n <= extremes.MaxSize) {
		return fmt.Errorf("n = %v: want 2 ≤ n ≤ 1e300 (the target and at least one competitor)", n)
	}
	return nil
}

// integratePeak returns ∫ exp(g(x)) dx for g with one maximum in (lo, hi), where
// nothing counts outside. Scaling by the maximum keeps integrals below the
// smallest float apart from zero and gives the trapezoidal rule its step.
func integratePeak(g func(float64) float64, lo, hi float64) extremes.Value {
	peak := maximise(g, lo, hi)
	top := g(peak)
	// The width at which g has fallen by 1/2 to each side: one standard
	// deviation if g is parabolic.
	drop := func(x float64) float64 { return g(x) - top + 0.5 }
	right := root.Find(drop, peak, hi, root.Options{RelX: 1e-3, AbsX: 1e-6})
	left := root.Find(drop, lo, peak, root.Options{RelX: 1e-3, AbsX: 1e-6})
	width := 0.5 * (right.X - left.X)
	if !right.Status.OK() || !left.Status.OK() || !(width > 0) {
		return extremes.Value{Value: math.NaN(), Error: math.Inf(1), Status: status.NoBracket}
	}
	q := quad.Trapezoid(func(x float64) float64 { return math.Exp(g(x) - top) }, peak, width,
		quad.Options{Rel: 1e-13})
	scale := math.Exp(top)
	value := scale * q.Value
	// g is a sum of terms of the size of |top|, each rounded once or twice.
	rounding := 4 * (1 + math.Abs(top)) * 0x1p-52 * value
	return extremes.Value{Value: value, Error: scale*q.Error + rounding, Status: q.Status}
}

// maximise returns the place of the one maximum of g in [lo, hi], to a small
// fraction of the width of the peak, by golden section.
func maximise(g func(float64) float64, lo, hi float64) float64 {
	const golden = 0.6180339887498949
	a, b := hi-golden*(hi-lo), lo+golden*(hi-lo)
	ga, gb := g(a), g(b)
	for hi-lo > 1e-6*(1+math.Abs(lo)) {
		// Far outside both may be −∞: the side is then unknown, but g is
		// finite in the middle of every range in use.
		if ga >= gb {
			hi, b, gb = b, a, ga
			a = hi - golden*(hi-lo)
			ga = g(a)
		} else {
			lo, a, ga = a, b, gb
			b = lo + golden*(hi-lo)
			gb = g(b)
		}
	}
	return 0.5 * (lo + hi)
}
