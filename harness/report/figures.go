package report

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/interp"

	"lamcap/harness/chart"
	"lamcap/harness/pattern"
	"lamcap/harness/stats"
)

// colorLimit is the palette's black, of what stands in every figure; the others are for what
// differs in it.
const colorLimit = 6

// colorOf is the i-th of the other colors.
func colorOf(i int) int { return i + i/colorLimit }

// assignColors gives each shape, whatever its rank, a color of its own in all figures.
func (b *builder) assignColors() {
	var shapes []shape
	for _, c := range b.cells {
		shapes = append(shapes, c.shape().whole())
	}
	slices.SortFunc(shapes, compareShapes)
	b.colors = map[shape]int{}
	for i, s := range slices.Compact(shapes) {
		b.colors[s] = colorOf(i)
	}
}

func (b *builder) color(s shape) int { return b.colors[s.whole()] }

// measured is a point with the interval of its ordinate.
func measured(x, y float64, i stats.Interval) chart.Point {
	p := chart.At(x, y)
	p.YLo, p.YHi = i.Lo, i.Hi
	return p
}

// models splits what is of OP and of DP, OP first, those without any left out.
func models[T any](all []T, of func(T) pattern.Model) (names []pattern.Model, parts [][]T) {
	for _, m := range []pattern.Model{pattern.OP, pattern.DP} {
		var part []T
		for _, x := range all {
			if of(x) == m {
				part = append(part, x)
			}
		}
		if len(part) > 0 {
			names, parts = append(names, m), append(parts, part)
		}
	}
	return names, parts
}

// span is the range of numbers, grown by a share of itself on both sides.
type span struct{ lo, hi float64 }

func newSpan() span { return span{math.Inf(1), math.Inf(-1)} }

func (s *span) add(x float64) {
	if !math.IsNaN(x) && !math.IsInf(x, 0) {
		s.lo, s.hi = min(s.lo, x), max(s.hi, x)
	}
}

func (s span) grown(share float64) span {
	width := s.hi - s.lo
	if width == 0 {
		width = max(1, math.Abs(s.hi))
	}
	return span{s.lo - share*width, s.hi + share*width}
}

func (s span) empty() bool { return !(s.lo <= s.hi) }

// Rules other than the first of a figure, and embeddings that are not Gaussian, are said in
// legends; so are glyphs chosen.
const (
	glyphOP = 0
	glyphDP = 1
)

func glyph(m pattern.Model) int {
	if m == pattern.OP {
		return glyphOP
	}
	return glyphDP
}

// beside is a shift of points, OP's to the left and DP's to the right, so that both are seen.
func beside(shift float64, m pattern.Model) float64 {
	if m == pattern.OP {
		return -shift
	}
	return shift
}

// theoryOf is how DP's exact theory is drawn and named beside a problem.
func theoryOf(m pattern.Model) (chart.Mark, string) {
	if m == pattern.OP {
		return chart.Dashed, "DP's theory"
	}
	return chart.Line, "theory"
}

// through is a smooth curve through points at increasing x: a cubic spline, of fourth order where
// there are four of them, drawn at a hundred steps. As they are if there are fewer than two.
func through(x, y []float64) ([]chart.Point, error) {
	if len(x) < 2 {
		var points []chart.Point
		for i := range x {
			points = append(points, chart.At(x[i], y[i]))
		}
		return points, nil
	}
	var f interp.FittablePredictor = &interp.NotAKnotCubic{} // needs four
	if len(x) < 4 {
		f = &interp.NaturalCubic{}
	}
	if err := f.Fit(x, y); err != nil {
		return nil, err
	}
	const steps = 100
	var points []chart.Point
	for i := range steps + 1 {
		at := x[0] + (x[len(x)-1]-x[0])*float64(i)/steps
		points = append(points, chart.At(at, f.Predict(at)))
	}
	return points, nil
}

// label joins what a series is of: the rule only where the figure has several.
func label(parts ...string) string {
	out := ""
	for _, p := range parts {
		switch {
		case p == "":
		case out == "":
			out = p
		default:
			out += ", " + p
		}
	}
	return out
}

// several reports whether a property takes more than one value.
func several[T any, K comparable](all []T, of func(T) K) bool {
	for _, x := range all {
		if of(x) != of(all[0]) {
			return true
		}
	}
	return false
}

// onlyIf is the text where it is wanted.
func onlyIf(wanted bool, s string) string {
	if wanted {
		return s
	}
	return ""
}
