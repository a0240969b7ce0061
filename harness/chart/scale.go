package chart

import (
	"fmt"
	"math"
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
			x = log10(x)
		}
	}
	// Halves, as the difference of the ends may not be a float64.
	u := (x/2 - s.lo/2) / (s.hi/2 - s.lo/2)
	return math.Min(math.Max(u, -outside), outside) // keeps NaN
}

// log10 is the decimal logarithm. That of package math is wrong by up to 16 for numbers
// below 0x1p-1022 on amd64 (Go 1.26).
func log10(x float64) float64 {
	if x < 0x1p-1022 {
		return math.Log10(x*0x1p100) - 100*math.Ln2/math.Ln10
	}
	return math.Log10(x)
}

// holds says whether the scale has a place for x.
func (s Scale) holds(x float64) bool {
	return !math.IsNaN(x) && !math.IsInf(x, 0) && (s != Log || x > 0)
}

// extent is the smallest interval that holds some numbers.
type extent struct {
	lo, hi float64
	any    bool
}

func (e *extent) add(x float64) {
	if !e.any {
		*e = extent{x, x, true}
		return
	}
	e.lo, e.hi = min(e.lo, x), max(e.hi, x)
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
	s := scale{log: a.Scale == Log}
	freeLo, freeHi := a.free()
	fixedLo, fixedHi := !freeLo, !freeHi
	all := curves
	if points.any {
		all.add(points.lo)
		all.add(points.hi)
	}
	switch {
	case all.any:
	case fixedLo:
		all.add(a.Min)
	case fixedHi:
		all.add(a.Max)
	case s.log:
		all = extent{1, 10, true}
	default:
		all = extent{0, 1, true}
	}
	to := func(x float64) float64 {
		if s.log {
			return log10(x)
		}
		return x
	}
	s.lo, s.hi = to(all.lo), to(all.hi)
	if fixedLo {
		s.lo = to(a.Min)
	}
	if fixedHi {
		s.hi = to(a.Max)
	}
	if points.any {
		pad := margin * (s.hi/2 - s.lo/2) * 2
		if !fixedLo {
			s.lo = min(s.lo, to(points.lo)-pad)
		}
		if !fixedHi {
			s.hi = max(s.hi, to(points.hi)+pad)
		}
	}
	s.widen(fixedLo, fixedHi)
	return s
}

// widen moves the free ends apart until numbers between them can be told apart, and
// back into what a float64 can hold.
func (s *scale) widen(fixedLo, fixedHi bool) {
	least := 1e-6 * max(math.Abs(s.lo), math.Abs(s.hi))
	alike := 0.1 * max(math.Abs(s.lo), math.Abs(s.hi)) // a single number: ±10 %
	if s.log {
		least, alike = 1e-3, 0.5
	}
	if !(s.hi/2-s.lo/2 >= max(least/2, 1e-300)) {
		if alike = max(alike, 1e-299); s.lo == 0 && s.hi == 0 {
			alike = 1
		}
		middle := s.lo/2 + s.hi/2
		switch {
		case fixedLo:
			s.hi = s.lo + alike
		case fixedHi:
			s.lo = s.hi - alike
		default:
			s.lo, s.hi = middle-alike, middle+alike
		}
	}
	s.lo, s.hi = max(s.lo, -math.MaxFloat64), min(s.hi, math.MaxFloat64)
	if s.lo >= s.hi { // a given end beyond which there are no numbers
		s.lo, s.hi = -math.MaxFloat64, math.MaxFloat64
	}
}
