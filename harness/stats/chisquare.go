package stats

import (
	"math"

	"lamcap/internal/logarithm"
)

// ChiSquare is Pearson's statistic of the counts at all loads of a transition about a predicted curve,
//
//	X² = Σ_i (s_i − n_i p_i)²/(n_i p_i (1 − p_i)).
//
// Each term has mean 1 whatever n_i p_i is, so E X² is the number of loads; its law is
// χ² only where all n_i p_i (1 − p_i) are large.
type ChiSquare struct {
	Statistic float64 // +Inf when a prediction of 0 or 1 is contradicted
	Degrees   int     // loads with trials and 0 < p < 1, less the fitted parameters
	// PValue is the probability of a statistic at least as large. NaN without a test.
	PValue float64
}

// Z returns the normal equivalent of PValue, p = 2 Q(z): 0 for a perfect fit, never negative.
func (c ChiSquare) Z() float64 { return upperQuantile(logarithm.Natural(c.PValue) - math.Ln2) }

// CurveChiSquare tests a fully specified curve. PValue is exact, by convolution over
// the loads with terms rounded to 1/16. At the ends of a transition less than one
// instance may be expected, and there the χ² law gives twice as many false alarms as
// it says at 1%, five times as many at 0.1% (9 loads × 40 trials). Against a shift
// it has less power than CurvePValue. Arguments, NaN and panics as there.
func CurveChiSquare(stored, trials []int, predicted []float64) ChiSquare {
	loads, tested, _ := curveLoads(stored, trials, predicted)
	c := ChiSquare{
		Statistic: statistic(stored, trials, predicted),
		Degrees:   len(loads),
		PValue:    curveExceedance(stored, trials, predicted, curveLoad.chiSquare),
	}
	if !tested {
		c.Statistic = math.NaN()
	}
	return c
}

// statistic returns X², +Inf for impossible counts.
func statistic(stored, trials []int, predicted []float64) float64 {
	loads, _, impossible := curveLoads(stored, trials, predicted)
	if impossible != 0 {
		return math.Inf(1)
	}
	sum := 0.0
	for _, c := range loads {
		sum += c.chiSquare(c.stored)
	}
	return sum
}

// chiSquare returns the term of k stored.
func (c curveLoad) chiSquare(k int) float64 {
	n := float64(c.trials)
	difference := float64(k) - n*c.p
	return difference * difference / (n * c.p * c.q)
}
