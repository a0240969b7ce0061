package chart

import (
	"fmt"
	"math"

	"lamcap/internal/logarithm"
)

// scale maps numbers to 0 … 1 along an axis.
type scale struct {
	log    bool
	lo, hi float64 // the numbers at the ends, lo < hi; their decimal logarithms if log
}

// outside is farther than any place that is drawn, near enough to compute with.
const outside = 1e6

// place returns where x is: 0 … 1 in the frame, at most outside beyond it, and NaN if
// it has no place.
func (s scale) place(x float64) float64 {
	if s.log {
		if x <= 0 && !math.IsInf(x, -1) {
			return math.NaN()
		}
		if x > 0 {
			x = logarithm.Decimal(x)
		}
	}
	// Halves, as the difference of the ends may not be a float64.
	u := (x/2 - s.lo/2) / (s.hi/2 - s.lo/2)
	return math.Min(math.Max(u, -outside), outside) // keeps NaN
}

// holds says whether the scale has a place for x.
func (s Scale) holds(x float64) bool {
	return !math.IsNaN(x) && !math.IsInf(x, 0) && (s != Log || x > 0)
}

// extent is the smallest interval that holds some numbers, but for those without a place.
type extent struct {
	lo, hi float64
	any    bool
	on     Scale
}

func (e *extent) add(numbers ...float64) {
	for _, x := range numbers {
		switch {
		case !e.on.holds(x):
		case !e.any:
			e.lo, e.hi, e.any = x, x, true
		default:
			e.lo, e.hi = min(e.lo, x), max(e.hi, x)
		}
	}
}

// margin is the part of an axis left free beside measured points.
const margin = 0.04

// free says which ends of the axis are to be found from the data.
func (a Axis) free() (lo, hi bool) {
	lo, hi = !a.Scale.holds(a.Min), !a.Scale.holds(a.Max)
	if a.Min == 0 && a.Max == 0 || !lo && !hi && a.Min >= a.Max {
		return true, true
	}
	return lo, hi
}

// scaled returns the scale of an axis: its own ends, or those of what it has to show.
// Curves may touch the ends; points and their error bars may not.
func (a Axis) scaled(curves, points extent) scale {
	if a.Scale != Linear && a.Scale != Log {
		panic(fmt.Sprintf("chart: scale = %d: want Linear or Log", int(a.Scale)))
	}
	s, to := scale{log: a.Scale == Log}, func(x float64) float64 { return x }
	all := extent{on: a.Scale}
	if s.log {
		to = logarithm.Decimal
	}
	freeLo, freeHi := a.free()
	for _, e := range []extent{curves, points} {
		if e.any {
			all.add(e.lo, e.hi)
		}
	}
	switch {
	case all.any:
	case !freeLo:
		all.add(a.Min)
	case !freeHi:
		all.add(a.Max)
	case s.log:
		all.add(1, 10)
	default:
		all.add(0, 1)
	}
	s.lo, s.hi = to(all.lo), to(all.hi)
	if !freeLo {
		s.lo = to(a.Min)
	}
	if !freeHi {
		s.hi = to(a.Max)
	}
	pad := margin * (s.hi/2 - s.lo/2) * 2
	if points.any && freeLo {
		s.lo = min(s.lo, to(points.lo)-pad)
	}
	if points.any && freeHi {
		s.hi = max(s.hi, to(points.hi)+pad)
	}
	s.widen(freeLo, freeHi)
	return s
}

// widen moves the free ends apart until numbers between them can be told apart, and
// back into what a float64 can hold.
func (s *scale) widen(freeLo, freeHi bool) {
	largest := max(math.Abs(s.lo), math.Abs(s.hi))
	least, alike := 1e-6*largest, 0.1*largest // a single number: ±10 %
	switch {
	case s.log:
		least, alike = 1e-3, 0.5
	case largest == 0:
		alike = 1
	}
	if !(s.hi/2-s.lo/2 >= max(least/2, 1e-300)) {
		alike = max(alike, 1e-299)
		switch {
		case !freeLo:
			s.hi = s.lo + alike
		case !freeHi:
			s.lo = s.hi - alike
		default:
			middle := s.lo/2 + s.hi/2
			s.lo, s.hi = middle-alike, middle+alike
		}
	}
	s.lo, s.hi = max(s.lo, -math.MaxFloat64), min(s.hi, math.MaxFloat64)
	if s.lo >= s.hi { // a given end beyond which there are no numbers
		s.lo, s.hi = -math.MaxFloat64, math.MaxFloat64
	}
}
