package facts

import (
	"fmt"
	"math"

	"lamcap/harness/predict"
	"lamcap/harness/stats"
	"lamcap/harness/table"
	"lamcap/harness/trial"
)

// falseAlarms is the probability that some singular statistic of a Gaussian matrix
// is said to be another's.
const falseAlarms = 0.05

// present is a number, or nil for NaN.
func present(x float64) any {
	if math.IsNaN(x) {
		return nil
	}
	return x
}

// finite is a number, or nil for what is not known.
func finite(x float64) any {
	if math.IsInf(x, 0) {
		return nil
	}
	return present(x)
}

// InspectTables returns what given weights are beside the best: the record, a row with
// a verdict for each thing to be good at, the singular values, the vectors and what
// theory expects of them, conflicts, and the facts that the weights do not recall, at
// most so many rows of those; 0 means all.
func (f *Facts) InspectTables(r *Inspected, sources Sources, most int) []*table.Table {
	s, best := f.instance.Spec(), r.Best
	var exact, first, reversed any
	if r.Outcome == trial.NotStorable {
		exact = best.Exact
	}
	if len(r.Missed) > 0 {
		p := r.Missed[0].Pair
		first = fmt.Sprintf("key %s, value %s", labelled(f.keys, p.Key), labelled(f.values, p.Value))
	}
	if r.Transposed >= 0 {
		reversed = r.Transposed
	}
	t := &table.Table{Name: "inspect", Vertical: true, Columns: []table.Column{
		{Key: "outcome"}, {Key: "exact"}, {Key: "recalled"}, {Key: "not_recalled"}, {Key: "doubtful"}, {Key: "first_not_recalled"},
		{Key: "p"}, {Key: "n"}, {Key: "d_in"}, {Key: "d_out"}, {Key: "rank"}, {Key: "load", Digits: 4},
		{Key: "margin", Digits: 6}, {Key: "margin_bound", Digits: 6}, {Key: "gap", Digits: 2}, {Key: "norm", Digits: 6}, {Key: "unseen", Digits: 3},
		{Key: "loss", Digits: 4}, {Key: "best_scale", Digits: 4}, {Key: "scaled_loss", Digits: 4}, {Key: "recalled_transposed"},
		{Key: "keys_preprocessing"}, {Key: "values_preprocessing"}, {Key: "candidates"}, {Key: "criterion"},
		{Key: "evaluations"}, {Key: "seconds", Digits: 3}, {Key: "seed"}, {Key: "status"},
	}}
	t.Append(r.Outcome, exact, r.Recalled, s.P-r.Recalled, r.Doubtful, first, s.P, s.N, s.DIn, s.DOut, r.Rank, present(r.Gaussian.Load),
		r.Margin, r.Largest[1], present(r.Gap), r.Norm, r.Unseen, present(r.Loss), r.Scale, r.ScaledLoss, reversed,
		sources.Keys.Preprocessing, sources.Values.Preprocessing, f.candidates, "all", best.Evaluations, best.Seconds, best.Seed, best.Status)
	if r.Transposed > r.Recalled {
		t.Notes = append(t.Notes, fmt.Sprintf("Wᵀ recalls %d facts, W %d: is W transposed? Scores are u @ W @ e, of shape (d_out, d_in).", r.Transposed, r.Recalled))
	}
	tables := append([]*table.Table{t, f.againstBest(r)}, r.singularTables()...)
	tables = append(tables, r.Theory.tables(f, sources, most)...)
	if len(best.Conflicts) > 0 {
		tables = append(tables, limited(f.conflictTable(best.Conflicts), most))
	}
	if len(r.Missed) > 0 {
		missed := f.missTable(r.Missed)
		missed.Title = "Facts that W does not recall"
		tables = append(tables, limited(missed, most))
	}
	return tables
}

// againstBest has a row for each thing to be good at.
func (f *Facts) againstBest(r *Inspected) *table.Table {
	best, g, p := r.Best, r.Gaussian, float64(f.Len())
	bound := f.Len() // facts that some memory may recall
	if r.Outcome == trial.NotStorable && best.Exact {
		bound--
	}
	t := &table.Table{Name: "against_best", Title: "W, and the best memory found", Columns: []table.Column{
		{Key: "quantity"}, {Key: "of_weights", Head: "W", Digits: 6}, {Key: "of_best", Head: "best", Digits: 6}, {Key: "best_memory", Hidden: true}, {Key: "bound", Digits: 6},
		{Key: "gaussian", Head: "Gaussian vectors", Digits: 4}, {Key: "gaussian_error", Head: "± (Gaussian)", Digits: 2}, {Key: "gaussian_level", Hidden: true}, {Key: "verdict"},
	}, Notes: []string{
		"bound: what no memory exceeds. Gaussian vectors: a prediction for random vectors of these ranks and lengths, not for yours,",
		"with candidates of its own for each fact (DP): values shared by all make the margin some percent smaller (4 at d = 100, p = 700).",
	}}
	if g.Level == predict.ScoreLevel {
		t.Notes = append(t.Notes, "It is that for d → ∞ at this load: at d = 24 margins are some 20% smaller.")
	}
	if g.Note != "" {
		t.Notes = append(t.Notes, g.Note)
	}
	var level any
	if g.Level != "" {
		level = g.Level
	}
	row := func(quantity string, w, of, bound any, gaussian, e float64, verdict string) {
		var say any
		if verdict != "" {
			say = verdict
		}
		t.Append(quantity, w, of, string(best.Method), bound, present(gaussian), present(e), level, say)
	}
	row("recalled", r.Recalled, best.Recalled, bound, p*g.Accuracy, p*g.AccuracyError, f.recallVerdict(r))
	row("accuracy", float64(r.Recalled)/p, float64(best.Recalled)/p, float64(bound)/p, g.Accuracy, g.AccuracyError, "")
	row("margin", r.Margin, present(best.Margin), r.Largest[1], g.Margin, g.MarginError, f.marginVerdict(r))
	loss := best.Loss
	if best.Method == MaxMargin {
		loss = 0 // as its scale grows
	}
	row("loss", present(r.Loss), loss, nil, g.Loss, g.LossError, f.lossVerdict(r))
	return t
}

// recallVerdict says only what is proved.
func (f *Facts) recallVerdict(r *Inspected) string {
	p, best := f.Len(), r.Best
	switch {
	case f.instance.Spec().N == 1:
		return "nothing competes: every W recalls everything"
	case r.Recalled == p:
		return "all"
	case best.Outcome == trial.Stored:
		return fmt.Sprintf("%d fewer than a memory that stores all", p-r.Recalled)
	}
	what := "whether any recalls all is undecided"
	if r.Outcome == trial.NotStorable {
		if what = "no W recalls all"; !best.Exact {
			what = fmt.Sprintf("no W recalls all with a margin above %.2g", r.Largest[1])
		}
	}
	return compared(r.Recalled, best.Recalled) + " that of least cross-entropy; " + what
}

func compared(a, b int) string {
	switch {
	case a < b:
		return fmt.Sprintf("%d fewer than", b-a)
	case a > b:
		return fmt.Sprintf("%d more than", a-b)
	}
	return "as many as"
}

func (f *Facts) marginVerdict(r *Inspected) string {
	const near = 0.02
	switch {
	case f.instance.Spec().N == 1:
		return ""
	case r.Recalled < f.Len() && r.Outcome == trial.Stored:
		return fmt.Sprintf("has none; a memory with %.4g exists", r.Largest[0])
	case r.Recalled < f.Len():
		return "has none"
	case r.Gap <= near:
		return "optimal to " + percent(r.Gap) + " of the margin"
	}
	if least := 1 - r.Margin/r.Largest[0]; least > 0 {
		return fmt.Sprintf("%s to %s below the largest", percent(least), percent(r.Gap))
	}
	return "at most " + percent(r.Gap) + " below the largest"
}

// percent rounds to two digits.
func percent(x float64) string { return fmt.Sprintf("%.2g%%", 100*x) }

func (f *Facts) lossVerdict(r *Inspected) string {
	switch {
	case f.instance.Spec().N == 1:
		return ""
	case math.IsInf(r.Scale, 1) && r.Recalled == f.Len():
		return "goes to 0 as W is scaled up"
	case math.IsInf(r.Scale, 1):
		return fmt.Sprintf("goes to %.4g as W is scaled up", r.ScaledLoss)
	case r.Scale == 0:
		return fmt.Sprintf("no multiple of W has less than 0, with log n = %.4g", r.ScaledLoss)
	}
	return fmt.Sprintf("%.4g at %.4g × W, the best multiple", r.ScaledLoss, r.Scale)
}

// singularTables compares the singular values with their law.
func (r *Inspected) singularTables() []*table.Table {
	t := &table.Table{Name: "singular_values", Title: "Singular values of W beside the law at capacity", Columns: []table.Column{
		{Key: "statistic"}, {Key: "of_weights", Head: "W", Digits: 4}, {Key: "law", Digits: 4},
		{Key: "gaussian_matrices", Head: "95% of Gaussian matrices", Digits: 4}, {Key: "p_value", Digits: 2}, {Key: "verdict"},
		{Key: "shape_out", Hidden: true}, {Key: "shape_in", Hidden: true}, {Key: "shape_rank", Hidden: true}, {Key: "references", Hidden: true},
	}, Notes: []string{
		"The law, a quarter circle cut to the rank (Marchenko and Pastur's if d_in ≠ d_out), is that of isotropic Gaussian",
		"keys and values near capacity, load 1. Other vectors, as raw word vectors, have another one: to differ is no fault then.",
		"Nor is to agree a proof: that W is optimal the margin shows. Hebb's W is near a Gaussian matrix, too.",
	}}
	if r.Spectrum == nil {
		t.Notes = []string{r.SpectrumNote}
		return []*table.Table{t}
	}
	all := r.Spectrum.Statistics()
	p := make([]float64, len(all))
	for i, x := range all {
		p[i] = x.PValue
	}
	verdicts := stats.Verdicts(p, falseAlarms)
	shape := r.Spectrum.Shape
	for i, x := range all {
		say := map[stats.Verdict]string{stats.OK: "as a Gaussian matrix has it", stats.Disagrees: "not a Gaussian matrix's", stats.Untested: "not tested"}[verdicts[i]]
		t.Append(x.Name, x.Value, x.Law, table.Interval(x.Central), present(x.PValue), say, shape.DOut, shape.DIn, shape.Rank, r.Spectrum.Reference.KS.Sample.N)
	}
	return []*table.Table{t}
}
