package faddeeva

import (
	"math"
	"math/cmplx"
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"
)

func TestWAtSpecialPoints(t *testing.T) {
	assert.Equal(t, complex(1, 0), W(0))
	// Far away w = i/(√π z); at z = 1e200 (1 + i) both parts are 1/(2√π) 1e−200.
	far := W(complex(1e200, 1e200))
	assert.InEpsilon(t, 0.5e-200/math.Sqrt(math.Pi), real(far), 1e-15)
	assert.InEpsilon(t, 0.5e-200/math.Sqrt(math.Pi), imag(far), 1e-15)
	assert.Equal(t, complex128(0), W(complex(math.Inf(1), 1)))
	assert.Equal(t, complex128(0), W(complex(0, math.Inf(1))))
	assert.True(t, cmplx.IsNaN(W(complex(math.NaN(), 1))))
	assert.True(t, cmplx.IsNaN(W(complex(1, math.NaN()))))
	// e^{−z²} at −30i is e^{900}.
	overflow := W(complex(0, -30))
	assert.True(t, math.IsInf(real(overflow), 1))
	assert.Zero(t, imag(overflow))
	// A negative zero as imaginary part is the real axis.
	assert.Equal(t, W(complex(2, 0)), W(complex(2, math.Copysign(0, -1))))
}

func TestWOnTheAxes(t *testing.T) {
	for x := 0.0; x < 26; x += 0.37 {
		low := math.FMA(x, x, -x*x)
		assert.InEpsilon(t, math.Exp(-x*x)*(1-low), real(W(complex(x, 0))), 1e-15, "x = %v", x)
		assert.InEpsilon(t, Erfcx(x), real(W(complex(0, x))), 1.5e-15, "y = %v", x)
		assert.Zero(t, imag(W(complex(0, x))))
	}
}

// At x = t_0 the plain midpoint rule divides by zero: what is tested is that
// its pole was avoided, on the node and one float to either side.
func TestWOnNodes(t *testing.T) {
	for k, n := range midpointNodes {
		for _, x := range []float64{math.Sqrt(n.square), math.Sqrt(trapezoidNodes[k].square)} {
			for _, near := range []float64{math.Nextafter(x, 0), math.Nextafter(x, 100)} {
				got, want := W(complex(near, 0)), W(complex(x, 0))
				assert.InDelta(t, 0, cmplx.Abs(got-want), 2e-15, "x = %v", x)
			}
		}
	}
}

func drawUpper(t *rapid.T) (x, y float64) {
	return rapid.Float64Range(-30, 30).Draw(t, "x"), rapid.Float64Range(0, 10).Draw(t, "y")
}

func TestWSymmetry(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x, y := drawUpper(t)
		w := W(complex(x, y))
		if mirrored := W(complex(-x, y)); mirrored != cmplx.Conj(w) {
			t.Fatalf("w(−conj z) = %v, conj w(z) = %v at %v + %vi", mirrored, cmplx.Conj(w), x, y)
		}
		if cmplx.Abs(w) > 1+1e-15 {
			t.Fatalf("|w| = %v above 1 in the upper half-plane at %v + %vi", cmplx.Abs(w), x, y)
		}
		if y > 0 && real(w) <= 0 {
			t.Fatalf("Re w = %v, want positive (a Voigt profile) at %v + %vi", real(w), x, y)
		}
	})
}

// w' = 2i/√π − 2zw. Central differences of step δ have error δ²|w‴|/6 + 1e−15/δ:
// 1e-9 for δ = 1e-5 catches any jump above 1e-14 between rules.
func TestWDerivative(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x, y := rapid.Float64Range(-7, 7).Draw(t, "x"), rapid.Float64Range(-1, 8).Draw(t, "y")
		z := complex(x, y)
		const delta = 1e-5
		got := (W(z+delta) - W(z-delta)) / (2 * delta)
		want := complex(0, 2/math.Sqrt(math.Pi)) - 2*z*W(z)
		if cmplx.Abs(got-want) > 2e-9 {
			t.Fatalf("w' = %v, want %v at %v", got, want, z)
		}
	})
}

func FuzzW(f *testing.F) {
	f.Add(0.0, 0.0)
	f.Add(1e308, 1e308)
	f.Add(5e-324, 5e-324)
	f.Add(-27.0, 0.0)
	f.Add(0.24579512472436319, 1e-300)
	f.Fuzz(func(t *testing.T, x, y float64) {
		y = math.Abs(y)
		if math.IsNaN(x) || math.IsInf(x, 0) || math.IsNaN(y) || math.IsInf(y, 0) {
			t.Skip()
		}
		w := W(complex(x, y))
		if cmplx.IsNaN(w) || !(cmplx.Abs(w) <= 1+1e-15) || real(w) < 0 {
			t.Errorf("w(%v + %vi) = %v: want 0 ≤ Re w, |w| ≤ 1", x, y, w)
		}
	})
}

func BenchmarkW(b *testing.B) {
	for _, c := range []struct {
		name string
		at   func(i int) complex128
	}{
		{"square", func(i int) complex128 { return complex(float64(i*37%1024)/170, float64(i*91%1024)/170) }},
		{"near-real-axis", func(i int) complex128 { return complex(float64(i&1023)/170, 0.1) }},
		{"high", func(i int) complex128 { return complex(float64(i&1023)/170, 7) }},
		{"near-zero", func(i int) complex128 { return complex(float64(i&1023)/4000, 0.1) }},
	} {
		b.Run(c.name, func(b *testing.B) {
			points := make([]complex128, 1024)
			for i := range points {
				points[i] = c.at(i)
			}
			var total complex128
			b.ResetTimer()
			for i := 0; i < b.N; i++ {
				total += W(points[i&1023])
			}
			sink = real(total)
		})
	}
}

var sink float64

func BenchmarkErfcx(b *testing.B) {
	total := 0.0
	for i := 0; i < b.N; i++ {
		total += Erfcx(float64(i & 31))
	}
	sink = total
}
