package chart

import (
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
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

// view is a panel with its scales. Gonum's plotters get places in 0 … 1 on both axes: no
// number is too large for them or has no logarithm.
type view struct {
	*Panel
	x, y scale
}

// spot is the place of a point.
func (v *view) spot(x, y float64) plotter.XY { return plotter.XY{X: v.x.place(x), Y: v.y.place(y)} }

// unit forces u into 0 … 1.
func unit(u float64) float64 { return min(max(u, 0), 1) }

func within(u float64) bool { return u >= -1e-9 && u <= 1+1e-9 }

// shows says whether the point is in the frame.
func (v *view) shows(q Point) bool {
	return v.X.Scale.holds(q.X) && v.Y.Scale.holds(q.Y) && within(v.x.place(q.X)) && within(v.y.place(q.Y))
}

// hidden keeps gonum from changing the frame for what is drawn in it: ends of curves
// and halves of glyphs may be on it.
type hidden struct{ plot.Plotter }

// Plot draws with lines confined to the frame.
func (h hidden) Plot(c draw.Canvas, p *plot.Plot) {
	c.Canvas = confined{c.Canvas, c.Rectangle}
	h.Plotter.Plot(c, p)
}

// confined keeps lines in a rectangle: where a line meets the edge at an angle of almost 0, gonum's
// clipping, which is tolerant, extrapolates it. Glyphs are moved to their place and remain whole.
type confined struct {
	vg.Canvas
	frame vg.Rectangle
}

func (c confined) Stroke(p vg.Path) {
	if len(p) > 0 && p[len(p)-1].Type == vg.LineComp {
		for i := range p {
			p[i].Pos.X = min(max(p[i].Pos.X, c.frame.Min.X), c.frame.Max.X)
			p[i].Pos.Y = min(max(p[i].Pos.Y, c.frame.Min.Y), c.frame.Max.Y)
		}
	}
	c.Canvas.Stroke(p)
}

// add adds the series to a plot: bars and curves at the back, then error bars, then glyphs.
func (v *view) add(to *plot.Plot, look look) {
	for i := range v.Series {
		if s := &v.Series[i]; s.Mark == Bars {
			bars := look.bars(s)
			bars.XYs = v.bars(s)
			to.Add(hidden{bars})
		}
	}
	for i := range v.Series {
		s := &v.Series[i]
		for _, piece := range v.curve(s) {
			to.Add(hidden{&plotter.Line{XYs: piece, LineStyle: look.line(s)}})
		}
	}
	for i := range v.Series {
		to.Add(look.errors(v, &v.Series[i]))
	}
	for i := range v.Series {
		s := &v.Series[i]
		if s.Mark != Points {
			continue
		}
		points := look.points(s)
		for _, q := range s.Points {
			if v.shows(q) {
				points.XYs = append(points.XYs, v.spot(q.X, q.Y))
			}
		}
		to.Add(hidden{points})
	}
}

// points, line and bars are plotters without data, for the data or for a legend.
func (l look) points(s *Series) *plotter.Scatter {
	return &plotter.Scatter{GlyphStyle: draw.GlyphStyle{Color: l.color(s), Radius: glyphSize, Shape: glyph{l.glyphOf(s), l.background}}}
}

func (l look) line(s *Series) draw.LineStyle {
	return draw.LineStyle{Color: l.color(s), Width: curveLine, Dashes: l.dashesOf(s)}
}

func (l look) bars(s *Series) *plotter.Polygon {
	return &plotter.Polygon{LineStyle: draw.LineStyle{Color: l.color(s), Width: barLine}, Color: faded(l.color(s), barOpacity)}
}

func (l look) errors(v *view, s *Series) errorBars {
	return errorBars{v, s, draw.LineStyle{Color: l.color(s), Width: errorLine}}
}

// curve is the pieces of a curve, none for other marks, with corners where it jumps. (Gonum's
// steps are cut at the frame before they become steps.)
func (v *view) curve(s *Series) (pieces []plotter.XYs) {
	if !s.Mark.curve() {
		return nil
	}
	var piece plotter.XYs
	for _, q := range append(s.Points[:len(s.Points):len(s.Points)], At(math.NaN(), 0)) {
		at := v.spot(q.X, q.Y)
		if math.IsNaN(at.X) || math.IsNaN(at.Y) {
			if len(piece) > 1 {
				pieces = append(pieces, piece)
			}
			piece = nil
			continue
		}
		if s.Mark == Step && len(piece) > 0 {
			piece = append(piece, plotter.XY{X: at.X, Y: piece[len(piece)-1].Y})
		}
		piece = append(piece, at)
	}
	return pieces
}

// bars is the outlines of bars, one for those that touch.
func (v *view) bars(s *Series) (outlines []plotter.XYs) {
	base := 0. // of a logarithmic axis
	if !v.y.log {
		base = unit(v.y.place(0))
	}
	end := math.NaN() // right side of the last bar
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
			outlines = append(outlines, plotter.XYs{{X: left, Y: base}})
		}
		last := &outlines[len(outlines)-1]
		if n := len(*last); n > 1 {
			*last = (*last)[:n-1] // back from the base
		}
		*last = append(*last, plotter.XY{X: left, Y: top}, plotter.XY{X: right, Y: top}, plotter.XY{X: right, Y: base})
		end = right
	}
	return outlines
}

// errorBars draws the error bars of a series, which unlike gonum's may have one end only, or
// one that is open: infinite or beyond the frame.
type errorBars struct {
	*view
	*Series
	draw.LineStyle
}

// Plot draws all bars as one path.
func (e errorBars) Plot(c draw.Canvas, _ *plot.Plot) {
	var p vg.Path
	for _, q := range e.Points {
		if e.Mark.curve() || !e.shows(q) {
			continue
		}
		at := e.spot(q.X, q.Y)
		errorBar(&p, e.y, q.YLo, at.Y, q.YHi, func(u float64, along, across vg.Length) vg.Point {
			return vg.Point{X: c.X(at.X) + across, Y: c.Y(u) + along}
		})
		if e.Mark == Points {
			errorBar(&p, e.x, q.XLo, at.X, q.XHi, func(u float64, along, across vg.Length) vg.Point {
				return vg.Point{X: c.X(u) + along, Y: c.Y(at.Y) + across}
			})
		}
	}
	c.SetLineStyle(e.LineStyle)
	if len(p) > 0 {
		c.Stroke(p)
	}
}

// Thumbnail draws one bar with caps.
func (e errorBars) Thumbnail(c *draw.Canvas) {
	var p vg.Path
	errorBar(&p, scale{hi: 1}, 0.1, 0.5, 0.9, func(u float64, along, across vg.Length) vg.Point {
		return vg.Point{X: c.Center().X + across, Y: c.Y(u) + along}
	})
	c.SetLineStyle(e.LineStyle)
	c.Stroke(p)
}

// errorBar adds a bar from lo to hi to p, or to the middle, a place, where one of them is NaN. At maps
// a place and lengths along and across the bar to the page.
func errorBar(p *vg.Path, on scale, lo, middle, hi float64, at func(u float64, along, across vg.Length) vg.Point) {
	if math.IsNaN(lo) && math.IsNaN(hi) {
		return
	}
	end := func(x float64, inward vg.Length) float64 {
		if math.IsNaN(x) {
			return middle
		}
		u := on.place(x)
		if within(u) {
			p.Move(at(unit(u), 0, -capSize))
			p.Line(at(unit(u), 0, capSize))
			return unit(u)
		}
		if math.IsNaN(u) { // not positive: as far down as a logarithmic axis goes
			u = 0
		}
		p.Move(at(unit(u), inward*arrowSize, -0.55*arrowSize))
		p.Line(at(unit(u), 0, 0))
		p.Line(at(unit(u), inward*arrowSize, 0.55*arrowSize))
		return unit(u)
	}
	from, to := end(lo, 1), end(hi, -1)
	p.Move(at(from, 0, 0))
	p.Line(at(to, 0, 0))
}
