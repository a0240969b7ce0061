package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// column makes cells: numbers as 1, text as 'a, intervals as [0 1, missing as -.
func column(cells string) [][]cell {
	var rows [][]cell
	for _, s := range strings.Split(cells, ",") {
		c := cell{Shown: s}
		switch {
		case s == "-":
		case s[0] == '\'':
			text := s[1:]
			c.Text = &text
		case s[0] == '[':
			lo, hi, _ := strings.Cut(s[1:], " ")
			c.Lo, c.Hi = &lo, &hi
		default:
			value := s
			c.Value = &value
		}
		rows = append(rows, []cell{c})
	}
	return rows
}

func TestMisplaced(t *testing.T) {
	same := []int{0, 1, 2}
	for _, sorted := range []string{
		"-inf,-1e300,-2", "0.1,0.10000000000000002,inf", "18446744073709551614,18446744073709551615,1e20", "1,nan,-", "nan,nan,-",
		"1,'a,'b", "'d = 8,'d = 16,'d = 128", "'a,'a,'a1", "',-,-", "[0 1,[0 inf,[1 1", "[-inf 0,[nan 1,-", "-0,0,1", "false,true,-",
	} {
		assert.Empty(t, misplaced(column(sorted), 0, "ascending", same), sorted)
	}
	for _, sorted := range []string{"3,2,1", "1,nan,-", "'b,'a,1", "true,false,-", "[0 inf,[0 1,nan", "0,-0,nan"} {
		assert.Empty(t, misplaced(column(sorted), 0, "descending", same), sorted)
	}
	for _, unsorted := range []string{
		"2,1,3", "10,9.5,11", "0.10000000000000002,0.1,1", "18446744073709551615,18446744073709551614,1e20", "nan,1,2", "-,1,2", "-,nan,nan",
		"'a,1,2", "'d = 16,'d = 8,'x", "[0 inf,[0 1,[1 1", "true,false,-",
	} {
		assert.NotEmpty(t, misplaced(column(unsorted), 0, "ascending", same), unsorted)
	}
	rows := column("1,1,2")
	assert.Empty(t, misplaced(rows, 0, "none", same))
	assert.Equal(t, `"1" comes before "1"`, misplaced(rows, 0, "ascending", []int{1, 0, 2}), "ties stay as they were")
	assert.Equal(t, `"2" comes before "1"`, misplaced(rows, 0, "none", []int{0, 2, 1}))
	assert.Equal(t, "row 1 is lost or there twice", misplaced(rows, 0, "ascending", []int{0, 0, 2}))
	assert.Equal(t, "2 rows of 3 are left", misplaced(rows, 0, "ascending", []int{0, 1}))
}
