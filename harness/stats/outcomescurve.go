package stats

import (
	"fmt"
	"math"
)

// OutcomesCurve is what became of the instances at the loads of a transition, some of them
// undecided. It is tested as [CurvePValue] tests counts, in the reading of the undecided
// instances that is least favourable to a rejection: of each tail for itself, as
// [Outcomes] has it.
type OutcomesCurve []Outcomes

// PValue returns the exact two-sided p-value of a predicted curve; without undecided
// instances it is CurvePValue. Arguments, NaN and panics as there.
func (c OutcomesCurve) PValue(predicted []float64) float64 {
	return math.Exp(c.tails(predicted).logTwoSided())
}

// Z returns the normal equivalent of PValue, positive when more is stored than predicted.
func (c OutcomesCurve) Z(predicted []float64) float64 { return c.tails(predicted).z() }

// Rejects returns how strongly the curve speaks against a named theory.
func (c OutcomesCurve) Rejects(theory string, predicted []float64) Rejection {
	return newRejection(theory, c.tails(predicted))
}

// DeviancePValue returns [CurveDeviancePValue] in the reading of the undecided instances that is least
// favourable to a rejection: at each load the one nearest to what is predicted, where the
// deviance, which is convex, is least. Arguments, NaN and panics as of PValue.
func (c OutcomesCurve) DeviancePValue(predicted []float64) float64 {
	c.check(predicted)
	stored, trials := make([]int, len(c)), make([]int, len(c))
	for i, o := range c {
		lo, hi := o.Stored, o.Stored+o.Undecided
		stored[i], trials[i] = lo, o.Trials
		if o.Undecided == 0 || math.IsNaN(predicted[i]) {
			continue
		}
		load := curveLoad{trials: o.Trials, p: checkProbability("OutcomesCurve", predicted[i]), q: 1 - predicted[i]}
		below := min(max(int(math.Floor(float64(o.Trials)*load.p)), lo), hi)
		above := min(below+1, hi)
		if stored[i] = below; load.deviance(above) < load.deviance(below) {
			stored[i] = above
		}
	}
	return CurveDeviancePValue(stored, trials, predicted)
}

func (c OutcomesCurve) tails(predicted []float64) tails {
	c.check(predicted)
	fewest, most, trials := make([]int, len(c)), make([]int, len(c)), make([]int, len(c))
	for i, o := range c {
		fewest[i], most[i], trials[i] = o.Stored, o.Stored+o.Undecided, o.Trials
		// A prediction of 0 or 1 that some reading agrees with is not contradicted.
		switch p := checkProbability("OutcomesCurve", predicted[i]); {
		case p == 0 && fewest[i] == 0:
			most[i] = 0
		case p == 1 && most[i] == trials[i]:
			fewest[i] = trials[i]
		}
	}
	return tails{
		lower: curveTails(most, trials, predicted).lower,
		upper: curveTails(fewest, trials, predicted).upper,
	}
}

func (c OutcomesCurve) check(predicted []float64) {
	if len(c) != len(predicted) {
		panic(fmt.Sprintf("stats: OutcomesCurve: %d loads, %d predicted: want equal lengths", len(c), len(predicted)))
	}
	for _, o := range c {
		if o.Undecided < 0 {
			panic(fmt.Sprintf("stats: OutcomesCurve: undecided = %d: want undecided ≥ 0", o.Undecided))
		}
		o.fewest().check("OutcomesCurve")
		o.most().check("OutcomesCurve")
	}
}

// Power returns a lower bound on the probability that PValue rejects the predicted curve at
// significance level `level` when instances are storable with the actual
// probabilities and as many are undecided at each load as here, whichever they are. Without
// undecided instances it is CurvePower. Stored does not count.
func (c OutcomesCurve) Power(predicted, actual []float64, level float64) float64 {
	c.check(predicted)
	trials, undecided := make([]int, len(c)), make([]int, len(c))
	for i, o := range c {
		trials[i], undecided[i] = o.Trials, o.Undecided
	}
	return curvePower(trials, undecided, predicted, actual, level)
}

// Resolution returns the nearest scales on both sides of the one on trial that would be found
// out with the given power at significance level `level`: the theory is At(scale), the truth
// At(lo) or At(hi) (the reverse of [CurveFamily.Detectable]). Ends are 0 or +Inf where none
// is found so often. Undecided instances are taken as Power takes them.
func (c OutcomesCurve) Resolution(f CurveFamily, scale, level, power float64) Interval {
	checkLevel("Resolution", level)
	checkLevel("Resolution", power)
	theory := f.At(scale)
	return f.around(scale, func(truth float64) bool {
		return c.Power(theory, f.At(truth), level) >= power
	})
}
