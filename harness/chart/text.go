package chart

import (
	"fmt"
	"image/color"
	"strings"
	"unicode/utf8"

	xfont "golang.org/x/image/font"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
)

// writer is gonum's text handler for texts with markup, by which its axes, legends
// and labels have symbols like those of a formula. (Its Latex
// panics at what it does not know: subscripts, superscripts, ‖, ½, &.)
type writer struct {
	buffer sfnt.Buffer
	err    error // the first rune without a glyph
}

// A line of text is ascender and descender high, in em, wherever its letters are, so that
// lines in a row have one baseline. The digits of a label are in the middle of it.
const (
	ascender   = 0.98
	descender  = 0.27
	scriptSize = 0.72
	lowered    = 0.17
	raised     = 0.36
)

// style is that of a text of a size, its alignment left to who draws it.
func (w *writer) style(size vg.Length, heavy bool, ink color.Color) text.Style {
	f := font.From(plot.DefaultFont, size)
	if heavy {
		f.Weight = xfont.WeightBold
	}
	return text.Style{Color: ink, Font: f, Handler: w}
}

// Cache is that of gonum's own fonts.
func (w *writer) Cache() *font.Cache { return font.DefaultCache }

// Extents has no descent, which gonum would add to what Box says.
func (w *writer) Extents(f font.Font) font.Extents {
	return font.Extents{Ascent: f.Size, Height: f.Size}
}

// Lines splits a text.
func (w *writer) Lines(txt string) []string { return strings.Split(txt, "\n") }

// Box measures a line.
func (w *writer) Box(txt string, f font.Font) (width, height, depth vg.Length) {
	_, width = w.line(txt, f)
	return width, ascender * f.Size, descender * f.Size
}

// Draw draws lines of text, upwards if the style is rotated.
func (w *writer) Draw(c vg.Canvas, txt string, sty text.Style, at vg.Point) {
	c.SetColor(sty.Color)
	y := vg.Length(sty.YAlign+1) * sty.Height(txt)
	for _, line := range w.Lines(txt) {
		y -= ascender * sty.Font.Size
		c.Push()
		origin := at
		if sty.Rotation != 0 {
			c.Translate(at)
			c.Rotate(sty.Rotation)
			origin = vg.Point{}
		}
		pieces, width := w.line(line, sty.Font)
		for _, p := range pieces {
			c.FillString(p.face, origin.Add(p.at).Add(vg.Point{X: vg.Length(sty.XAlign) * width, Y: y}), p.text)
		}
		c.Pop()
		y -= descender * sty.Font.Size
	}
}

// piece is text in one font on one baseline, which begins at a point.
type piece struct {
	face font.Face
	at   vg.Point
	text string
}

// line lays out one line of text from the origin on.
func (w *writer) line(txt string, f font.Font) (pieces []piece, width vg.Length) {
	var previous level
	var start, end vg.Length // of the last sub- or superscript
	for _, r := range parse(txt) {
		p := piece{at: vg.Point{X: width}}
		font := f
		if r.italic {
			font.Style = xfont.StyleItalic
		}
		switch r.level {
		case subscript:
			font.Size, p.at.Y = scriptSize*f.Size, -lowered*f.Size
		case superscript:
			font.Size, p.at.Y = scriptSize*f.Size, raised*f.Size
		}
		p.face = w.Cache().Lookup(font, font.Size)
		p.text = strings.Map(func(r rune) rune { return w.known(p.face, r) }, r.text)
		switch {
		case r.level != base && previous == base:
			start, end = width, width
		case r.level != base && r.level != previous:
			p.at.X = start // a superscript above its subscript
		}
		width = p.at.X + p.face.Width(p.text)
		if r.level != base {
			end = max(end, width)
			width = end
		}
		previous = r.level
		pieces = append(pieces, p)
	}
	return pieces, width
}

// known returns r or a rune that looks like it, for those that the fonts have under
// another code only. A rune without a glyph is an error of the figure.
func (w *writer) known(face font.Face, r rune) rune {
	if g, err := face.Face.GlyphIndex(&w.buffer, r); err == nil && g != 0 {
		return r
	}
	const unknown, alike = "∥⋅∼≃ϵϕ\u00a0\u2009\u202f", "‖·~≈εφ   "
	for i, u := range []rune(unknown) {
		if u == r {
			return []rune(alike)[i]
		}
	}
	if w.err == nil {
		w.err = fmt.Errorf("no glyph for %q (%U): want Latin, Greek or the usual symbols of formulas", r, r)
	}
	return '?'
}

// broken breaks text at spaces so that no line is wider than width, unless it is one word.
func broken(txt string, sty text.Style, width vg.Length) string {
	var lines []string
	for _, word := range strings.Fields(txt) {
		last := len(lines) - 1
		if last < 0 || sty.Width(lines[last]+" "+word) > width {
			lines = append(lines, word)
		} else {
			lines[last] += " " + word
		}
	}
	return strings.Join(lines, "\n")
}

// outlined draws text as the outlines of its glyphs, so that it looks the same in every
// viewer; gonum's PDF canvas, moreover, encodes text in Windows-1252, which has no Greek.
type outlined struct{ vg.Canvas }

func (o outlined) FillString(face font.Face, at vg.Point, txt string) {
	for i, r := range txt {
		next := i + utf8.RuneLen(r)
		if glyph := outline(face, r); glyph != nil {
			o.Push()
			o.Translate(at.Add(vg.Point{X: face.Width(txt[:next]) - face.Width(txt[i:next])})) // with kerning
			o.Fill(glyph)
			o.Pop()
		}
	}
}

// outline is the shape of a rune with its origin at (0, 0).
func outline(face font.Face, r rune) vg.Path {
	var b sfnt.Buffer
	em := fixed.Int26_6(face.Face.UnitsPerEm())
	index, err := face.Face.GlyphIndex(&b, r)
	if err != nil {
		return nil
	}
	segments, err := face.Face.LoadGlyph(&b, index, em, nil)
	if err != nil {
		return nil
	}
	at := func(p fixed.Point26_6) vg.Point {
		return vg.Point{X: vg.Length(p.X), Y: -vg.Length(p.Y)}.Scale(face.Font.Size / vg.Length(em))
	}
	var path vg.Path
	for _, s := range segments {
		switch s.Op {
		case sfnt.SegmentOpMoveTo:
			if path != nil {
				path.Close()
			}
			path.Move(at(s.Args[0]))
		case sfnt.SegmentOpLineTo:
			path.Line(at(s.Args[0]))
		case sfnt.SegmentOpQuadTo:
			path.QuadTo(at(s.Args[0]), at(s.Args[1]))
		case sfnt.SegmentOpCubeTo:
			path.CubeTo(at(s.Args[0]), at(s.Args[1]), at(s.Args[2]))
		}
	}
	if path != nil {
		path.Close()
	}
	return path
}
