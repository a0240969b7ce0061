package table

import "unicode/utf8"

// widths are those of the visible columns, in characters.
type widths []int

const (
	longText  = 60 // characters: a column of such texts is set as paragraphs
	paragraph = "0.5\\linewidth"
	// Of the article class at 10 pt, in points: a line, a digit, and what stands between columns.
	line, digitWidth, between = 345, 5, 12
	// At 8 pt a digit and, where it is set to 3 pt, twice \tabcolsep.
	smallDigit, smallBetween = 4.25, 6
)

func newWidths(t *Table) widths {
	g := newGrid(t, plain)
	w := make(widths, len(g.heads))
	for _, row := range append(g.rows, g.heads) {
		for i, s := range row {
			w[i] = max(w[i], utf8.RuneCountInString(s))
		}
	}
	return w
}

// points is about how wide the table is.
func (w widths) points(digit, between float64) float64 {
	sum := 0.0
	for _, n := range w {
		if n > longText {
			sum += line / 2
		} else {
			sum += float64(n) * digit
		}
		sum += between
	}
	return sum
}

// size is what makes a wide table narrower: a smaller font, "" where it fits into a line.
func (w widths) size() string {
	switch {
	case w.points(digitWidth, between) <= line:
		return ""
	case w.points(smallDigit, smallBetween) <= line:
		return "\\footnotesize\\setlength{\\tabcolsep}{3pt}"
	}
	return "\\scriptsize\\setlength{\\tabcolsep}{2pt}"
}
