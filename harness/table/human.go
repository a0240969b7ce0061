package table

import (
	"fmt"
	"strings"
	"unicode"
)

// grid is the part of a table that human formats show, as plain strings.
type grid struct {
	heads []string
	right []bool // numbers: aligned to the right
	rows  [][]string
}

// newGrid formats the visible cells with show.
func newGrid(t *Table, show func(Column, cell) string) grid {
	if t.Vertical {
		return verticalGrid(t, show)
	}
	var g grid
	var visible []int
	for i, c := range t.Columns {
		if !c.Hidden {
			visible = append(visible, i)
			g.heads = append(g.heads, c.head())
			g.right = append(g.right, numeric(t, i))
		}
	}
	for _, values := range t.Rows {
		row := make([]string, 0, len(visible))
		for _, i := range visible {
			row = append(row, show(t.Columns[i], toCell(values[i])))
		}
		g.rows = append(g.rows, row)
	}
	return g
}

// verticalGrid has a line for each visible column and a column for each row.
func verticalGrid(t *Table, show func(Column, cell) string) grid {
	g := grid{heads: []string{"field"}, right: []bool{false}}
	for i := range t.Rows {
		head := "value"
		if len(t.Rows) > 1 {
			head = fmt.Sprintf("value %d", i+1)
		}
		g.heads, g.right = append(g.heads, head), append(g.right, false)
	}
	for i, c := range t.Columns {
		if c.Hidden {
			continue
		}
		line := []string{show(Column{}, toCell(c.head()))}
		for _, values := range t.Rows {
			line = append(line, show(c, toCell(values[i])))
		}
		g.rows = append(g.rows, line)
	}
	return g
}

// numeric reports whether column i holds numbers or intervals, with gaps at most.
func numeric(t *Table, i int) bool {
	found := false
	for _, row := range t.Rows {
		switch toCell(row[i]).kind {
		case float, integer, interval:
			found = true
		case text, boolean:
			return false
		}
	}
	return found
}

// plain formats a cell for a terminal, text as given.
func plain(c Column, v cell) string {
	switch v.kind {
	case float:
		return c.human(v.x)
	case integer, text:
		return v.s
	case boolean:
		if v.b {
			return "yes"
		}
		return "no"
	case interval:
		if v.ends.absent() {
			return "-"
		}
		return "[" + c.human(v.ends.Lo) + ", " + c.human(v.ends.Hi) + "]"
	}
	return "-"
}

// oneLine makes s fit on one line: white space of any kind becomes single
// spaces, other control characters (which could drive a terminal) U+FFFD.
func oneLine(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return unicode.ReplacementChar
		}
		return r
	}, s)
}

// noteLines returns the notes one line each, without empty ones.
func noteLines(t *Table) []string {
	var lines []string
	for _, note := range t.Notes {
		for line := range strings.SplitSeq(note, "\n") {
			if line = oneLine(line); line != "" {
				lines = append(lines, line)
			}
		}
	}
	return lines
}
