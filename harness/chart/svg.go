package chart

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"image/color"
	"io"
	"math"
	"strconv"
	"strings"

	"golang.org/x/image/font/sfnt"
	"gonum.org/v1/plot/vg"
)

// vector writes SVG. Each glyph of the fonts is defined once and used where it occurs,
// which keeps outlined text small. Identifiers begin with the name of the figure and the
// theme, as several figures may stand in one HTML page; for their sake there is no
// XML declaration either.
type vector struct {
	*fonts
	width, height vg.Length
	prefix        string
	title, desc   string
	background    color.NRGBA

	definitions, body bytes.Buffer
	defined           map[glyph]string
	shapes            map[string]string // by their path data
}

type glyph struct {
	face  face
	index sfnt.GlyphIndex
}

func newVector(f *fonts, w, h vg.Length, fig *Figure, t Theme) *vector {
	clean := strings.Map(func(r rune) rune {
		if r < 0x80 && (r == '-' || r == '_' || '0' <= r && r <= '9' || 'A' <= r && r <= 'Z' || 'a' <= r && r <= 'z') {
			return r
		}
		return '-'
	}, fig.Name)
	title := fig.Title
	if title == "" {
		title = fig.Name
	}
	return &vector{
		fonts: f, width: w, height: h, prefix: "f-" + clean + "-" + t.String()[:1],
		title: title, desc: fig.Caption, background: t.Background(),
		defined: map[glyph]string{}, shapes: map[string]string{},
	}
}

func (v *vector) group(name string, draw func()) {
	fmt.Fprintf(&v.body, "<g class=\"%s\">\n", name)
	draw()
	v.body.WriteString("</g>\n")
}

func (v *vector) fill(p vg.Path, c color.NRGBA) {
	if len(p) == 0 {
		return
	}
	fmt.Fprintf(&v.body, "<path d=\"%s\"%s/>\n", v.data(p, v.flip), paint("fill", c))
}

func (v *vector) stroke(p vg.Path, with pen) {
	if len(p) == 0 || with.width <= 0 {
		return
	}
	fmt.Fprintf(&v.body, "<path d=\"%s\" fill=\"none\"%s/>\n", v.data(p, v.flip), strokes(with))
}

func (v *vector) stamp(shape vg.Path, at []vg.Point, inside color.NRGBA, with pen) {
	if len(at) == 0 {
		return
	}
	data := v.data(shape, func(q vg.Point) vg.Point { return vg.Point{X: q.X, Y: -q.Y} })
	id, ok := v.shapes[data]
	if !ok {
		id = v.prefix + "s" + strconv.Itoa(len(v.shapes))
		v.shapes[data] = id
		fmt.Fprintf(&v.definitions, "<path id=\"%s\" d=\"%s\"/>\n", id, data)
	}
	lines := ""
	if with.width > 0 {
		lines = strokes(with)
	}
	fmt.Fprintf(&v.body, "<g%s%s>\n", paint("fill", inside), lines)
	for _, q := range at {
		q = v.flip(q)
		fmt.Fprintf(&v.body, "<use href=\"#%s\" x=\"%s\" y=\"%s\"/>\n", id, short(q.X), short(q.Y))
	}
	v.body.WriteString("</g>\n")
}

func (v *vector) text(l line, at vg.Point, vertical bool, c color.NRGBA) {
	if len(l.pieces) == 0 {
		return
	}
	at = v.flip(at)
	turn := ""
	if vertical {
		turn = " rotate(-90)"
	}
	fmt.Fprintf(&v.body, "<g transform=\"translate(%s %s)%s\"%s aria-label=\"%s\">\n",
		short(at.X), short(at.Y), turn, paint("fill", c), escape(l.text))
	for _, p := range l.pieces {
		fmt.Fprintf(&v.body, "<g transform=\"translate(%s %s) scale(%s)\">", short(p.dx), short(-p.dy),
			strconv.FormatFloat(float64(p.size)/unitsPerEm, 'g', 5, 64))
		for i, g := range p.glyphs {
			if id := v.define(glyph{p.face, g}); id != "" {
				fmt.Fprintf(&v.body, "<use href=\"#%s\" x=\"%.0f\"/>", id, p.at[i])
			}
		}
		v.body.WriteString("</g>\n")
	}
	v.body.WriteString("</g>\n")
}

// define returns the identifier of a glyph, "" if it has no outline, like a space.
func (v *vector) define(g glyph) string {
	id, ok := v.defined[g]
	if ok {
		return id
	}
	if outline := v.outline(g.face, g.index); len(outline) > 0 {
		id = v.prefix + strconv.Itoa(len(v.defined))
		data := v.data(outline, func(q vg.Point) vg.Point { return vg.Point{X: q.X, Y: -q.Y} })
		fmt.Fprintf(&v.definitions, "<path id=\"%s\" d=\"%s\"/>\n", id, data)
	}
	v.defined[g] = id
	return id
}

// flip maps a point to SVG's coordinates, which go down.
func (v *vector) flip(q vg.Point) vg.Point { return vg.Point{X: q.X, Y: v.height - q.Y} }

// data writes a path.
func (v *vector) data(p vg.Path, to func(vg.Point) vg.Point) string {
	var b strings.Builder
	put := func(command byte, points ...vg.Point) {
		b.WriteByte(command)
		for i, q := range points {
			q = to(q)
			if i > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(short(q.X))
			b.WriteByte(' ')
			b.WriteString(short(q.Y))
		}
	}
	for _, c := range p {
		switch {
		case c.Type == vg.MoveComp:
			put('M', c.Pos)
		case c.Type == vg.LineComp:
			put('L', c.Pos)
		case c.Type == vg.CurveComp && len(c.Control) == 1:
			put('Q', c.Control[0], c.Pos)
		case c.Type == vg.CurveComp:
			put('C', c.Control[0], c.Control[1], c.Pos)
		case c.Type == vg.CloseComp:
			put('Z')
		}
	}
	return b.String()
}

func (v *vector) write(w io.Writer) error {
	var b bytes.Buffer
	fmt.Fprintf(&b, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%spt\" height=\"%spt\" viewBox=\"0 0 %s %s\" role=\"img\" aria-labelledby=\"%st %sd\">\n",
		short(v.width), short(v.height), short(v.width), short(v.height), v.prefix, v.prefix)
	fmt.Fprintf(&b, "<title id=\"%st\">%s</title>\n<desc id=\"%sd\">%s</desc>\n", v.prefix, escape(v.title), v.prefix, escape(v.desc))
	fmt.Fprintf(&b, "<rect width=\"100%%\" height=\"100%%\"%s/>\n", paint("fill", v.background))
	if v.definitions.Len() > 0 {
		fmt.Fprintf(&b, "<defs>\n%s</defs>\n", v.definitions.Bytes())
	}
	b.WriteString("<g stroke-linejoin=\"round\">\n")
	b.Write(v.body.Bytes())
	b.WriteString("</g>\n</svg>\n")
	_, err := w.Write(b.Bytes())
	return err
}

// paint is the attributes of a color.
func paint(what string, c color.NRGBA) string {
	s := fmt.Sprintf(" %s=\"#%02x%02x%02x\"", what, c.R, c.G, c.B)
	if c.A != 0xff {
		s += fmt.Sprintf(" %s-opacity=\"%s\"", what, short(vg.Length(c.A)/255))
	}
	return s
}

// strokes is the attributes of a pen.
func strokes(with pen) string {
	s := paint("stroke", with.color) + fmt.Sprintf(" stroke-width=\"%s\"", short(with.width))
	if len(with.dashes) > 0 {
		var d []string
		for _, x := range with.dashes {
			d = append(d, short(x))
		}
		s += fmt.Sprintf(" stroke-dasharray=\"%s\"", strings.Join(d, " "))
	}
	return s
}

// short writes a length to a hundredth of a point, finer than any printer.
func short(x vg.Length) string {
	r := math.Round(float64(x)*100) / 100
	if r == 0 {
		return "0"
	}
	return strconv.FormatFloat(r, 'f', -1, 64)
}

func escape(s string) string {
	var b strings.Builder
	if err := xml.EscapeText(&b, []byte(s)); err != nil {
		panic("chart: " + err.Error()) // a strings.Builder does not fail
	}
	return b.String()
}
