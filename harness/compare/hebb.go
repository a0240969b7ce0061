package compare

import (
	"context"
	"fmt"
	"math"

	"lamcap/harness/learn"
	"lamcap/harness/pattern"
	"lamcap/harness/stats"
	"lamcap/harness/trial"
	"lamcap/internal/status"
	"lamcap/saddle"
)

// recall is an experiment on Hebb's rule: the mean accuracy of instances with
// keys and values of norm √d.
type recall struct {
	model     pattern.Model
	d, p      int
	instances int
}

func (r recall) name() string { return fmt.Sprintf("%s d=%d p=%d", upper(r.model), r.d, r.p) }

// run returns the accuracy of every instance. Items of one instance are not
// independent, instances are.
func (r recall) run(ctx context.Context, o *Options) ([]float64, error) {
	spec := pattern.Spec{Model: r.model, DIn: r.d, DOut: r.d, P: r.p, N: r.p, Keys: pattern.Sphere, Values: pattern.Sphere}
	results := trial.Many(ctx, spec, trial.Options{Rule: learn.Hebb}, o.Seed, "hebb", r.name(), r.instances, o.tick)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	accuracy := make([]float64, len(results))
	for i, result := range results {
		if result.Status == status.Diverged {
			return nil, fmt.Errorf("hebb %s, seed %d, trial %d: diverged", r.name(), o.Seed, i)
		}
		accuracy[i] = result.Accuracy
	}
	return accuracy, nil
}

// laws returns the predictions for one item: the law at vector level, and the
// limit's.
func (r recall) laws() (vector, limit float64, err error) {
	p := float64(r.p)
	v, err := r.law()(p)
	if err != nil {
		return 0, 0, err
	}
	l, err := saddle.HebbItemRecall(float64(r.d), p, p)
	return v.Value, l.Value, err
}

// recalls lists what section (d) measures.
func (o *Options) recalls() []recall {
	var out []recall
	for _, c := range []struct{ d, p, quick, instances, full int }{
		{24, 50, 100, 400, 1000}, {24, 100, 0, 200, 500}, {64, 300, 0, 24, 100}, {100, 1200, 0, 0, 12},
	} {
		n := c.instances
		switch {
		case o.quick:
			n = c.quick
		case o.Full:
			n = c.full
		}
		for _, m := range []pattern.Model{pattern.DP, pattern.OP} {
			if n > 0 {
				out = append(out, recall{m, c.d, c.p, n})
			}
		}
	}
	return out
}

// law is Hebb's recall of one item at vector level.
func (r recall) law() saddle.HebbLaw {
	if r.model == pattern.OP {
		return saddle.HebbOriginalLaw(r.d)
	}
	return saddle.HebbDecoupledCorrectedLaw(r.d)
}

// hebbSection is (d): item recall, and both thresholds.
func (o *Options) hebbSection() section {
	items := o.recalls()
	plan := o.hebbPlan()
	instances := 0
	for _, r := range items {
		instances += r.instances
	}
	for range plan.models {
		instances += plan.typical + len(hebbOffsets())*plan.all
	}
	return section{instances, func(ctx context.Context) ([]Section, error) {
		item := Section{
			Name:   "hebb_items",
			Letter: "d",
			Title:  "Hebb: mean item recall, keys and values of norm √d, against the law at vector level",
			Notes:  []string{"n = p. The limit is ∫ φ(z) Φ(z + d/√p)^{p−1} dz, the same for both problems."},
		}
		for _, r := range items {
			if err := o.itemRow(ctx, r, &item); err != nil {
				return nil, err
			}
		}
		threshold := Section{
			Name:   "hebb_thresholds",
			Letter: "d",
			Title:  "Hebb: the load where a typical item (half of all) is lost, and where all are recalled by half the instances",
			Notes: []string{
				"α = p log p/d² at the threshold; the limits are 1/2 (a typical item) and 1/8 (all items).",
				"All items: P(item)^p = 1/2, items taken as independent.",
			},
		}
		for _, m := range plan.models {
			t, err := plan.threshold(m)
			if err != nil {
				return nil, err
			}
			if err := o.thresholdRows(ctx, t, &threshold); err != nil {
				return nil, err
			}
		}
		return []Section{item, threshold}, nil
	}}
}

func (o *Options) itemRow(ctx context.Context, r recall, s *Section) error {
	accuracy, err := r.run(ctx, o)
	if err != nil {
		return err
	}
	vector, limit, err := r.laws()
	if err != nil {
		return err
	}
	sample := stats.NewSample(accuracy)
	s.Rows = append(s.Rows, meanRow(r.name()+" P(item)", vector, limit, sample))
	s.Rejections = append(s.Rejections, sample.Rejects("the limit law for "+r.name(), stats.Prediction{Value: limit}))
	return nil
}

// hebbThreshold is a pair of experiments on the two criteria.
type hebbThreshold struct {
	typical recall     // at the load where P(item) = 1/2
	all     transition // around the load where P(item)^p = 1/2

	typicalFacts, allFacts float64 // the predicted thresholds
	slope                  float64 // dP(item)/dp at the first
}

// hebbOffsets returns the loads of the criterion "all", relative to its threshold:
// P(item)^p is wide, it falls from 0.9 to 0.1 over about half of the threshold.
func hebbOffsets() []float64 { return []float64{-0.25, -0.12, 0, 0.12, 0.25} }

// hebbPlan says which thresholds are measured, and on how many instances.
type hebbPlan struct {
	models       []pattern.Model
	d            int
	typical, all int // instances: next to the first threshold, at each load around the second
}

func (o *Options) hebbPlan() hebbPlan {
	plan := hebbPlan{models: []pattern.Model{pattern.DP, pattern.OP}, d: 24, typical: 200, all: 200}
	switch {
	case o.quick:
		plan.models, plan.typical, plan.all = plan.models[:1], 40, 40
	case o.Full:
		plan.typical, plan.all = 500, 1000
	}
	return plan
}

// threshold predicts both thresholds and places the experiments by them.
func (plan hebbPlan) threshold(m pattern.Model) (hebbThreshold, error) {
	d := plan.d
	law := recall{model: m, d: d}.law()
	half, err := saddle.HebbTypicalThreshold(float64(d), law)
	if err != nil {
		return hebbThreshold{}, err
	}
	whole, err := saddle.HebbAllThreshold(float64(d), law)
	if err != nil {
		return hebbThreshold{}, err
	}
	const step = 0.5
	above, err := law(half.Load + step)
	if err != nil {
		return hebbThreshold{}, err
	}
	below, err := law(half.Load - step)
	if err != nil {
		return hebbThreshold{}, err
	}
	return hebbThreshold{
		typical: recall{m, d, int(math.Round(half.Load)), plan.typical},
		all: transition{experiment: "hebb all", model: m, d: d, keys: pattern.Sphere, trials: plan.all,
			options: trial.Options{Rule: learn.Hebb}, loads: around(whole.Load, whole.Load, hebbOffsets())},
		typicalFacts: half.Load, allFacts: whole.Load,
		slope: (above.Value - below.Value) / (2 * step),
	}, nil
}

func (o *Options) thresholdRows(ctx context.Context, t hebbThreshold, s *Section) error {
	accuracy, err := t.typical.run(ctx, o)
	if err != nil {
		return err
	}
	load := func(p float64) float64 { return p * math.Log(p) / float64(t.typical.d*t.typical.d) }
	// The threshold is read off the accuracy next to it, with the law's slope.
	p := float64(t.typical.p)
	facts := make([]float64, len(accuracy))
	for i, a := range accuracy {
		facts[i] = load(p) + (a-0.5)/-t.slope*(load(p+0.5)-load(p-0.5))
	}
	sample := stats.NewSample(facts)
	s.Rows = append(s.Rows, meanRow(fmt.Sprintf("%s d=%d typical item, α", upper(t.typical.model), t.typical.d),
		load(t.typicalFacts), saddle.HebbLimitTypical, sample))

	m, err := t.all.run(ctx, o)
	if err != nil {
		return err
	}
	// Hebb's rule proves nothing about other W, but whether it recalls all is
	// seen: here "undecided" means not recalled.
	for i := range m.outcomes {
		m.outcomes[i].Undecided = 0
	}
	counts := m.decided()
	for i, x := range counts.Loads {
		counts.Loads[i] = load(x)
	}
	half, predicted := counts.Fit(level), load(t.allFacts)
	s.Rows = append(s.Rows, Row{
		Quantity:  fmt.Sprintf("%s all items, α", m.name()),
		Predicted: predicted, Limit: saddle.HebbLimitAll, Measured: half.X, Interval: half.Interval,
		Z: counts.Z(predicted), P: counts.PValue(predicted), Trials: m.instances(),
	})
	s.Rejections = append(s.Rejections,
		sample.Rejects(fmt.Sprintf("α = 1/2 for %s d=%d, a typical item", upper(t.typical.model), t.typical.d), stats.Prediction{Value: saddle.HebbLimitTypical}),
		counts.Rejects(fmt.Sprintf("α = 1/8 for %s, all items", m.name()), saddle.HebbLimitAll),
		counts.Rejects(fmt.Sprintf("α = 1/2 for %s, all items (the other criterion)", m.name()), saddle.HebbLimitTypical))
	return nil
}
