package chart

import (
	"fmt"
	"image/color"
	"math"

	"gonum.org/v1/plot/vg"
)

// String returns "light" or "dark".
func (t Theme) String() string {
	switch t {
	case Light:
		return "light"
	case Dark:
		return "dark"
	}
	panic(fmt.Sprintf("chart: theme = %d: want Light or Dark", int(t)))
}

// Background is the color that figures of this theme are drawn on.
func (t Theme) Background() color.NRGBA { return t.look().background }

// look is what a theme amounts to.
type look struct {
	background color.NRGBA
	text       color.NRGBA // and frames
	palette    []color.NRGBA
}

// look returns the colors. The palettes follow that of M. Okabe and K. Ito, Color Universal
// Design, 2008, moved until each color has a contrast of 3 to 1 or more with the
// background and all can still be told apart without red, green or blue cones. Its yellow,
// which would become brown on paper, is left out.
func (t Theme) look() look {
	// Blue, vermillion, bluish green, reddish purple, orange, sky blue, and black or its opposite.
	colors := []uint32{0x0367a7, 0xc04f00, 0x009a67, 0xcc7aa7, 0xc28300, 0x3b9dd3, 0x3a3a3a}
	l := look{background: rgb(0xffffff), text: rgb(0x1a1a1a)}
	if t.String() == "dark" {
		colors = []uint32{0x328dcc, 0xe8743b, 0x3dc391, 0xd88ab8, 0xe6a91f, 0x9bd4f5, 0xd0d0d0}
		l = look{background: rgb(0x16181c), text: rgb(0xdcdfe4)}
	}
	for _, c := range colors {
		l.palette = append(l.palette, rgb(c))
	}
	return l
}

func rgb(hex uint32) color.NRGBA {
	return color.NRGBA{R: uint8(hex >> 16), G: uint8(hex >> 8), B: uint8(hex), A: 0xff}
}

// faded is c with a part of its opacity, 0 ≤ part ≤ 1.
func faded(c color.NRGBA, part float64) color.NRGBA {
	c.A = uint8(math.Round(float64(c.A) * part))
	return c
}

// color returns the color of a series.
func (l look) color(s *Series) color.NRGBA { return l.palette[wrap(s.Color, len(l.palette))] }

// glyphOf and dashesOf go one further each time the palette is used up, so that
// series of one color still differ.
func (l look) glyphOf(s *Series) int {
	return wrap(s.Glyph, glyphs) + wrap(s.Color/len(l.palette), glyphs)
}

func (l look) dashesOf(s *Series) []vg.Length {
	if s.Mark == Dashed {
		return []vg.Length{2.4, 1.8}
	}
	patterns := [...][]vg.Length{
		nil,
		{6.5, 1.6},
		{5, 1.5, 1, 1.5},
		{9, 1.5, 2.5, 1.5},
		{5, 1.4, 1, 1.4, 1, 1.4},
	}
	return patterns[wrap(l.glyphOf(s), len(patterns))]
}

// wrap is i modulo n, never negative.
func wrap(i, n int) int { return (i%n + n) % n }
