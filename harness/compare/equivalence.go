package compare

import (
	"context"
	"fmt"
	"math"

	"lamcap/harness/equivalence"
	"lamcap/harness/stats"
	"lamcap/saddle"
)

// differences are the quantities of trained pairs that are shown, and that reject OP = DP.
func differences() []equivalence.Quantity {
	return []equivalence.Quantity{equivalence.LogNorm, equivalence.CorrectMean, equivalence.CorrectStd, equivalence.LargestMean}
}

func (o *Options) equivalencePlan() equivalence.Options {
	p := equivalence.Options{Seed: o.Seed, Progress: o.Progress}
	add := func(d, op, near, pairs int) {
		s := equivalence.Shape{DIn: d, DOut: d}
		p.Storages = append(p.Storages, equivalence.Storage{Shape: s, Trials: op, NearTrials: near})
		p.Trainings = append(p.Trainings, equivalence.Training{Shape: s, Load: equivalence.TrainingLoad, Trials: pairs})
	}
	switch {
	case o.quick:
		add(12, 8, 8, 8)
	case o.Full:
		add(12, 200, 200, 100)
		add(24, 60, 60, 40)
		add(48, 24, 0, 12)
	default:
		add(12, 80, 80, 40)
		add(24, 24, 24, 16)
	}
	return p
}

// equivalenceSection is (l): OP against DP.
func (o *Options) equivalenceSection() (section, error) {
	plan := o.equivalencePlan()
	instances, err := equivalence.Instances(plan)
	if err != nil {
		return section{}, err
	}
	return section{instances, func(ctx context.Context) ([]Section, error) {
		r, err := equivalence.Measure(ctx, plan)
		if err != nil {
			return nil, err
		}
		s := Section{
			Name: "equivalence", Letter: "l",
			Title: "Equivalence: OP, with one pool, less DP, with a pool for each input, pairs with the same keys",
			Notes: []string{
				"DP stored: next to p_c, by the exact theory with its d_out; judged. OP − DP is not: it has no theory but for the half-points, predicted by",
				"the values that inputs share, resummed in d_out/p, and what that leaves out is estimated only. What is rejected is that there is no difference.",
				"Trained beyond capacity, at p = 1.3 p_c, to the minimum of the cross-entropy; scores are in units of ‖W‖. The limit 0 is what the theory says of d → ∞.",
			},
		}
		for i, x := range r.Transitions {
			if err := decoupledRow(x, plan.Storages[i].NearTrials, &s); err != nil {
				return nil, err
			}
			s.Rows = append(s.Rows, nearRow(x), excessRow(x))
			counts := x.OP.Counts()
			s.Rejections = append(s.Rejections,
				counts.RejectsKnownWidth(fmt.Sprintf("OP = DP at d = %v, in its half-point and its width", x.Shape), x.TheoryHalf, x.Width))
		}
		for _, x := range r.Trainings {
			for _, q := range differences() {
				s.Rows = append(s.Rows, differenceRow(x, q))
				s.Rejections = append(s.Rejections, x.Difference[q].Rejects(fmt.Sprintf("OP = DP at d = %v in %v", x.Shape, q), stats.Prediction{}))
			}
			s.Rows = append(s.Rows, differenceRow(x, equivalence.Accuracy))
		}
		return []Section{s}, nil
	}}, nil
}

// decoupledRow compares the fraction of DP's instances that are stored next to p_c with its exact
// probability. Pairs with an undecided member count as undecided: the test holds for all readings.
func decoupledRow(x equivalence.Transition, near int, s *Section) error {
	if near == 0 {
		return nil
	}
	weights, p := float64(x.DIn*x.DOut), float64(x.Near)
	exact, err := saddle.NewTransition().Decoupled(x.DOut).Probability(weights, p, p)
	if err != nil {
		return err
	}
	limit, err := LimitDimension().Storable(weights, x.Near)
	if err != nil {
		return err
	}
	_, dp := x.Pairs.Margins()
	c := stats.Outcomes{Stored: dp.Successes, Undecided: near - dp.Trials, Trials: near}
	name := fmt.Sprintf("d=%v p=%d DP stored", x.Shape, x.Near)
	s.Rows = append(s.Rows, Row{
		Quantity: name, Predicted: exact.Value, Limit: limit, Measured: float64(c.Stored) / float64(c.Trials),
		Interval: c.Interval(level), Z: c.Z(exact.Value), P: c.PValue(exact.Value),
		Trials: c.Trials, CountsStored: true, Stored: c.Stored, Undecided: c.Undecided,
	})
	s.Rejections = append(s.Rejections, stats.CurveRejects(
		"D_n = 2 log n (the limit) for "+name, []int{dp.Successes}, []int{dp.Trials}, []float64{limit}))
	return nil
}

// nearRow shows the fractions stored next to p_c, as a paired difference.
func nearRow(x equivalence.Transition) Row {
	row := Row{
		Quantity:  fmt.Sprintf("d=%v p=%d stored, OP − DP", x.Shape, x.Near),
		Predicted: math.NaN(), Limit: math.NaN(), Measured: x.Pairs.Difference(), Interval: x.Pairs.Interval(level), Trials: x.Pairs.Pairs(),
	}
	row.Z, row.P = untested()
	return row
}

// differenceRow shows how trained pairs differ.
func differenceRow(x equivalence.Trained, q equivalence.Quantity) Row {
	d := x.Difference[q]
	row := Row{
		Quantity:  fmt.Sprintf("d=%v %v, OP − DP", x.Shape, q),
		Predicted: math.NaN(), Limit: 0, Measured: d.Mean, Interval: d.Interval(level), Trials: x.Pairs,
	}
	row.Z, row.P = untested()
	return row
}

// excessRow shows OP's half-point over that of DP beside its theory, without a verdict: what that
// leaves out is estimated, not bounded, and the estimate is too wide for a test to fail.
func excessRow(x equivalence.Transition) Row {
	half, trials := x.OP.Half, 0
	for _, c := range x.OP.Outcomes {
		trials += c.Trials
	}
	row := Row{
		Quantity:  fmt.Sprintf("d=%v p_½ of OP/DP − 1", x.Shape),
		Predicted: x.TheoryOP.Value/x.TheoryHalf - 1, Limit: 0, Measured: half.X/x.TheoryHalf - 1,
		Interval: stats.Interval{Lo: half.Interval.Lo/x.TheoryHalf - 1, Hi: half.Interval.Hi/x.TheoryHalf - 1}, Trials: trials,
	}
	row.Z, row.P = untested()
	return row
}
