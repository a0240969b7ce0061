package vectors

import (
	"fmt"
	"slices"
)

// MaxNumbers is how many numbers a set may have: 8 GiB of float64.
const MaxNumbers = 1 << 30

// Set is n vectors of d numbers. Methods do not change it.
type Set struct {
	Rows, Columns int
	Data          []float64 // Rows×Columns, row-major, finite
	Names         []string  // of the rows, all different; nil if they have none
	Source        string    // the file, for messages

	// What is known of the numbers' errors; zero: those of float64.
	single bool    // they were rounded to float32
	noise  float64 // size of the error of a vector beyond that of rounding each number
}

// NewSet returns a set of the given numbers, which it does not copy. It returns
// an error if there is no vector, a length does not match, or a number is not
// finite.
func NewSet(rows, columns int, data []float64) (*Set, error) {
	if rows < 1 || columns < 1 {
		return nil, fmt.Errorf("shape (%d, %d): want at least one vector of at least one number", rows, columns)
	}
	if len(data)%columns != 0 || len(data)/columns != rows {
		return nil, fmt.Errorf("%d numbers: want %d vectors of %d", len(data), rows, columns)
	}
	s := &Set{Rows: rows, Columns: columns, Data: data}
	return s, s.checkFinite()
}

// Row returns vector i, counted from 0. The caller must not change it.
func (s *Set) Row(i int) []float64 {
	return s.Data[i*s.Columns : (i+1)*s.Columns : (i+1)*s.Columns]
}

// Label is how messages call vector i: `row 17 (counted from 0)`, and its name.
func (s *Set) Label(i int) string {
	if s.Names == nil {
		return fmt.Sprintf("row %d (counted from 0)", i)
	}
	return fmt.Sprintf("row %d (counted from 0), %q", i, s.Names[i])
}

// Select returns a set of copies of the given rows, in that order. It panics
// if there is no such row. A row may be selected twice.
func (s *Set) Select(rows []int) *Set {
	t := *s
	t.Rows, t.Data, t.Names = len(rows), make([]float64, 0, len(rows)*s.Columns), nil
	if s.Names != nil {
		t.Names = make([]string, 0, len(rows))
	}
	for _, i := range rows {
		if i < 0 || i >= s.Rows {
			panic(fmt.Sprintf("vectors: row %d of %d", i, s.Rows))
		}
		t.Data = append(t.Data, s.Row(i)...)
		if s.Names != nil {
			t.Names = append(t.Names, s.Names[i])
		}
	}
	return &t
}

// SetNames names the rows. It returns an error, and changes nothing, if there
// are not as many names as rows or two are the same.
func (s *Set) SetNames(names []string) error {
	if len(names) != s.Rows {
		return fmt.Errorf("%d names for %d vectors of %s: want one each", len(names), s.Rows, s.source())
	}
	seen := make(map[string]int, len(names))
	for i, name := range names {
		if first, ok := seen[name]; ok {
			return fmt.Errorf("rows %d and %d (counted from 0) are both called %q: want different names", first, i, name)
		}
		seen[name] = i
	}
	s.Names = slices.Clone(names)
	return nil
}

func (s *Set) source() string {
	if s.Source == "" {
		return "the set"
	}
	return s.Source
}

// checkFinite refuses NaN and infinities.
func (s *Set) checkFinite() error {
	first, more := -1, -1
	for i, v := range s.Data {
		if !finite(v) {
			if first < 0 {
				first = i
			}
			more++
		}
	}
	if first < 0 {
		return nil
	}
	return fmt.Errorf("%s, column %d (counted from 0): %g%s: want finite numbers", s.Label(first/s.Columns), first%s.Columns, s.Data[first], others(more, "such number"))
}

// others tells of n more of something.
func others(n int, what string) string {
	switch n {
	case 0:
		return ""
	case 1:
		return fmt.Sprintf(" (and one more %s)", what)
	}
	return fmt.Sprintf(" (and %d more %ss)", n, what)
}

// roundoff bounds the relative error of each number from rounding.
func (s *Set) roundoff() float64 {
	if s.single {
		return 0x1p-24
	}
	return 0x1p-53
}
