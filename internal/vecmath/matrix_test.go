package vecmath_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"lamcap/internal/simd"
	"lamcap/internal/vecmath"
)

// unit is the distance of 1 from the next number.
func unit[T vecmath.Float]() float64 {
	if T(1)+T(0x1p-30) == 1 {
		return 0x1p-23
	}
	return 0x1p-52
}

// random fills a new slice with numbers from −1 to 1.
func random[T vecmath.Float](rng *rand.Rand, n int) []T {
	x := make([]T, n)
	for i := range x {
		x[i] = T(2*rng.Float64() - 1)
	}
	return x
}

// guarded returns a copy of x in the middle of NaNs, so that a read or write
// outside shows, and a function that checks them.
func guarded[T vecmath.Float](x []T) (inner []T, check func(t require.TestingT)) {
	const margin = 20
	all := make([]T, len(x)+2*margin)
	for i := range all {
		all[i] = T(math.NaN())
	}
	inner = all[margin : margin+len(x) : margin+len(x)]
	copy(inner, x)
	return inner, func(t require.TestingT) {
		for i := range margin {
			require.True(t, all[i] != all[i] && all[len(all)-1-i] != all[len(all)-1-i], "written outside")
		}
	}
}

// Every product against sums in float64, whose error does not count: that of
// the routine is at most the number of terms times half an ulp of their sum.
func testProducts[T vecmath.Float](t *testing.T) {
	u := unit[T]()
	levels(t, func(t *testing.T, l simd.Level) {
		r := vecmath.New[T](l)
		rapid.Check(t, func(t *rapid.T) {
			rows, cols := rapid.IntRange(0, 40).Draw(t, "rows"), rapid.IntRange(0, 150).Draw(t, "cols")
			lda := cols + rapid.IntRange(0, 3).Draw(t, "gap")
			rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
			size := 0
			if rows > 0 && cols > 0 {
				size = (rows-1)*lda + cols
			}
			a, checkA := guarded(random[T](rng, size))
			// The gaps must be neither read nor written.
			for i := range a {
				if i%max(lda, 1) >= cols {
					a[i] = T(math.NaN())
				}
			}
			x, checkX := guarded(random[T](rng, cols))
			z, checkZ := guarded(random[T](rng, rows))
			alpha := T(0.75)
			near := func(want, magnitude float64, got T, terms int) {
				require.InDelta(t, want, float64(got), float64(terms+2)*u*magnitude, "%d × %d", rows, cols)
			}

			y, checkY := guarded(make([]T, rows))
			r.MatVec(y, a, lda, rows, cols, x)
			for i := range y {
				want, magnitude := 0.0, 0.0
				for j, v := range x {
					p := float64(a[i*lda+j]) * float64(v)
					want += p
					magnitude += math.Abs(p)
				}
				near(want, magnitude, y[i], cols)
				if cols > 0 {
					near(want, magnitude, r.Dot(a[i*lda:][:cols], x), cols)
				}
			}
			checkY(t)

			w, checkW := guarded(make([]T, cols))
			r.MatVecTrans(w, a, lda, rows, cols, z)
			for j := range w {
				want, magnitude := 0.0, 0.0
				for i, v := range z {
					p := float64(a[i*lda+j]) * float64(v)
					want += p
					magnitude += math.Abs(p)
				}
				near(want, magnitude, w[j], rows)
			}
			checkW(t)

			if rows > 0 && cols > 0 {
				row := a[:cols]
				before := append([]T(nil), row...)
				r.AddScaled(row, alpha, x)
				for j, v := range row {
					p := float64(alpha) * float64(x[j])
					near(float64(before[j])+p, math.Abs(float64(before[j]))+math.Abs(p), v, 1)
				}
			}
			for _, check := range []func(require.TestingT){checkA, checkX, checkZ} {
				check(t)
			}
		})
	})
}

func TestProducts(t *testing.T) {
	t.Run("float32", testProducts[float32])
	t.Run("float64", testProducts[float64])
}

// The same numbers twice: nothing depends on where the slices lie in memory.
func TestProductsDoNotDependOnAlignment(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	const rows, cols = 37, 45
	a, x := random[float32](rng, rows*cols), random[float32](rng, cols)
	levels(t, func(t *testing.T, l simd.Level) {
		r := vecmath.New[float32](l)
		want := make([]float32, rows)
		r.MatVec(want, a, cols, rows, cols, x)
		for shift := range 8 {
			b := append(make([]float32, shift), a...)[shift:]
			v := append(make([]float32, 7-shift), x...)[7-shift:]
			got := make([]float32, rows)
			r.MatVec(got, b, cols, rows, cols, v)
			assert.Equal(t, want, got)
			assert.Equal(t, r.Dot(a[:cols], x), r.Dot(b[:cols], v))
		}
	})
}

func TestWrongSizesPanic(t *testing.T) {
	r := vecmath.New[float32](simd.Portable)
	v := make([]float32, 6)
	for name, f := range map[string]func(){
		"level":  func() { vecmath.New[float32](simd.Best() + 1) },
		"lda":    func() { r.MatVec(v[:2], v, 2, 2, 3, v[:3]) },
		"a":      func() { r.MatVec(v[:2], v[:5], 3, 2, 3, v[:3]) },
		"x":      func() { r.MatVec(v[:2], v, 3, 2, 3, v[:2]) },
		"y":      func() { r.MatVec(v[:3], v, 3, 2, 3, v[:3]) },
		"trans":  func() { r.MatVecTrans(v[:2], v, 3, 2, 3, v[:2]) },
		"dot":    func() { r.Dot(v, v[:5]) },
		"add":    func() { r.AddScaled(v, 1, v[:5]) },
		"exp":    func() { r.Exp(v, v[:5]) },
		"row":    func() { r.SoftmaxRow(v[:5], v, 0, 0) },
		"t":      func() { r.SoftmaxColumns(v, 2, 2, v[:2], 0, v[:2], v[:2]) },
		"best":   func() { r.SoftmaxColumns(v, 3, 2, v[:2], 0, v[:3], v[:2]) },
		"width":  func() { r.SoftmaxColumns(v, -3, -2, v[:2], 0, v[:2], v[:2]) },
		"negate": func() { r.MatVec(v[:0], v, 3, -1, 3, v[:3]) },
	} {
		assert.Panics(t, f, name)
	}
}

func benchmarkProducts[T vecmath.Float](b *testing.B) {
	for _, size := range [][2]int{{40, 12}, {430, 64}, {1400, 128}, {4800, 256}, {2000, 1024}} {
		rows, cols := size[0], size[1]
		a, x, y := make([]T, rows*cols), make([]T, cols), make([]T, rows)
		for _, l := range simd.Available() {
			r := vecmath.New[T](l)
			for name, f := range map[string]func(){
				"MatVec":      func() { r.MatVec(y, a, cols, rows, cols, x) },
				"MatVecTrans": func() { r.MatVecTrans(x, a, cols, rows, cols, y) },
			} {
				b.Run(fmt.Sprintf("%dx%d/%s/%v", rows, cols, name, l), func(b *testing.B) {
					for b.Loop() {
						f()
					}
					b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(a)), "ns/entry")
				})
			}
		}
	}
}

func BenchmarkProducts(b *testing.B) {
	b.Run("float32", benchmarkProducts[float32])
	b.Run("float64", benchmarkProducts[float64])
}
