package table

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// writeLaTeX writes t as a [booktabs] tabular, in a table environment with
// caption and notes when it has any.
func writeLaTeX(b *bytes.Buffer, t *Table) {
	title, notes := oneLine(t.Title), noteLines(t)
	float := title != "" || len(notes) > 0
	b.WriteString("% needs \\usepackage{booktabs}\n")
	if float {
		b.WriteString("\\begin{table}\n\\centering\n")
	}
	if title != "" {
		b.WriteString("\\caption{" + latexText(title) + "}\n")
		if t.Name != "" {
			b.WriteString("\\label{tab:" + latexLabel(t.Name) + "}\n")
		}
	}
	if g := newGrid(t, latexCell); len(g.heads) > 0 {
		w := newWidths(t)
		if size := w.size(); float && size != "" {
			b.WriteString(size + "\n")
		}
		writeTabular(b, g, w)
	}
	for _, note := range notes {
		b.WriteString("\\par\\smallskip{\\footnotesize " + latexText(note) + "\\par}\n")
	}
	if float {
		b.WriteString("\\end{table}\n")
	}
}

func writeTabular(b *bytes.Buffer, g grid, w widths) {
	b.WriteString("\\begin{tabular}{")
	for i, right := range g.right {
		switch {
		case right:
			b.WriteByte('r')
		case w[i] > longText:
			b.WriteString("p{" + paragraph + "}")
		default:
			b.WriteByte('l')
		}
		g.heads[i] = latexHead(g.heads[i])
	}
	b.WriteString("}\n\\toprule\n" + latexRow(g.heads) + "\\midrule\n")
	for _, row := range g.rows {
		b.WriteString(latexRow(row))
	}
	b.WriteString("\\bottomrule\n\\end{tabular}\n")
}

func latexRow(cells []string) string {
	row := strings.Join(cells, " & ")
	if row != "" && strings.ContainsRune("[*", rune(row[0])) {
		// After \\ or \midrule these would start an argument.
		row = "{" + row[:1] + "}" + row[1:]
	}
	return strings.TrimLeft(row, " ") + " \\\\\n"
}

// latexHead sets a header; a lone letter is a variable.
func latexHead(s string) string {
	s = oneLine(s)
	if len(s) == 1 && latinLetter(rune(s[0])) {
		return "$" + s + "$"
	}
	return latexText(s)
}

// latexLabel keeps what \label takes without surprises.
func latexLabel(s string) string {
	return strings.Map(func(r rune) rune {
		if r < utf8.RuneSelf && (latinLetter(r) || digit(r) || r == '_' || r == '-') {
			return r
		}
		return '-'
	}, s)
}

func latexCell(c Column, v cell) string {
	switch v.kind {
	case float:
		return latexNumber(c.human(v.x))
	case integer:
		return latexNumber(v.s)
	case interval:
		if v.ends.absent() {
			break
		}
		return "$[" + latexMathNumber(c.human(v.ends.Lo)) + ", " + latexMathNumber(c.human(v.ends.Hi)) + "]$"
	}
	return latexText(oneLine(plain(c, v)))
}

// latexNumber puts a formatted number into math where it has a sign, an
// exponent or no finite value.
func latexNumber(s string) string {
	m := latexMathNumber(s)
	if strings.Trim(m, "0123456789.") == "" || s == "nan" {
		return strings.TrimSuffix(s, "e0")
	}
	return "$" + m + "$"
}

func latexMathNumber(s string) string {
	sign, magnitude := "", s
	if strings.HasPrefix(s, "-") {
		sign, magnitude = "-", s[1:]
	}
	if magnitude == "inf" {
		return sign + "\\infty"
	}
	if magnitude == "nan" {
		return "\\mathrm{nan}"
	}
	mantissa, e, ok := strings.Cut(magnitude, "e")
	switch {
	case !ok || e == "0":
		return sign + mantissa
	case mantissa == "1":
		return sign + "10^{" + e + "}"
	}
	return sign + mantissa + "\\times 10^{" + e + "}"
}
