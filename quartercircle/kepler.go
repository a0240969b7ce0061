package quartercircle

import "math"

// seriesLimit is where x − sin x is taken by its Taylor series: below it the
// difference would lose more than a bit, above it the difference is exact to
// the rounding of sin x.
const seriesLimit = 2

// kepler returns g(x) = x − sin x for 0 ≤ x ≤ 2π, with a relative error of
// a few units in the last place down to x = 0.
func kepler(x float64) float64 {
	if x >= seriesLimit {
		return x - math.Sin(x)
	}
	// g(x) = x³/6 · (1 − x²/(4·5) · (1 − x²/(6·7) · (…))). Twelve factors leave
	// a remainder below 2^24/(26!/3!) < 1e-18 at x = 2.
	x2 := x * x
	s := 1.0
	for k := 12; k >= 1; k-- {
		a := float64(2*k+2) * float64(2*k+3)
		s = 1 - x2/a*s
	}
	return x * x2 / 6 * s
}

// invertKepler solves x − sin x = y for 0 ≤ y ≤ π, where g is increasing and
// convex with g'(π) = 2: x ∈ [0, π].
func invertKepler(y float64) float64 {
	if y <= 0 {
		return 0
	}
	// Inverse series in s = (6y)^{1/3}; at y = π it is off by 2e-2 and Newton's
	// error squares at each of the steps below.
	s := math.Cbrt(6 * y)
	s2 := s * s
	x := s * (1 + s2/60*(1+3*s2/70*(1+s2/18)))
	for range 6 {
		sinHalf := math.Sin(x / 2)
		step := (kepler(x) - y) / (2 * sinHalf * sinHalf) // g' = 1 − cos x
		x -= step
		if math.Abs(step) <= 0x1p-53*x {
			break
		}
	}
	return x
}

// invertComplement solves u + sin u = v for 0 ≤ v ≤ π/2: u ∈ [0, 0.832].
// It is Kepler's equation seen from the far end, u = π − x.
func invertComplement(v float64) float64 {
	u := v / 2 * (1 + v*v/48)
	for range 6 {
		c := math.Cos(u / 2)
		step := (u + math.Sin(u) - v) / (2 * c * c)
		u -= step
		if math.Abs(step) <= 0x1p-53*u {
			break
		}
	}
	return u
}
