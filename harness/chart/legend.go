package chart

import (
	"slices"

	"gonum.org/v1/plot/vg"
)

// entry is a line of a legend: a name and all the ways in which series of that name
// are drawn.
type entry struct {
	name  string
	looks []Series // without points
	bars  bool     // whether any has error bars
	text  block
}

// entries lists the names of some series in the order of their first occurrence.
func entries(series []Series) []entry {
	var list []entry
	for i := range series {
		s := &series[i]
		if s.Name == "" {
			continue
		}
		k := slices.IndexFunc(list, func(e entry) bool { return e.name == s.Name })
		if k < 0 {
			list = append(list, entry{name: s.Name})
			k = len(list) - 1
		}
		e := &list[k]
		look := Series{Mark: s.Mark, Color: s.Color, Glyph: s.Glyph}
		if !slices.ContainsFunc(e.looks, func(o Series) bool { return sameLook(&o, &look) }) {
			e.looks = append(e.looks, look)
		}
		e.bars = e.bars || s.Mark == Points && slices.ContainsFunc(s.Points, hasBars)
	}
	return list
}

func hasBars(p Point) bool {
	// NaN differs from itself: an end that is there.
	return p.XLo == p.XLo || p.XHi == p.XHi || p.YLo == p.YLo || p.YHi == p.YHi
}

func sameLook(a, b *Series) bool {
	return a.Mark == b.Mark && a.Color == b.Color && a.Glyph == b.Glyph
}

// shared says whether one legend can serve all panels: each name has one look and each
// look one name, and there is a name that occurs twice or one panel with names.
func (f *Figure) shared() bool {
	type owner struct {
		name string
		at   int
	}
	var named, repeated int
	var all []entry
	for _, p := range f.Panels {
		list := entries(p.Series)
		if len(list) > 0 {
			named++
		}
		for _, e := range list {
			again := false
			for _, o := range all {
				same := slices.EqualFunc(e.looks, o.looks, func(a, b Series) bool { return sameLook(&a, &b) })
				switch {
				case e.name == o.name && !same:
					return false
				case e.name == o.name:
					again = true
				case slices.ContainsFunc(e.looks, func(a Series) bool {
					return slices.ContainsFunc(o.looks, func(b Series) bool { return sameLook(&a, &b) })
				}):
					return false
				}
			}
			if again {
				repeated++
			}
			all = append(all, e)
		}
	}
	return named <= 1 || repeated > 0
}

const (
	legendSize = 8
	keyWidth   = 20
	keyGap     = 5
	columnGap  = 14
	rowGap     = 2.5
)

// legend is entries in columns, filled one after the other.
type legend struct {
	entries []entry
	rows    int
	widths  []vg.Length // of the columns, keys included
	heights []vg.Length // of the rows
	place   vg.Rectangle
}

// newLegend lays out entries in as many columns as the width holds.
func (f *fonts) newLegend(list []entry, width vg.Length) legend {
	if len(list) == 0 {
		return legend{}
	}
	for i := range list {
		list[i].text = f.block(list[i].name, legendSize, false, width-keyWidth-keyGap)
	}
	l := legend{entries: list}
	for columns := len(list); columns >= 1; columns-- {
		l.rows = (len(list) + columns - 1) / columns
		l.widths, l.heights = nil, make([]vg.Length, l.rows)
		for i, e := range list {
			if i%l.rows == 0 {
				l.widths = append(l.widths, 0)
			}
			w := &l.widths[len(l.widths)-1]
			*w = max(*w, keyWidth+keyGap+e.text.width())
			h := &l.heights[i%l.rows]
			*h = max(*h, e.text.height())
		}
		if l.size().X <= width {
			break
		}
	}
	return l
}

// size is of the whole legend.
func (l legend) size() vg.Point {
	var s vg.Point
	for i, w := range l.widths {
		s.X += w
		if i > 0 {
			s.X += columnGap
		}
	}
	for i, h := range l.heights {
		s.Y += h
		if i > 0 {
			s.Y += rowGap
		}
	}
	return s
}

// draw draws the legend at its place.
func (l legend) draw(c canvas, look look) {
	if len(l.entries) == 0 {
		return
	}
	x := l.place.Min.X
	for column, w := range l.widths {
		y := l.place.Max.Y
		for row, h := range l.heights {
			i := column*l.rows + row
			if i >= len(l.entries) {
				break
			}
			e := l.entries[i]
			baseline := y - e.text[0].ascent
			key := vg.Rectangle{
				Min: vg.Point{X: x, Y: baseline + 0.33*legendSize - 0.42*legendSize},
				Max: vg.Point{X: x + keyWidth, Y: baseline + 0.33*legendSize + 0.42*legendSize},
			}
			e.key(c, key, look)
			drawBlock(c, e.text, vg.Point{X: x + keyWidth + keyGap, Y: y}, 0, look.text)
			y -= h + rowGap
		}
		x += w + columnGap
	}
}

// key draws a sample of each look over the other in r.
func (e entry) key(c canvas, r vg.Rectangle, look look) {
	middle := vg.Point{X: (r.Min.X + r.Max.X) / 2, Y: (r.Min.Y + r.Max.Y) / 2}
	for _, pass := range []func(s *Series){
		func(s *Series) {
			switch {
			case s.Mark == Bars:
				box := rectangle(vg.Rectangle{Min: r.Min.Add(vg.Point{X: 3}), Max: r.Max.Sub(vg.Point{X: 3})})
				c.fill(box, faded(look.color(s), barOpacity))
				c.stroke(box, pen{color: look.color(s), width: barLine})
			case s.Mark.curve():
				c.stroke(segment(vg.Point{X: r.Min.X, Y: middle.Y}, vg.Point{X: r.Max.X, Y: middle.Y}),
					pen{color: look.color(s), width: curveLine, dashes: look.dashesOf(s)})
			}
		},
		func(s *Series) {
			if s.Mark == Points {
				if e.bars {
					var p vg.Path
					errorBar(&p, vg.Point{X: middle.X, Y: r.Min.Y}, vg.Point{X: middle.X, Y: r.Max.Y}, closed, closed)
					c.stroke(p, pen{color: look.color(s), width: errorLine})
				}
				look.stamp(c, s, []vg.Point{middle})
			}
		},
	} {
		for i := range e.looks {
			pass(&e.looks[i])
		}
	}
}
