package saddle

import (
	"fmt"
	"math"

	"lamcap/extremes"
	"lamcap/internal/root"
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
	none := Critical{Facts: math.NaN(), Error: math.Inf(1), Residual: math.NaN()}
	if !(weights >= 1 && weights <= extremes.MaxSize) {
		return none, fmt.Errorf("weights = %v: want 1 ≤ weights ≤ 1e300 (two facts, D_2 = 1/2, take one weight)", weights)
	}
	var d extremes.Value
	failed := status.Unknown
	dimension := rememberedDimension()
	// The unknown is log p: p·D_p grows at least like p, so the bracket is one
	// e-fold around any guess, and the function is almost straight.
	facts := func(logP float64) float64 {
		return math.Min(math.Max(2, math.Exp(logP)), extremes.MaxSize)
	}
	excess := func(logP float64) float64 {
		p := facts(logP)
		if d = extremes.BetweenSizes(p, dimension); !d.Status.OK() {
			failed = d.Status
			return math.NaN()
		}
		return math.Log(p*d.Value) - math.Log(weights)
	}
	// D_p ≥ D_2 = 1/2, so p_c ≤ 2N; and D_p ≤ 2 log p + 1 for every p ≥ 2.
	hi := math.Min(math.Log(2*weights), math.Log(extremes.MaxSize))
	lo := math.Log(math.Max(2, weights/(2*hi+1)))
	f := root.Find(excess, lo, hi+1e-9, root.Options{AbsX: 1e-13, RelX: 1e-15})
	if !f.Status.OK() {
		none.Status = f.Status
		return none, fmt.Errorf("weights = %v: p·D_p = weights was not solved (%v, D_p %v)", weights, f.Status, failed)
	}
	p := facts(f.X)
	residual := excess(f.X)
	return Critical{
		Facts:     p,
		Weights:   weights,
		Dimension: d,
		Residual:  math.Expm1(residual),
		// d log(p D_p)/d log p ≥ 1: an error of p·D_p moves p by no more.
		Error:  p * (math.Abs(residual) + d.Error/d.Value + math.Abs(f.Hi-f.Lo)),
		Status: f.Status,
	}, nil
}

// rememberedDimension returns D_n as a function that keeps its values: a solver
// between small integers asks for the same four again and again.
func rememberedDimension() func(n float64) extremes.Value {
	known := make(map[float64]extremes.Value)
	return func(n float64) extremes.Value {
		v, ok := known[n]
		if !ok {
			v, _ = extremes.ConeDimension(n) // an error leaves status Unknown
			known[n] = v
		}
		return v
	}
}

// CriticalFactsAmong returns the capacity p_c = N_eff/D_n with a fixed number
// n of candidates per input, 2 ≤ n ≤ 10^300; n = 2 is Cover's 2N ([cover]).
func CriticalFactsAmong(weights, n float64) (Critical, error) {
	none := Critical{Facts: math.NaN(), Error: math.Inf(1), Residual: math.NaN()}
	if !(weights > 0 && weights <= extremes.MaxSize) {
		return none, fmt.Errorf("weights = %v: want 0 < weights ≤ 1e300", weights)
	}
	d, err := extremes.ConeDimension(n)
	if err != nil {
		return none, err
	}
	p := weights / d.Value
	return Critical{
		Facts:     p,
		Weights:   weights,
		Dimension: d,
		Residual:  p*d.Value/weights - 1,
		Error:     p * (d.Error/d.Value + 0x1p-52),
		Status:    d.Status,
	}, nil
}
