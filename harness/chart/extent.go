package chart

import (
	"fmt"
	"math"

	"lamcap/internal/logarithm"
)

// curve says whether the points of s stand for a curve, not each for itself.
func (m Mark) curve() bool {
	switch m {
	case Line, Step, Dashed:
		return true
	case Points, Bars:
		return false
	}
	panic(fmt.Sprintf("chart: mark = %d: want Points, Line, Step, Bars or Dashed", int(m)))
}

// scales returns the scales of a panel's axes: what is given, and what the points and
// the finite ends of their error bars need. A point that cannot be drawn needs nothing.
func (p *Panel) scales() (x, y scale) {
	curveX, pointX, pointY := extent{on: p.X.Scale}, extent{on: p.X.Scale}, extent{on: p.Y.Scale}
	stand := false // bars on 0
	for _, s := range p.Series {
		for j, q := range s.Points {
			switch {
			case s.Mark.curve():
				// Infinite places are beyond every frame; the other coordinate counts.
				if !math.IsNaN(q.X) && !math.IsNaN(q.Y) {
					curveX.add(q.X)
					pointY.add(q.Y)
				}
				continue
			case !p.X.Scale.holds(q.X) || !p.Y.Scale.holds(q.Y):
				continue
			case s.Mark == Bars:
				pointX.add(sides(s.Points, j, p.X.Scale == Log))
				pointY.add(0)
				stand = true
			default:
				pointX.add(q.X, q.XLo, q.XHi)
			}
			pointY.add(q.Y, q.YLo, q.YHi)
		}
	}
	x, y = p.X.scaled(curveX, pointX), p.Y.scaled(extent{}, pointY)
	if free, _ := p.Y.free(); free && stand && pointY.any && pointY.lo == 0 {
		y.lo = 0 // no space between the bars and the frame they stand on
	}
	return x, y
}

// sides returns the left and the right side of bar i: its own, or half-way to its neighbors,
// and as far as that on the other side if there is only one.
func sides(bars []Point, i int, log bool) (lo, hi float64) {
	to, from := func(x float64) float64 { return x }, func(u float64) float64 { return u }
	if log {
		to, from = logarithm.Decimal, func(u float64) float64 { return math.Pow(10, u) }
	}
	x := to(bars[i].X)
	half := max(math.Abs(x)/10, 1e-300) // of a single bar
	if x == 0 {
		half = 0.5
	}
	side := func(own float64, j int, sign float64) float64 {
		if math.Abs(own) <= math.MaxFloat64 {
			return own
		}
		if j < 0 || j >= len(bars) {
			j = 2*i - j
		}
		if j >= 0 && j < len(bars) {
			half = math.Abs(to(bars[j].X)/2 - x/2)
		}
		return from(x + sign*half)
	}
	lo, hi = side(bars[i].XLo, i-1, -1), side(bars[i].XHi, i+1, 1)
	return min(lo, hi), max(lo, hi)
}
