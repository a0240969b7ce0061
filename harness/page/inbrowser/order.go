package main

import (
	"cmp"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
)

// cell is what a cell of a page holds; nil where the attribute is not there.
type cell struct {
	Value, Lo, Hi, Text *string
	Shown               string
}

// misplaced compares an order of the rows with what a column holds; "" if it is right:
// all rows, in the direction of state, ties as they were, what is no number and then
// what is missing at the end in both directions.
func misplaced(rows [][]cell, column int, state string, order []int) string {
	if len(order) != len(rows) {
		return fmt.Sprintf("%d rows of %d are left", len(order), len(rows))
	}
	seen := make([]bool, len(rows))
	for _, i := range order {
		if i < 0 || i >= len(rows) || seen[i] {
			return fmt.Sprintf("row %d is lost or there twice", i+1)
		}
		seen[i] = true
	}
	for k := 1; k < len(order); k++ {
		i, j := order[k-1], order[k]
		c := 0
		if state != "none" {
			c = compare(rows[i][column], rows[j][column], state == "descending")
		}
		if c > 0 || c == 0 && i > j {
			return fmt.Sprintf("%q comes before %q", rows[i][column].Shown, rows[j][column].Shown)
		}
	}
	return ""
}

// place is where a cell goes before its value counts.
type place int

const (
	aNumber place = iota
	aText
	notANumber
	notThere
)

func placeOf(c cell) (place, *big.Float) {
	switch {
	case c.Lo != nil:
		return numberPlace(*c.Lo)
	case c.Value != nil && *c.Value != "true" && *c.Value != "false":
		return numberPlace(*c.Value)
	case c.Value != nil || c.Text != nil:
		return aText, nil
	}
	return notThere, nil
}

// numberPlace reads a number exactly.
func numberPlace(s string) (place, *big.Float) {
	if s == "nan" {
		return notANumber, nil
	}
	x, _, err := big.ParseFloat(s, 10, 200, big.ToNearestEven)
	if err != nil {
		return notANumber, nil
	}
	return aNumber, x
}

func compare(a, b cell, down bool) int {
	p, x := placeOf(a)
	q, y := placeOf(b)
	sign := 1
	if down {
		sign = -1
	}
	switch {
	case p != q && max(p, q) >= notANumber:
		return cmp.Compare(p, q)
	case p != q:
		return sign * cmp.Compare(p, q)
	case p == aText:
		return sign * natural(textOf(a), textOf(b))
	case p != aNumber:
		return 0
	}
	if c := x.Cmp(y); c != 0 || a.Lo == nil || b.Lo == nil {
		return sign * c
	}
	return sign * cmp.Compare(upper(a), upper(b))
}

func textOf(c cell) string {
	if c.Text != nil {
		return *c.Text
	}
	return *c.Value
}

func upper(c cell) float64 {
	x, err := strconv.ParseFloat(*c.Hi, 64)
	if err != nil {
		return math.NaN()
	}
	return x
}

// natural compares text with runs of digits as numbers.
func natural(a, b string) int {
	for a != "" && b != "" {
		p, q := part(a), part(b)
		c := strings.Compare(p, q)
		if isDigit(p[0]) && isDigit(q[0]) {
			x, _ := new(big.Int).SetString(p, 10)
			y, _ := new(big.Int).SetString(q, 10)
			if d := x.Cmp(y); d != 0 {
				c = d
			}
		}
		if c != 0 {
			return c
		}
		a, b = a[len(p):], b[len(q):]
	}
	return cmp.Compare(len(a), len(b))
}

// part is the longest beginning of s of digits only or without any.
func part(s string) string {
	n := 1
	for n < len(s) && isDigit(s[n]) == isDigit(s[0]) {
		n++
	}
	return s[:n]
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }
