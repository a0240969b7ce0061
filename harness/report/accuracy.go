package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"lamcap/extremes"
	"lamcap/harness/accuracy"
	"lamcap/harness/learn"
	"lamcap/harness/page"
	"lamcap/harness/pattern"
	"lamcap/harness/stats"
	"lamcap/harness/sweep"
	"lamcap/harness/table"
	"lamcap/harness/trial"
	"lamcap/saddle"
)

// recall is the accuracy of one cell: the mean over instances of the fraction of inputs recalled.
type recall struct {
	*cell
	accuracy.Recall
	unfinished int // trainings that ended neither at the minimum nor with everything recalled
	weights    float64
	critical   float64 // p_c
	theory     extremes.Value
	limit      float64 // the accuracy in the limit, NaN where n is not p
}

func (r recall) hebb() bool { return r.rule == learn.Hebb }

// load is p/p_c.
func (r recall) load() float64 { return float64(r.spec.P) / r.critical }

func (r recall) alpha() float64 { return r.shape().load(float64(r.spec.P)) }

// fixed is n where it is not p, or 0.
func (c *cell) fixed() int {
	if c.spec.N != c.spec.P {
		return c.spec.N
	}
	return 0
}

// judged reports whether the law is claimed to hold at this size: Hebb's for vectors of norm √d.
func (r recall) judged() bool {
	return r.hebb() && r.onSphere() && !math.IsNaN(r.theory.Value)
}

func (r recall) onSphere() bool {
	return r.spec.Keys == pattern.Sphere && r.spec.Values == pattern.Sphere
}

// recalls are those of trained memories, and of Hebb's rule whatever was asked of it: at a minimum
// of the cross-entropy, not where a decision ended, accuracies have a theory.
func (b *builder) recalls() []recall {
	var out []recall
	for _, c := range b.cells {
		if c.rule == learn.MaxMargin || c.measure == sweep.Storage && c.rule != learn.Hebb {
			continue
		}
		r := recall{cell: c, theory: unknown(), weights: math.NaN(), critical: math.NaN()}
		var values []float64
		for _, record := range c.records {
			values = append(values, record.Result.Accuracy)
			stored := record.Result.Outcome == trial.Stored
			if stored {
				r.Stored++
			}
			if !record.Result.Status.OK() && !stored {
				r.unfinished++
			}
		}
		r.Sample = stats.NewSample(values)
		if n, err := b.spectra.EffectiveDimension(c.spec.DOut, c.spec.DIn, c.rank); err != nil {
			b.lacks("accuracy", "N_eff of "+r.curve(), err)
		} else if critical, err := (&transition{ensemble: c.ensemble, fixed: c.fixed()}).criticalOf(n.Value); err != nil {
			b.lacks("accuracy", "p_c of "+r.curve(), err)
		} else {
			r.weights, r.critical = n.Value, critical.Facts
		}
		r.limit = 1
		if s := c.shape(); c.fixed() > 0 || math.IsNaN(s.limit()) {
			r.limit = math.NaN() // α = p log p/(d_in d_out) is the load of n = p
		} else if !(r.alpha() < s.limit()) {
			r.limit = 0
		}
		out = append(out, r)
	}
	slices.SortStableFunc(out, func(x, y recall) int { // by p within an ensemble
		a, b := x.ensemble, y.ensemble
		a.spec.P, a.spec.N, b.spec.P, b.spec.N = 0, 0, 0, 0
		a.options, b.options = sweep.Options{}, sweep.Options{} // which stay in the order of cells
		return cmp.Or(compareEnsembles(a, b), cmp.Compare(x.fixed(), y.fixed()), cmp.Compare(x.spec.P, y.spec.P))
	})
	return out
}

// training is the saddle point of a recall.
func (r recall) training() saddle.Training {
	return saddle.Training{Weights: r.weights, Facts: float64(r.spec.P), Candidates: float64(r.spec.N)}
}

// accuracySection is recall beyond capacity.
func (b *builder) accuracySection() (*page.Section, error) {
	all := b.recalls()
	if len(all) == 0 {
		return nil, nil
	}
	panels := accuracyPanels(all)
	var need []saddle.Training
	for _, r := range all {
		if !r.hebb() && r.spec.N >= 2 && !math.IsNaN(r.weights) {
			need = append(need, r.training())
		}
	}
	for _, p := range panels {
		need = append(need, p.between()...)
	}
	if err := b.train(need); err != nil {
		return nil, err
	}
	for i := range all {
		if err := b.predictRecall(&all[i]); err != nil {
			b.lacks("accuracy", fmt.Sprintf("recall of %s at p = %d", all[i].curve(), all[i].spec.P), err)
		}
	}
	s := &page.Section{
		ID: "accuracy", Title: "Accuracy beyond capacity",
		Text: []string{
			"The fraction of inputs that are recalled strictly, a mean over instances with Student's interval, of memories trained to the minimum of the cross-entropy and of Hebb's rule. Where everything is recalled there is no minimum: training stopped at its loss tolerance, and the instance counts as 1.",
			"Theory of the minimum is the saddle point at score level, where competitors are independent of the correct score: the limit d → ∞ at fixed n. It is not judged, as it lacks what finite d does to lengths. Hebb's laws are those of vectors of norm √d, of one pool for all inputs (OP) and of a pool each (DP). In the limit recall is a step at α = I(κ)/2, 1/2 at full rank.",
		},
		Tables: []*table.Table{b.accuracyTable(all)},
	}
	f, err := b.accuracyFigure(panels)
	if err != nil {
		return nil, err
	}
	if f != nil {
		s.Figures = append(s.Figures, *f)
	}
	b.rejectRecalls(all)
	return s, nil
}

// predictRecall adds the theory to a recall.
func (b *builder) predictRecall(r *recall) error {
	p, n := float64(r.spec.P), float64(r.spec.N)
	if !r.hebb() {
		t := b.trained[r.training()]
		switch {
		case t == nil: // told when it was not found
		case math.IsNaN(t.Accuracy.Value):
			return fmt.Errorf("the saddle point of training gives none (%v)", t.Accuracy.Status)
		default:
			r.theory = t.Accuracy
		}
		return nil
	}
	var err error
	if law := hebbLaw(r.ensemble, r.fixed()); law != nil && p >= 2 && n >= 2 {
		var v extremes.Value
		if v, err = law(p); err == nil {
			r.theory = v
		}
	}
	return err
}

// hebbLaw is that of square memories; nil where there is none.
func hebbLaw(e ensemble, fixed int) saddle.HebbLaw {
	d := e.spec.DOut
	switch {
	case !e.shape().square() || d < 2:
		return nil
	case e.spec.Model == pattern.OP && fixed == 0:
		return saddle.HebbOriginalLaw(d)
	case e.spec.Model == pattern.OP:
		return nil
	case fixed > 0:
		return func(p float64) (extremes.Value, error) {
			return saddle.HebbItemRecallDecoupledCorrected(d, p, float64(fixed))
		}
	}
	return saddle.HebbDecoupledCorrectedLaw(d)
}

func (b *builder) accuracyTable(all []recall) *table.Table {
	var es []ensemble
	fixed := false
	unfinished := false
	for _, r := range all {
		es, fixed, unfinished = append(es, r.ensemble), fixed || r.fixed() > 0, unfinished || r.unfinished > 0
	}
	columns := sizeColumns(es, fixed)
	for i := range columns {
		if columns[i].Key == "rule" {
			columns[i].Hidden = false
		}
	}
	t := &table.Table{
		Name: "accuracy", Title: "Recall against the load",
		Columns: append(columns,
			table.Column{Key: "p"}, table.Column{Key: "alpha", Head: "α", Digits: 4}, table.Column{Key: "load", Head: "p/p_c", Digits: 4},
			table.Column{Key: "trials"}, table.Column{Key: "all_recalled", Head: "all recalled"}, table.Column{Key: "unfinished", Hidden: !unfinished},
			table.Column{Key: "accuracy", Digits: 4}, table.Column{Key: "accuracy_interval", Head: b.intervalHead(), Digits: 4},
			table.Column{Key: "theory", Digits: 4}, table.Column{Key: "theory_error", Head: "±", Digits: 1}, table.Column{Key: "limit"},
			table.Column{Key: "z", Digits: 2, Verb: 'f'}, table.Column{Key: "p_value", Head: "p-value", Digits: 2}, table.Column{Key: "verdict"},
		),
		Notes: []string{
			"Where everything is recalled in all instances, the interval is Wilson's for the fraction of such instances, which the mean accuracy is not below.",
			"Judged: Hebb's rule with keys and values of norm √d, whose law holds at this size.",
		},
	}
	if unfinished {
		t.Notes = append(t.Notes, "unfinished: trainings that ended neither at the minimum nor with everything recalled.")
	}
	for _, r := range all {
		z, value := math.NaN(), math.NaN()
		if r.judged() {
			z, value = r.Test(stats.Prediction{Value: r.theory.Value, StandardError: r.theory.Error})
		}
		t.Append(append(r.size(r.fixed()), r.spec.P, r.alpha(), number(r.load()), r.N, r.Stored, r.unfinished,
			number(r.Mean), interval(r.interval(b.o.Confidence)), number(r.theory.Value), number(r.theory.Error), number(r.limit),
			number(z), number(value), nil)...)
		b.last(t, "verdict", value)
	}
	return onPaper(t, "load", "trials", "all_recalled", "theory_error", "limit", "z")
}

// interval is that of the mean, within [0, 1]; of one instance alone nothing is known.
func (r recall) interval(level float64) stats.Interval {
	if r.N < 2 {
		return stats.Interval{Lo: 0, Hi: 1}
	}
	return r.Recall.Interval(level)
}

// rejectRecalls puts wrong theories to the data: the limit's step at the first load beyond it
// where accuracies vary, competitors that training does not push at the last, and Hebb's law as
// d → ∞.
func (b *builder) rejectRecalls(all []recall) {
	for _, g := range grouped(all, recall.curve) {
		step := slices.IndexFunc(g.all, func(r recall) bool { return r.limit == 0 && !math.IsNaN(r.StandardError()) })
		if step >= 0 {
			r := g.all[step]
			b.reject("accuracy", r.Rejects(fmt.Sprintf("the limit's step for %s at p = %d, α = %.2f (nothing is recalled)", g.name, r.spec.P, r.alpha()), stats.Prediction{Value: 0}))
		}
		r := g.all[len(g.all)-1]
		if r.spec.N < 2 || r.spec.P < 2 {
			continue
		}
		if r.hebb() {
			limit, err := saddle.HebbItemRecall(math.Sqrt(float64(r.spec.DIn)*float64(r.spec.DOut)), float64(r.spec.P), float64(r.spec.N))
			if err != nil {
				b.lacks("accuracy", fmt.Sprintf("Hebb's law as d → ∞, a wrong theory, for %s at p = %d", g.name, r.spec.P), err)
				continue
			}
			b.reject("accuracy", r.Rejects(fmt.Sprintf("Hebb's law as d → ∞ for %s at p = %d", g.name, r.spec.P), stats.Prediction{Value: limit.Value}))
			continue
		}
		if !(r.load() >= 1) {
			continue
		}
		_, _, value, err := saddle.UnresponsiveTraining(r.training())
		if err != nil {
			continue // it has no solution: there is nothing to reject
		}
		b.reject("accuracy", r.Rejects(fmt.Sprintf("competitors that training does not push, for %s at p = %d", g.name, r.spec.P), stats.Prediction{Value: value}))
	}
}

// curve names the ensembles that differ in p alone.
func (r recall) curve() string {
	return label(fmt.Sprintf("%s %v %v", upper(r.spec.Model), r.rule, r.shape()), onlyIf(r.fixed() > 0, fmt.Sprintf("n = %d", r.spec.N)), embeddings(r.spec))
}
