package compare

import (
	"context"
	"fmt"

	"lamcap/harness/learn"
	"lamcap/harness/measure"
	"lamcap/harness/pattern"
	"lamcap/harness/scores"
	"lamcap/harness/stats"
)

// scoresPlan says how many instances section (k) takes.
type scoresPlan struct{ d, p, beyond, hebb, trained int }

func (o *Options) scoresPlan() scoresPlan {
	switch {
	case o.quick:
		return scoresPlan{12, 20, 60, 60, 8}
	case o.Full:
		return scoresPlan{24, 60, 231, 1000, 200}
	}
	return scoresPlan{24, 60, 231, 200, 40}
}

// scoresSection is (k).
func (o *Options) scoresSection() section {
	plan := o.scoresPlan()
	instances := 3*plan.hebb + 2*plan.trained
	if o.quick {
		instances -= plan.trained
	}
	return section{instances, func(ctx context.Context) ([]Section, error) {
		s := Section{
			Name:   "scores",
			Letter: "k",
			Title:  "Scores S/‖W‖_F of targets, and the largest of the others: means over instances",
			Notes: []string{
				"Hebb's, DP: the law at vector level, where W e_μ contains the target's value; the limit: d/√p, and the largest of n − 1 normals.",
				"OP's competitors are stored too: only the correct score has a law.",
				"Max-margin, and L-BFGS at the minimum of the cross-entropy: vector level (Monte Carlo, saddle/vector) and, for the limit, score",
				"level. Of the largest margin at d = 24 more is left, of the order 1/(d_in d_out) and d/p, than is resolved: shown, not judged.",
			},
		}
		sphere, gaussian := pattern.Sphere, pattern.Gaussian
		for _, c := range []struct {
			model pattern.Model
			e     pattern.Embedding
		}{{pattern.DP, sphere}, {pattern.DP, gaussian}, {pattern.OP, gaussian}} {
			if err := o.hebbScores(ctx, plan, c.model, c.e, &s); err != nil {
				return nil, err
			}
		}
		if !o.quick {
			if err := o.trainedScores(ctx, plan, learn.MaxMargin, false, &s); err != nil {
				return nil, err
			}
		}
		plan.p = plan.beyond
		if err := o.trainedScores(ctx, plan, learn.LBFGS, true, &s); err != nil {
			return nil, err
		}
		return []Section{s}, nil
	}}
}

func (o *Options) measureScores(ctx context.Context, plan scoresPlan, rule learn.Rule, model pattern.Model, e pattern.Embedding, instances int) (scores.Measurement, error) {
	grid := measure.Grid{
		Shapes: []measure.Shape{{DOut: plan.d, DIn: plan.d, Rank: plan.d}}, Models: []pattern.Model{model},
		Rules: []learn.Rule{rule}, Facts: []int{plan.p}, Keys: e, Values: e,
	}
	cells, err := grid.Cells(o.spectra)
	if err != nil {
		return scores.Measurement{}, err
	}
	ms, err := scores.Run(ctx, cells, scores.Options{Trials: instances, Seed: o.Seed, Tick: o.tick})
	if err != nil {
		return scores.Measurement{}, err
	}
	return ms[0], ms[0].Missing // both levels are compared
}

func (o *Options) hebbScores(ctx context.Context, plan scoresPlan, model pattern.Model, e pattern.Embedding, s *Section) error {
	m, err := o.measureScores(ctx, plan, learn.Hebb, model, e, plan.hebb)
	if err != nil {
		return err
	}
	limit, vector := m.Laws[0], m.Laws[1]
	name := fmt.Sprintf("Hebb %s d=%d p=%d %v", upper(model), plan.d, plan.p, e)
	s.Rows = append(s.Rows, scoreRow(name+" correct", m.Correct, vector.Correct, limit.Correct))
	if m.Spec.Model == pattern.OP {
		s.Rejections = append(s.Rejections, m.Correct.Mean.Rejects("√(2 log p) for "+name+" correct", stats.Prediction{Value: m.Extremes.Root}))
		return nil
	}
	s.Rows = append(s.Rows, scoreRow(name+" largest wrong", m.Wrong, vector.Wrong, limit.Wrong))
	s.Rejections = append(s.Rejections, m.Wrong.Mean.Rejects("the largest of n − 1 normals for "+name+" largest wrong", stats.Prediction{Value: limit.Wrong.Mean}))
	return nil
}

// trainedScores compares DP trained with a rule at p facts; only what is judged has a
// test.
func (o *Options) trainedScores(ctx context.Context, plan scoresPlan, rule learn.Rule, judged bool, s *Section) error {
	m, err := o.measureScores(ctx, plan, rule, pattern.DP, pattern.Gaussian, plan.trained)
	if err != nil {
		return err
	}
	limit, vector := m.Laws[0], m.Laws[1]
	name := fmt.Sprintf("%v DP d=%d p=%d", rule, plan.d, plan.p)
	for _, q := range []struct {
		quantity      string
		kind          scores.Kind
		vector, limit scores.Marginal
	}{{"correct", m.Correct, vector.Correct, limit.Correct}, {"largest wrong", m.Wrong, vector.Wrong, limit.Wrong}} {
		r := scoreRow(name+" "+q.quantity, q.kind, q.vector, q.limit)
		if !judged {
			r.Z, r.P = untested()
		}
		s.Rows = append(s.Rows, r)
	}
	s.Rejections = append(s.Rejections,
		m.Correct.Mean.Rejects("score level, d → ∞, for "+name+" correct", stats.Prediction{Value: limit.Correct.Mean}),
		m.Correct.Mean.Rejects("√(2 log p) for "+name+" correct", stats.Prediction{Value: m.Extremes.Root}),
		m.Wrong.Mean.Rejects("the largest of n − 1 normals for "+name+" largest wrong", stats.Prediction{Value: m.Extremes.Maximum}))
	return nil
}

// scoreRow compares means over instances with a law that has a standard error.
func scoreRow(quantity string, k scores.Kind, l, limit scores.Marginal) Row {
	r := meanRow(quantity, l.Mean, limit.Mean, k.Mean)
	prediction := stats.Prediction{Value: l.Mean, StandardError: l.MeanError}
	r.Z, r.P = k.Mean.ZOf(prediction), k.Mean.PValueOf(prediction)
	return r
}
