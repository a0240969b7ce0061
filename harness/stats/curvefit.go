package stats

import "math"

// devianceUnit is the lattice on which the deviance of each load is rounded before the
// exact law of the sum is computed; devianceCap bounds it (P ≲ e^{−cap/2}: zero).
const (
	devianceUnit = 1. / 16
	devianceCap  = 1500
)

// CurveDeviancePValue returns the exact p-value of all loads together under fully specified
// probabilities, against any other set of probabilities: the wrong width, a
// single load off the curve. The statistic is the deviance, rounded to 1/16 per load,
//
//	Σ_i 2 [s_i log(s_i/(n_i p_i)) + f_i log(f_i/(n_i (1 − p_i)))],
//
// and the p-value the probability of one at least as large, by convolution (no χ²
// approximation, which fails at small n p). Against a shift it has less power than
// CurvePValue. Arguments, NaN and panics as there.
func CurveDeviancePValue(stored, trials []int, predicted []float64) float64 {
	loads, tested, impossible := curveLoads(stored, trials, predicted)
	switch {
	case !tested:
		return math.NaN()
	case impossible != 0:
		return 0
	}
	observed := 0
	for _, c := range loads {
		observed += c.roundedDeviance(c.stored)
	}
	observed = min(observed, devianceCap/devianceUnit)
	if observed == 0 {
		return 1
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
			v := min(c.roundedDeviance(k), observed)
			for j, u := range law[:observed-v] {
				next[j+v] += u * probability
			}
			for _, u := range law[observed-v:] {
				tail += u * probability
			}
		}
		law, next = next, law
	}
	return math.Min(1, tail)
}

// roundedDeviance returns the deviance of k stored in lattice units.
func (c curveLoad) roundedDeviance(k int) int {
	n, x := float64(c.trials), float64(k)
	d := 0.0
	for _, part := range [2][2]float64{{x, n * c.p}, {n - x, n * c.q}} {
		if part[0] == 0 {
			d += part[1]
		} else {
			d += deviance(part[0], part[1])
		}
	}
	return int(math.Round(math.Min(2*d, devianceCap) / devianceUnit))
}
