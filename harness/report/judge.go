package report

import (
	"fmt"
	"math"
	"slices"

	"lamcap/harness/stats"
	"lamcap/harness/table"
)

// judge collects the tests of all sections, which are judged together.
type judge struct {
	p          []float64
	tell       []func(stats.Verdict)
	rejections []rejection
}

// rejection is a wrong theory beside the section that it is put to the test in.
type rejection struct {
	section string
	stats.Rejection
}

// last has the verdict of a p-value, NaN for no test, written into the last row of a
// table when all are known.
func (j *judge) last(t *table.Table, key string, p float64) {
	row := t.Rows[len(t.Rows)-1]
	column := slices.IndexFunc(t.Columns, func(c table.Column) bool { return c.Key == key })
	row[column] = stats.Untested
	j.p = append(j.p, p)
	j.tell = append(j.tell, func(v stats.Verdict) { row[column] = v })
}

func (j *judge) reject(section string, r stats.Rejection) {
	if !math.IsNaN(r.PValue) {
		j.rejections = append(j.rejections, rejection{section, r})
	}
}

// decide tells all verdicts, and how many rows were judged and disagree.
func (j *judge) decide(rate float64) (judged, disagree int) {
	for i, v := range stats.Verdicts(j.p, rate) {
		j.tell[i](v)
		if v != stats.Untested {
			judged++
		}
		if v == stats.Disagrees {
			disagree++
		}
	}
	return judged, disagree
}

func (j *judge) rejectionTable(rate float64) *table.Table {
	t := &table.Table{
		Name: "rejections", Title: "Wrong theories that the same data were put to",
		Columns: []table.Column{
			{Key: "section"}, {Key: "theory"}, {Key: "z", Digits: 2, Verb: 'f'}, {Key: "p_value", Head: "p-value", Digits: 2}, {Key: "verdict"},
		},
		Notes: []string{fmt.Sprintf("rejected: p ≤ %v. Far tails are those of idealised laws: beyond |z| = 30 they say no more than that.", rate)},
	}
	for _, r := range j.rejections {
		verdict := "rejected"
		if !r.At(rate) {
			verdict = "not rejected"
		}
		t.Append(r.section, r.Theory, r.Z, r.PValue, verdict)
	}
	return t
}

// onPaper hides columns of less weight: tables that people read are to fit on a page, and machine
// formats have all columns. Those that are hidden already stay so.
func onPaper(t *table.Table, less ...string) *table.Table {
	hidden := 0
	for i := range t.Columns {
		c := &t.Columns[i]
		if slices.Contains(less, c.Key) {
			c.Hidden = true
		}
		if c.Hidden {
			hidden++
		}
	}
	if hidden > 0 {
		t.Notes = append(t.Notes, fmt.Sprintf("The CSV file has %s besides.", counted(hidden, "column")))
	}
	return t
}

// number is a table's cell of a number that may be NaN for none.
func number(x float64) any {
	if math.IsNaN(x) {
		return nil
	}
	return x
}

// interval is the cell of an interval; one with NaN ends is none.
func interval(i stats.Interval) table.Interval { return table.Interval(i) }

func none() stats.Interval { return stats.Interval{Lo: math.NaN(), Hi: math.NaN()} }

// flag is the cell of what is said of a few rows only.
func text(s string) any {
	if s == "" {
		return nil
	}
	return s
}
