package chart

import (
	"image/color"

	"gonum.org/v1/plot/vg"
)

// draw draws the whole figure.
func (l *layout) draw(c canvas) {
	ink := l.look.text
	c.group("title", func() {
		drawBlock(c, l.title, vg.Point{X: border, Y: l.height - border}, 0, ink)
	})
	for i := range l.panels {
		c.group("panel", func() { l.panels[i].draw(c, l.look) })
	}
	for _, key := range l.legends {
		c.group("legend", func() { key.draw(c, l.look) })
	}
	y := l.notesTop
	for _, n := range l.notes {
		c.group("note", func() { drawBlock(c, n, vg.Point{X: border, Y: y}, 0, ink) })
		y -= n.height() + gap
	}
}

// draw draws frame, axes, texts and series.
func (p *panel) draw(c canvas, look look) {
	ink := look.text
	f := p.frame
	p.axes(c, ink)
	if len(p.xPower) > 0 {
		at := vg.Point{X: f.Max.X - p.xPower.width(), Y: f.Min.Y - p.down + p.xPower.height()}
		drawBlock(c, p.xPower, at, 0, ink)
	}
	top := f.Max.Y + tickSize/2
	if len(p.yPower) > 0 {
		top = f.Max.Y + gap + p.yPower.height()
		drawBlock(c, p.yPower, vg.Point{X: f.Min.X, Y: top}, 0, ink)
	}
	if len(p.title) > 0 {
		drawBlock(c, p.title, vg.Point{X: f.Min.X, Y: top + gap/2 + p.title.height()}, 0, ink)
	}
	center := (f.Min.X + f.Max.X) / 2
	drawBlock(c, p.xLabel, vg.Point{X: center, Y: f.Min.Y - p.down + max(p.xLabel.height(), p.xPower.height())}, -0.5, ink)
	p.vertical(c, ink)
	c.group("frame", func() { c.stroke(rectangle(f), pen{color: ink, width: frameLine}) })
	p.view.draw(c, look)
}

// axes draws ticks and their labels, outside the frame, where no data are.
func (p *panel) axes(c canvas, ink color.NRGBA) {
	f := p.frame
	var major, minor vg.Path
	add := func(t tick, at vg.Point, outwards vg.Point) {
		path, length := &minor, vg.Length(minorTick)
		if t.major() {
			path, length = &major, majorTick
		}
		*path = append(*path, segment(at, at.Add(outwards.Scale(length)))...)
	}
	for _, t := range p.xTicks.marks {
		at := p.at(unit(t.at), 0)
		add(t, at, vg.Point{Y: -1})
		c.text(t.label, vg.Point{X: at.X - t.label.width/2, Y: at.Y - majorTick - gap/2 - t.label.ascent}, false, ink)
	}
	for _, t := range p.yTicks.marks {
		at := p.at(0, unit(t.at))
		add(t, at, vg.Point{X: -1})
		c.text(t.label, vg.Point{X: f.Min.X - majorTick - gap/2 - t.label.width, Y: at.Y - 0.33*tickSize}, false, ink)
	}
	c.stroke(major, pen{color: ink, width: frameLine})
	c.stroke(minor, pen{color: ink, width: 0.7 * frameLine})
}

// vertical draws the label of the y axis, from the left end of the panel on.
func (p *panel) vertical(c canvas, ink color.NRGBA) {
	x := p.frame.Min.X - p.left
	middle := (p.frame.Min.Y + p.frame.Max.Y) / 2
	for i, l := range p.yLabel {
		if i > 0 {
			x += l.spacing()
		}
		x += l.ascent
		c.text(l, vg.Point{X: x, Y: middle - l.width/2}, true, ink)
		x += l.descent
	}
}

// drawBlock draws text from its top left corner on, moved to the right by shift times the
// width of each line.
func drawBlock(c canvas, b block, at vg.Point, shift vg.Length, ink color.NRGBA) {
	for i, l := range b {
		if i > 0 {
			at.Y -= l.spacing()
		}
		at.Y -= l.ascent
		c.text(l, vg.Point{X: at.X + shift*l.width, Y: at.Y}, false, ink)
		at.Y -= l.descent
	}
}
