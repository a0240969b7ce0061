package stats

import "math"

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
	return curveExceedance(stored, trials, predicted, curveLoad.deviance)
}

// curveExceedance is the test of a sum of terms, one for each load.
func curveExceedance(stored, trials []int, predicted []float64, term func(curveLoad, int) float64) float64 {
	loads, tested, impossible := curveLoads(stored, trials, predicted)
	switch {
	case !tested:
		return math.NaN()
	case impossible != 0:
		return 0
	}
	return math.Exp(logExceedance(loads, term))
}

// deviance returns twice the log-likelihood ratio of k stored.
func (c curveLoad) deviance(k int) float64 {
	n, x := float64(c.trials), float64(k)
	d := 0.0
	for _, part := range [2][2]float64{{x, n * c.p}, {n - x, n * c.q}} {
		if part[0] == 0 {
			d += part[1]
		} else {
			d += deviance(part[0], part[1])
		}
	}
	return 2 * d
}
