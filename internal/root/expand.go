package root

import "math"

// Expand looks for a sign change of f around x0 within [lo, hi]. It steps to both
// sides in turn, doubling the step each time, and returns the first
// stretch [a, b] between successive points at whose ends the signs differ, ready
// for [Find]. At an exact zero a = b. ok is false if both limits were
// reached without a sign change or f was NaN.
//
// x0 outside the limits is moved to the nearer one; limits may be infinite. A step
// that is not positive, or lo > hi, panics.
func Expand(f func(float64) float64, x0, step, lo, hi float64) (a, b float64, ok bool) {
	if !(step > 0) || !(lo <= hi) {
		panic("root: Expand needs step > 0 and lo ≤ hi")
	}
	if math.IsNaN(x0) {
		return x0, x0, false
	}
	lo, hi = clamp(lo), clamp(hi)
	x0 = max(lo, min(hi, x0))
	f0 := f(x0)
	if f0 == 0 {
		return x0, x0, true
	}
	if math.IsNaN(f0) {
		return x0, x0, false
	}
	left, right := x0, x0
	for distance := step; left > lo || right < hi; distance *= 2 {
		if right < hi {
			next := advance(x0, distance, right, hi)
			switch v := f(next); {
			case math.IsNaN(v):
				return left, next, false
			case v == 0:
				return next, next, true
			case math.Signbit(v) != math.Signbit(f0):
				return right, next, true
			}
			right = next
		}
		if left > lo {
			next := -advance(-x0, distance, -left, -lo)
			switch v := f(next); {
			case math.IsNaN(v):
				return next, right, false
			case v == 0:
				return next, next, true
			case math.Signbit(v) != math.Signbit(f0):
				return next, left, true
			}
			left = next
		}
	}
	return left, right, false
}

// advance returns x0 + distance, beyond the last point and at most limit.
func advance(x0, distance, last, limit float64) float64 {
	next := min(x0+distance, limit)
	if next <= last { // the step was lost in rounding
		next = min(math.Nextafter(last, math.Inf(1)), limit)
	}
	return next
}
