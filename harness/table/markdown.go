package table

import (
	"bytes"
	"strings"
	"unicode"

	"github.com/olekukonko/tablewriter/pkg/twwidth"
)

// writeMarkdown writes t as a [GFM] table, padded so that it is readable as
// text, too.
func writeMarkdown(b *bytes.Buffer, t *Table) {
	var parts []string
	if title := oneLine(t.Title); title != "" {
		parts = append(parts, "**"+markdownText(title)+"**\n")
	}
	g := newGrid(t, func(c Column, v cell) string { return markdownCell(plain(c, v)) })
	if len(g.heads) > 0 {
		for i, head := range g.heads {
			g.heads[i] = markdownCell(head)
		}
		parts = append(parts, pipeTable(g))
	}
	for _, note := range noteLines(t) {
		parts = append(parts, markdownText(note)+"\n")
	}
	b.WriteString(strings.Join(parts, "\n"))
}

func pipeTable(g grid) string {
	widths := make([]int, len(g.heads))
	for _, row := range append([][]string{g.heads}, g.rows...) {
		for i, s := range row {
			widths[i] = max(widths[i], displayWidth(s), 3) // "--:" is three wide
		}
	}
	var b strings.Builder
	line := func(row []string) {
		for i, s := range row {
			gap := strings.Repeat(" ", widths[i]-displayWidth(s))
			if g.right[i] {
				b.WriteString("| " + gap + s + " ")
			} else {
				b.WriteString("| " + s + gap + " ")
			}
		}
		b.WriteString("|\n")
	}
	line(g.heads)
	for i, width := range widths {
		if g.right[i] {
			b.WriteString("| " + strings.Repeat("-", width-1) + ": ")
		} else {
			b.WriteString("| " + strings.Repeat("-", width) + " ")
		}
	}
	b.WriteString("|\n")
	for _, row := range g.rows {
		line(row)
	}
	return b.String()
}

// displayWidth is the number of terminal columns of s in a locale where κ is
// one column wide.
func displayWidth(s string) int { return twwidth.WidthWithOptions(s, twwidth.Options{}) }

// markdownCell escapes s for a cell, which is a single line without bare pipes.
func markdownCell(s string) string {
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		// A pipe ends the cell even inside a code span, where [GFM] takes \| for |.
		lines[i] = strings.ReplaceAll(markdownText(oneLine(line)), "|", `\|`)
	}
	return strings.Trim(strings.Join(lines, "<br>"), " ")
}

// markdownText escapes what Markdown would interpret outside `code`. An
// underscore inside a word, as in alpha_c, needs no escape in [GFM].
func markdownText(s string) string {
	spans := strings.Split(s, "`")
	if len(spans)%2 == 0 { // an unpaired backtick is no code
		return markdownEscape(strings.ReplaceAll(s, "`", "\\`"), true)
	}
	for i := 0; i < len(spans); i += 2 {
		spans[i] = markdownEscape(spans[i], false)
	}
	return strings.Join(spans, "`")
}

func markdownEscape(s string, backticks bool) string {
	rs := []rune(s)
	at := func(i int) rune {
		if i < 0 || i >= len(rs) {
			return ' '
		}
		return rs[i]
	}
	word := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }
	var b strings.Builder
	for i, r := range rs {
		switch {
		case r == '\\' && backticks && at(i+1) == '`':
		case r == '\\', r == '*', r == '$':
			b.WriteByte('\\')
		case r == '_' && !(word(at(i-1)) && word(at(i+1))):
			b.WriteByte('\\')
		case r == '<' && !unicode.IsSpace(at(i+1)):
			b.WriteString("&lt;")
			continue
		case r == '&' && (word(at(i+1)) || at(i+1) == '#'):
			b.WriteString("&amp;")
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}
