package scores

import (
	"fmt"
	"math"

	"lamcap/harness/stats"
	"lamcap/harness/table"
)

// level is the confidence of the intervals shown.
const level = 0.95

func identity() []table.Column {
	return []table.Column{
		{Key: "model"},
		{Key: "rule"},
		{Key: "d_in", Hidden: true},
		{Key: "d_out", Head: "d"},
		{Key: "rank", Head: "m"},
		{Key: "p"},
		{Key: "n", Hidden: true},
		{Key: "load", Head: "p/p_c", Digits: 3},
		{Key: "p_c", Hidden: true},
		{Key: "keys_embedding", Hidden: true},
		{Key: "values_embedding", Hidden: true},
	}
}

func (m Measurement) identity() []any {
	s := m.Spec
	return []any{s.Model, m.Rule, s.DIn, s.DOut, m.Rank, s.P, s.N, m.Load, m.Critical, s.Keys, s.Values}
}

// Table returns a row for each measurement and each of its laws (one without a law
// where there is none): mean and spread of correct and largest wrong scores beside
// those of the law, and beside the extremes of normals.
func Table(ms []Measurement) (*table.Table, error) {
	t := &table.Table{Name: "scores", Columns: append(identity(),
		table.Column{Key: "trials", Hidden: true},
		table.Column{Key: "trained"},
		table.Column{Key: "law"},
		table.Column{Key: "level"},
	), Notes: []string{
		"Scores S/‖W‖_F: means over instances, z of mean and of spread against the law (positive: above it); KS of all scores together.",
	}}
	for _, kind := range []struct{ key, head string }{{"correct", "correct"}, {"wrong", "largest wrong"}} {
		t.Columns = append(t.Columns,
			table.Column{Key: kind.key + "_mean", Head: kind.head, Digits: 4},
			table.Column{Key: kind.key + "_mean_interval", Hidden: true},
			table.Column{Key: kind.key + "_mean_law", Head: "law", Digits: 4},
			table.Column{Key: kind.key + "_mean_z", Head: "z", Digits: 1, Verb: 'f'},
			table.Column{Key: kind.key + "_mean_p_value", Hidden: true},
			table.Column{Key: kind.key + "_std", Head: "std", Digits: 3},
			table.Column{Key: kind.key + "_variance_interval", Hidden: true},
			table.Column{Key: kind.key + "_std_law", Head: "law", Digits: 3},
			table.Column{Key: kind.key + "_std_z", Head: "z", Digits: 1, Verb: 'f'},
			table.Column{Key: kind.key + "_std_p_value", Hidden: true},
			table.Column{Key: kind.key + "_mean_law_error", Hidden: true},
			table.Column{Key: kind.key + "_std_law_error", Hidden: true},
			table.Column{Key: kind.key + "_ks", Head: "KS", Digits: 2},
		)
	}
	t.Columns = append(t.Columns,
		table.Column{Key: "sqrt_2_log_p", Head: "√(2 log p)", Digits: 3, Hidden: true},
		table.Column{Key: "expected_maximum", Head: "E max", Digits: 3, Hidden: true},
		table.Column{Key: "level_mean", Head: "E m*", Digits: 3, Hidden: true},
		table.Column{Key: "margin", Digits: 4, Hidden: true},
		table.Column{Key: "margin_law", Digits: 4, Hidden: true},
		table.Column{Key: "accuracy", Digits: 3, Hidden: true},
		table.Column{Key: "loss", Digits: 4, Hidden: true},
		table.Column{Key: "gradient", Digits: 2, Hidden: true},
	)
	for i, c := range t.Columns {
		for _, m := range ms {
			if c.Key == "d_in" && m.Spec.DIn != m.Spec.DOut {
				t.Columns[i].Hidden, t.Columns[i+1].Head = false, ""
			}
		}
	}
	for _, m := range ms {
		if m.Missing != nil {
			t.Notes = append(t.Notes, fmt.Sprintf("No law at vector level for %v %v, p = %d: %v", m.Spec.Model, m.Rule, m.Spec.P, m.Missing))
		}
		laws := m.Laws
		if len(laws) == 0 {
			laws = []Law{{Margin: math.NaN()}}
		}
		for _, l := range laws {
			row := append(m.identity(), m.Trials, m.Trained, text(l.Name), text(l.Level))
			for _, kind := range []struct {
				kind Kind
				law  Marginal
			}{{m.Correct, l.Correct}, {m.Wrong, l.Wrong}} {
				cells, err := kind.kind.cells(kind.law)
				if err != nil {
					return nil, err
				}
				row = append(row, cells...)
			}
			row = append(row, m.Extremes.Root, m.Extremes.Maximum, m.Extremes.Level, number(m.Margin.Mean), number(l.Margin),
				number(m.Accuracy.Mean), number(m.Loss.Mean), number(m.Gradient))
			t.Append(row...)
		}
	}
	return t, nil
}

// cells are those of one kind of score beside a law, or beside none.
func (k Kind) cells(l Marginal) ([]any, error) {
	mean, std := k.Mean, k.Variance
	if !l.known() {
		return []any{number(mean.Mean), table.Interval(mean.Interval(level)), nil, nil, nil,
			number(k.Std()), table.Interval(std.Interval(level)), nil, nil, nil, nil, nil, nil}, nil
	}
	c, err := k.Compare(l)
	return []any{number(mean.Mean), table.Interval(mean.Interval(level)), l.Mean, number(c.MeanZ), number(c.MeanP),
		number(k.Std()), table.Interval(std.Interval(level)), l.Std, number(c.StdZ), number(c.StdP), l.MeanError, l.StdError, number(c.KS)}, err
}

func text(s string) any {
	if s == "" {
		return nil
	}
	return s
}

// number is the cell of a number that may be NaN for none.
func number(x float64) any {
	if math.IsNaN(x) {
		return nil
	}
	return x
}

// Histogram returns, for each measurement and law, densities of correct and of
// largest wrong scores in equal bins from the least to the largest score of all:
// means and intervals over instances, and what the law has.
func Histogram(ms []Measurement, bins int) (*table.Table, error) {
	t := &table.Table{Name: "histogram", Columns: append(identity(),
		table.Column{Key: "law"},
		table.Column{Key: "level"},
		table.Column{Key: "lo", Digits: 4},
		table.Column{Key: "hi", Digits: 4},
		table.Column{Key: "correct_density", Head: "correct", Digits: 4},
		table.Column{Key: "correct_interval", Head: "95% interval", Digits: 4},
		table.Column{Key: "correct_law", Head: "law", Digits: 4},
		table.Column{Key: "wrong_density", Head: "largest wrong", Digits: 4},
		table.Column{Key: "wrong_interval", Head: "95% interval", Digits: 4},
		table.Column{Key: "wrong_law", Head: "law", Digits: 4},
	), Notes: []string{"Densities: the fraction of the scores of an instance in a bin over its width, means of instances; law: its probability over the width."}}
	for _, m := range ms {
		laws := m.Laws
		if len(laws) == 0 {
			laws = []Law{{}}
		}
		lo, hi := math.Inf(1), math.Inf(-1)
		for _, k := range []Kind{m.Correct, m.Wrong} {
			for _, x := range k.Scores {
				lo, hi = min(lo, x[0]), max(hi, x[len(x)-1])
			}
		}
		width := (hi - lo) / float64(bins)
		for _, l := range laws {
			for i := range bins {
				if m.Trained == 0 {
					break
				}
				a, b := lo+float64(i)*width, lo+float64(i+1)*width
				last := i == bins-1
				row := append(m.identity(), text(l.Name), text(l.Level), a, b)
				for _, kind := range []struct {
					kind Kind
					law  Marginal
				}{{m.Correct, l.Correct}, {m.Wrong, l.Wrong}} {
					s := kind.kind.in(a, b, last)
					expected, err := kind.law.density(a, b)
					if err != nil {
						return nil, err
					}
					row = append(row, number(s.Mean), table.Interval(s.Interval(level)), expected)
				}
				t.Append(row...)
			}
		}
	}
	return t, nil
}

// in is the density of scores in [a, b), of the last bin also in b.
func (k Kind) in(a, b float64, closed bool) stats.Sample {
	densities := make([]float64, len(k.Scores))
	for i, scores := range k.Scores {
		for _, x := range scores {
			if x >= a && (x < b || closed) {
				densities[i] += 1 / (float64(len(scores)) * (b - a))
			}
		}
	}
	return stats.NewSample(densities)
}

// density is the law's mean density between a and b; nil without a law.
func (m Marginal) density(a, b float64) (any, error) {
	if m.CDF == nil {
		return nil, nil
	}
	lower, err := m.CDF(a)
	if err != nil {
		return nil, err
	}
	upper, err := m.CDF(b)
	return (upper - lower) / (b - a), err
}
