package extremes

import (
	"math"

	"lamcap/internal/status"
	"lamcap/internal/sum"
)

// bell integrates over t smooth functions with one peak, which may have a steep
// left side at the center and a long right one:
//
//	∫ f(t) dt = ∫ f(center + scale sinh u) scale cosh u du,
//
// by the trapezoidal rule, which converges exponentially.
type bell struct {
	center, scale float64
	right         float64 // the peak may be as far to the right as this
}

// bellPowers is the number of integrands that go together.
const bellPowers = 3

// sample is what f returns: integrands at t and bounds on their relative error,
// without and from rounding.
type sample struct {
	values     [bellPowers]float64
	err, noise float64
}

const (
	// bellStep is the step in u to start from.
	bellStep = 0.13
	// With the error C e^{−2πa/h} of step h that of h is the square of that of
	// 2h, over C. The smallest C/size seen is 1e-3.
	caution = 1e3
	// resolved is the difference that is small enough for that.
	resolved = 3e-9
)

// integrate returns the integrals and bounds on their errors, rounding left
// out. f is called for t to the right of the center in increasing order.
func (b bell) integrate(f func(t, distance float64) sample) (values, errors [bellPowers]float64, st status.Status) {
	var sums [2][bellPowers]sum.Neumaier // even and odd points
	var moduli [bellPowers]float64
	var inner, noise [bellPowers]float64
	// t is rounded, by so much of the length over which f varies.
	grid := 0x1p-50 * math.Abs(b.center) / b.scale
	add := func(parity int, u float64) (negligible bool) {
		distance := b.scale * math.Sinh(u)
		t := b.center + distance
		weight := b.scale * math.Cosh(u)
		s := f(t, t-b.center)
		negligible = true
		for i, v := range s.values {
			v *= weight
			sums[parity][i].Add(v)
			moduli[i] += math.Abs(v)
			inner[i] += math.Abs(v) * s.err
			noise[i] += math.Abs(v) * (s.noise + grid)
			negligible = negligible && math.Abs(v) <= 1e-18*moduli[i]
		}
		return negligible
	}
	h := bellStep
	var reach [2]float64
	add(0, 0)
	offset, step, parity := h, h, 1
	for range 5 {
		for side, sign := range [2]float64{1, -1} {
			side, parity := side, parity
			u := offset
			for small := 0; small < 2 || u < reach[side] || sign > 0 && b.scale*math.Sinh(u) < b.right; u += step {
				if add(parity, sign*u) {
					small++
				} else {
					small = 0
				}
				if step == h {
					parity ^= 1
				}
			}
			reach[side] = u
		}
		converged, st := true, status.Converged
		for i := range values {
			even, odd := sums[0][i].Sum(), sums[1][i].Sum()
			values[i] = h * (even + odd)
			difference := h * math.Abs(even-odd) // of the rules of step h and 2h
			size := moduli[i] * h
			errors[i] = inner[i] * h
			switch {
			case difference <= resolved*size:
				if difference > 0 {
					errors[i] += caution * difference * (difference / size)
				}
			case difference <= noise[i]*h:
				errors[i] += difference
				st = status.Roundoff
			default:
				errors[i] += difference
				converged = false
			}
		}
		if converged {
			return values, errors, st
		}
		for i := range values {
			sums[0][i].Merge(sums[1][i])
			sums[1][i] = sum.Neumaier{}
		}
		offset, step, parity = h/2, h, 1
		h /= 2
	}
	return values, errors, status.MaxIterations
}
