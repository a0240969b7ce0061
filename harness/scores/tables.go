package scores

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"lamcap/harness/learn"
	"lamcap/harness/measure"
	"lamcap/harness/stats"
	"lamcap/harness/table"
)

// level is the confidence of the intervals shown.
const level = 0.95

func summaries(ms []Measurement) []measure.Summary {
	out := make([]measure.Summary, len(ms))
	for i, m := range ms {
		out[i] = m.Summary
	}
	return out
}

// kinds names the two kinds of scores: in keys, and by a letter in heads.
var kinds = [...]struct{ key, head, letter string }{{"correct", "correct c", "c"}, {"wrong", "largest wrong w", "w"}}

func (m Measurement) kinds() [2]Kind { return [2]Kind{m.Correct, m.Wrong} }
func (l Law) marginals() [2]Marginal { return [2]Marginal{l.Correct, l.Wrong} }

// Table returns a row for each measurement and each of its laws (one without a law
// where there is none): mean and spread of correct and largest wrong scores beside
// those of the law, and beside the extremes of normals. What of a law cannot be computed is an empty
// cell, and a note says why.
func Table(ms []Measurement) *table.Table {
	t := &table.Table{Name: "scores", Columns: append(measure.Columns(summaries(ms)),
		table.Column{Key: "law"},
		table.Column{Key: "level"},
	)}
	for _, kind := range kinds {
		t.Columns = append(t.Columns,
			table.Column{Key: kind.key + "_mean", Head: kind.head, Digits: 4},
			table.Column{Key: kind.key + "_mean_error", Head: "± " + kind.letter, Digits: 2},
			table.Column{Key: kind.key + "_mean_interval", Hidden: true},
			table.Column{Key: kind.key + "_mean_law", Head: "law " + kind.letter, Digits: 4},
			table.Column{Key: kind.key + "_mean_z", Head: "z " + kind.letter, Digits: 1, Verb: 'f'},
			table.Column{Key: kind.key + "_mean_p_value", Hidden: true},
			table.Column{Key: kind.key + "_std", Head: "std " + kind.letter, Digits: 3},
			table.Column{Key: kind.key + "_std_error", Head: "± std " + kind.letter, Digits: 2},
			table.Column{Key: kind.key + "_std_interval", Hidden: true},
			table.Column{Key: kind.key + "_std_law", Head: "law std " + kind.letter, Digits: 3},
			table.Column{Key: kind.key + "_std_z", Head: "z std " + kind.letter, Digits: 1, Verb: 'f'},
			table.Column{Key: kind.key + "_std_p_value", Hidden: true},
			table.Column{Key: kind.key + "_mean_law_error", Hidden: true},
			table.Column{Key: kind.key + "_std_law_error", Hidden: true},
			table.Column{Key: kind.key + "_ks", Hidden: true},
		)
	}
	t.Columns = append(t.Columns,
		table.Column{Key: "sqrt_2_log_p", Hidden: true},
		table.Column{Key: "expected_maximum", Hidden: true},
		table.Column{Key: "level_mean", Hidden: true},
		table.Column{Key: "margin", Hidden: true},
		table.Column{Key: "margin_error", Hidden: true},
		table.Column{Key: "margin_law", Hidden: true},
		table.Column{Key: "accuracy", Hidden: true},
		table.Column{Key: "accuracy_error", Hidden: true},
		table.Column{Key: "loss", Hidden: true},
		table.Column{Key: "loss_error", Hidden: true},
		table.Column{Key: "gradient", Hidden: true},
	)
	var gaps gaps
	for _, m := range ms {
		for _, l := range m.laws() {
			row := append(m.Row(), text(l.Name), text(l.Level))
			laws := l.marginals()
			for i, kind := range m.kinds() {
				cells, err := kind.cells(laws[i])
				gaps.add(m, l, kinds[i].key, err)
				row = append(row, cells...)
			}
			row = append(row, number(m.Extremes.Root), number(m.Extremes.Maximum), number(m.Extremes.Level),
				number(m.Margin.Mean), number(m.Margin.StandardError()), number(l.Margin),
				number(m.Accuracy.Mean), number(m.Accuracy.StandardError()), number(m.Loss.Mean), number(m.Loss.StandardError()), number(m.Gradient))
			t.Append(row...)
		}
	}
	t.Notes = append([]string{
		"Scores S/‖W‖_F of targets, c, and the largest of the others, w: mean and spread of all, z against the law's (positive: above it).",
	}, append(notes(ms), gaps.notes...)...)
	return t
}

// laws are those of a row each: one without a name where there is none.
func (m Measurement) laws() []Law {
	if len(m.Laws) == 0 {
		return []Law{{Margin: math.NaN()}}
	}
	return m.Laws
}

// notes say what laws are missing, and which are not quite those of their rows.
func notes(ms []Measurement) []string {
	out := measure.Notes(summaries(ms))
	var limit []string
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, m := range ms {
		if m.Missing != nil {
			out = append(out, fmt.Sprintf("No law for %v %v, p = %d, %v", m.Spec.Model, m.Rule, m.Spec.P, m.Missing))
		}
		if m.Rule == learn.MaxMargin || m.Rule == learn.Hebb {
			continue
		}
		for _, l := range m.Laws {
			if share := m.Margin.Mean / l.Margin; !math.IsNaN(share) {
				lo, hi = min(lo, share), max(hi, share)
				if rule := m.Rule.String(); !slices.Contains(limit, rule) {
					limit = append(limit, rule)
				}
			}
		}
	}
	if len(limit) > 0 {
		out = append(out, fmt.Sprintf("%s below capacity: the law is that of the largest margin, of which training had reached %.0f%% to %.0f%%: z tells how far it is from there, and does not test the law.",
			strings.Join(limit, ", "), 100*lo, 100*hi))
	}
	if measure.HasOP(summaries(ms)) {
		out = append(out, "op: p_c and the laws are DP's (of Hebb's rule at vector level only that of c, which both share); at finite d OP's differ, and z says so.")
	}
	return out
}

// gaps are the distributions that are missing in a table, each told once.
type gaps struct {
	notes []string
	known map[string]bool
}

// add notes why the distribution of a kind of scores has no value somewhere, if err says so.
func (g *gaps) add(m Measurement, l Law, kind string, err error) {
	if err == nil {
		return
	}
	id := fmt.Sprintf("No distribution of %s scores for %v %v, p = %d, at %s level", kind, m.Spec.Model, m.Rule, m.Spec.P, l.Level)
	if g.known == nil {
		g.known = map[string]bool{}
	}
	if !g.known[id] {
		g.known[id] = true
		g.notes = append(g.notes, fmt.Sprintf("%s: %v", id, err))
	}
}

// cells are those of one kind of score beside a law, or beside none.
func (k Kind) cells(l Marginal) ([]any, error) {
	mean, std := []any{number(k.Mean.Mean), number(k.Mean.StandardError()), table.Interval(k.Mean.Interval(level))},
		[]any{number(k.Std()), number(k.StdError()), table.Interval(k.StdInterval(level))}
	if !l.known() {
		return slices.Concat(mean, []any{nil, nil, nil}, std, []any{nil, nil, nil, nil, nil, nil}), nil
	}
	c, err := k.Compare(l)
	return slices.Concat(mean, []any{l.Mean, number(c.MeanZ), number(c.MeanP)}, std,
		[]any{l.Std, number(c.StdZ), number(c.StdP), l.MeanError, l.StdError, number(c.KS)}), err
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
// means and intervals over instances, and what the law has, as [Table] does.
func Histogram(ms []Measurement, bins int) *table.Table {
	t := &table.Table{Name: "histogram", Columns: append(measure.Columns(summaries(ms)),
		table.Column{Key: "law"},
		table.Column{Key: "level"},
		table.Column{Key: "lo", Digits: 4},
		table.Column{Key: "hi", Digits: 4},
	), Notes: []string{
		"Densities: the fraction of the scores in a bin over its width; law: its probability over the width.",
		"Intervals, 95%: Wilson's with the variance that instances show; where their counts do not vary, that of Clopper and Pearson for all scores together, as if they were independent.",
	}}
	for _, kind := range kinds {
		t.Columns = append(t.Columns,
			table.Column{Key: kind.key + "_density", Head: kind.head, Digits: 4},
			table.Column{Key: kind.key + "_interval", Head: kind.letter + " 95%", Digits: 3},
			table.Column{Key: kind.key + "_law", Head: "law " + kind.letter, Digits: 4},
			table.Column{Key: kind.key + "_law_error", Hidden: true},
		)
	}
	var gaps gaps
	for _, m := range ms {
		if m.Trained == 0 {
			continue
		}
		lo, hi := math.Inf(1), math.Inf(-1)
		for _, k := range m.kinds() {
			for _, x := range k.Scores {
				lo, hi = min(lo, x[0]), max(hi, x[len(x)-1])
			}
		}
		width := (hi - lo) / float64(bins)
		for _, l := range m.laws() {
			laws := l.marginals()
			for i := range bins {
				a, b := lo+float64(i)*width, lo+float64(i+1)*width
				row := append(m.Row(), text(l.Name), text(l.Level), a, b)
				for j, kind := range m.kinds() {
					counts := kind.in(a, b, i == bins-1)
					expected, bound, err := laws[j].density(a, b)
					gaps.add(m, l, kinds[j].key, err)
					row = append(row, counts.Estimate()/width, table.Interval(counts.Interval(level).Scale(1/width)), expected, bound)
				}
				t.Append(row...)
			}
		}
	}
	t.Notes = append(append(t.Notes, notes(ms)...), gaps.notes...)
	return t
}

// in counts scores in [a, b), of the last bin all from a on: its upper end may be off
// by round-off.
func (k Kind) in(a, b float64, last bool) stats.Clusters {
	c := stats.Clusters{Successes: make([]int, len(k.Scores))}
	for i, scores := range k.Scores {
		c.Size = len(scores)
		for _, x := range scores {
			if x >= a && (x < b || last) {
				c.Successes[i]++
			}
		}
	}
	return c
}

// density is the law's mean density between a and b, with its error; nil without a law, and where it
// cannot be computed.
func (m Marginal) density(a, b float64) (value, bound any, err error) {
	if m.Between == nil {
		return nil, nil, nil
	}
	v, err := m.Between(a, b)
	if err != nil {
		return nil, nil, err
	}
	return v.Value / (b - a), v.Error / (b - a), nil
}
