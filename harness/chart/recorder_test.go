package chart

import (
	"image/color"
	"math"

	"gonum.org/v1/plot/vg"
)

// recorder is a canvas that notes where everything is drawn.
type recorder struct {
	groups []string
	texts  []placedText
	points map[string][]vg.Point // all corners of paths, by innermost group
	stamps int
}

type placedText struct {
	text  string
	place vg.Rectangle
}

func (r *recorder) in() string {
	if len(r.groups) == 0 {
		return ""
	}
	return r.groups[len(r.groups)-1]
}

func (r *recorder) group(name string, draw func()) {
	r.groups = append(r.groups, name)
	draw()
	r.groups = r.groups[:len(r.groups)-1]
}

func (r *recorder) note(p vg.Path) {
	if r.points == nil {
		r.points = map[string][]vg.Point{}
	}
	for _, c := range p {
		if c.Type != vg.CloseComp {
			r.points[r.in()] = append(r.points[r.in()], c.Pos)
		}
	}
}

func (r *recorder) fill(p vg.Path, _ color.NRGBA) { r.note(p) }
func (r *recorder) stroke(p vg.Path, _ pen)       { r.note(p) }
func (r *recorder) stamp(shape vg.Path, at []vg.Point, _ color.NRGBA, _ pen) {
	for _, q := range at {
		r.note(shifted(shape, q))
	}
	if r.in() == "series" {
		r.stamps += len(at)
	}
}

func (r *recorder) text(l line, at vg.Point, vertical bool, _ color.NRGBA) {
	if len(l.pieces) == 0 {
		return
	}
	place := vg.Rectangle{Min: at.Sub(vg.Point{Y: l.descent}), Max: at.Add(vg.Point{X: l.width, Y: l.ascent})}
	if vertical {
		place = vg.Rectangle{Min: at.Sub(vg.Point{X: l.ascent}), Max: at.Add(vg.Point{X: l.descent, Y: l.width})}
	}
	r.texts = append(r.texts, placedText{l.text, place})
}

// overlap says whether two rectangles share more than their sides.
func overlap(a, b vg.Rectangle) bool {
	const e = 1e-6
	return a.Min.X < b.Max.X-e && b.Min.X < a.Max.X-e && a.Min.Y < b.Max.Y-e && b.Min.Y < a.Max.Y-e
}

// contains says whether b is in a, off by at most e.
func contains(a, b vg.Rectangle, e vg.Length) bool {
	return b.Min.X >= a.Min.X-e && b.Min.Y >= a.Min.Y-e && b.Max.X <= a.Max.X+e && b.Max.Y <= a.Max.Y+e
}

func finite(q vg.Point) bool {
	return !math.IsNaN(float64(q.X+q.Y)) && !math.IsInf(float64(q.X+q.Y), 0)
}
