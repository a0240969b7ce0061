package accuracy

import (
	"fmt"
	"math"

	"lamcap/extremes"
	"lamcap/harness/table"
)

// Table renders the report, a row for each load.
func (r *Report) Table() *table.Table {
	interval := fmt.Sprintf("%v%% interval", 100*r.Level)
	vectors := false
	for _, x := range r.Points {
		vectors = vectors || !math.IsNaN(x.Vector.Value)
	}
	t := &table.Table{
		Name: "accuracy", Title: "Recall against the load α = p log p/d², n = p: memories trained to the minimum of the cross-entropy, and theory",
		Columns: []table.Column{
			{Key: "d"}, {Key: "alpha", Head: "α", Digits: 4}, {Key: "p"}, {Key: "load", Head: "p/p_c", Digits: 3},
			{Key: "op", Head: "OP", Digits: 4}, {Key: "op_interval", Head: interval, Digits: 4},
			{Key: "op_trials", Hidden: true}, {Key: "op_stored", Hidden: true},
			{Key: "dp", Head: "DP", Digits: 4}, {Key: "dp_interval", Head: interval, Digits: 4},
			{Key: "dp_trials", Hidden: true}, {Key: "dp_stored", Hidden: true},
			{Key: "score_level", Head: "score level", Digits: 4}, {Key: "score_level_error", Hidden: true},
			{Key: "vector_level", Head: "vector level", Digits: 4, Hidden: !vectors}, {Key: "vector_level_error", Head: "±", Digits: 2, Hidden: !vectors}, {Key: "vector_draws", Hidden: true},
			{Key: "hebb_op", Head: "Hebb OP", Digits: 4}, {Key: "hebb_op_interval", Hidden: true},
			{Key: "hebb_op_theory", Head: "theory", Digits: 4}, {Key: "hebb_op_theory_error", Hidden: true},
			{Key: "hebb_dp", Head: "Hebb DP", Digits: 4}, {Key: "hebb_dp_interval", Hidden: true},
			{Key: "hebb_dp_theory", Head: "theory", Digits: 4}, {Key: "hebb_dp_theory_error", Hidden: true},
			{Key: "hebb_trials", Hidden: true},
			{Key: "limit", Head: "limit"},
			{Key: "keys_embedding", Hidden: true}, {Key: "values_embedding", Hidden: true}, {Key: "seed", Hidden: true},
		},
		Notes: []string{
			"OP, DP: means over instances, Student's intervals; stored instances count as 1, by a witness: no minimum is reached there. Limit: d → ∞ at fixed α.",
			"Score level: saddle point with independent competitors. Vector level: competitors in R^d, keys of their lengths in R^d; ± one standard error.",
			"Empty: the vector level next to p_c, where draws do not tell the phase; simulations left to theory for their cost, Hebb's to its law.",
			"Hebb: keys and values of norm √d, whatever the embeddings of the others.",
		},
	}
	for _, x := range r.Points {
		row := []any{x.D, x.Alpha, x.P, float64(x.P) / x.Critical}
		for _, recall := range []Recall{x.OP, x.DP} {
			row = append(row, number(recall.Mean), r.interval(recall), recall.N, recall.Stored)
		}
		row = append(row, number(x.Score.Value), number(x.Score.Error), number(x.Vector.Value), number(x.Vector.Error), x.VectorDraws)
		for _, h := range []struct {
			recall Recall
			theory extremes.Value
		}{{x.HebbOP, x.HebbOPTheory}, {x.HebbDP, x.HebbDPTheory}} {
			row = append(row, number(h.recall.Mean), r.interval(h.recall), number(h.theory.Value), number(h.theory.Error))
		}
		t.Append(append(row, x.HebbOP.N, x.Limit, r.Keys, r.Values, r.Seed)...)
	}
	return t
}

func (r *Report) interval(recall Recall) table.Interval {
	if recall.N < 2 {
		return table.Interval{Lo: math.NaN(), Hi: math.NaN()}
	}
	return table.Interval(recall.Interval(r.Level))
}

func number(x float64) any {
	if math.IsNaN(x) {
		return nil
	}
	return x
}
