package chart

import (
	"fmt"
	"strings"

	"gonum.org/v1/plot/vg"
)

// Widths of figures: one column and two columns of a journal.
const (
	singleColumn = 8.6 * vg.Centimeter
	doubleColumn = 17.8 * vg.Centimeter
)

const (
	titleSize = 9
	panelSize = 8.5
	labelSize = 8.5
	tickSize  = 7.5
	noteSize  = 7

	border     = 4.0 // around everything
	between    = 10.0
	gap        = 3.0
	majorTick  = 3
	minorTick  = 1.8
	powerSpace = 4.0 // between the label of an axis and its power of ten
)

// layout is a figure with everything at its place.
type layout struct {
	*fonts
	look          look
	width, height vg.Length
	title         block
	panels        []panel
	legends       []legend
	notes         []block
	notesTop      vg.Length
}

// panel is a panel with its texts.
type panel struct {
	view
	title, xLabel, yLabel  block
	xTicks, yTicks         ticks
	xPower, yPower         block // of ten that tick labels are to be multiplied by
	left, right, top, down vg.Length
	legend                 legend // its own
}

// lay computes the layout. Frames in a figure are of one size; those in a column have
// their sides, those in a row their tops in common.
func (f *fonts) lay(fig *Figure, t Theme) layout {
	columns := fig.Columns
	if columns <= 0 {
		columns = 2
	}
	columns = min(columns, len(fig.Panels))
	l := layout{fonts: f, look: t.look(), width: singleColumn}
	if columns > 1 {
		l.width = doubleColumn
	}
	inner := l.width - 2*border
	cell := (inner - vg.Length(columns-1)*between) / vg.Length(columns)
	frame := vg.Point{X: 0.8 * cell, Y: min(max(0.6*cell, 110), 200)}
	shared := fig.shared()

	l.title = f.block(fig.Title, titleSize, true, inner)
	lefts, rights := make([]vg.Length, columns), make([]vg.Length, columns)
	for i := range fig.Panels {
		p := f.prepare(&fig.Panels[i], frame.Y)
		lefts[i%columns] = max(lefts[i%columns], p.left)
		l.panels = append(l.panels, p)
	}
	// The labels of the x axes depend on the width of the frames, which depends on how
	// far the last label reaches beyond them: twice is enough, as it is at most a label.
	for range 2 {
		frame.X = inner - vg.Length(columns-1)*between
		for i := range columns {
			frame.X -= lefts[i] + rights[i]
		}
		frame.X = max(frame.X/vg.Length(columns), 20)
		for i := range l.panels {
			p := &l.panels[i]
			f.across(p, frame.X)
			rights[i%columns] = max(rights[i%columns], p.right)
		}
	}
	l.place(fig, columns, frame, lefts, rights, shared)
	return l
}

// prepare lays out what does not depend on the width of the frame.
func (f *fonts) prepare(from *Panel, height vg.Length) panel {
	p := panel{view: view{Panel: from}}
	p.x, p.y = from.scales()
	p.yLabel = f.block(from.Y.Label, labelSize, false, height)
	p.yTicks = ruler{f, p.y, height, tickSize, true}.choose()
	p.yPower = f.power(p.yTicks.power)
	p.left = majorTick + gap
	var widest vg.Length
	for _, t := range p.yTicks.marks {
		widest = max(widest, t.label.width)
	}
	p.left += widest
	if len(p.yLabel) > 0 {
		p.left += p.yLabel.height() + gap
	}
	return p
}

// across lays out what is above and below a frame of this width.
func (f *fonts) across(p *panel, width vg.Length) {
	p.title = f.block(p.Title, panelSize, true, width)
	p.top = tickSize / 2
	if len(p.yPower) > 0 {
		p.top = max(p.top, p.yPower.height()+gap)
	}
	if len(p.title) > 0 {
		p.top += p.title.height() + gap
	}
	p.xTicks = ruler{f, p.x, width, tickSize, false}.choose()
	p.xPower = f.power(p.xTicks.power)
	room := width
	if len(p.xPower) > 0 {
		room = width - 2*(p.xPower.width()+powerSpace)
	}
	p.xLabel = f.block(p.X.Label, labelSize, false, room)
	p.right = 0
	var tallest vg.Length = tickSize * ascender
	for _, t := range p.xTicks.marks {
		if t.major() {
			p.right = max(p.right, vg.Length(t.at)*width+t.label.width/2-width)
			tallest = max(tallest, t.label.ascent)
		}
	}
	p.down = majorTick + gap/2 + tallest + tickSize*descender
	if h := max(p.xLabel.height(), p.xPower.height()); h > 0 {
		p.down += h + gap
	}
}

// power is the text of a power of ten, nothing for 10⁰.
func (f *fonts) power(of int) block {
	if of == 0 {
		return nil
	}
	return block{f.line(fmt.Sprintf("×10^{%s}", minus(fmt.Sprint(of))), tickSize, false)}
}

// place gives every part its place, from the top down, and turns it over at the end, as
// only then the height is known.
func (l *layout) place(fig *Figure, columns int, frame vg.Point, lefts, rights []vg.Length, shared bool) {
	y := vg.Length(border)
	if len(l.title) > 0 {
		y += l.title.height() + 2*gap
	}
	type spot struct{ x, y vg.Length }
	spots := make([]spot, len(l.panels))
	for first := 0; first < len(l.panels); first += columns {
		row := l.panels[first:min(first+columns, len(l.panels))]
		var top, down vg.Length
		for i := range row {
			top, down = max(top, row[i].top), max(down, row[i].down)
		}
		x := vg.Length(border)
		var lowest vg.Length
		for i := range row {
			x += lefts[i]
			spots[first+i] = spot{x, y + top}
			if !shared {
				row[i].legend = l.newLegend(entries(row[i].Series), lefts[i]+frame.X)
				lowest = max(lowest, row[i].legend.size().Y)
			}
			x += frame.X + rights[i] + between
		}
		if lowest > 0 {
			lowest += 2 * gap
		}
		y += top + frame.Y + down
		for i := range row {
			if size := row[i].legend.size(); size.Y > 0 {
				center := spots[first+i].x + frame.X/2
				left := min(max(center-size.X/2, border), l.width-border-size.X)
				l.legends = append(l.legends, row[i].legend.put(left, y+2*gap))
			}
		}
		y += lowest
		if first+columns < len(l.panels) {
			y += 3 * gap
		}
	}
	if shared {
		var all []Series
		for _, p := range fig.Panels {
			all = append(all, p.Series...)
		}
		one := l.newLegend(entries(all), l.width-2*border)
		if size := one.size(); size.Y > 0 {
			left, right := spots[0].x, spots[columns-1].x+frame.X
			x := min(max((left+right-size.X)/2, border), l.width-border-size.X)
			y += 2 * gap
			l.legends = append(l.legends, one.put(x, y))
			y += size.Y
		}
	}
	var o omitted
	for i := range l.panels {
		o.add(l.panels[i].omissions())
	}
	for _, note := range o.notes() {
		l.notes = append(l.notes, l.block(note, noteSize, false, l.width-2*border))
	}
	if len(l.notes) > 0 {
		y += 2 * gap
		l.notesTop = y
		for _, n := range l.notes {
			y += n.height() + gap
		}
	}
	l.height = y + border

	for i, s := range spots {
		bottom := l.height - s.y - frame.Y
		l.panels[i].frame = vg.Rectangle{
			Min: vg.Point{X: s.x, Y: bottom},
			Max: vg.Point{X: s.x + frame.X, Y: bottom + frame.Y},
		}
	}
	for i := range l.legends {
		r := &l.legends[i].place
		r.Min.Y, r.Max.Y = l.height-r.Max.Y, l.height-r.Min.Y
	}
	l.notesTop = l.height - l.notesTop
}

// put gives the legend its place, with y still downwards.
func (l legend) put(x, y vg.Length) legend {
	at := vg.Point{X: x, Y: y}
	l.place = vg.Rectangle{Min: at, Max: at.Add(l.size())}
	return l
}

// notes says what is not drawn.
func (o omitted) notes() []string {
	var n []string
	count := func(k int, what string) string {
		if k == 1 {
			return "1 " + what
		}
		return fmt.Sprintf("%d %ss", k, what)
	}
	if o.logarithm+o.curveLogarithm > 0 {
		var what []string
		if o.logarithm > 0 {
			what = append(what, count(o.logarithm, "point"))
		}
		if o.curveLogarithm > 0 {
			what = append(what, count(o.curveLogarithm, "curve value"))
		}
		n = append(n, fmt.Sprintf("Not shown: %s ≤ 0 on a logarithmic axis.", strings.Join(what, " and ")))
	}
	if o.undefined > 0 {
		n = append(n, fmt.Sprintf("Not shown: %s without a finite value.", count(o.undefined, "point")))
	}
	if o.outside > 0 {
		n = append(n, fmt.Sprintf("Outside the frame: %s.", count(o.outside, "point")))
	}
	return n
}
