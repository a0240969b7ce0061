package chart

import (
	"image/color"

	"gonum.org/v1/plot/vg"
)

// canvas is what figures are drawn on: origin at the bottom left, lengths in points.
type canvas interface {
	// group gives what draw draws a name, where the format has names.
	group(name string, draw func())
	fill(p vg.Path, c color.NRGBA)
	stroke(p vg.Path, with pen)
	// stamp draws the same shape at several places, filled and then stroked.
	stamp(shape vg.Path, at []vg.Point, inside color.NRGBA, with pen)
	// text draws a line of text with its origin at a point, upwards if vertical.
	text(l line, at vg.Point, vertical bool, c color.NRGBA)
}

// pen is how a path is stroked.
type pen struct {
	color  color.NRGBA
	width  vg.Length // 0: not at all
	dashes []vg.Length
}

// placed is l's outlines at their place.
func (f *fonts) placed(l line, at vg.Point, vertical bool) vg.Path {
	return moved(f.path(l), func(q vg.Point) vg.Point {
		if vertical {
			q = vg.Point{X: -q.Y, Y: q.X}
		}
		return at.Add(q)
	})
}

// shifted is path moved by a vector.
func shifted(path vg.Path, by vg.Point) vg.Path {
	return moved(path, func(q vg.Point) vg.Point { return q.Add(by) })
}
