package saddle

import (
	"fmt"
	"math"

	"lamcap/extremes"
	"lamcap/internal/root"
	"lamcap/internal/status"
)

// HebbLaw is the probability that one item is recalled at load p, with as many
// candidates as facts (n = p).
type HebbLaw func(p float64) (extremes.Value, error)

// HebbLimitLaw is [HebbItemRecall] with n = p.
func HebbLimitLaw(d float64) HebbLaw {
	return func(p float64) (extremes.Value, error) { return HebbItemRecall(d, p, p) }
}

// HebbDecoupledLaw is [HebbItemRecallDecoupled] with n = p.
func HebbDecoupledLaw(d int) HebbLaw {
	return func(p float64) (extremes.Value, error) { return HebbItemRecallDecoupled(d, p, p) }
}

// HebbDecoupledCorrectedLaw is [HebbItemRecallDecoupledCorrected] with n = p.
func HebbDecoupledCorrectedLaw(d int) HebbLaw {
	return func(p float64) (extremes.Value, error) { return HebbItemRecallDecoupledCorrected(d, p, p) }
}

// HebbOriginalLaw is [HebbItemRecallOriginal].
func HebbOriginalLaw(d int) HebbLaw {
	return func(p float64) (extremes.Value, error) { return HebbItemRecallOriginal(d, p) }
}

// HebbThreshold is the load at which Hebb's rule fails by some criterion.
type HebbThreshold struct {
	Load  float64 // p, real
	Alpha float64 // p log p/d²
	// Residual is the criterion's probability − 1/2 at Load.
	Residual float64
	// Error bounds Load, from the residual and the law's own Error.
	Error  float64
	Status status.Status
}

// HebbTypicalThreshold returns the load p at which a typical item is recalled half
// of the time, P(item) = 1/2, for d ≥ 2; α → [HebbLimitTypical] as d → ∞.
func HebbTypicalThreshold(d float64, law HebbLaw) (HebbThreshold, error) {
	return hebbThreshold(d, law, 0.8, func(float64) float64 { return 1 })
}

// HebbAllThreshold returns the load p at which all items are recalled half of the
// time, if the items are taken as independent: P(item)^p = 1/2, for d ≥ 2;
// α → [HebbLimitAll] as d → ∞.
//
// Items of one instance are not independent, but nearly so at this load. P(all) in
// simulation (± one standard error) beside the simulated P(item)^p:
//
//	OP  d=12 p=9    0.511 ± 0.001   0.496        DP  d=12 p=9    0.742 ± 0.001   0.742
//	OP  d=24 p=22   0.490 ± 0.001   0.483        DP  d=24 p=27   0.519 ± 0.001   0.523
//	OP  d=48 p=64   0.518 ± 0.003   0.517        DP  d=48 p=79   0.505 ± 0.002   0.508
//
// so Load is right to 0.1 fact.
func HebbAllThreshold(d float64, law HebbLaw) (HebbThreshold, error) {
	return hebbThreshold(d, law, 0.24, func(p float64) float64 { return p })
}

// hebbThreshold solves power(p) log P(p) = −log 2, starting at the given
// p log(d²)/d².
func hebbThreshold(d float64, law HebbLaw, guess float64, power func(p float64) float64) (HebbThreshold, error) {
	none := HebbThreshold{Load: math.NaN(), Alpha: math.NaN(), Residual: math.NaN(), Error: math.Inf(1)}
	if !(d >= 2 && d <= 1e100) {
		return none, fmt.Errorf("d = %v: want 2 ≤ d ≤ 1e100", d)
	}
	var failure error
	var last extremes.Value
	excess := func(logP float64) float64 {
		p := math.Max(2, math.Exp(logP))
		if last, failure = law(p); failure != nil {
			return math.NaN()
		}
		return power(p)*math.Log(last.Value) + math.Ln2
	}
	start := math.Log(math.Max(2, guess*d*d/math.Log(d*d)))
	lo, hi, ok := root.Expand(excess, start, 0.2, math.Ln2, math.Log(4*d*d))
	if failure != nil {
		return none, failure
	}
	if !ok {
		none.Status = status.NoBracket
		return none, fmt.Errorf("d = %v: the criterion is not crossed for 2 ≤ p ≤ %v", d, 4*d*d)
	}
	// No closer than a ten-thousandth of what the law itself is good for.
	close := 1e-13 + 1e-4*power(math.Exp(hi))*last.Error/last.Value
	f := root.Find(excess, lo, hi, root.Options{AbsX: 1e-12, AbsF: close})
	if failure != nil {
		return none, failure
	}
	// The slope in log p over a step well above the noise of any law.
	const step = 0.02
	beyond := excess(f.X + step)
	if failure != nil {
		return none, failure
	}
	residual := excess(f.X)
	slope := math.Abs(beyond-residual) / step
	p := math.Max(2, math.Exp(f.X))
	st := f.Status
	if st.OK() {
		st = last.Status
	}
	// log P and log p are each rounded to about 1e-15.
	bound := p * ((2*math.Abs(residual)+power(p)*last.Error/last.Value)/slope + 4e-15*(1+math.Abs(f.X)))
	if !(bound < p) {
		return none, fmt.Errorf("d = %v: 1 − P(item) at the threshold is below the law's error, %v", d, last.Error)
	}
	return HebbThreshold{
		Load:     p,
		Alpha:    p * math.Log(p) / (d * d),
		Residual: 0.5 * math.Expm1(residual),
		Error:    bound,
		Status:   st,
	}, nil
}
