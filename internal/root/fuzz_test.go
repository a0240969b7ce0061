package root

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"lamcap/internal/status"
)

// FuzzFind looks for the zeros of cubics scaled by anything, between any two points, by
// what a zero is: signs that differ at the ends of a bracket of two neighbours.
func FuzzFind(f *testing.F) {
	f.Add(-1.0, 1.0, 0.5, 1.0, 1e-300)
	f.Add(0.0, math.MaxFloat64, 1e300, 1e-300, 0.0)
	f.Add(math.Inf(-1), math.Inf(1), 5e-324, -1.0, 1.0)
	f.Add(1.0, 2.0, 3.0, 1.0, 1.0)
	f.Add(math.NaN(), 1.0, 0.0, 1.0, 1.0)
	f.Fuzz(func(t *testing.T, lo, hi, zero, slope, cubic float64) {
		evaluations := 0
		g := func(x float64) float64 {
			evaluations++
			z := x - zero
			return slope*z + cubic*z*z*z
		}
		r := Find(g, lo, hi, Options{})
		require.Equal(t, evaluations, r.Evaluations)
		require.LessOrEqual(t, evaluations, 203)
		require.NotEqual(t, status.Unknown, r.Status)
		if math.IsNaN(lo) || math.IsNaN(hi) {
			require.Equal(t, status.Diverged, r.Status)
			return
		}
		if f := g(r.X); f != r.F && !(math.IsNaN(f) && math.IsNaN(r.F)) {
			t.Fatalf("f(%v) = %v, and not %v, which is stated: %+v", r.X, f, r.F, r)
		}
		switch r.Status {
		case status.Converged:
			require.True(t, r.Lo <= r.X && r.X <= r.Hi)
			a, b := g(r.Lo), g(r.Hi)
			if r.F != 0 && math.Signbit(a) == math.Signbit(b) {
				t.Fatalf("no change of sign: f(%v) = %v, f(%v) = %v", r.Lo, a, r.Hi, b)
			}
			if r.F != 0 && r.Hi-r.Lo > 0x1p-51*math.Abs(r.X) && math.Nextafter(r.Lo, r.Hi) < r.Hi {
				t.Fatalf("a wide bracket: %+v", r)
			}
		case status.NoBracket:
			a, b := g(r.Lo), g(r.Hi)
			require.Equal(t, math.Signbit(a), math.Signbit(b))
		case status.Diverged:
			require.True(t, math.IsNaN(r.F) || math.IsInf(r.F, 0), "%+v", r)
		default:
			t.Fatalf("a bracket of any kind ends within 200: %+v", r)
		}
	})
}
