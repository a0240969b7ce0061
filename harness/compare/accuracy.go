package compare

import (
	"context"
	"fmt"
	"math"

	"lamcap/harness/accuracy"
	"lamcap/harness/stats"
	"lamcap/saddle"
)

// accuracyPlan has a load between the limit's capacity, 1/2, and the one at finite d, and two beyond.
func (o *Options) accuracyPlan() accuracy.Options {
	c := accuracy.Curve{D: 24, Loads: []float64{0.7, 1.5, 2}, OP: 10, DP: 10, Draws: 1024}
	switch {
	case o.quick:
		c.D, c.Loads, c.OP, c.DP, c.Draws = 12, []float64{0.7, 2}, 4, 6, 256
	case o.Full:
		c.D, c.OP, c.DP, c.Draws = 32, 20, 20, 2048
	}
	return accuracy.Options{Seed: o.Seed, Curves: []accuracy.Curve{c}, Progress: o.Progress}
}

// accuracySection is (m): recall beyond the limit's capacity, and beyond the one at finite d.
func (o *Options) accuracySection() (section, error) {
	plan := o.accuracyPlan()
	instances, err := accuracy.Instances(plan)
	if err != nil {
		return section{}, err
	}
	return section{instances, func(ctx context.Context) ([]Section, error) {
		r, err := accuracy.Measure(ctx, plan)
		if err != nil {
			return nil, err
		}
		s := Section{
			Name: "accuracy", Letter: "m",
			Title: "Accuracy: the fraction recalled by the minimiser of the cross-entropy against α = p log p/d²",
			Notes: []string{
				"Below p_c: instances stored, against P(storable). Above: predicted at vector level, by Monte Carlo whose standard error",
				"counts, for DP; OP, and the score level, are shown. The limit is a step from 1 to 0 at α = 1/2.",
			},
		}
		for _, x := range r.Points {
			if err := o.accuracyRows(x, &s); err != nil {
				return nil, err
			}
		}
		return []Section{s}, nil
	}}, nil
}

func (o *Options) accuracyRows(x accuracy.Point, s *Section) error {
	at := fmt.Sprintf("d=%d α=%.3g", x.D, x.Alpha)
	if float64(x.P) < x.Critical {
		weights := float64(x.D * x.D)
		p, err := o.Theory.Storable(weights, x.P)
		if err != nil {
			return err
		}
		limit, err := LimitDimension().Storable(weights, x.P)
		if err != nil {
			return err
		}
		c := stats.Outcomes{Stored: x.DP.Stored, Trials: x.DP.N}
		s.Rows = append(s.Rows, Row{
			Quantity: "DP " + at + " stored", Predicted: p, Limit: limit, Measured: float64(c.Stored) / float64(c.Trials),
			Interval: c.Interval(level), Z: c.Z(p), P: c.PValue(p), Trials: c.Trials, CountsStored: true, Stored: c.Stored,
		})
		s.Rejections = append(s.Rejections, stats.CurveRejects(
			fmt.Sprintf("the limit's step at α = 1/2, D_n = 2 log n, at %s", at), []int{c.Stored}, []int{c.Trials}, []float64{limit}))
		return nil
	}
	prediction := stats.Prediction{Value: x.Vector.Value, StandardError: x.Vector.Error}
	row := func(name string, recall accuracy.Recall, predicted float64) Row {
		r := Row{Quantity: name + " " + at, Predicted: predicted, Limit: x.Limit, Measured: recall.Mean,
			Interval: recall.Interval(level), Trials: recall.N}
		r.Z, r.P = untested()
		return r
	}
	dp := row("DP", x.DP, x.Vector.Value)
	dp.Z, dp.P = x.DP.ZOf(prediction), x.DP.PValueOf(prediction)
	s.Rows = append(s.Rows, dp, row("OP", x.OP, x.Vector.Value), row("DP, score level,", x.DP, x.Score.Value))
	hebb, err := saddle.HebbItemRecallDecoupledCorrected(x.D, float64(x.P), float64(x.P))
	if err != nil {
		return err
	}
	s.Rejections = append(s.Rejections,
		x.DP.Rejects(fmt.Sprintf("the limit's step at α = 1/2 for DP %s", at), stats.Prediction{Value: x.Limit}),
		x.DP.Rejects(fmt.Sprintf("as many as can be stored, p_c/p, for DP %s", at), stats.Prediction{Value: math.Min(1, x.Critical/float64(x.P))}),
		x.DP.Rejects(fmt.Sprintf("Hebb's law for DP %s", at), stats.Prediction{Value: hebb.Value}))
	return nil
}
