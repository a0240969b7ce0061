package stats

import (
	"math"

	"lamcap/internal/logarithm"
)

// A statistic of a whole curve that sums one term for each load is rounded to this lattice,
// load by load, before its exact law is computed; latticeCap bounds a term (of a deviance
// P ≲ e^{−cap/2}: zero; of a χ² more, which makes the p-value larger, never smaller).
const (
	latticeUnit = 1. / 16
	latticeCap  = 1500
)

// logExceedance returns the log of the exact probability, under the prediction, that Σ_i term(load_i,
// X_i) is at least what was observed, terms rounded to the lattice: a convolution over the
// loads, for no asymptotic law holds at small n p.
func logExceedance(loads []curveLoad, term func(c curveLoad, stored int) float64) float64 {
	units := func(c curveLoad, stored int) int { return latticeUnits(term(c, stored)) }
	observed := 0
	for _, c := range loads {
		observed += units(c, c.stored)
	}
	observed = min(observed, latticeCap/latticeUnit)
	if observed == 0 {
		return 0
	}
	// law[v] is the probability of the value v below the observed one.
	law, next := make([]float64, observed), make([]float64, observed)
	law[0] = 1
	tail := 0.0
	for _, c := range loads {
		clear(next)
		for k := 0; k <= c.trials; k++ {
			probability := math.Exp(logBinomialPMF(k, c.trials, c.p, c.q))
			if probability == 0 {
				continue
			}
			v := min(units(c, k), observed)
			for j, u := range law[:observed-v] {
				next[j+v] += u * probability
			}
			for _, u := range law[observed-v:] {
				tail += u * probability
			}
		}
		law, next = next, law
	}
	return math.Min(0, logarithm.Natural(tail))
}

// latticeUnits rounds a term ≥ 0.
func latticeUnits(term float64) int {
	return int(math.Round(math.Min(term, latticeCap) / latticeUnit))
}
