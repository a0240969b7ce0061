package chart

import (
	"math"

	"gonum.org/v1/plot/vg"
)

const (
	frameLine  = 0.6
	curveLine  = 1.1
	barLine    = 0.7
	barOpacity = 0.28
	errorLine  = 0.8
	glyphSize  = 1.9 // radius
	halo       = 0.4 // a line of background around filled glyphs, which parts them
	capSize    = 1.9 // half the length of the cap of an error bar
	arrowSize  = 3.2
)

// omitted counts points that are not drawn, by reason.
type omitted struct {
	logarithm, curveLogarithm int // not positive, on a logarithmic axis
	undefined                 int // NaN or infinite
	outside                   int // beyond given ends of an axis
}

func (o *omitted) add(p omitted) {
	o.logarithm += p.logarithm
	o.curveLogarithm += p.curveLogarithm
	o.undefined += p.undefined
	o.outside += p.outside
}

// view is a panel with its scales and its place.
type view struct {
	*Panel
	x, y  scale
	frame vg.Rectangle
}

// at is where u, v in 0 … 1 are on the page.
func (v *view) at(x, y float64) vg.Point {
	return vg.Point{
		X: v.frame.Min.X + vg.Length(x)*v.frame.Size().X,
		Y: v.frame.Min.Y + vg.Length(y)*v.frame.Size().Y,
	}
}

// lacks says whether a coordinate has no place because its axis is logarithmic.
func (a Axis) lacks(x float64) bool { return a.Scale == Log && x <= 0 && !math.IsInf(x, -1) }

// omissions counts the points that will not be drawn.
func (v *view) omissions() omitted {
	var o omitted
	for i := range v.Series {
		s := &v.Series[i]
		for _, q := range s.Points {
			defined := v.X.Scale.holds(q.X) && v.Y.Scale.holds(q.Y)
			switch {
			case (v.X.lacks(q.X) || v.Y.lacks(q.Y)) && s.Mark.curve():
				o.curveLogarithm++
			case v.X.lacks(q.X) || v.Y.lacks(q.Y):
				o.logarithm++
			case s.Mark.curve(): // interrupted by NaN, and cut off at the frame
			case !defined:
				o.undefined++
			case s.Mark == Points && !v.shows(q), s.Mark == Bars && !within(v.x.place(q.X)):
				o.outside++
			}
		}
	}
	return o
}

func within(u float64) bool { return u >= -1e-9 && u <= 1+1e-9 }

// shows says whether the point is in the frame.
func (v *view) shows(q Point) bool {
	return v.X.Scale.holds(q.X) && v.Y.Scale.holds(q.Y) && within(v.x.place(q.X)) && within(v.y.place(q.Y))
}

// draw draws the series: bars and curves at the back, then error bars, then glyphs.
func (v *view) draw(c canvas, look look) {
	for i := range v.Series {
		if s := &v.Series[i]; s.Mark == Bars {
			c.group("series", func() { v.bars(c, s, look) })
		}
	}
	for i := range v.Series {
		if s := &v.Series[i]; s.Mark.curve() {
			c.group("series", func() {
				c.stroke(v.curve(s), pen{color: look.color(s), width: curveLine, dashes: look.dashesOf(s)})
			})
		}
	}
	for i := range v.Series {
		s := &v.Series[i]
		if s.Mark != Points && s.Mark != Bars {
			continue
		}
		if p := v.errors(s); len(p) > 0 {
			c.group("errors", func() { c.stroke(p, pen{color: look.color(s), width: errorLine}) })
		}
	}
	for i := range v.Series {
		s := &v.Series[i]
		if s.Mark != Points {
			continue
		}
		var at []vg.Point
		for _, q := range s.Points {
			if v.shows(q) {
				at = append(at, v.at(v.x.place(q.X), v.y.place(q.Y)))
			}
		}
		c.group("series", func() { look.stamp(c, s, at) })
	}
}

// stamp draws the glyph of a series at some points.
func (l look) stamp(c canvas, s *Series, at []vg.Point) {
	path, filled := shape(l.glyphOf(s), glyphSize)
	if filled {
		c.stamp(path, at, l.color(s), pen{color: l.background, width: halo})
	} else {
		c.stamp(path, at, l.background, pen{color: l.color(s), width: 0.9})
	}
}

// curve is the part of a series in the frame.
func (v *view) curve(s *Series) vg.Path {
	var path vg.Path
	var drawn vg.Point // the end of path
	pen := false       // whether the path has an end to go on from
	join := func(x0, y0, x1, y1 float64) {
		a, b, ok := clip(x0, y0, x1, y1)
		if !ok {
			pen = false
			return
		}
		from, to := v.at(a[0], a[1]), v.at(b[0], b[1])
		if !pen || from != drawn {
			path.Move(from)
		}
		path.Line(to)
		drawn, pen = to, true
	}
	x0, y0 := math.NaN(), math.NaN()
	for i, q := range s.Points {
		x, y := v.x.place(q.X), v.y.place(q.Y)
		if math.IsNaN(x) || math.IsNaN(y) {
			x0, pen = math.NaN(), false
			continue
		}
		if !math.IsNaN(x0) {
			// Points closer than any device shows only make files large.
			const near = 2e-5
			if math.Abs(x-x0) < near && math.Abs(y-y0) < near && i < len(s.Points)-1 {
				continue
			}
			if s.Mark == Step {
				join(x0, y0, x, y0)
				join(x, y0, x, y)
			} else {
				join(x0, y0, x, y)
			}
		}
		x0, y0 = x, y
	}
	return path
}

// clip cuts a segment to the unit square (Liang and Barsky 1984).
func clip(x0, y0, x1, y1 float64) (a, b [2]float64, ok bool) {
	from, to := 0., 1.
	dx, dy := x1-x0, y1-y0
	for _, edge := range [4][2]float64{{-dx, x0}, {dx, 1 - x0}, {-dy, y0}, {dy, 1 - y0}} {
		towards, room := edge[0], edge[1]
		switch {
		case towards == 0 && room < 0:
			return a, b, false
		case towards < 0:
			from = max(from, room/towards)
		case towards > 0:
			to = min(to, room/towards)
		}
	}
	if from > to {
		return a, b, false
	}
	at := func(t float64) [2]float64 {
		switch t {
		case 0:
			return [2]float64{x0, y0}
		case 1:
			return [2]float64{x1, y1}
		}
		return [2]float64{unit(x0 + t*dx), unit(y0 + t*dy)}
	}
	return at(from), at(to), true
}

// unit forces u into 0 … 1.
func unit(u float64) float64 { return min(max(u, 0), 1) }

// bars draws the bars of a series, those that touch as one shape.
func (v *view) bars(c canvas, s *Series, look look) {
	base := 0. // of a logarithmic axis
	if !v.y.log {
		base = unit(v.y.place(0))
	}
	var inside, line vg.Path
	end := math.NaN() // right side of the last bar
	finish := func() {
		if !math.IsNaN(end) {
			line.Line(v.at(end, base))
			inside.Line(v.at(end, base))
			inside.Close()
		}
		end = math.NaN()
	}
	for i, q := range s.Points {
		if !v.X.Scale.holds(q.X) || !v.Y.Scale.holds(q.Y) {
			continue
		}
		lo, hi := sides(s.Points, i, v.x.log)
		left, right, top := v.x.place(lo), v.x.place(hi), unit(v.y.place(q.Y))
		if !(left < 1 && right > 0) {
			continue
		}
		left, right = unit(left), unit(right)
		if !(math.Abs(left-end) < 1e-9) {
			finish()
			line.Move(v.at(left, base))
			inside.Move(v.at(left, base))
		}
		for _, x := range []float64{left, right} {
			line.Line(v.at(x, top))
			inside.Line(v.at(x, top))
		}
		end = right
	}
	finish()
	c.fill(inside, faded(look.color(s), barOpacity))
	c.stroke(line, pen{color: look.color(s), width: barLine})
}

// ending is how one end of an error bar looks.
type ending int

const (
	absent ending = iota
	closed        // a cap
	open          // an arrow
)

// errors is the error bars of a series. Those that leave the frame are open.
func (v *view) errors(s *Series) vg.Path {
	var path vg.Path
	end := func(on scale, x float64) (float64, ending) {
		if math.IsNaN(x) {
			return 0, absent
		}
		u := on.place(x)
		if math.IsNaN(u) { // not positive: as far down as the axis goes
			u = -outside
		}
		if !within(u) {
			return unit(u), open
		}
		return u, closed
	}
	for _, q := range s.Points {
		if !v.shows(q) {
			continue
		}
		x, y := v.x.place(q.X), v.y.place(q.Y)
		both := func(lo, hi float64, on scale, middle float64, at func(u float64) vg.Point) {
			a, below := end(on, lo)
			b, above := end(on, hi)
			if below == absent {
				a = middle
			}
			if above == absent {
				b = middle
			}
			if below != absent || above != absent {
				errorBar(&path, at(a), at(b), below, above)
			}
		}
		both(q.YLo, q.YHi, v.y, y, func(u float64) vg.Point { return v.at(x, u) })
		if s.Mark == Points {
			both(q.XLo, q.XHi, v.x, x, func(u float64) vg.Point { return v.at(u, y) })
		}
	}
	return path
}

// errorBar adds a bar between two points to p.
func errorBar(p *vg.Path, from, to vg.Point, first, last ending) {
	along := vg.Point{Y: 1}
	if from.Y == to.Y && from.X != to.X {
		along = vg.Point{X: 1}
	}
	across := vg.Point{X: along.Y, Y: along.X}
	p.Move(from)
	p.Line(to)
	tip := func(at vg.Point, e ending, inward vg.Length) {
		switch e {
		case closed:
			p.Move(at.Sub(across.Scale(capSize)))
			p.Line(at.Add(across.Scale(capSize)))
		case open:
			back := at.Add(along.Scale(inward * arrowSize))
			p.Move(back.Sub(across.Scale(arrowSize * 0.55)))
			p.Line(at)
			p.Line(back.Add(across.Scale(arrowSize * 0.55)))
		}
	}
	tip(from, first, 1)
	tip(to, last, -1)
}
