package vecmath_test

import (
	"encoding/csv"
	"math"
	"os"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"lamcap/internal/simd"
	"lamcap/internal/vecmath"
)

// levels runs f for every instruction set of this machine.
func levels(t *testing.T, f func(t *testing.T, l simd.Level)) {
	for _, l := range simd.Available() {
		t.Run(l.String(), func(t *testing.T) { f(t, l) })
	}
}

// Every 64th float32 with 2^-30 ≤ |x| in the range (fewer with -short), against
// math.Exp in float64, whose error of 1 ulp is 2e-9 of an ulp of float32.
func TestExpFloat32(t *testing.T) {
	const (
		smallest = 0x30800000 // 2^-30
		negative = 1 << 31
	)
	up, down := math.Float32bits(88.37), math.Float32bits(87.33)
	const batch = 1 << 12
	step := uint32(64)
	if testing.Short() {
		step = 64 * 61
	}
	levels(t, func(t *testing.T, l simd.Level) {
		r := vecmath.New[float32](l)
		x, got := make([]float32, batch), make([]float32, batch)
		worst, worstRelative, at := 0.0, 0.0, float32(0)
		for _, side := range []struct{ from, to uint32 }{{smallest, up}, {smallest | negative, down | negative}} {
			for b := side.from; b < side.to; {
				m := 0
				for ; m < batch && b < side.to; b += step {
					x[m] = math.Float32frombits(b)
					m++
				}
				r.Exp(got[:m], x[:m])
				for i, v := range x[:m] {
					want := math.Exp(float64(v))
					difference := math.Abs(float64(got[i]) - want)
					// An ulp is the distance of neighbours in the binade of want.
					ulp := math.Float64frombits(math.Float64bits(want)&(0x7ff<<52)) * 0x1p-23
					if e := difference / ulp; !(e <= worst) {
						worst, at = e, v
					}
					worstRelative = max(worstRelative, difference/want)
				}
			}
		}
		t.Logf("%v: %.3f ulp at %g, %.3g relative", l, worst, at, worstRelative)
		// The errors that the package states.
		if l == simd.Portable {
			assert.LessOrEqual(t, worst, 1.3)
			assert.LessOrEqual(t, worstRelative, 1.4e-7)
		} else {
			assert.LessOrEqual(t, worst, 1.0)
			assert.LessOrEqual(t, worstRelative, 8.4e-8)
		}
	})
}

// Against values of 200-bit arithmetic (testdata/exp.py).
func TestExpFloat64(t *testing.T) {
	f, err := os.Open("testdata/exp.csv")
	require.NoError(t, err)
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	require.NoError(t, err)
	require.Len(t, rows, 4061)
	var x, high, low []float64
	for _, row := range rows {
		var v [3]float64
		for i := range v {
			v[i], err = strconv.ParseFloat(row[i], 64)
			require.NoError(t, err)
		}
		x, high, low = append(x, v[0]), append(high, v[1]), append(low, v[2])
	}
	levels(t, func(t *testing.T, l simd.Level) {
		got := make([]float64, len(x))
		vecmath.New[float64](l).Exp(got, x)
		worst, worstRelative, at := 0.0, 0.0, 0.0
		for i, want := range high {
			difference := math.Abs((got[i] - want) - low[i])
			ulp := math.Float64frombits(math.Float64bits(want)&(0x7ff<<52)) * 0x1p-52
			if e := difference / ulp; !(e <= worst) {
				worst, at = e, x[i]
			}
			worstRelative = max(worstRelative, difference/want)
		}
		t.Logf("%v: %.3f ulp at %g, %.3g relative", l, worst, at, worstRelative)
		if l == simd.Portable {
			assert.LessOrEqual(t, worst, 1.2)
			assert.LessOrEqual(t, worstRelative, 2.3e-16)
		} else {
			assert.LessOrEqual(t, worst, 1.0)
			assert.LessOrEqual(t, worstRelative, 1.6e-16)
		}
	})
}

// More points than a table can hold, against math.Exp, whose own error is up
// to 1 ulp (2.2e-16): agreement to 5e-16 shows an error below 3e-16 where it
// is usual, half an ulp.
func TestExpFloat64Dense(t *testing.T) {
	levels(t, func(t *testing.T, l simd.Level) {
		n := 200_000
		if testing.Short() {
			n = 10_000
		}
		r := vecmath.New[float64](l)
		x, got := make([]float64, n), make([]float64, n)
		for i := range x {
			x[i] = -708 + 1417.43*float64(i)/float64(n)
		}
		r.Exp(got, x)
		worst := 0.0
		for i, v := range x {
			worst = max(worst, math.Abs(got[i]/math.Exp(v)-1))
		}
		assert.LessOrEqual(t, worst, 5e-16)
	})
}

// The ends of the range and what is not a number, in every lane of a register
// and past the last whole one.
func testExpEdges[T vecmath.Float](t *testing.T, least, top float64, bits int) {
	inf, nan := math.Inf(1), math.NaN()
	levels(t, func(t *testing.T, l simd.Level) {
		r := vecmath.New[T](l)
		for _, c := range []struct{ x, want float64 }{
			{0, 1}, {math.Copysign(0, -1), 1}, {1e-30, 1},
			{math.Inf(-1), 0}, {-math.MaxFloat32, 0}, {-1e6, 0}, {least * 1.001, 0},
			{inf, inf}, {1e6, inf}, {math.MaxFloat32, inf}, {top * 1.001, inf}, {nan, nan},
		} {
			for n := 1; n <= 40; n++ {
				x, got := make([]T, n), make([]T, n)
				for i := range x {
					x[i] = 0.5
				}
				x[n-1] = T(c.x)
				r.Exp(got, x)
				if math.IsNaN(c.want) {
					require.True(t, got[n-1] != got[n-1], "%v: n = %d", l, n)
				} else {
					require.Equal(t, T(c.want), got[n-1], "%v: exp %v, n = %d", l, c.x, n)
				}
				for _, v := range got[:n-1] {
					require.InEpsilon(t, math.Exp(0.5), float64(v), math.Ldexp(1, 1-bits))
				}
			}
		}
		// The least argument itself gives a normal number, the greatest a finite one.
		ends := []T{T(least), T(top)}
		r.Exp(ends, ends)
		require.InEpsilon(t, math.Exp(float64(T(least))), float64(ends[0]), 1e-6)
		require.InEpsilon(t, math.Exp(float64(T(top))), float64(ends[1]), 1e-6)
		// A NaN of any bits stays one: its payload must not reach the exponent.
		for shift := range 20 {
			var x T
			switch x := any(&x).(type) {
			case *float32:
				*x = math.Float32frombits(0x7fc00000 | 1<<shift)
			case *float64:
				*x = math.Float64frombits(0xfff8<<48 | 1<<shift)
			}
			got := []T{x}
			r.Exp(got, got)
			require.True(t, got[0] != got[0])
		}
	})
}

func TestExpEdges(t *testing.T) {
	t.Run("float32", func(t *testing.T) { testExpEdges[float32](t, vecmath.LeastFloat32, 88.37, 24) })
	t.Run("float64", func(t *testing.T) { testExpEdges[float64](t, vecmath.LeastFloat64, 709.43, 53) })
}

func benchmarkSoftmax[T vecmath.Float](b *testing.B, width int) {
	const rows = 256
	for _, l := range simd.Available() {
		r := vecmath.New[T](l)
		scores, t := make([]T, rows*width), make([]T, rows*width)
		for i := range scores {
			scores[i] = T(-20 * math.Mod(float64(i)*0.618, 1))
		}
		shift, best, sum := make([]T, width), make([]T, width), make([]T, width)
		b.Run(l.String(), func(b *testing.B) {
			for b.Loop() {
				// Exponentials of exponentials: of any value, they take the same time.
				r.SoftmaxColumns(t, rows, width, shift, -60, best, sum)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(t)), "ns/exp")
		})
		b.Run("row/"+l.String(), func(b *testing.B) {
			for b.Loop() {
				r.SoftmaxRow(t, scores, 0, -60)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(t)), "ns/exp")
		})
	}
}

func BenchmarkSoftmaxColumns(b *testing.B) {
	b.Run("float32/16", func(b *testing.B) { benchmarkSoftmax[float32](b, 16) })
	b.Run("float32/32", func(b *testing.B) { benchmarkSoftmax[float32](b, 32) })
	b.Run("float64/8", func(b *testing.B) { benchmarkSoftmax[float64](b, 8) })
	b.Run("float64/16", func(b *testing.B) { benchmarkSoftmax[float64](b, 16) })
}
