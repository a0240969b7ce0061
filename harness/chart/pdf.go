package chart

import (
	"image/color"
	"io"
	"time"

	"codeberg.org/go-pdf/fpdf"
	"gonum.org/v1/plot/vg"
)

// page draws on a page of a PDF. Gonum's canvas for PDF is not used: it stamps its files
// with the time, and writes a quadratic curve as the operator v, which is a cubic one.
type page struct {
	*fonts
	doc    *fpdf.Fpdf
	height vg.Length
}

func newPage(f *fonts, w, h vg.Length, fig *Figure, background color.NRGBA) *page {
	doc := fpdf.NewCustom(&fpdf.InitType{UnitStr: "pt", Size: fpdf.SizeType{Wd: w.Points(), Ht: h.Points()}})
	// The same figure is the same file: the dates are those of no real time.
	epoch := time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)
	doc.SetCreationDate(epoch)
	doc.SetModificationDate(epoch)
	doc.SetCatalogSort(true)
	doc.SetTitle(fig.Title, true)
	doc.SetSubject(fig.Caption, true)
	doc.SetCreator("lamcap", true)
	doc.SetMargins(0, 0, 0)
	doc.SetAutoPageBreak(false, 0)
	doc.AddPage()
	doc.SetLineCapStyle("butt")
	doc.SetLineJoinStyle("round")
	p := &page{f, doc, h}
	p.fill(rectangle(vg.Rectangle{Max: vg.Point{X: w, Y: h}}), background)
	return p
}

func (p *page) group(_ string, draw func()) { draw() }

func (p *page) fill(path vg.Path, c color.NRGBA) {
	if len(path) == 0 {
		return
	}
	p.doc.SetFillColor(int(c.R), int(c.G), int(c.B))
	p.doc.SetAlpha(float64(c.A)/255, "Normal")
	p.outline(path)
	p.doc.DrawPath("F")
}

func (p *page) stroke(path vg.Path, with pen) {
	if len(path) == 0 || with.width <= 0 {
		return
	}
	p.doc.SetDrawColor(int(with.color.R), int(with.color.G), int(with.color.B))
	p.doc.SetAlpha(float64(with.color.A)/255, "Normal")
	p.doc.SetLineWidth(with.width.Points())
	dashes := make([]float64, len(with.dashes))
	for i, d := range with.dashes {
		dashes[i] = d.Points()
	}
	p.doc.SetDashPattern(dashes, 0)
	p.outline(path)
	p.doc.DrawPath("D")
}

func (p *page) stamp(shape vg.Path, at []vg.Point, inside color.NRGBA, with pen) {
	for _, q := range at {
		s := shifted(shape, q)
		p.fill(s, inside)
		p.stroke(s, with)
	}
}

func (p *page) text(l line, at vg.Point, vertical bool, c color.NRGBA) {
	p.fill(p.placed(l, at, vertical), c)
}

// outline makes path the current one.
func (p *page) outline(path vg.Path) {
	xy := func(q vg.Point) (x, y float64) { return q.X.Points(), (p.height - q.Y).Points() }
	var at vg.Point
	for _, c := range path {
		x, y := xy(c.Pos)
		switch c.Type {
		case vg.MoveComp:
			p.doc.MoveTo(x, y)
		case vg.LineComp:
			p.doc.LineTo(x, y)
		case vg.CurveComp:
			a, b := cubic(at, c)
			ax, ay := xy(a)
			bx, by := xy(b)
			p.doc.CurveBezierCubicTo(ax, ay, bx, by, x, y)
		case vg.CloseComp:
			p.doc.ClosePath()
			continue
		}
		at = c.Pos
	}
}

// cubic returns the control points of a curve that starts at a point, as PDF, which
// has cubic curves only, wants them.
func cubic(from vg.Point, c vg.PathComp) (a, b vg.Point) {
	if len(c.Control) == 2 {
		return c.Control[0], c.Control[1]
	}
	q := c.Control[0].Scale(2. / 3)
	return from.Scale(1. / 3).Add(q), c.Pos.Scale(1. / 3).Add(q)
}

func (p *page) write(w io.Writer) error { return p.doc.Output(w) }
