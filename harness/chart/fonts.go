package chart

import (
	"fmt"

	"codeberg.org/go-fonts/liberation/liberationserifbold"
	"codeberg.org/go-fonts/liberation/liberationserifbolditalic"
	"codeberg.org/go-fonts/liberation/liberationserifitalic"
	"codeberg.org/go-fonts/liberation/liberationserifregular"
	"golang.org/x/image/font"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"gonum.org/v1/plot/vg"
)

// face is one of the fonts, gonum's own.
type face int

const (
	regular face = iota
	italic
	bold
	boldItalic
	faces
)

// fonts finds glyphs and their outlines. Text is drawn as outlines so that it looks
// the same in every viewer; gonum's PDF canvas, moreover, encodes text in Windows-1252,
// which has no Greek.
type fonts struct {
	parsed [faces]*sfnt.Font
	buffer sfnt.Buffer
	err    error // the first rune without a glyph
}

func newFonts() *fonts {
	var f fonts
	for i, data := range [faces][]byte{
		liberationserifregular.TTF, liberationserifitalic.TTF,
		liberationserifbold.TTF, liberationserifbolditalic.TTF,
	} {
		parsed, err := sfnt.Parse(data)
		if err != nil {
			panic("chart: a font of the module does not parse: " + err.Error())
		}
		f.parsed[i] = parsed
	}
	return &f
}

// unitsPerEm is the same for all Liberation fonts. Glyphs are measured in these units.
const unitsPerEm = 2048

var ppem = fixed.I(unitsPerEm)

// equivalent returns a rune that looks like r, for those that the fonts have under
// another code only.
func equivalent(r rune) rune {
	switch r {
	case '∥':
		return '‖'
	case '⋅':
		return '·'
	case '∼':
		return '~'
	case '≃':
		return '≈'
	case 'ϵ':
		return 'ε'
	case 'ϕ':
		return 'φ'
	case '\u00a0', '\u2009', '\u202f': // spaces
		return ' '
	}
	return r
}

// index returns the glyph of r. A rune without one is an error of the figure.
func (f *fonts) index(in face, r rune) sfnt.GlyphIndex {
	x, err := f.parsed[in].GlyphIndex(&f.buffer, r)
	if e := equivalent(r); x == 0 && e != r {
		x, err = f.parsed[in].GlyphIndex(&f.buffer, e)
	}
	if (err != nil || x == 0) && f.err == nil {
		f.err = fmt.Errorf("no glyph for %q (%U): want Latin, Greek or the usual symbols of formulas", r, r)
	}
	return x
}

// advance is the width of a glyph in units.
func (f *fonts) advance(in face, x sfnt.GlyphIndex) float64 {
	w, err := f.parsed[in].GlyphAdvance(&f.buffer, x, ppem, font.HintingNone)
	if err != nil {
		return 0
	}
	return float64(w) / 64
}

// kern is the correction of the distance of two glyphs in units.
func (f *fonts) kern(in face, x, y sfnt.GlyphIndex) float64 {
	k, err := f.parsed[in].Kern(&f.buffer, x, y, ppem, font.HintingNone)
	if err != nil { // no such pair
		return 0
	}
	return float64(k) / 64
}

// outline is the shape of a glyph in units, y up.
func (f *fonts) outline(in face, x sfnt.GlyphIndex) vg.Path {
	segments, err := f.parsed[in].LoadGlyph(&f.buffer, x, ppem, nil)
	if err != nil {
		return nil
	}
	at := func(p fixed.Point26_6) vg.Point {
		return vg.Point{X: vg.Length(p.X) / 64, Y: -vg.Length(p.Y) / 64}
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
