package facts

import (
	"fmt"
	"math"

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
		clouds.Append(c.name, c.cloud.Vectors, c.cloud.Dimension, c.cloud.Rank, c.cloud.ParticipationRatio, c.cloud.MeanShare, c.from.Preprocessing, c.from.Path)
	}
	predictions := &table.Table{Name: "prediction", Title: "What theory expects of as many facts", Columns: []table.Column{
		{Key: "theory"}, {Key: "weights", Digits: 6}, {Key: "p_c", Digits: 5}, {Key: "p_c_error", Head: "± (p_c)", Digits: 2},
		{Key: "probability", Head: "P(storable)", Digits: 4}, {Key: "probability_error", Head: "± (P)", Digits: 2},
	}}
	for _, p := range th.Predictions {
		predictions.Append(p.Theory, p.Weights, p.Critical, p.CriticalError, p.Probability, p.ProbabilityError)
	}
	predictions.Notes = append(predictions.Notes, "gaussian: random keys and values of those ranks. given_values: random keys, the values as they are.")
	predictions.Notes = append(predictions.Notes, th.Notes...)
	tables := []*table.Table{clouds, predictions}
	if len(th.Inside) > 0 {
		inside := &table.Table{Name: "inside", Title: "Values of facts inside the hull of the others, up to round-off, that no memory ranks first beyond it", Columns: []table.Column{{Key: "value"}, {Key: "value_name"}}}
		for _, row := range th.Inside {
			inside.Append(row, named(f.values, row))
		}
		tables = append(tables, limited(inside, most))
	}
	return tables
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
