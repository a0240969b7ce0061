package saddle

import (
	"fmt"
	"math"

	"lamcap/extremes"
	"lamcap/internal/status"
)

// Critical is the capacity of a memory at finite size.
type Critical struct {
	Facts     float64        // p_c, real: the load at which p·D_n = N_eff
	Weights   float64        // N_eff
	Dimension extremes.Value // D_n at n = p_c, or at the given n
	Residual  float64        // p_c·D_n/N_eff − 1 at the returned p_c
	Error     float64        // bound on Facts from residual and D_n's bound
	Status    status.Status
}

// CriticalFacts returns the capacity p_c with as many candidates as facts
// (n = p), the solution of
//
//	p · D_p = N_eff,
//
// for 1 ≤ weights ≤ 10^300: d_out·d_in at full rank or
// quartercircle.Spectra.EffectiveDimension at rank m. For rank below full it
// is an upper bound (Gordon) and the replica-symmetric prediction.
func CriticalFacts(weights float64) (Critical, error) {
	none := noCritical()
	if !(weights >= 1 && weights <= extremes.MaxSize) {
		return none, fmt.Errorf("weights = %v: want 1 ≤ weights ≤ 1e300 (two facts, D_2 = 1/2, take one weight)", weights)
	}
	dimension := remembered(extremes.ConeDimension)
	e := factsEquation{weights: weights, least: 2, used: func(p float64) extremes.Value {
		return extremes.BetweenSizes(p, dimension)
	}}
	// D_p ≥ D_2 = 1/2, so p_c ≤ 2N; and D_p ≤ 2 log p + 1 for every p ≥ 2.
	hi := math.Min(math.Log(2*weights), math.Log(extremes.MaxSize))
	lo := math.Log(math.Max(2, weights/(2*hi+1)))
	return e.solve(lo, hi+1e-9, fmt.Sprintf("weights = %v", weights))
}

// CriticalFactsAmong returns the capacity p_c = N_eff/D_n with a fixed number
// n of candidates per input, 2 ≤ n ≤ 10^300; n = 2 is Cover's 2N ([cover]).
func CriticalFactsAmong(weights, n float64) (Critical, error) {
	none := noCritical()
	if !(weights > 0 && weights <= extremes.MaxSize) {
		return none, fmt.Errorf("weights = %v: want 0 < weights ≤ 1e300", weights)
	}
	d, err := extremes.ConeDimension(n)
	if err != nil {
		return none, err
	}
	return criticalAmong(weights, d), nil
}
