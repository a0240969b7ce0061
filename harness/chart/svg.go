package chart

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"

	"gonum.org/v1/plot/vg/vgsvg"
)

// svg returns the figure as SVG: what gonum writes, made several times smaller, with title and
// description, and without an XML declaration, to be put into HTML as it is.
func (l *layout) svg(f *Figure, t Theme) ([]byte, error) {
	var drawn bytes.Buffer
	c := vgsvg.New(l.width, l.height)
	l.draw(outlined{c})
	if _, err := c.WriteTo(&drawn); err != nil {
		return nil, err
	}
	_, body, ok := strings.Cut(drawn.String(), "xlink\">\n")
	if !ok {
		return nil, errors.New("no head in an SVG of gonum's")
	}
	// Several figures may stand in one page, each in both themes.
	prefix := "f-" + regexp.MustCompile(`[^-\w]`).ReplaceAllString(f.Name, "-") + "-" + t.String()[:1]
	shapes, body := reused(rounded(strings.ReplaceAll(body, " />", "/>")), prefix)
	title := f.Title
	if title == "" {
		title = f.Name
	}
	size := rounded(fmt.Sprintf("width=\"%fpt\" height=\"%fpt\" viewBox=\"0 0 %[1]f %[2]f\"", l.width.Points(), l.height.Points()))
	var b bytes.Buffer
	fmt.Fprintf(&b, "<svg xmlns=\"http://www.w3.org/2000/svg\" %s role=\"img\" aria-labelledby=\"%st %[2]sd\">\n<title id=\"%[2]st\">", size, prefix)
	err := xml.EscapeText(&b, []byte(title))
	fmt.Fprintf(&b, "</title>\n<desc id=\"%sd\">", prefix)
	err = errors.Join(err, xml.EscapeText(&b, []byte(f.Caption)))
	fmt.Fprintf(&b, "</desc>\n<defs>\n%s</defs>\n<g stroke-linejoin=\"round\">\n%s</g>\n</svg>\n", shapes, grouped(strings.TrimSuffix(body, "</svg>\n")))
	return b.Bytes(), err
}

// rounded rounds numbers to a hundredth of a point, finer than any printer.
func rounded(svg string) string {
	return regexp.MustCompile(`-?\d+\.\d+(?:e-\d+)?|-?\d+e-\d+|-0\b`).ReplaceAllStringFunc(svg, func(s string) string {
		x, _ := strconv.ParseFloat(s, 64) // a number by the expression
		return strconv.FormatFloat(math.Round(100*x)/100+0, 'f', -1, 64)
	})
}

// reused defines each shape that is drawn at a point once, and makes references of what was drawn.
func reused(svg, prefix string) (definitions, body string) {
	stamp := regexp.MustCompile(`<g transform="translate\((\S+), (\S+)\)">\n<path d="([^"]*)" style="([^"]*)"/>\n(?:<path d="[^"]*" style="fill:none(;[^"]*)"/>\n)?</g>`)
	ids := map[string]string{}
	body = stamp.ReplaceAllStringFunc(svg, func(s string) string {
		m := stamp.FindStringSubmatch(s)
		x, y, d, style := m[1], m[2], m[3], m[4]+m[5] // filled and stroked
		if ids[d] == "" {
			ids[d] = prefix + strconv.Itoa(len(ids))
			definitions += fmt.Sprintf("<path id=\"%s\" d=\"%s\"/>\n", ids[d], d)
		}
		return fmt.Sprintf("<use href=\"#%s\" x=\"%s\" y=\"%s\" style=\"%s\"/>", ids[d], x, y, style)
	})
	return definitions, body
}

// grouped writes the style of elements that follow each other once.
func grouped(svg string) string {
	var b strings.Builder
	open := ""
	for line := range strings.Lines(svg) {
		element, style, _ := strings.Cut(strings.TrimSuffix(line, "\"/>\n"), " style=\"")
		if style != open && open != "" {
			b.WriteString("</g>\n")
		}
		if style != open && style != "" {
			fmt.Fprintf(&b, "<g style=\"%s\">\n", style)
		}
		if open = style; style != "" {
			line = element + "/>\n"
		}
		b.WriteString(line)
	}
	return b.String()
}
