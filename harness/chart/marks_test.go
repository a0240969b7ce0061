package chart

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"pgregory.net/rapid"
)

// What is left of a line is in the frame and on the line, and nothing of it that is in the
// frame is lost.
func TestClipLaws(t *testing.T) {
	coordinate := rapid.OneOf(rapid.Float64Range(-2, 3),
		rapid.SampledFrom([]float64{0, 1, 0.5, outside, -outside, 1e-10, -1e-10, 1 + 2e-10, 1 - 2e-10}))
	rapid.Check(t, func(t *rapid.T) {
		x0, y0 := coordinate.Draw(t, "x0"), coordinate.Draw(t, "y0")
		x1, y1 := coordinate.Draw(t, "x1"), coordinate.Draw(t, "y1")
		left := square(Series{Mark: Line, Points: []Point{At(x0, y0), At(x1, y1)}}).in(frame100).strokes(curveLine)
		ok := len(left) == 2
		require.True(t, ok || len(left) == 0)
		var a, b [2]float64
		if ok {
			a = [2]float64{float64(left[0].Pos.X) / 100, float64(left[0].Pos.Y) / 100}
			b = [2]float64{float64(left[1].Pos.X) / 100, float64(left[1].Pos.Y) / 100}
		}
		in := func(x, y, e float64) bool { return x >= -e && x <= 1+e && y >= -e && y <= 1+e }
		for k := range 101 {
			u := float64(k) / 100
			x, y := x0+u*(x1-x0), y0+u*(y1-y0)
			if in(x, y, -1e-6) {
				require.True(t, ok)
				// On the part that is left: no farther from its ends than they are apart.
				length := math.Hypot(b[0]-a[0], b[1]-a[1])
				require.InDelta(t, length, math.Hypot(x-a[0], y-a[1])+math.Hypot(b[0]-x, b[1]-y), 1e-6)
			}
		}
		if !ok {
			return
		}
		for _, q := range [][2]float64{a, b} {
			require.True(t, in(q[0], q[1], 1e-8), "%v", q)
			cross := (q[0]-x0)*(y1-y0) - (q[1]-y0)*(x1-x0)
			require.InDelta(t, 0, cross/max(math.Hypot(x1-x0, y1-y0), 1e-3), 1e-6)
		}
	})
}

var frame100 = vg.Rectangle{Max: vg.Point{X: 100, Y: 100}}

// Almost parallel to an edge, and outside by less than gonum's clipping can tell.
func TestClipAlongEdge(t *testing.T) {
	for _, edge := range []float64{0, 1} {
		for _, off := range []float64{1e-10, -1e-10, 2.9e-10, 3.1e-10} {
			for _, end := range []float64{1, 1e6} {
				p := square(Series{Mark: Line, Points: []Point{At(-0.0005, edge+off), At(end, edge+1.1*off)}}).in(frame100).strokes(curveLine)
				for _, c := range p {
					assert.True(t, contains(frame100, vg.Rectangle{Min: c.Pos, Max: c.Pos}, 0), "%v", c.Pos)
				}
			}
		}
	}
	p := square(Series{Mark: Line, Points: []Point{At(-0.00048828125, 1), At(1e6, 1.5)}}).in(frame100).strokes(curveLine)
	require.Len(t, p, 2)
	assert.Equal(t, vg.Point{Y: 100}, p[0].Pos)
}

// square is a view with both axes 0 … 1.
func square(series ...Series) *view {
	p := &Panel{X: Axis{Min: 0, Max: 1}, Y: Axis{Min: 0, Max: 1}, Series: series}
	v := &view{Panel: p}
	v.x, v.y = p.scales()
	return v
}

// corners lists the points of a path, with NaN before each that is moved to.
func corners(p vg.Path) [][2]float64 {
	var all [][2]float64
	for _, c := range p {
		if c.Type == vg.MoveComp {
			all = append(all, [2]float64{-1, -1})
		}
		all = append(all, [2]float64{math.Round(float64(c.Pos.X)*1e6) / 1e6, math.Round(float64(c.Pos.Y)*1e6) / 1e6})
	}
	return all
}

func TestCurves(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	move := [2]float64{-1, -1}
	for _, c := range []struct {
		name   string
		mark   Mark
		points []Point
		want   [][2]float64
	}{
		{"line", Line, []Point{At(0, 0), At(0.5, 1), At(1, 0)}, [][2]float64{move, {0, 0}, {50, 100}, {100, 0}}},
		{"interrupted", Line, []Point{At(0, 0), At(0.2, 0), At(0.5, nan), At(0.6, 1), At(1, 1)},
			[][2]float64{move, {0, 0}, {20, 0}, move, {60, 100}, {100, 100}}},
		{"cut", Line, []Point{At(0, 0.5), At(1, 1.5)}, [][2]float64{move, {0, 50}, {50, 100}}},
		{"out and in", Line, []Point{At(0, 0.5), At(0.5, 1.5), At(1, 0.5)},
			[][2]float64{move, {0, 50}, {25, 100}, move, {75, 100}, {100, 50}}},
		{"step", Step, []Point{At(0, 1), At(0.5, 0), At(1, 0)},
			[][2]float64{move, {0, 100}, {50, 100}, {50, 0}, {100, 0}, {100, 0}}},
		{"reference", Dashed, []Point{At(-inf, 0.5), At(inf, 0.5)}, [][2]float64{move, {0, 50}, {100, 50}}},
		{"step from −∞ to ∞", Step, []Point{At(-inf, 1), At(0.5, 0), At(inf, 0)},
			[][2]float64{move, {0, 100}, {50, 100}, {50, 0}, {100, 0}}},
		{"one point", Line, []Point{At(0.5, 0.5)}, nil},
		{"none", Line, nil, nil},
	} {
		got := corners(square(Series{Mark: c.mark, Points: c.points}).in(frame100).strokes(curveLine))
		if c.name == "step from −∞ to ∞" {
			got = got[:min(len(got), 5)] // then a step of no height, at infinity
		}
		assert.Equal(t, c.want, got, c.name)
	}
}

// Bars that touch are one outline from the base up and back.
func TestBars(t *testing.T) {
	bar := func(lo, hi, y float64) Point { p := At((lo+hi)/2, y); p.XLo, p.XHi = lo, hi; return p }
	s := Series{Mark: Bars, Points: []Point{bar(0.1, 0.2, 0.5), bar(0.2, 0.3, 1), bar(0.5, 0.6, 0.25)}}
	want := []plotter.XYs{
		{{X: .1}, {X: .1, Y: .5}, {X: .2, Y: .5}, {X: .2, Y: 1}, {X: .3, Y: 1}, {X: .3}},
		{{X: .5}, {X: .5, Y: .25}, {X: .6, Y: .25}, {X: .6}},
	}
	got := square().bars(&s)
	require.Len(t, got, 2)
	for i := range want {
		require.Len(t, got[i], len(want[i]))
		for j, q := range got[i] {
			assert.InDelta(t, want[i][j].X, q.X, 1e-9)
			assert.InDelta(t, want[i][j].Y, q.Y, 1e-9)
		}
	}
}

// Bars without sides reach half-way to their neighbors, as many decades on either side on
// a logarithmic axis.
func TestSides(t *testing.T) {
	points := []Point{At(1, 1), At(4, 1), At(16, 1)}
	for i, want := range [][2]float64{{-0.5, 2.5}, {2.5, 10}, {10, 22}} {
		lo, hi := sides(points, i, false)
		assert.InDelta(t, want[0], lo, 1e-12)
		assert.InDelta(t, want[1], hi, 1e-12)
	}
	for i, want := range [][2]float64{{0.5, 2}, {2, 8}, {8, 32}} {
		lo, hi := sides(points, i, true)
		assert.InDelta(t, want[0], lo, 1e-12)
		assert.InDelta(t, want[1], hi, 1e-12)
	}
}

// A finite end has a cap, an infinite one or one beyond the frame an arrow at the frame.
func TestErrorBars(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		name       string
		point      Point
		yLo, yHi   float64 // of all that is drawn
		components int     // 2 for the bar, 2 for a cap, 3 for an arrow
	}{
		{"caps", Point{0.5, 0.5, nan, nan, 0.25, 0.75}, 25, 75, 6},
		{"open above", Point{0.5, 0.5, nan, nan, 0.25, inf}, 25, 100, 7},
		{"open below", Point{0.5, 0.5, nan, nan, -inf, 0.75}, 0, 75, 7},
		{"beyond the frame", Point{0.5, 0.5, nan, nan, 0.25, 7}, 25, 100, 7},
		{"one end", Point{0.5, 0.5, nan, nan, 0.25, nan}, 25, 50, 4},
		{"none", At(0.5, 0.5), inf, -inf, 0},
		{"in both directions", Point{0.5, 0.5, 0.4, 0.6, 0.25, 0.75}, 25, 75, 12},
		{"not shown", Point{0.5, 1.5, nan, nan, 0.5, 2}, inf, -inf, 0},
		{"not a number", Point{0.5, nan, nan, nan, 0.5, 2}, inf, -inf, 0},
	} {
		path := square(Series{Points: []Point{c.point}}).in(frame100).strokes(errorLine)
		lo, hi := inf, -inf
		for _, q := range path {
			lo, hi = min(lo, float64(q.Pos.Y)), max(hi, float64(q.Pos.Y))
		}
		assert.InDelta(t, c.yLo, lo, 1e-9, c.name)
		assert.InDelta(t, c.yHi, hi, 1e-9, c.name)
		assert.Len(t, path, c.components, c.name)
	}
	// On a logarithmic axis 0 is infinitely far down.
	v := square(Series{Points: []Point{{0.5, 0.1, nan, nan, 0, 1}}})
	v.Y = Axis{Scale: Log, Min: 0.01, Max: 1}
	v.x, v.y = v.scales()
	path := v.in(frame100).strokes(errorLine)
	require.Len(t, path, 7)
	assert.InDelta(t, 0, float64(path[1].Pos.Y), 1e-9, "the tip of the arrow")
}
