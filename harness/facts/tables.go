package facts

import (
	"fmt"
	"math"

	"lamcap/harness/predict"
	"lamcap/harness/table"
	"lamcap/harness/trial"
)

// rowsShown is the most rows of a text that names them.
const rowsShown = 6

// limited is a table with at most so many rows, and a note of how many more there
// are; 0 means all.
func limited(t *table.Table, most int) *table.Table {
	if more := len(t.Rows) - most; most > 0 && more > 0 {
		t.Rows = t.Rows[:most]
		t.Notes = append(t.Notes, fmt.Sprintf("%d more: --format json or csv has all.", more))
	}
	return t
}

// Tables returns what storing came to: the result, the vectors, the predictions,
// and where there are some, conflicts and facts that are not recalled, at most so
// many rows of those; 0 means all. Theory may be nil.
func (f *Facts) Tables(r *Stored, th *Theory, sources Sources, most int) []*table.Table {
	s := f.instance.Spec()
	var exact, gap, loss any
	if r.Outcome == trial.NotStorable {
		exact = r.Exact
	}
	if !math.IsNaN(r.Gap) {
		gap = r.Gap
	}
	if !math.IsNaN(r.Loss) {
		loss = r.Loss
	}
	t := &table.Table{Name: "store", Vertical: true, Columns: []table.Column{
		{Key: "outcome"}, {Key: "exact"}, {Key: "recalled"}, {Key: "not_recalled"},
		{Key: "p"}, {Key: "n"}, {Key: "d_in"}, {Key: "d_out"}, {Key: "rank"},
		{Key: "method"}, {Key: "margin", Digits: 4}, {Key: "margin_bound", Digits: 4}, {Key: "gap", Digits: 2},
		{Key: "loss", Digits: 4}, {Key: "conflicts"}, {Key: "keys_preprocessing"}, {Key: "values_preprocessing"},
		{Key: "candidates"}, {Key: "criterion"}, {Key: "evaluations"}, {Key: "seconds", Digits: 3}, {Key: "seed"}, {Key: "status"},
	}}
	t.Append(r.Outcome, exact, r.Recalled, s.P-r.Recalled, s.P, s.N, s.DIn, s.DOut, r.Rank,
		string(r.Method), r.Margin, r.MarginBound, gap, loss, len(r.Conflicts), sources.Keys.Preprocessing, sources.Values.Preprocessing,
		f.candidates, "all", r.Evaluations, r.Seconds, r.Seed, r.Status)
	if r.Outcome == trial.NotStorable && !r.Exact {
		t.Notes = append(t.Notes, "Not exact: a memory with a margin below margin_bound, which round-off would hide, is not excluded.")
	}
	tables := []*table.Table{t}
	if th != nil {
		tables = append(tables, th.tables(f, sources, most)...)
	}
	if len(r.Conflicts) > 0 {
		tables = append(tables, limited(f.conflictTable(r.Conflicts), most))
	}
	if len(r.Missed) > 0 {
		tables = append(tables, limited(f.missTable(r.Missed), most))
	}
	return tables
}

func (th *Theory) tables(f *Facts, sources Sources, most int) []*table.Table {
	clouds := &table.Table{Name: "vectors", Title: "Vectors, as stored", Columns: []table.Column{
		{Key: "set"}, {Key: "vectors"}, {Key: "dimension"}, {Key: "rank"}, {Key: "participation_ratio", Digits: 4},
		{Key: "mean_share", Head: "‖mean‖/√tr C", Digits: 3}, {Key: "preprocessing"}, {Key: "source"},
	}, Notes: []string{"Of the keys of the facts and the values that compete. Rank: of keys, and of values less their mean."}}
	for _, c := range []struct {
		name  string
		cloud Cloud
		from  Source
	}{{"keys", th.Keys, sources.Keys}, {"values", th.Values, sources.Values}} {
		clouds.Append(c.name, c.cloud.Vectors, c.cloud.Dimension, c.cloud.Rank, present(c.cloud.ParticipationRatio), present(c.cloud.MeanShare), c.from.Preprocessing, c.from.Path)
	}
	predictions := &table.Table{Name: "prediction", Title: "What theory expects of as many facts", Columns: []table.Column{
		{Key: "theory"}, {Key: "weights", Digits: 6},
		{Key: "p_c", Head: fmt.Sprintf("p_c at n = %d", th.Values.Vectors), Digits: 5}, {Key: "p_c_error", Head: "± (p_c)", Digits: 2},
		{Key: "probability", Head: "P(storable)", Digits: 4}, {Key: "probability_error", Head: "± (P)", Digits: 2},
	}}
	for _, p := range th.Predictions {
		predictions.Append(p.Theory, p.Weights, p.Critical, finite(p.CriticalError), p.Probability, p.ProbabilityError)
	}
	predictions.Notes = append(predictions.Notes,
		"gaussian: random keys and values of those ranks. pool: random keys without a mean, the values as they are.",
		fmt.Sprintf("p_c: the facts that fit at these n = %d candidates. Each fact is taken by itself (DP): of facts that share one pool", th.Values.Vectors),
		"(OP) a few percent more fit at small d. ± (p_c) of pool has the sample of targets in it, ± (P) the draws for those given.",
	)
	predictions.Notes = append(predictions.Notes, th.Notes...)
	tables := []*table.Table{clouds, predictions}
	if th.OneToOne && len(th.Predictions) > 0 {
		tables = append(tables, th.oneToOneTable())
	}
	if len(th.Margins) > 0 {
		tables = append(tables, th.marginTable())
	}
	if len(th.Inside) > 0 {
		inside := &table.Table{Name: "inside", Title: "Values of facts inside the hull of the others, up to round-off, that no memory ranks first beyond it", Columns: []table.Column{{Key: "value"}, {Key: "value_name"}}}
		for _, row := range th.Inside {
			inside.Append(row, named(f.values, row))
		}
		tables = append(tables, limited(inside, most))
	}
	return tables
}

// oneToOneTable has what fits where every fact brings a candidate.
func (th *Theory) oneToOneTable() *table.Table {
	t := &table.Table{Name: "one_to_one", Title: "How many facts would fit, each with a candidate of its own (n = p)", Columns: []table.Column{
		{Key: "theory"}, {Key: "p_c", Head: "p_c at n = p", Digits: 5}, {Key: "p_c_error", Head: "± (p_c)", Digits: 2},
		{Key: "half_point", Head: "p_½, shared pool", Digits: 5}, {Key: "half_point_error", Head: "± (p_½)", Digits: 2},
	}, Notes: []string{
		"As here, where each candidate is the value of one fact. p_c: each fact taken by itself (DP). p_½: half of the instances fit,",
		"with one pool for all facts (OP), as yours have.",
	}}
	for _, p := range th.Predictions {
		t.Append(p.Theory, present(p.OneToOne), present(p.OneToOneError), present(p.HalfPoint), present(p.HalfPointError))
	}
	return t
}

// marginTable has the margins that Gaussian vectors would have.
func (th *Theory) marginTable() *table.Table {
	t := &table.Table{Name: "predicted_margin", Title: "The largest margin that theory expects", Columns: []table.Column{
		{Key: "theory"}, {Key: "margin", Digits: 4}, {Key: "margin_error", Head: "±", Digits: 2}, {Key: "level"},
		{Key: "dimension", Head: "N_eff", Digits: 6}, {Key: "hebb_dimension", Head: "N_Hebb", Digits: 6},
	}, Notes: []string{
		"gaussian: isotropic vectors of these ranks and lengths (root mean square); gaussian_spectra: of the spectra that yours have.",
		"N_eff: directions that the margin uses; N_Hebb: what stands for d_in d_out in Hebb's rule. ± bounds rounding and truncation only.",
		"Each fact is taken by itself (DP): a shared pool makes margins some percent smaller. Both fail for lengths that are not Gaussian,",
		"as of words, and for keys with a mean, which counts as one more direction. By chance the spectra of p keys and n values are wider",
		"than their law's, the more so the nearer p or n is to the dimension: gaussian_spectra is then too small.",
	}}
	for _, m := range th.Margins {
		var level any
		if m.Level != "" {
			level = m.Level
		}
		t.Append(m.Theory, present(m.Margin), present(m.Error), level, present(m.Dimension), present(m.Hebb))
	}
	for _, m := range th.Margins {
		if m.Level == predict.ScoreLevel {
			t.Notes = append(t.Notes, "Level score is that for d → ∞ at this load: at d = 24 margins are some 20% smaller.")
			break
		}
	}
	if th.MarginNote != "" {
		t.Notes = append(t.Notes, th.MarginNote)
	}
	return t
}

func (f *Facts) conflictTable(conflicts []Conflict) *table.Table {
	t := &table.Table{Name: "conflicts", Title: "Why the facts cannot be stored, each a proof by itself", Columns: []table.Column{
		{Key: "kind"}, {Key: "keys", Hidden: true}, {Key: "values", Hidden: true}, {Key: "facts"}, {Key: "reason"},
	}}
	for i := range conflicts {
		c := &conflicts[i]
		t.Append(c.Kind, f.labels(f.keys, c.Keys, len(c.Keys)), f.labels(f.values, c.Values, len(c.Values)), len(c.Facts), f.describe(c, rowsShown))
	}
	return t
}

func (f *Facts) missTable(missed []Miss) *table.Table {
	t := missTable(missed, func(row int) any { return named(f.keys, row) }, func(row int) any { return named(f.values, row) })
	t.Title = "Facts that the memory does not recall"
	return t
}

func missTable(missed []Miss, key, value func(row int) any) *table.Table {
	t := &table.Table{Name: "not_recalled", Columns: []table.Column{
		{Key: "key"}, {Key: "key_name"}, {Key: "value"}, {Key: "value_name"}, {Key: "rank"}, {Key: "score", Digits: 4},
		{Key: "answer"}, {Key: "answer_name"}, {Key: "answer_score", Digits: 4}, {Key: "tie"},
	}}
	for _, m := range missed {
		t.Append(m.Pair.Key, key(m.Pair.Key), m.Pair.Value, value(m.Pair.Value), m.Rank, m.Score, m.Answer.Value, value(m.Answer.Value), m.Answer.Score, m.Answer.Tie)
	}
	hideNames(t, "key_name", "value_name", "answer_name")
	return t
}

// hideNames hides columns that have nothing in human formats.
func hideNames(t *table.Table, keys ...string) {
	for i, c := range t.Columns {
		for _, key := range keys {
			if c.Key == key {
				t.Columns[i].Hidden = true
				for _, row := range t.Rows {
					t.Columns[i].Hidden = t.Columns[i].Hidden && row[i] == nil
				}
			}
		}
	}
}

// Tables returns the answers, and counts of the facts asked about before them.
func (r *Recalled) Tables(most int) []*table.Table {
	key := func(row int) any { return named(r.Queries, row) }
	value := func(row int) any { return named(r.Values, row) }
	top := &table.Table{Name: "answers", Columns: []table.Column{
		{Key: "query"}, {Key: "query_name"}, {Key: "rank"}, {Key: "value"}, {Key: "value_name"}, {Key: "score", Digits: 6}, {Key: "tie"},
	}}
	for q, answers := range r.Top {
		for i, a := range answers {
			top.Append(q, key(q), i+1, a.Value, value(a.Value), a.Score, a.Tie)
		}
	}
	hideNames(top, "query_name", "value_name")
	if r.Facts == 0 {
		return []*table.Table{top}
	}
	counts := &table.Table{Name: "recall", Vertical: true, Columns: []table.Column{
		{Key: "facts"}, {Key: "recalled_at_1"}, {Key: "accuracy_at_1", Digits: 4}, {Key: "interval_at_1", Digits: 3},
		{Key: "topk"}, {Key: "recalled_at_k"}, {Key: "accuracy_at_k", Digits: 4}, {Key: "interval_at_k", Digits: 3}, {Key: "level"},
	}, Notes: []string{
		"Strictly, and beyond round-off: a tie is not recalled. Intervals (Wilson) are those of facts drawn like these,",
		"which facts that the memory was trained on are not.",
	}}
	share := func(n int) float64 { return float64(n) / float64(r.Facts) }
	counts.Append(r.Facts, r.First, share(r.First), table.Interval(interval(r.First, r.Facts)), r.K, r.Kth, share(r.Kth), table.Interval(interval(r.Kth, r.Facts)), level)
	tables := []*table.Table{counts}
	if len(r.Missed) > 0 {
		missed := missTable(r.Missed, key, value)
		missed.Title = "Facts that the memory does not recall"
		tables = append(tables, limited(missed, most))
	}
	return append(tables, top)
}
