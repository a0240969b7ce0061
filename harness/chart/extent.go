package chart

import (
	"fmt"
	"math"
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
	var curveX, pointX, pointY extent
	stand := false // bars on 0
	add := func(to *extent, s Scale, values ...float64) {
		for _, v := range values {
			if s.holds(v) {
				to.add(v)
			}
		}
	}
	for i := range p.Series {
		s := &p.Series[i]
		for j, q := range s.Points {
			switch {
			case s.Mark.curve():
				// Infinite places are beyond every frame; the other coordinate counts.
				if math.IsNaN(q.X) || math.IsNaN(q.Y) {
					continue
				}
				add(&curveX, p.X.Scale, q.X)
				add(&pointY, p.Y.Scale, q.Y)
			case !p.X.Scale.holds(q.X) || !p.Y.Scale.holds(q.Y):
			case s.Mark == Bars:
				lo, hi := sides(s.Points, j, p.X.Scale == Log)
				add(&pointX, p.X.Scale, lo, hi)
				add(&pointY, p.Y.Scale, q.Y, q.YLo, q.YHi)
				add(&pointY, p.Y.Scale, 0)
				stand = true
			default:
				add(&pointX, p.X.Scale, q.X, q.XLo, q.XHi)
				add(&pointY, p.Y.Scale, q.Y, q.YLo, q.YHi)
			}
		}
	}
	x, y = p.X.scaled(curveX, pointX), p.Y.scaled(extent{}, pointY)
	if free, _ := p.Y.free(); free && stand && pointY.any && pointY.lo == 0 {
		y.lo = 0 // no space between the bars and the frame they stand on
	}
	return x, y
}

// sides returns the left and the right side of bar i.
func sides(bars []Point, i int, log bool) (lo, hi float64) {
	halfway := func(j, k int) float64 { // from bar j to bar k, mirrored if k does not exist
		a := bars[j].X
		var b float64
		switch {
		case k >= 0 && k < len(bars):
			b = bars[k].X
		case len(bars) == 1:
			b = a + float64(k-j)*max(math.Abs(a)/5, 1e-300)
			if a == 0 {
				b = float64(k - j)
			}
		default:
			b = bars[2*j-k].X
			if log {
				return a * math.Sqrt(a/b)
			}
			return a + (a/2 - b/2)
		}
		if log {
			return math.Sqrt(a) * math.Sqrt(b)
		}
		return a/2 + b/2
	}
	lo, hi = bars[i].XLo, bars[i].XHi
	if !(math.Abs(lo) <= math.MaxFloat64) {
		lo = halfway(i, i-1)
	}
	if !(math.Abs(hi) <= math.MaxFloat64) {
		hi = halfway(i, i+1)
	}
	return min(lo, hi), max(lo, hi)
}
