package chart

import (
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// entry is a line of a legend: a name and all the ways in which series of that name
// are drawn.
type entry struct {
	name  string
	looks []Series // without points
	bars  bool     // whether any has error bars
}

// entries lists the names of some series in the order of their first occurrence.
func entries(series []Series) []entry {
	var list []entry
	for _, s := range series {
		if s.Name == "" {
			continue
		}
		k := slices.IndexFunc(list, func(e entry) bool { return e.name == s.Name })
		if k < 0 {
			list = append(list, entry{name: s.Name})
			k = len(list) - 1
		}
		e := &list[k]
		if look := (Series{Mark: s.Mark, Color: s.Color, Glyph: s.Glyph}); !slices.Contains(e.keys(), key(look)) {
			e.looks = append(e.looks, look)
		}
		e.bars = e.bars || s.Mark == Points && slices.ContainsFunc(s.Points, func(p Point) bool {
			return p.XLo == p.XLo || p.XHi == p.XHi || p.YLo == p.YLo || p.YHi == p.YHi // NaN differs from itself
		})
	}
	return list
}

// key tells looks apart.
func key(s Series) [3]int { return [3]int{int(s.Mark), s.Color, s.Glyph} }

func (e *entry) keys() (all [][3]int) {
	for _, s := range e.looks {
		all = append(all, key(s))
	}
	return all
}

// shared says whether one legend can serve all panels: each name has the same looks
// everywhere and each look one name, and there is a name that occurs twice or one panel
// with names.
func (f *Figure) shared() bool {
	named, repeated := 0, false
	looks, owner := map[string][][3]int{}, map[[3]int]string{}
	for _, p := range f.Panels {
		list := entries(p.Series)
		if len(list) > 0 {
			named++
		}
		for _, e := range list {
			before, again := looks[e.name]
			if again && !slices.Equal(before, e.keys()) {
				return false
			}
			repeated = repeated || again
			looks[e.name] = e.keys()
			for _, k := range e.keys() {
				if name, taken := owner[k]; taken && name != e.name {
					return false
				}
				owner[k] = e.name
			}
		}
	}
	return named <= 1 || repeated
}

// thumbnails are samples of the looks, points over curves.
func (e *entry) thumbnails(l look) (t []plot.Thumbnailer) {
	for i := range e.looks {
		switch s := &e.looks[i]; {
		case s.Mark == Bars:
			t = append(t, l.bars(s))
		case s.Mark.curve():
			t = append(t, &plotter.Line{LineStyle: l.line(s)})
		}
	}
	for i := range e.looks {
		if s := &e.looks[i]; s.Mark == Points {
			if e.bars {
				t = append(t, l.errors(nil, s))
			}
			t = append(t, l.points(s))
		}
	}
	return t
}

// legend is columns of entries, each a legend of gonum's, filled one after the other.
type legend struct {
	columns []plot.Legend
	sizes   []vg.Point
	size    vg.Point
	place   vg.Rectangle
}

// newLegend lays out entries in as many columns as the width holds.
func (w *writer) newLegend(list []entry, look look, width vg.Length) (l legend) {
	const keyWidth, columnGap, rowGap = 20, 14, 1.5
	sty := w.style(legendSize, false, look.text)
	for columns := len(list); columns >= 1; columns-- {
		rows := (len(list) + columns - 1) / columns
		l = legend{}
		for entries := range slices.Chunk(list, rows) {
			column := plot.Legend{TextStyle: sty, Padding: rowGap, Top: true, Left: true, YPosition: draw.PosBottom, ThumbnailWidth: keyWidth}
			for _, e := range entries {
				name := broken(e.name, sty, width-keyWidth-legendSize)
				column.Add(" "+strings.ReplaceAll(name, "\n", "\n "), e.thumbnails(look)...)
			}
			size := column.Rectangle(draw.Canvas{}).Size()
			size.X += sty.Width(" ") // of lines that are not the first
			if len(l.columns) > 0 {
				l.size.X += columnGap
			}
			l.size.X += size.X
			l.size.Y = max(l.size.Y, size.Y)
			l.columns, l.sizes = append(l.columns, column), append(l.sizes, vg.Point{X: size.X + columnGap, Y: size.Y})
		}
		if l.size.X <= width {
			break
		}
	}
	return l
}

// put puts the legend with its top at y and its center at x, or beside it where the page ends.
func (l legend) put(x, y, width vg.Length) legend {
	left := min(max(x-l.size.X/2, border), width-border-l.size.X)
	l.place = vg.Rectangle{Min: vg.Point{X: left, Y: y - l.size.Y}, Max: vg.Point{X: left + l.size.X, Y: y}}
	return l
}

func (l legend) draw(c draw.Canvas) {
	c.Rectangle = l.place
	for i := range l.columns {
		l.columns[i].Draw(c)
		c.Min.X += l.sizes[i].X
	}
}
