package equivalence

import (
	"fmt"
	"math"

	"lamcap/harness/stats"
	"lamcap/harness/table"
)

// Tables renders the report: storage, trained memories, and how differences shrink.
func (r *Report) Tables() []*table.Table {
	var out []*table.Table
	if len(r.Transitions) > 0 {
		out = append(out, r.storageTable())
	}
	if len(r.Trainings) > 0 {
		out = append(out, r.trainedTable())
	}
	if laws := r.Laws(); len(laws) > 0 {
		out = append(out, r.scalingTable(laws))
	}
	return out
}

func (r *Report) storageTable() *table.Table {
	dp := false
	for _, t := range r.Transitions {
		dp = dp || len(t.DP.Loads) > 0
	}
	t := &table.Table{
		Name: "equivalence_storage", Title: "OP against DP: the load p_½ where half the instances are stored, and the fraction stored next to p_c",
		Columns: []table.Column{
			{Key: "d_in"}, {Key: "d_out"},
			{Key: "p_c", Digits: 6},
			{Key: "half_point_theory", Head: "p_½ DP, theory", Digits: 6},
			{Key: "half_point_dp", Head: "p_½ DP", Digits: 5, Hidden: !dp},
			{Key: "half_point_dp_interval", Head: interval(r.Level), Digits: 5, Hidden: !dp},
			{Key: "half_point_op_theory", Head: "p_½ OP, theory", Digits: 5}, {Key: "half_point_op_theory_error", Head: "±", Digits: 2},
			{Key: "half_point_op", Head: "p_½ OP", Digits: 5},
			{Key: "half_point_op_interval", Head: interval(r.Level), Digits: 5},
			{Key: "excess", Head: "OP/DP − 1", Digits: 3},
			{Key: "excess_interval", Head: interval(r.Level), Digits: 3},
			{Key: "d_out_over_p_c", Head: "d_out/p_c", Digits: 3},
			{Key: "coefficient", Head: "excess/(d_out/p_c)", Digits: 3},
			{Key: "width_ratio", Head: "width OP/DP", Digits: 3},
			{Key: "trials", Head: "trials/load"},
			{Key: "undecided", Hidden: true},
			{Key: "near_p", Head: "p next to p_c"},
			{Key: "stored_op", Head: "stored OP", Digits: 3},
			{Key: "stored_dp", Head: "stored DP", Digits: 3},
			{Key: "stored_difference", Head: "OP − DP", Digits: 3},
			{Key: "stored_difference_interval", Head: interval(r.Level), Digits: 3},
			{Key: "stored_pairs", Head: "pairs"},
			{Key: "stored_p_value", Head: "p-value", Digits: 2, Hidden: true},
			{Key: "keys_embedding", Hidden: true}, {Key: "values_embedding", Hidden: true}, {Key: "seed", Hidden: true},
		},
		Notes: []string{
			"n = p. p_½: maximum-likelihood probit fit, width free, likelihood-ratio interval calibrated by bootstrap. p_½ DP, theory: exact, with its d_out; OP/DP − 1 is over it.",
			"p_½ OP, theory: by the values that inputs share, resummed in d_out/p; Gaussian values; ± estimates what it leaves out.",
			"Pairs share their keys; interval of the difference by Newcombe (paired). It need not shrink with d: in widths of the transition, which narrows too, the excess does not.",
		},
	}
	for _, x := range r.Transitions {
		ratio := float64(x.DOut) / x.Critical
		e := x.OP.Half.X/x.TheoryHalf - 1
		row := []any{x.DIn, x.DOut, x.Critical, x.TheoryHalf}
		row = append(row, half(x.DP)...)
		row = append(row, number(x.TheoryOP.Value), number(x.TheoryOP.Error))
		row = append(row, half(x.OP)...)
		if len(x.OP.Loads) > 0 {
			row = append(row, number(e), table.Interval{Lo: x.OP.Half.Interval.Lo/x.TheoryHalf - 1, Hi: x.OP.Half.Interval.Hi/x.TheoryHalf - 1},
				ratio, number(e/ratio), number(x.OP.Half.Width/x.Width), x.OP.Outcomes[0].Trials)
		} else {
			row = append(row, nil, absent(), ratio, nil, nil, nil)
		}
		row = append(row, x.OP.Undecided+x.DP.Undecided, x.Near)
		if x.Pairs.Pairs() > 0 {
			a, b := x.Pairs.Margins()
			row = append(row, a.Estimate(), b.Estimate(), x.Pairs.Difference(), table.Interval(x.Pairs.Interval(r.Level)), x.Pairs.Pairs(), number(x.Pairs.PValue()))
		} else {
			row = append(row, nil, nil, nil, absent(), nil, nil)
		}
		t.Append(append(row, r.Keys, r.Values, r.Seed)...)
	}
	return t
}

// half returns the cells of a half-point and its interval.
func half(c Curve) []any {
	if len(c.Loads) == 0 {
		return []any{nil, absent()}
	}
	return []any{number(c.Half.X), table.Interval(c.Half.Interval)}
}

func (r *Report) trainedTable() *table.Table {
	t := &table.Table{
		Name: "equivalence_trained", Title: "OP against DP beyond capacity: memories trained to the minimum of the cross-entropy",
		Columns: []table.Column{
			{Key: "d_in"}, {Key: "d_out"}, {Key: "load", Head: "p/p_c"}, {Key: "p"},
			{Key: "quantity"},
			{Key: "op", Head: "OP", Digits: 4}, {Key: "dp", Head: "DP", Digits: 4},
			{Key: "difference", Head: "OP − DP", Digits: 3},
			{Key: "difference_interval", Head: interval(r.Level), Digits: 3},
			{Key: "z", Digits: 1, Verb: 'f'}, {Key: "p_value", Hidden: true},
			{Key: "pairs"}, {Key: "trials", Hidden: true}, {Key: "keys_embedding", Hidden: true}, {Key: "values_embedding", Hidden: true}, {Key: "seed", Hidden: true},
		},
		Notes: []string{
			"n = p, L-BFGS; z: Student's test of no difference, by pairs with the same keys. Scores in units of ‖W‖_F; correct score, largest wrong: means over the inputs,",
			"loss in nats per input, singular values of mean square 1. spectra: energy distance of the two laws of spectra (OP − DP column), 0 if they",
			"are equal, beside the mean Wasserstein distance of two spectra of DP (DP column).",
		},
	}
	for _, x := range r.Trainings {
		for q := range quantities {
			d := x.Difference[q]
			t.Append(x.DIn, x.DOut, x.Load, x.P, q, x.OP[q].Mean, x.DP[q].Mean, d.Mean, cell(d.Interval(r.Level)),
				number(d.Z(0)), number(d.PValue(0)), x.Pairs, x.Trials, r.Keys, r.Values, r.Seed)
		}
		s := x.Spectra
		t.Append(x.DIn, x.DOut, x.Load, x.P, "spectra", nil, x.Within.Mean, s.Mean, cell(s.Interval(r.Level)),
			number(s.Z(0)), number(s.PValue(0)), x.Pairs, x.Trials, r.Keys, r.Values, r.Seed)
	}
	return t
}

func (r *Report) scalingTable(laws []Law) *table.Table {
	t := &table.Table{
		Name: "equivalence_scaling", Title: "How OP − DP shrinks: fits of c x^(−a), and the limit x → ∞",
		Columns: []table.Column{
			{Key: "quantity"}, {Key: "load", Head: "p/p_c"}, {Key: "size", Head: "x"}, {Key: "sizes"},
			{Key: "exponent", Head: "a", Digits: 3}, {Key: "exponent_interval", Head: interval(r.Level), Digits: 3},
			{Key: "amplitude", Head: "at x₀", Digits: 3}, {Key: "amplitude_error", Head: "±", Digits: 2}, {Key: "reference", Head: "x₀", Digits: 3},
			{Key: "fit_p_value", Head: "p-value of fit", Digits: 2},
			{Key: "none_p_value", Head: "p-value of 0", Digits: 2},
			{Key: "limit", Head: "limit, 1/x", Digits: 2}, {Key: "limit_interval", Head: interval(r.Level), Digits: 2},
			{Key: "limit_fit_p_value", Head: "p-value", Digits: 2},
			{Key: "limit_quadratic", Head: "1/x, 1/x²", Digits: 2}, {Key: "limit_quadratic_interval", Head: interval(r.Level), Digits: 2},
			{Key: "limit_quadratic_fit_p_value", Hidden: true},
			{Key: "zero_within", Head: "0 within"},
			{Key: "keys_embedding", Hidden: true}, {Key: "values_embedding", Hidden: true}, {Key: "seed", Hidden: true},
		},
		Notes: []string{
			"± is one standard error of the value at x₀. An end of an exponent's interval is infinite where the values at all sizes but one may be 0.",
			"p-value of 0: no difference at any size. 0 within: whether the intervals of both limits hold 0 (one where the other has too few sizes).",
		},
	}
	for _, l := range laws {
		t.Append(l.Quantity, load(l.Load), l.Size, len(l.Points), number(l.PowerLaw.Exponent), cell(l.PowerLaw.Interval),
			number(l.PowerLaw.Amplitude), number(l.PowerLaw.AmplitudeError), number(l.PowerLaw.Reference), number(l.PowerLaw.Fit.PValue), number(l.PowerLaw.None.PValue),
			number(l.Linear.Value), cell(l.Linear.Interval), number(l.Linear.Fit.PValue),
			number(l.Quadratic.Value), cell(l.Quadratic.Interval), number(l.Quadratic.Fit.PValue),
			l.ZeroWithin(), r.Keys, r.Values, r.Seed)
	}
	return t
}

// ZeroWithin reports whether the intervals of both extrapolations hold 0.
func (l Law) ZeroWithin() bool {
	return l.Linear.Interval.Contains(0) && l.Quadratic.Interval.Contains(0)
}

func interval(level float64) string { return fmt.Sprintf("%v%% interval", 100*level) }

// number is a cell that may be missing.
func number(x float64) any {
	if math.IsNaN(x) {
		return nil
	}
	return x
}

func load(x float64) any {
	if x == 0 {
		return nil
	}
	return x
}

func cell(i stats.Interval) table.Interval { return table.Interval(i) }

// absent is an interval where there is none, which keeps the columns of csv.
func absent() table.Interval { return table.Interval{Lo: math.NaN(), Hi: math.NaN()} }
