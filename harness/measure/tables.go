package measure

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"lamcap/harness/learn"
	"lamcap/harness/pattern"
	"lamcap/harness/table"
)

// Columns are those that say which memories a row is about: machine formats have all,
// human ones d_in and the rank only where some memory is not square or not of full
// rank, and the number of trained instances where it differs between rows.
func Columns(ss []Summary) []table.Column {
	square, full, same := true, true, true
	for _, s := range ss {
		square = square && s.Spec.DIn == s.Spec.DOut
		full = full && s.kappa() == 1
		same = same && s.Trained == ss[0].Trained
	}
	d := "d"
	if !square {
		d = "d_out"
	}
	return []table.Column{
		{Key: "model"},
		{Key: "rule"},
		{Key: "d_in", Hidden: square},
		{Key: "d_out", Head: d},
		{Key: "rank", Head: "m", Hidden: full},
		{Key: "kappa", Head: "κ", Hidden: true},
		{Key: "p"},
		{Key: "n", Hidden: true},
		{Key: "load", Head: "p/p_c", Digits: 3},
		{Key: "p_c", Hidden: true},
		{Key: "keys_embedding", Hidden: true},
		{Key: "values_embedding", Hidden: true},
		{Key: "seed", Hidden: true},
		{Key: "trials", Hidden: true},
		{Key: "trained", Hidden: same},
	}
}

// Row are the cells of Columns.
func (s Summary) Row() []any {
	p := s.Spec
	return []any{p.Model, s.Rule, p.DIn, p.DOut, s.Rank, s.kappa(), p.P, p.N, known(s.Load), known(s.Critical), p.Keys, p.Values, s.Seed, s.Trials, s.Trained}
}

// known is the cell of a number that may be NaN: where p_c is not known.
func known(x float64) any {
	if math.IsNaN(x) {
		return nil
	}
	return x
}

func (s Summary) kappa() float64 { return float64(s.Rank) / float64(min(s.Spec.DIn, s.Spec.DOut)) }

// Notes say what a reader of rows must know: how many instances they are means of,
// where training was cut short, and where there was nothing to train.
func Notes(ss []Summary) []string {
	var notes []string
	add := func(format string, a ...any) { notes = append(notes, fmt.Sprintf(format, a...)) }
	if len(ss) > 0 && !slices.ContainsFunc(ss, func(s Summary) bool { return s.Trained != ss[0].Trained }) {
		add("Means of %d instances a row; ±: standard errors over instances.", ss[0].Trained)
	} else if len(ss) > 0 {
		add("Means of the trained instances of a row; ±: standard errors over instances.")
	}
	var rules []string
	endless, trained, lo, hi := 0, 0, math.Inf(1), math.Inf(-1)
	var missing []string
	for _, s := range ss {
		if s.Endless > 0 {
			if rule := s.Rule.String(); !slices.Contains(rules, rule) {
				rules = append(rules, rule)
			}
			endless, trained = endless+s.Endless, trained+s.Trained
			lo, hi = min(lo, s.Loss.Mean), max(hi, s.Loss.Mean)
		}
		if s.Rule == learn.MaxMargin && s.Trained < s.Trials {
			missing = append(missing, fmt.Sprintf("%d of %d instances (%v, d = %d, p = %d)", s.Trained, s.Trials, s.Spec.Model, s.Spec.DOut, s.Spec.P))
		}
	}
	if endless > 0 {
		add("%s: where everything is stored (%d of %d instances in such rows) the cross-entropy has no minimum; training stopped there at its loss tolerance or budget (row means of the loss %.2g to %.2g), short of the limit of largest margin.",
			strings.Join(rules, ", "), endless, trained, lo, hi)
	}
	if len(missing) > 0 {
		add("maxmargin trained %s: where not every input can be stored, as beyond capacity, there is no largest margin.", strings.Join(missing, "; "))
	}
	return notes
}

// HasOP reports whether some rows are about memories with one shared pool, which
// theory has the laws of DP for.
func HasOP(ss []Summary) bool {
	return slices.ContainsFunc(ss, func(s Summary) bool { return s.Spec.Model == pattern.OP })
}
