package chart

import (
	"image"
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// recorder is a canvas that notes what is drawn where.
type recorder struct {
	stack  []affine
	color  color.Color
	width  vg.Length
	texts  []placedText // lines
	pushes int
	marks  []drawn // all but texts
	inText bool
}

// drawn is one fill, or stroke with a width.
type drawn struct {
	color color.Color
	width vg.Length
	stamp bool // drawn by a shape moved to its place
	path  vg.Path
}

type placedText struct {
	text  string
	push  int // number of the outermost Push
	place vg.Rectangle
}

// affine maps (x, y) to (a x − b y + at.X, b x + a y + at.Y).
type affine struct {
	a, b vg.Length
	at   vg.Point
}

func (t affine) of(p vg.Point) vg.Point {
	return t.at.Add(vg.Point{X: t.a*p.X - t.b*p.Y, Y: t.b*p.X + t.a*p.Y})
}

func (r *recorder) top() affine {
	if len(r.stack) == 0 {
		return affine{a: 1}
	}
	return r.stack[len(r.stack)-1]
}

func (r *recorder) Push() {
	if len(r.stack) == 0 {
		r.pushes++
	}
	r.stack = append(r.stack, r.top())
}
func (r *recorder) Pop() { r.stack = r.stack[:len(r.stack)-1] }
func (r *recorder) Translate(p vg.Point) {
	t := r.top()
	t.at = t.of(p)
	r.stack[len(r.stack)-1] = t
}
func (r *recorder) Rotate(rad float64) {
	t := r.top()
	s, c := math.Sincos(rad)
	t.a, t.b = t.a*vg.Length(c)-t.b*vg.Length(s), t.b*vg.Length(c)+t.a*vg.Length(s)
	r.stack[len(r.stack)-1] = t
}
func (r *recorder) Scale(x, y float64)                      { panic("not used") }
func (r *recorder) DrawImage(_ vg.Rectangle, _ image.Image) { panic("not used") }
func (r *recorder) SetLineDash([]vg.Length, vg.Length)      {}
func (r *recorder) SetLineWidth(w vg.Length)                { r.width = w }
func (r *recorder) SetColor(c color.Color)                  { r.color = c }

func (r *recorder) Stroke(p vg.Path) {
	if r.width > 0 {
		r.mark(p, r.width)
	}
}
func (r *recorder) Fill(p vg.Path) { r.mark(p, 0) }

func (r *recorder) mark(p vg.Path, width vg.Length) {
	t := r.top()
	moved := make(vg.Path, len(p))
	for i, c := range p {
		c.Pos = t.of(c.Pos)
		moved[i] = c
	}
	if !r.inText {
		r.marks = append(r.marks, drawn{r.color, width, len(r.stack) > 0, moved})
		return
	}
	l := &r.texts[len(r.texts)-1]
	for _, c := range moved {
		if c.Type != vg.CloseComp {
			l.place.Min.X, l.place.Min.Y = min(l.place.Min.X, c.Pos.X), min(l.place.Min.Y, c.Pos.Y)
			l.place.Max.X, l.place.Max.Y = max(l.place.Max.X, c.Pos.X), max(l.place.Max.Y, c.Pos.Y)
		}
	}
}

// FillString notes what ink a line of text covers.
func (r *recorder) FillString(f font.Face, at vg.Point, text string) {
	if n := len(r.texts); n == 0 || r.texts[n-1].push != r.pushes {
		far := vg.Length(math.Inf(1))
		r.texts = append(r.texts, placedText{push: r.pushes, place: vg.Rectangle{Min: vg.Point{X: far, Y: far}, Max: vg.Point{X: -far, Y: -far}}})
	}
	r.texts[len(r.texts)-1].text += text
	r.inText = true
	outlined{r}.FillString(f, at, text)
	r.inText = false
}

// in draws the series of a panel in a frame.
func (v *view) in(frame vg.Rectangle) *recorder {
	p := plot.New()
	p.BackgroundColor = nil
	p.HideAxes()
	p.X.Min, p.X.Max, p.X.Padding = 0, 1, 0
	p.Y.Min, p.Y.Max, p.Y.Padding = 0, 1, 0
	v.add(p, Light.look())
	var r recorder
	p.Draw(draw.Canvas{Canvas: &r, Rectangle: frame})
	return &r
}

// strokes is all that is drawn by a line of a width.
func (r *recorder) strokes(width vg.Length) (all vg.Path) {
	for _, m := range r.marks {
		if m.width == width {
			all = append(all, m.path...)
		}
	}
	return all
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
