package saddle

import (
	"fmt"
	"math"

	"lamcap/extremes"
	"lamcap/internal/status"
)

// FactsWithErrors returns how many facts p can be loaded, with as many
// candidates as facts (n = p), if a fraction ε of them may fail to be recalled:
//
//	p · E[dist²; dist² ≤ c] = N_eff,   P(dist² > c) = ε,
//
// for 1 ≤ weights ≤ 10^300 and 0 ≤ fraction < 1. Dimension is the left side's
// mean, the weights that one input uses up; at ε = 0 it is D_n and the answer that
// of [CriticalFacts], which ε → 0 joins. Beyond ε = 0 the answer is an upper
// bound, and the prediction of replica symmetry, which is not stable there: see
// [MinimalErrors].
//
// In the limit the load is γ log p = 1/(2(1 − ε)), approached like 1/√(log n):
//
//	E[dist²; dist² ≤ c] ≈ (1 − ε) D_n − φ(Φ⁻¹(ε)) √(V_n + 2 D_n).
//
// For a real p between integers the mean, as a fraction of D_n, is interpolated.
func FactsWithErrors(weights, fraction float64) (Critical, error) {
	none := noCritical()
	if !(fraction >= 0 && fraction < 1) {
		return none, fractionError(fraction)
	}
	all, err := CriticalFacts(weights)
	if err != nil || fraction == 0 {
		return all, err
	}
	e := factsEquation{weights: weights, least: 2, used: newCutDimensions(fraction).at}
	// More facts than without errors, and than random weights recall.
	lo := math.Log(math.Max(all.Facts, 1/(1-fraction)))
	hi := lo + math.Max(-math.Log1p(-fraction), 1e-3)
	limit := math.Log(extremes.MaxSize)
	for {
		hi = math.Min(hi, limit)
		if x := e.excess(hi); !(x < 0) || hi == limit {
			break
		}
		hi += hi - lo
	}
	return e.solve(lo-1e-9, hi, fmt.Sprintf("weights = %v, fraction = %v", weights, fraction))
}

// FactsWithErrorsAmong returns how many facts can be loaded with a fixed number n
// of candidates per input, 2 ≤ n ≤ 10^300, if a fraction ε of them may fail:
//
//	p = N_eff/E[dist²; dist² ≤ c],   P(dist² > c) = ε < 1 − 1/n,
//
// with what is said of the answer in [FactsWithErrors].
func FactsWithErrorsAmong(weights, n, fraction float64) (Critical, error) {
	none := noCritical()
	if !(weights > 0 && weights <= extremes.MaxSize) {
		return none, fmt.Errorf("weights = %v: want 0 < weights ≤ 1e300", weights)
	}
	if !(n >= 2 && n <= extremes.MaxSize) {
		return none, fmt.Errorf("n = %v: want 2 ≤ n ≤ 1e300", n)
	}
	if !(fraction >= 0 && fraction < 1) {
		return none, fractionError(fraction)
	}
	if fraction == 0 {
		return CriticalFactsAmong(weights, n)
	}
	// 1 − ε is rounded, by so much of it.
	if (1-fraction)*n <= 1+0x1p-52*n {
		return none, fmt.Errorf("fraction = %v: want fraction < %.6g, which random weights leave of n = %v candidates: any number of facts can be loaded", fraction, 1-1/n, n)
	}
	used := newCutDimensions(fraction).at(n)
	if !used.Status.OK() || !(used.Value > 0) {
		none.Status = used.Status
		return none, fmt.Errorf("fraction = %v, n = %v: the cutoff was not found (%v)", fraction, n, used.Status)
	}
	return criticalAmong(weights, used), nil
}

func fractionError(fraction float64) error {
	return fmt.Errorf("fraction = %v: want 0 ≤ fraction < 1, the fraction of inputs that may fail", fraction)
}

// cutDimensions is E[dist²; dist² ≤ c] at a fixed fraction beyond c as a function
// of n. It keeps the shares at integers: a solver asks for the same again.
type cutDimensions struct {
	fraction float64
	simplex  *extremes.Simplex
	shares   map[float64]extremes.Value
}

func newCutDimensions(fraction float64) cutDimensions {
	return cutDimensions{fraction, extremes.NewSimplex(), map[float64]extremes.Value{}}
}

// at multiplies D_n by the interpolated share of it that is left.
func (c cutDimensions) at(n float64) extremes.Value {
	none := extremes.Value{Value: math.NaN(), Error: math.Inf(1)}
	if (1-c.fraction)*n <= 1 {
		return extremes.Value{Status: status.Converged} // random weights recall as many
	}
	d, err := extremes.ConeDimension(n)
	if err != nil {
		return none
	}
	var share extremes.Value
	if n == math.Floor(n) {
		share = c.share(n)
	} else {
		first := math.Max(2, math.Max(math.Floor(n)-1, math.Floor(1/(1-c.fraction))))
		share = extremes.InterpolateSizes(n, first, c.share)
		// Next to the n at which random weights do, the cubic may dip below 0.
		share.Value = math.Max(share.Value, 0x1p-1000)
	}
	return extremes.Value{
		Value:  d.Value * share.Value,
		Error:  d.Value*share.Error + d.Error*share.Value,
		Status: share.Status,
	}
}

func (c cutDimensions) share(n float64) extremes.Value {
	if v, ok := c.shares[n]; ok {
		return v
	}
	v := extremes.Value{Value: math.NaN(), Error: math.Inf(1)}
	if law, err := newDistances(c.simplex, n); err == nil {
		v = law.share(c.fraction)
	}
	c.shares[n] = v
	return v
}
