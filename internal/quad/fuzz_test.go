package quad

import (
	"math"
	"testing"
)

// A normal density anywhere, of any width and over any range, whose peak is named: right to the error
// told, or told not to be known. Without the name an accepted value of an infinite range is
// right too, unless the peak hides between samples: then it is far narrower than it is far out.
func FuzzIntegrate(f *testing.F) {
	infinite := math.Inf(1)
	f.Add(800., 1., -infinite, infinite)
	f.Add(0., math.Sqrt2/2, -infinite, 38.)
	f.Add(-1e6, 1e-1, -1e6, infinite)
	f.Add(3., 2., 3., 3.)
	f.Add(-342., 79., 1e300, 2.857)
	f.Fuzz(func(t *testing.T, mean, deviation, a, b float64) {
		switch {
		case !(deviation > 1e-100 && deviation < 1e100), !(math.Abs(mean) < 1e7*deviation):
			t.Skip() // abscissae do not resolve the peak
		case math.IsNaN(a) || math.IsNaN(b):
			t.Skip()
		}
		if math.IsInf(a, 1) {
			a = -infinite
		}
		if math.IsInf(b, -1) {
			b = infinite
		}
		mass := normalBetween((a-mean)/deviation, (b-mean)/deviation)
		density := gaussian(mean, deviation)
		// Abscissae are rounded, and so is what is integrated.
		rounding := 8 * epsilon * (1 + math.Abs(mean)/deviation)
		check := func(r Result, what string) {
			if r.Status.OK() && !(math.Abs(r.Value-mass) <= r.Error+rounding) {
				t.Fatalf("%s: mass of N(%v, %v) over [%v, %v] = %v ± %v (%v), want %v", what, mean, deviation, a, b, r.Value, r.Error, r.Status, mass)
			}
		}
		r := Integrate(density, a, b, Options{Abs: 1e-9, Peaks: []Peak{{mean, deviation}}})
		check(r, "named")
		if !r.Status.OK() && math.Abs(a) < 1e6*deviation && math.Abs(b) < 1e6*deviation {
			t.Fatalf("mass of N(%v, %v) over [%v, %v]: %v", mean, deviation, a, b, r.Status)
		}
	})
}

// normalBetween is Φ(y) − Φ(x), from the tails on the side of both.
func normalBetween(x, y float64) float64 {
	tail := func(z float64) float64 { return math.Erfc(z/math.Sqrt2) / 2 }
	if x < 0 && y < 0 {
		return tail(-y) - tail(-x)
	}
	return tail(x) - tail(y)
}
