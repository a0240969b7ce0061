package chart

import (
	"math"

	"gonum.org/v1/plot/vg"
)

// glyphs is how many kinds of points there are: each shape filled, then open.
const glyphs = 12

// shape returns the outline of a glyph around the origin and whether it is filled. The
// shapes are of about the same area, that of a circle of the given radius.
func shape(i int, radius vg.Length) (vg.Path, bool) {
	i = wrap(i, glyphs)
	filled := i < glyphs/2
	switch i % (glyphs / 2) {
	case 0:
		return circle(radius), filled
	case 1:
		return polygon(4, 45, 1.25*radius), filled
	case 2:
		return polygon(3, 90, 1.45*radius), filled
	case 3:
		return polygon(4, 0, 1.35*radius), filled
	case 4:
		return polygon(3, -90, 1.45*radius), filled
	default:
		return star(1.5 * radius), filled
	}
}

// circle as four cubic curves, off by less than 0.03 % of the radius.
func circle(r vg.Length) vg.Path {
	k := 0.5523 * r
	var p vg.Path
	p.Move(vg.Point{X: r})
	p.CubeTo(vg.Point{X: r, Y: k}, vg.Point{X: k, Y: r}, vg.Point{Y: r})
	p.CubeTo(vg.Point{X: -k, Y: r}, vg.Point{X: -r, Y: k}, vg.Point{X: -r})
	p.CubeTo(vg.Point{X: -r, Y: -k}, vg.Point{X: -k, Y: -r}, vg.Point{Y: -r})
	p.CubeTo(vg.Point{X: k, Y: -r}, vg.Point{X: r, Y: -k}, vg.Point{X: r})
	p.Close()
	return p
}

// polygon is regular, with its first corner at an angle in degrees.
func polygon(corners int, angle float64, r vg.Length) vg.Path {
	var p vg.Path
	for i := range corners {
		corner := polar(angle+360*float64(i)/float64(corners), r)
		if i == 0 {
			p.Move(corner)
		} else {
			p.Line(corner)
		}
	}
	p.Close()
	return p
}

func star(r vg.Length) vg.Path {
	var p vg.Path
	for i := range 10 {
		corner := polar(90+36*float64(i), r)
		if i%2 == 1 {
			corner = corner.Scale(0.5)
		}
		if i == 0 {
			p.Move(corner)
		} else {
			p.Line(corner)
		}
	}
	p.Close()
	return p
}

func polar(degrees float64, r vg.Length) vg.Point {
	s, c := math.Sincos(degrees * math.Pi / 180)
	return vg.Point{X: vg.Length(c) * r, Y: vg.Length(s) * r}
}

func rectangle(r vg.Rectangle) vg.Path {
	var p vg.Path
	p.Move(r.Min)
	p.Line(vg.Point{X: r.Max.X, Y: r.Min.Y})
	p.Line(r.Max)
	p.Line(vg.Point{X: r.Min.X, Y: r.Max.Y})
	p.Close()
	return p
}

func segment(from, to vg.Point) vg.Path {
	var p vg.Path
	p.Move(from)
	p.Line(to)
	return p
}
