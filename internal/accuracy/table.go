package accuracy

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

// Kind says how an error is measured.
type Kind int

const (
	// Relative is |f − r|/|r|.
	Relative Kind = iota
	// Absolute is |f − r|.
	Absolute
	// Bound is |f − r| divided by the error bound that came with f: at most 1
	// if the bound is one.
	Bound
)

// Row is the record of one function on one range.
type Row struct {
	Function, Range string
	Against         string  // what the reference is
	Kind            Kind    // Relative if not set
	Budget          float64 // the largest error that is accepted

	points     int
	max, total float64
	where      string
}

// Table collects rows.
type Table struct{ rows []*Row }

// Add starts a record.
func (t *Table) Add(r Row) *Row {
	t.rows = append(t.rows, &r)
	return &r
}

// Compare records the error of got at the input named where.
func (r *Row) Compare(got float64, want Number, where string) {
	if r.Kind == Bound {
		panic("accuracy: a row of kind Bound compares with CompareBound")
	}
	e := want.relative(got)
	if r.Kind == Absolute {
		e = want.absolute(got)
	}
	r.record(e, where)
}

// CompareBound records |got − want|/bound.
func (r *Row) CompareBound(got, bound float64, want Number, where string) {
	if r.Kind != Bound {
		panic("accuracy: CompareBound is for rows of kind Bound")
	}
	e := want.absolute(got)
	switch {
	case math.IsInf(e, 1): // NaN ± ∞ is no value
	case e > 0:
		e /= bound
	}
	r.record(e, where)
}

func (r *Row) record(e float64, where string) {
	if math.IsNaN(e) { // from a bound that is NaN
		e = math.Inf(1)
	}
	r.points++
	r.total += e
	if e > r.max || r.points == 1 {
		r.max, r.where = e, where
	}
}

// Check fails the test for every row above its budget or without a point, logs
// the mean errors, and prints the table as Markdown between the lines BEGIN
// TABLE and END TABLE, where the README takes it from.
func (t *Table) Check(tb testing.TB) {
	tb.Helper()
	t.check(tb)
	fmt.Print(t.markdown())
}

func (t *Table) check(tb testing.TB) {
	tb.Helper()
	for _, r := range t.rows {
		tb.Logf("%s, %s: max %.2e at %s, mean %.2e", r.Function, r.Range, r.max, r.where, r.total/float64(r.points))
		if r.points == 0 {
			tb.Errorf("%s, %s: no reference value", r.Function, r.Range)
		}
		if !(r.max <= r.Budget) {
			tb.Errorf("%s, %s: error %.3g at %s, budget %.3g", r.Function, r.Range, r.max, r.where, r.Budget)
		}
	}
}

func (t *Table) markdown() string {
	var b strings.Builder
	b.WriteString("BEGIN TABLE\n| function | range | against | points | max error | budget |\n|---|---|---|---:|---:|---:|\n")
	for _, r := range t.rows {
		unit := [...]string{"", " abs.", " of bound"}[r.Kind]
		fmt.Fprintf(&b, "| %s | %s | %s | %d | %s%s | %.2g%s |\n", r.Function, r.Range, r.Against, r.points, roundUp(r.max), unit, r.Budget, unit)
	}
	b.WriteString("END TABLE\n")
	return b.String()
}

// roundUp writes x with one digit, rounded up: an upper bound that does not
// change with the last bit of a library function.
func roundUp(x float64) string {
	if x == 0 || math.IsInf(x, 0) {
		return fmt.Sprintf("%g", x)
	}
	exponent := math.Floor(math.Log10(x))
	if x < 0x1p-1022 { // which math.Log10 gets wrong on amd64
		exponent = math.Floor(math.Log2(x) * (math.Ln2 / math.Ln10))
	}
	digit := math.Ceil(x / math.Pow(10, exponent) * (1 - 1e-9))
	if digit > 9 {
		digit, exponent = 1, exponent+1
	}
	if exponent >= -3 {
		return fmt.Sprintf("%.*f", int(math.Max(0, -exponent)), digit*math.Pow(10, exponent))
	}
	return fmt.Sprintf("%.0fe%+03.0f", digit, exponent)
}
