package table

import (
	"bytes"
	"html"
	"strconv"
	"strings"

	"lamcap/internal/mathtext"
)

// writeHTML writes t as a figure: the title as its caption, the table in a box that
// can scroll by keyboard, too, and the notes. It has no ids, so that any tables go
// on one page.
func writeHTML(b *bytes.Buffer, t *Table) {
	title, label := oneLine(t.Title), oneLine(t.Title)
	if label == "" {
		label = oneLine(t.Name)
	}
	class := "table"
	if t.Vertical {
		class += " vertical"
	}
	b.WriteString("<figure class=\"" + class + "\" data-name=\"" + attribute(t.Name) + "\">\n")
	if title != "" {
		b.WriteString("<figcaption>" + mathtext.HTML(title) + "</figcaption>\n")
	}
	if g := newGrid(t, htmlCell); len(g.heads) > 0 {
		named := ""
		if label != "" {
			named = " aria-label=\"" + attribute(label) + "\""
		}
		b.WriteString("<div class=\"scroll\" role=\"region\"" + named + " tabindex=\"0\">\n<table" + named + ">\n")
		writeHTMLRows(b, t, g)
		b.WriteString("</table>\n</div>\n")
	}
	for _, note := range noteLines(t) {
		b.WriteString("<p class=\"note\">" + mathtext.HTML(note) + "</p>\n")
	}
	b.WriteString("</figure>\n")
}

func writeHTMLRows(b *bytes.Buffer, t *Table, g grid) {
	class := func(i int) string {
		if g.right[i] {
			return " class=\"number\""
		}
		return ""
	}
	b.WriteString("<thead>\n<tr>")
	for i, head := range g.heads {
		b.WriteString("<th scope=\"col\"" + class(i) + ">" + mathtext.HTML(oneLine(head)) + "</th>")
	}
	b.WriteString("</tr>\n</thead>\n<tbody>\n")
	for _, row := range g.rows {
		b.WriteString("<tr>")
		for i, s := range row {
			if t.Vertical && i == 0 {
				b.WriteString("<th scope=\"row\"" + s + "</th>")
			} else {
				b.WriteString("<td" + class(i) + s + "</td>")
			}
		}
		b.WriteString("</tr>\n")
	}
	b.WriteString("</tbody>\n")
}

// htmlCell returns a cell from behind the name of its tag to its end: what it holds
// as attributes, >, and what is shown.
func htmlCell(c Column, v cell) string {
	var values, shown string
	switch v.kind {
	case float:
		values, shown = data("value", machine(v.x)), plain(c, v)
	case integer:
		values, shown = data("value", v.s), v.s
	case boolean:
		values, shown = data("value", strconv.FormatBool(v.b)), plain(c, v)
	case interval:
		shown = plain(c, v)
		if !v.ends.absent() {
			values = data("lo", machine(v.ends.Lo)) + data("hi", machine(v.ends.Hi))
		}
	case text:
		// Text is its own value, "-" and "" included: the attribute tells it from what
		// is missing.
		lines := strings.Split(v.s, "\n")
		for i, line := range lines {
			lines[i] = mathtext.HTML(oneLine(line))
		}
		values, shown = data("text", oneLine(v.s)), strings.Join(lines, "<br>")
	default:
		shown = plain(c, v)
	}
	return values + ">" + shown
}

func data(name, value string) string { return " data-" + name + "=\"" + attribute(value) + "\"" }

func attribute(s string) string { return html.EscapeString(strings.ToValidUTF8(oneLine(s), "\ufffd")) }
