package chart

import (
	"strings"

	"golang.org/x/image/font/sfnt"
	"gonum.org/v1/plot/vg"
)

// line is a line of text laid out, its origin at the left end of the baseline.
type line struct {
	text            string    // as it was given
	size            vg.Length // of an em
	pieces          []piece
	width           vg.Length
	ascent, descent vg.Length // from the baseline, both ≥ 0
}

// piece is glyphs of one font and size on one baseline.
type piece struct {
	face   face
	size   vg.Length // of an em
	dx, dy vg.Length // from the origin of the line
	glyphs []sfnt.GlyphIndex
	at     []float64 // of each glyph from dx, in font units
}

const (
	scriptSize = 0.72
	lowered    = 0.17 // em
	raised     = 0.36
	ascender   = 0.70 // em; the height of capitals and digits is 0.66
	descender  = 0.22
)

// line lays out one line of text.
func (f *fonts) line(text string, size vg.Length, heavy bool) line {
	l := line{text: text, size: size, ascent: ascender * size, descent: descender * size}
	var previous level
	var scriptStart, scriptEnd vg.Length // of the last sub- or superscript
	for _, r := range parse(text) {
		p := piece{size: size, dx: l.width}
		switch {
		case r.italic && heavy:
			p.face = boldItalic
		case r.italic:
			p.face = italic
		case heavy:
			p.face = bold
		}
		switch r.level {
		case subscript:
			p.size, p.dy = scriptSize*size, -lowered*size
			l.descent = max(l.descent, descender*p.size-p.dy)
		case superscript:
			p.size, p.dy = scriptSize*size, raised*size
			l.ascent = max(l.ascent, ascender*p.size+p.dy)
		}
		if r.level != base {
			if previous == base {
				scriptStart, scriptEnd = l.width, l.width
			} else if r.level != previous {
				p.dx = scriptStart // a superscript above its subscript
			}
		}
		end := p.dx + f.place(&p, r.text)
		if r.level != base {
			scriptEnd = max(scriptEnd, end)
			end = scriptEnd
		}
		l.width = end
		previous = r.level
		l.pieces = append(l.pieces, p)
	}
	return l
}

// place fills in the glyphs of text and returns their width.
func (f *fonts) place(p *piece, text string) vg.Length {
	var x float64 // font units
	for i, r := range []rune(text) {
		g := f.index(p.face, r)
		if i > 0 {
			x += f.kern(p.face, p.glyphs[i-1], g)
		}
		p.glyphs = append(p.glyphs, g)
		p.at = append(p.at, x)
		x += f.advance(p.face, g)
	}
	return vg.Length(x/unitsPerEm) * p.size
}

// block is lines of text one below the other.
type block []line

const leading = 1.2

// block breaks text at spaces so that no line is wider than width, unless it is one word.
func (f *fonts) block(text string, size vg.Length, heavy bool, width vg.Length) block {
	var b block
	var current string
	for _, word := range strings.Fields(text) {
		longer := strings.TrimPrefix(current+" "+word, " ")
		if current != "" && f.line(longer, size, heavy).width > width {
			b = append(b, f.line(current, size, heavy))
			longer = word
		}
		current = longer
	}
	if current != "" {
		b = append(b, f.line(current, size, heavy))
	}
	return b
}

// spacing is the space above a line of text that is not the first.
func (l line) spacing() vg.Length { return (leading - ascender - descender) * l.size }

// height is from the ascent of the first line to the descent of the last.
func (b block) height() vg.Length {
	var h vg.Length
	for i, l := range b {
		h += l.ascent + l.descent
		if i > 0 {
			h += l.spacing()
		}
	}
	return h
}

func (b block) width() vg.Length {
	var w vg.Length
	for _, l := range b {
		w = max(w, l.width)
	}
	return w
}

// path is the outlines of l in its own coordinates.
func (f *fonts) path(l line) vg.Path {
	var path vg.Path
	for _, p := range l.pieces {
		scale := p.size / unitsPerEm
		for i, g := range p.glyphs {
			path = append(path, moved(f.outline(p.face, g), func(q vg.Point) vg.Point {
				return vg.Point{X: p.dx + scale*(vg.Length(p.at[i])+q.X), Y: p.dy + scale*q.Y}
			})...)
		}
	}
	return path
}

// moved is path with all its points mapped.
func moved(path vg.Path, to func(vg.Point) vg.Point) vg.Path {
	out := make(vg.Path, len(path))
	for i, c := range path {
		c.Pos = to(c.Pos)
		control := make([]vg.Point, len(c.Control))
		for j, q := range c.Control {
			control[j] = to(q)
		}
		c.Control = control
		out[i] = c
	}
	return out
}
