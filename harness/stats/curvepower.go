package stats

import (
	"fmt"
	"math"
)

// CurvePower returns the exact probability that CurvePValue rejects the predicted curve at
// significance level `level` (the probability of a false alarm, not a confidence) when the
// instances are stored with the actual probabilities: what an experiment of this size could
// have found. CurvePower(trials, p, p, level) is the actual size, at most level. It is good to
// an absolute 1e-12. Without a test it is 0. It panics as CurvePValue does, and unless
// 0 < level < 1.
func CurvePower(trials []int, predicted, actual []float64, level float64) float64 {
	return curvePower(trials, make([]int, len(trials)), predicted, actual, level)
}

// curvePower is CurvePower where some instances will be undecided: any of those that could be
// stored when more is stored than predicted, any of the others when less is.
func curvePower(trials, undecided []int, predicted, actual []float64, level float64) float64 {
	checkLevel("CurvePower", level)
	if len(actual) != len(trials) {
		panic(fmt.Sprintf("stats: CurvePower: %d trials, %d actual probabilities: want equal lengths", len(trials), len(actual)))
	}
	null, tested, _ := curveLoads(make([]int, len(trials)), trials, predicted)
	if !tested {
		return 0
	}
	// A prediction of 0 or 1 is rejected by one contradiction.
	agree := 1.0
	var truth []curveLoad
	var open []int // undecided instances of the loads in truth
	for i, n := range trials {
		if n == 0 {
			continue
		}
		p := checkProbability("CurvePower", actual[i])
		if math.IsNaN(p) {
			return 0
		}
		switch checkProbability("CurvePower", predicted[i]) {
		case 0: // at most the undecided ones are storable
			agree *= math.Exp(logBinomialUpper(n-undecided[i], n, 1-p, p))
		case 1:
			agree *= math.Exp(logBinomialUpper(n-undecided[i], n, p, 1-p))
		default:
			truth, open = append(truth, curveLoad{trials: n, p: p, q: 1 - p}), append(open, undecided[i])
		}
	}
	if len(null) == 0 {
		return 1 - agree
	}
	setWeights(null)
	hidden := 0
	for i := range truth {
		truth[i].weight = null[i].weight
		hidden += truth[i].weight * open[i]
	}
	law, offset, _ := tiltedLaw(null, 0)
	low, high := offset+countWhile(law, 0, 1, level), offset+len(law)-1-countWhile(law, len(law)-1, -1, level)
	// Rejected are T < low and T > high.
	law, offset, _ = tiltedLaw(truth, 0)
	rejected := 0.0
	for j, v := range law {
		if t := offset + j; t+hidden < low || t-hidden > high {
			rejected += v
		}
	}
	return math.Min(1, 1-agree*(1-rejected))
}

// countWhile returns how many values from an end of a law have twice the tail up to and with them
// within the level.
func countWhile(law []float64, from, step int, level float64) int {
	tail, n := 0.0, 0
	for j := from; j >= 0 && j < len(law); j += step {
		if tail += law[j]; 2*tail > level {
			break
		}
		n++
	}
	return n
}
