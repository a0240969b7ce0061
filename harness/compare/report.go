package compare

import (
	"fmt"
	"math"

	"lamcap/harness/stats"
	"lamcap/harness/table"
)

// level is the confidence of the intervals shown.
const level = 0.95

// Row compares one predicted number with its measurement.
type Row struct {
	Quantity string
	// Predicted is NaN for what is shown without a prediction.
	Predicted float64
	// Limit is what the limit d → ∞ says (α_c = 1/2; Hebb's limit law); NaN
	// where it is not another number.
	Limit    float64
	Measured float64
	// Interval of Measured: 95% for simulations, error bounds for computations, NaN for none.
	Interval stats.Interval
	// Z is the signed normal equivalent of P; NaN when there is no test.
	Z float64
	// P is the two-sided p-value; NaN for rows that are judged by bounds
	// or shown without a test.
	P float64
	// Bounded rows agree iff Interval contains Predicted.
	Bounded bool
	// Trials counts the instances or draws behind Measured; 0 for computations.
	Trials int
	// Stored and Undecided count instances in rows with CountsStored.
	CountsStored      bool
	Stored, Undecided int

	Verdict stats.Verdict

	// Resolution is nil for rows that state none.
	Resolution *Resolution
	// resolve computes it, with the wrong theories at its ends, for a significance level.
	resolve func(significance float64) (Resolution, []stats.Rejection)
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

// noInterval is the interval of a row that has none.
func noInterval() stats.Interval { return stats.Interval{Lo: math.NaN(), Hi: math.NaN()} }

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
	r.resolve(p)
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

// resolve completes the rows that state what they tell apart, which depends on how many tests the
// report has.
func (r *Report) resolve(p []float64) {
	tests := 0
	for _, v := range p {
		if !math.IsNaN(v) {
			tests++
		}
	}
	for i := range r.Sections {
		s := &r.Sections[i]
		for j := range s.Rows {
			if row := &s.Rows[j]; row.resolve != nil {
				resolution, reject := row.resolve(r.Rate / float64(max(tests, 1)))
				row.Resolution = &resolution
				s.Rejections = append(s.Rejections, reject...)
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

// Tables renders the report for people: a table for each section, below it the
// wrong theories that its data reject, and a summary at the end.
func (r *Report) Tables() []*table.Table {
	var out []*table.Table
	for _, s := range r.Sections {
		t := s.table()
		t.Notes = append(t.Notes, s.Notes...)
		for _, row := range s.Rows {
			if row.Resolution != nil {
				t.Notes = append(t.Notes, row.Quantity+": "+row.Resolution.String())
			}
		}
		for _, reject := range s.Rejections {
			t.Notes = append(t.Notes, r.say(reject))
		}
		out = append(out, t)
	}
	if len(out) > 0 {
		last := out[len(out)-1]
		last.Notes = append(last.Notes, r.summary()...)
	}
	return out
}

// say puts a rejection into words. Far tails are those of idealised laws, so
// beyond z = 30 only that is said.
func (r *Report) say(reject stats.Rejection) string {
	word, z := "rejects", fmt.Sprintf("z = %.1f", reject.Z)
	if !reject.At(r.Rate) {
		word = "does not reject"
	}
	switch {
	case reject.Z > 30:
		z = "z > 30"
	case reject.Z < -30:
		z = "z < -30"
	}
	return fmt.Sprintf("%s %s: %s", word, reject.Theory, z)
}

// summary says what was judged, and how to read it.
func (r *Report) summary() []string {
	judged := 0
	for _, s := range r.Sections {
		for _, row := range s.Rows {
			if row.Verdict != stats.Untested {
				judged++
			}
		}
	}
	return []string{
		fmt.Sprintf("Seed %d: %d rows judged, %d disagree. z is the normal equivalent of the p-value, positive when more is measured", r.Seed, judged, len(r.Disagreements())),
		fmt.Sprintf("than predicted; all p-values are judged together (Holm): a false alarm anywhere has probability ≤ %v, about. -: not tested.", r.Rate),
	}
}

func (s *Section) table() *table.Table {
	digits := s.Digits
	if digits == 0 {
		digits = 4
	}
	limits, counts, undecided, tests := false, false, false, false
	for _, row := range s.Rows {
		limits = limits || !math.IsNaN(row.Limit)
		counts = counts || row.Trials > 0
		undecided = undecided || row.Undecided > 0
		tests = tests || !row.Bounded
	}
	head := "95% interval"
	if !tests {
		head = "error bounds"
	}
	t := &table.Table{Name: s.Name, Title: fmt.Sprintf("(%s) %s", s.Letter, s.Title), Columns: []table.Column{
		{Key: "quantity"},
		{Key: "trials", Hidden: !counts},
		{Key: "undecided", Hidden: !undecided},
		{Key: "predicted", Digits: digits},
		{Key: "limit", Head: "the limit", Digits: min(digits, 4), Hidden: !limits},
		{Key: "measured", Digits: digits},
		{Key: "interval", Head: head, Digits: digits},
		{Key: "z", Digits: 2, Verb: 'f', Hidden: !tests},
		{Key: "p_value", Head: "p-value", Digits: 2, Hidden: !tests},
		{Key: "verdict"},
	}}
	for _, row := range s.Rows {
		trials, undecided := row.counts()
		z, p := row.test()
		t.Append(row.Quantity, trials, undecided, missing(row.Predicted), missing(row.Limit), row.Measured, interval(row.Interval), z, p, row.Verdict)
	}
	return t
}

// Records renders the report for programs: one table, a record for each row and
// for each wrong theory (kind "row" or "rejection").
func (r *Report) Records() *table.Table {
	t := &table.Table{Name: "verify", Columns: []table.Column{
		{Key: "kind"}, {Key: "section"}, {Key: "quantity"},
		{Key: "predicted"}, {Key: "limit"}, {Key: "measured"}, {Key: "interval"},
		{Key: "z"}, {Key: "p_value"}, {Key: "verdict"},
		{Key: "stored"}, {Key: "undecided"}, {Key: "trials"}, {Key: "rate"}, {Key: "seed"},
		{Key: "kept"}, {Key: "detectable"},
	}}
	none := table.Interval(noInterval())
	for _, s := range r.Sections {
		for _, row := range s.Rows {
			trials, undecided := row.counts()
			z, p := row.test()
			var stored, verdict any
			if row.CountsStored {
				stored = row.Stored
			}
			if row.Verdict != stats.Untested {
				verdict = row.Verdict
			}
			var kept, detectable any
			if row.Resolution != nil {
				kept, detectable = interval(row.Resolution.Kept), interval(row.Resolution.Detectable)
			}
			t.Append("row", s.Name, row.Quantity, missing(row.Predicted), missing(row.Limit), row.Measured, table.Interval(row.Interval),
				z, p, verdict, stored, undecided, trials, r.Rate, r.Seed, kept, detectable)
		}
		for _, reject := range s.Rejections {
			verdict := "rejected"
			if !reject.At(r.Rate) {
				verdict = "not rejected"
			}
			t.Append("rejection", s.Name, reject.Theory, nil, nil, nil, none, reject.Z, reject.PValue, verdict, nil, nil, nil, r.Rate, r.Seed, nil, nil)
		}
	}
	return t
}

// counts returns the cells of trials and undecided instances.
func (row Row) counts() (trials, undecided any) {
	if row.Trials > 0 {
		trials = row.Trials
	}
	if row.CountsStored {
		undecided = row.Undecided
	}
	return trials, undecided
}

// interval returns the cell of an interval that may be NaN for none.
func interval(i stats.Interval) any {
	if math.IsNaN(i.Lo) {
		return nil
	}
	return table.Interval(i)
}

// test returns the cells of z and p-value.
func (row Row) test() (z, p any) {
	if math.IsNaN(row.P) {
		return nil, nil
	}
	return row.Z, row.P
}

// missing returns the cell of a number that may be NaN for none.
func missing(x float64) any {
	if math.IsNaN(x) {
		return nil
	}
	return x
}
