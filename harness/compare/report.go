package compare

import (
	"fmt"
	"math"
	"slices"

	"lamcap/harness/stats"
	"lamcap/harness/table"
)

// level is the confidence of the intervals shown.
const level = 0.95

// Row compares one predicted number with its measurement.
type Row struct {
	Quantity  string
	Predicted float64
	// Limit is what the limit d → ∞ says (α_c = 1/2; Hebb's limit law); NaN
	// where it is not another number.
	Limit    float64
	Measured float64
	// Interval of Measured: 95% for simulations, error bounds for computations.
	Interval stats.Interval
	// Z is the signed normal equivalent of P; NaN when there is no test.
	Z float64
	// P is the two-sided p-value; NaN for rows that are judged by bounds
	// or shown without a test.
	P float64
	// Bounded rows agree iff Interval contains Predicted.
	Bounded bool
	// Stored, Undecided and Trials count instances; Trials is 0 for other rows.
	Stored, Undecided, Trials int

	Verdict stats.Verdict
}

// Section is a group of rows with what they reject.
type Section struct {
	Name       string // snake_case, for machine formats
	Letter     string // sections are shown in the order of their letters
	Title      string
	Digits     int // significant digits shown; 0 means 4
	Rows       []Row
	Rejections []stats.Rejection
	Notes      []string
}

// Report is a judged comparison.
type Report struct {
	Seed     uint64
	Rate     float64 // bound on the probability of any false alarm
	Sections []Section
}

// untested is the z and p of a row that is shown without a test of its own.
func untested() (z, p float64) { return math.NaN(), math.NaN() }

// bounded compares two computations of one number: they agree when they differ
// by at most the sum of their error bounds.
func bounded(quantity string, predicted, measured, bound float64) Row {
	z, p := untested()
	return Row{
		Quantity: quantity, Predicted: predicted, Limit: math.NaN(), Measured: measured,
		Interval: stats.Interval{Lo: measured - bound, Hi: measured + bound},
		Z:        z, P: p, Bounded: true,
	}
}

// judge gives every row its verdict, all p-values of the report together.
func (r *Report) judge() {
	var p []float64
	for _, s := range r.Sections {
		for _, row := range s.Rows {
			p = append(p, row.P)
		}
	}
	verdicts := stats.Verdicts(p, r.Rate)
	i := 0
	for s := range r.Sections {
		for j := range r.Sections[s].Rows {
			row := &r.Sections[s].Rows[j]
			row.Verdict = verdicts[i]
			i++
			if row.Bounded {
				row.Verdict = stats.OK
				if !row.Interval.Contains(row.Predicted) {
					row.Verdict = stats.Disagrees
				}
			}
		}
	}
}

// Disagreements returns the rows whose verdict is DISAGREES.
func (r *Report) Disagreements() []Row {
	var out []Row
	for _, s := range r.Sections {
		for _, row := range s.Rows {
			if row.Verdict == stats.Disagrees {
				out = append(out, row)
			}
		}
	}
	return out
}

func (s *Section) hasLimits() bool {
	for _, row := range s.Rows {
		if !math.IsNaN(row.Limit) {
			return true
		}
	}
	return false
}

// Tables renders the report, a table for each section.
func (r *Report) Tables() []*table.Table {
	var out []*table.Table
	for _, s := range r.Sections {
		digits := s.Digits
		if digits == 0 {
			digits = 4
		}
		bounds := !slices.ContainsFunc(s.Rows, func(r Row) bool { return !r.Bounded })
		head := "95% interval"
		if bounds {
			head = "error bounds"
		}
		t := &table.Table{Name: s.Name, Title: fmt.Sprintf("(%s) %s", s.Letter, s.Title), Columns: []table.Column{
			{Key: "quantity"},
			{Key: "predicted", Digits: digits},
			{Key: "limit", Head: "the limit", Digits: digits, Hidden: !s.hasLimits()},
			{Key: "measured", Digits: digits},
			{Key: "interval", Head: head, Digits: digits},
			{Key: "z", Digits: 2, Verb: 'f', Hidden: bounds},
			{Key: "p_value", Head: "p-value", Digits: 2, Hidden: bounds},
			{Key: "verdict"},
			{Key: "stored", Hidden: true},
			{Key: "undecided", Hidden: true},
			{Key: "trials", Hidden: true},
			{Key: "seed", Hidden: true},
		}}
		for _, row := range s.Rows {
			var limit, z, p, stored, undecided, trials any
			if !math.IsNaN(row.Limit) {
				limit = row.Limit
			}
			if !math.IsNaN(row.P) {
				z, p = row.Z, row.P
			}
			if row.Trials > 0 {
				stored, undecided, trials = row.Stored, row.Undecided, row.Trials
			}
			t.Append(row.Quantity, row.Predicted, limit, row.Measured, table.Interval(row.Interval), z, p, row.Verdict, stored, undecided, trials, r.Seed)
		}
		t.Notes = append(t.Notes, s.Notes...)
		for _, reject := range s.Rejections {
			word := "rejects"
			if !reject.At(r.Rate) {
				word = "does not reject"
			}
			t.Notes = append(t.Notes, fmt.Sprintf("%s %v", word, reject))
		}
		out = append(out, t)
	}
	return out
}
