package chart

import (
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Widths of figures: one column and two columns of a journal.
const (
	singleColumn = 8.6 * vg.Centimeter
	doubleColumn = 17.8 * vg.Centimeter
)

const (
	titleSize  = 9
	panelSize  = 8.5
	labelSize  = 8.5
	tickSize   = 7.5
	legendSize = 8
	noteSize   = 7

	border     = 4 // around everything
	between    = 10
	gap        = 3
	tickLength = 3
	overhang   = 16 // of the labels of an x axis beyond its end, at most
)

// layout is a figure with everything at its place.
type layout struct {
	*writer
	look          look
	width, height vg.Length
	title, notes  string
	plots         []*plot.Plot
	cells         []draw.Canvas // of the plots
	legends       []legend
}

// lay lays out a figure. Gonum's Align makes its frames of one size, in rows and columns.
func (f *Figure) lay(t Theme) *layout {
	columns := f.Columns
	if columns <= 0 {
		columns = 2
	}
	columns = min(columns, len(f.Panels))
	rows := (len(f.Panels) + columns - 1) / columns
	l := &layout{writer: &writer{}, look: t.look(), width: singleColumn}
	if columns > 1 {
		l.width = doubleColumn
	}
	inner := l.width - 2*border
	tiles := draw.Tiles{Cols: columns, Rows: rows, PadX: between, PadY: 3 * gap}
	cell := (inner - vg.Length(columns-1)*tiles.PadX) / vg.Length(columns)

	// What the axes need beside the frames does not depend on the width of these; what is
	// above and below does.
	height, width := min(max(0.6*cell, 110), 200), cell-overhang
	frames, lefts := make([]frame, len(f.Panels)), make([]vg.Length, columns)
	for i := range f.Panels {
		frames[i] = l.frame(&f.Panels[i], height)
		lefts[i%columns] = max(lefts[i%columns], l.around(i).Min.X)
	}
	width -= slices.Max(lefts) // at least, also where Align tries others on its way
	total := vg.Length(rows) * height
	grid := make([][]*plot.Plot, rows)
	for j := range grid {
		grid[j] = make([]*plot.Plot, columns)
		var below, above vg.Length
		for i := j * columns; i < min((j+1)*columns, len(f.Panels)); i++ {
			l.across(i, frames[i], width)
			grid[j][i%columns] = l.plots[i]
			below, above = max(below, l.around(i).Min.Y), max(above, l.around(i).Max.Y)
		}
		total += below + above
	}

	shared, beneath := f.shared(), vg.Length(0) // each row, or all
	var series []Series
	for i, p := range f.Panels {
		if series = append(series, p.Series...); shared && i < len(f.Panels)-1 {
			continue
		}
		room := inner
		if !shared {
			series, room = p.Series, slices.Min(lefts)+width+overhang
		}
		key := l.newLegend(entries(series), l.look, room)
		if l.legends = append(l.legends, key); key.size.Y > 0 {
			beneath = max(beneath, key.size.Y+gap)
		}
	}
	if !shared {
		tiles.PadY += beneath
	}
	total += vg.Length(rows-1) * tiles.PadY
	l.title = broken(f.Title, l.style(titleSize, true, nil), inner)
	l.notes = notes(frames, l.style(noteSize, false, nil), inner)
	bottom := border + beneath + l.tall(noteSize, l.notes)
	l.height = bottom + total + l.tall(titleSize, l.title) + border

	area := vg.Rectangle{Min: vg.Point{X: border, Y: bottom}, Max: vg.Point{X: border + inner, Y: bottom + total}}
	for _, row := range plot.Align(grid, tiles, draw.Canvas{Rectangle: area}) {
		l.cells = append(l.cells, row...)
	}
	l.cells = l.cells[:len(f.Panels)]
	for i := range l.legends {
		first, last := l.inside(i), l.inside(i)
		y := l.cells[i].Min.Y
		if shared {
			last, y = l.inside(columns-1), bottom
		}
		l.legends[i] = l.legends[i].put((first.Min.X+last.Max.X)/2, y-gap, l.width)
	}
	return l
}

// tall is the height of text and the space beside it, 0 of none.
func (l *layout) tall(size vg.Length, txt string) vg.Length {
	if txt == "" {
		return 0
	}
	return l.style(size, false, nil).Height(txt) + gap
}

// inside is where the frame of plot i is.
func (l *layout) inside(i int) vg.Rectangle { return l.plots[i].DataCanvas(l.cells[i]).Rectangle }

// around is what plot i needs to the left of its frame and below it (Min), to the right of it
// and above it (Max).
func (l *layout) around(i int) vg.Rectangle {
	const size = 1000
	c := draw.Canvas{Rectangle: vg.Rectangle{Max: vg.Point{X: size, Y: size}}}
	r := l.plots[i].DataCanvas(c).Rectangle
	return vg.Rectangle{Min: r.Min, Max: c.Max.Sub(r.Max)}
}

// frame makes a plot of a panel, with what does not depend on the width of its frame.
func (l *layout) frame(from *Panel, height vg.Length) frame {
	small := l.style(tickSize, false, l.look.text)
	fr := frame{view: view{Panel: from}, style: small, titleStyle: l.style(panelSize, true, l.look.text)}
	fr.x, fr.y = from.scales()
	p := plot.New()
	p.BackgroundColor = nil
	for _, a := range []*plot.Axis{&p.X, &p.Y} {
		a.Min, a.Max, a.Padding, a.Width = 0, 1, 0, 0
		a.Tick.LineStyle, a.Tick.Length, a.Tick.Marker = fr.line(), tickLength, plot.ConstantTicks{}
		small.XAlign, small.YAlign = a.Tick.Label.XAlign, a.Tick.Label.YAlign
		a.Tick.Label = small
		a.Label.TextStyle = l.style(labelSize, false, l.look.text)
		a.Label.TextStyle.XAlign = draw.XCenter
	}
	p.Y.Tick.Marker, fr.yPower = ruler{fr.y, height, small, true}.ticks()
	p.Y.Label.Padding = gap
	p.Y.Label.Text = broken(from.Y.Label, p.Y.Label.TextStyle, height)
	l.plots = append(l.plots, p)
	return fr
}

// across completes plot i for a frame of this width or more.
func (l *layout) across(i int, fr frame, width vg.Length) {
	p := l.plots[i]
	p.X.Tick.Marker, fr.xPower = ruler{fr.x, width, fr.style, false}.ticks()
	fr.down = tickLength
	for _, t := range p.X.Tick.Marker.Ticks(0, 1) {
		if !t.IsMinor() {
			fr.down = tickLength + fr.style.Height(t.Label)
		}
		fr.right = max(fr.right, fr.style.Width(t.Label)/2-vg.Length(1-t.Value)*width)
	}
	p.X.Label.Text = broken(fr.X.Label, p.X.Label.TextStyle, width-2*fr.style.Width(fr.xPower))
	if p.X.Label.Text == "" && fr.xPower != "" {
		p.X.Label.Text = " " // the line of the power
	}
	fr.title = broken(fr.Title, fr.titleStyle, width)
	fr.add(p, l.look)
	p.Add(fr)
}

// frame is the plotter of a frame and of the texts beside it for which gonum has no place:
// the title at its left end, and powers of ten for the labels of the axes.
type frame struct {
	view
	style, titleStyle     text.Style
	title, xPower, yPower string
	right, down           vg.Length // from the frame to the ends of the labels of its x axis
}

func (fr frame) line() draw.LineStyle { return draw.LineStyle{Color: fr.style.Color, Width: frameLine} }

// tops returns the heights above the frame at which the title begins and ends.
func (fr frame) tops() (low, high vg.Length) {
	low = fr.style.Height("0") / 2 // of the last label on the y axis
	if fr.yPower != "" {
		low *= 2
	}
	if high = low; fr.title != "" {
		high += fr.titleStyle.Height(fr.title)
	}
	return low, high
}

// GlyphBoxes reserves the space for the texts and the ends of the axes. (If gonum has to reserve
// that for the labels of an axis, the frame changes its size with the plot in another way than
// Align can foresee.)
func (fr frame) GlyphBoxes(*plot.Plot) []plot.GlyphBox {
	_, top := fr.tops()
	return []plot.GlyphBox{{X: 1, Y: 1, Rectangle: vg.Rectangle{Max: vg.Point{X: fr.right, Y: top}}}}
}

func (fr frame) Plot(c draw.Canvas, p *plot.Plot) {
	c.StrokeLines(fr.line(), []vg.Point{c.Min, {X: c.Max.X, Y: c.Min.Y}, c.Max, {X: c.Min.X, Y: c.Max.Y}, c.Min, {X: c.Max.X, Y: c.Min.Y}})
	low, _ := fr.tops()
	c.FillText(fr.titleStyle, vg.Point{X: c.Min.X, Y: c.Max.Y + low}, fr.title)
	c.FillText(fr.style, vg.Point{X: c.Min.X, Y: c.Max.Y}, fr.yPower)
	right := fr.style
	right.XAlign, right.YAlign = draw.XRight, draw.YTop
	c.FillText(right, vg.Point{X: c.Max.X, Y: c.Min.Y - fr.down}, fr.xPower)
}

// draw draws the whole figure.
func (l *layout) draw(to vg.Canvas) {
	c := draw.NewCanvas(to, l.width, l.height)
	c.SetColor(l.look.background)
	c.Fill(c.Path())
	title := l.style(titleSize, true, l.look.text)
	title.YAlign = draw.YTop
	c.FillText(title, vg.Point{X: border, Y: l.height - border}, l.title)
	for i, p := range l.plots {
		p.Draw(draw.Canvas{Canvas: to, Rectangle: l.cells[i].Rectangle})
	}
	for _, key := range l.legends {
		key.draw(c)
	}
	c.FillText(l.style(noteSize, false, l.look.text), vg.Point{X: border, Y: border}, l.notes)
}
