package chart

import (
	"image/color"
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// glyphs is how many kinds of points there are: each shape filled, then open.
const glyphs = 12

// glyph draws points for plotter.Scatter: those that are filled with a line of background
// around them, which parts them; those that are open with background in them.
type glyph struct {
	kind       int // modulo glyphs
	background color.Color
}

// DrawGlyph is that of gonum's draw.GlyphDrawer.
func (g glyph) DrawGlyph(c *draw.Canvas, sty draw.GlyphStyle, at vg.Point) {
	inside, line := sty.Color, draw.LineStyle{Color: g.background, Width: halo}
	if wrap(g.kind, glyphs) >= glyphs/2 {
		inside, line = g.background, draw.LineStyle{Color: sty.Color, Width: 0.9}
	}
	path := g.outline(sty.Radius)
	c.Push()
	c.Translate(at)
	c.SetColor(inside)
	c.Fill(path)
	c.SetLineStyle(line)
	c.Stroke(path)
	c.Pop()
}

// outline is the shape around the origin, all of about the area of a circle of that radius.
func (g glyph) outline(r vg.Length) vg.Path {
	switch wrap(g.kind, glyphs/2) {
	case 0:
		return polygon(32, 0, r, r) // off a circle by 0.5 % of its radius
	case 1:
		return polygon(4, 45, 1.25*r, 1.25*r)
	case 2:
		return polygon(3, 90, 1.45*r, 1.45*r)
	case 3:
		return polygon(4, 0, 1.35*r, 1.35*r)
	case 4:
		return polygon(3, -90, 1.45*r, 1.45*r)
	}
	return polygon(10, 90, 1.5*r, 0.75*r)
}

// polygon has its corners at equal angles from the first on, in degrees, by turns at these two
// distances from the origin.
func polygon(corners int, first float64, even, odd vg.Length) (p vg.Path) {
	for i := range corners {
		s, c := math.Sincos((first + 360*float64(i)/float64(corners)) * math.Pi / 180)
		corner := vg.Point{X: vg.Length(c), Y: vg.Length(s)}.Scale([]vg.Length{even, odd}[i%2])
		if i == 0 {
			p.Move(corner)
		} else {
			p.Line(corner)
		}
	}
	p.Close()
	return p
}
