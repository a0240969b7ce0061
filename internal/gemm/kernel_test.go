package gemm_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"lamcap/internal/gemm"
	"lamcap/internal/simd"
)

func TestShapesOfTiles(t *testing.T) {
	for _, l := range simd.Available() {
		single, double := gemm.NewKernel[float32](l), gemm.NewKernel[float64](l)
		want := map[simd.Level][4]int{
			simd.Portable: {4, 4, 4, 4}, simd.AVX2: {6, 16, 6, 8}, simd.AVX512: {14, 32, 14, 16},
		}[l]
		assert.Equal(t, want, [4]int{single.MR, single.NR, double.MR, double.NR})
		assert.Equal(t, l, single.Level)
		assert.Equal(t, l, double.Level)
	}
}

// A type derived from float32 has no assembly, but multiplies all the same.
func TestDerivedTypeIsPortable(t *testing.T) {
	type metres float32
	k := gemm.NewKernel[metres](simd.Best())
	assert.Equal(t, simd.Portable, k.Level)
	c := make([]metres, 2)
	gemm.NewMultiplier(k, 1).Multiply(2, 1, 2, []metres{1, 2, 3, 4}, 2, 1, []metres{5, 6}, 1, 1, c, 1, false)
	assert.Equal(t, []metres{17, 39}, c)
}

func TestPanels(t *testing.T) {
	t.Run("", func(t *testing.T) { eachKernel(t, testPanels[float32]) })
	t.Run("", func(t *testing.T) { eachKernel(t, testPanels[float64]) })
}

// testPanels compares a column of tiles with gonum within γ_k |A|·|B| on each
// side (gonum rounds too), and requires that nothing beside C is written.
func testPanels[T gemm.Float](t *testing.T, k *gemm.Kernel[T]) {
	r := rand.New(rand.NewPCG(1, 2))
	// Depths around the unrolling of four, and one of several kilobytes.
	depths := []int{1, 2, 3, 4, 5, 6, 7, 8, 13, 64, 129, 517}
	if testing.Short() {
		depths = depths[:9]
	}
	for _, depth := range depths {
		for _, count := range []int{1, 2, 5} {
			for _, add := range []bool{false, true} {
				name := fmt.Sprintf("depth %d, %d tiles, add %v", depth, count, add)
				a := randomMatrix[T](r, count*k.MR, depth)
				b := randomMatrix[T](r, depth, k.NR)
				packedA := make([]T, k.SizeA(a.rows, depth))
				packedB := make([]T, k.SizeB(depth, b.columns))
				k.PackA(packedA, a.rows, depth, a.x, a.row, a.column)
				k.PackB(packedB, depth, b.columns, b.x, b.row, b.column)

				// An odd stride leaves the rows of C unaligned.
				ldc := k.NR + 2*r.IntN(3) + 1
				before := random[T](r, a.rows*ldc+k.NR)
				c := append([]T(nil), before...)
				k.Panels(count, depth, packedA, packedB, c, ldc, add)
				compare(t, name, a, b, before, c, ldc, add)

				tiles := append([]T(nil), before...)
				for i := range count {
					k.Tile(depth, packedA[i*depth*k.MR:], packedB, tiles[i*k.MR*ldc:], ldc, add)
				}
				requireSame(t, name+": Panels and Tile", c, tiles)
			}
		}
	}
}

// compare requires that c is before but for the product of a and b in it, or
// added to it, within the error bound of both routes.
func compare[T gemm.Float](t *testing.T, name string, a, b matrix[T], before, c []T, ldc int, add bool) {
	t.Helper()
	want, size := product(a, b), magnitude(a, b)
	terms := a.columns
	for i, got := range c {
		row, column := i/ldc, i%ldc
		if row >= a.rows || column >= b.columns {
			if got != before[i] {
				t.Fatalf("%s: wrote beside C, at %d, %d", name, row, column)
			}
			continue
		}
		j := row*b.columns + column
		sum, scale, n := float64(want[j]), size[j], terms
		if add {
			sum += float64(before[i])
			scale += math.Abs(float64(before[i]))
			n++
		}
		if bound := 2 * gamma[T](n) * scale; !(math.Abs(float64(got)-sum) <= bound) {
			t.Fatalf("%s: element %d, %d: %v, want %v ± %v", name, row, column, got, sum, bound)
		}
	}
}

// requireSame requires equal numbers.
func requireSame[T gemm.Float](t *testing.T, name string, x, y []T) {
	t.Helper()
	require.Equal(t, len(x), len(y))
	for i := range x {
		if x[i] != y[i] {
			t.Fatalf("%s differ: %v and %v at %d", name, x[i], y[i], i)
		}
	}
}

func TestNoDepthIsZero(t *testing.T) {
	eachKernel(t, func(t *testing.T, k *gemm.Kernel[float32]) {
		c := make([]float32, k.MR*(k.NR+1))
		for i := range c {
			c[i] = 7
		}
		k.Tile(0, nil, nil, c, k.NR+1, true)
		assert.Equal(t, float32(7), c[0])
		k.Tile(0, nil, nil, c, k.NR+1, false)
		for i, x := range c {
			want := float32(0)
			if i%(k.NR+1) == k.NR {
				want = 7
			}
			require.Equal(t, want, x, "at %d", i)
		}
		k.Panels(0, 5, nil, nil, nil, k.NR, false) // no tile: nothing to do
	})
}

// A NaN or an infinity reaches its row or column, even against zeros, and no
// other; what C held before does not matter unless it is added to.
func TestNaNAndInfinityPropagate(t *testing.T) {
	t.Run("", func(t *testing.T) { eachKernel(t, testSpecial[float32]) })
	t.Run("", func(t *testing.T) { eachKernel(t, testSpecial[float64]) })
}

func testSpecial[T gemm.Float](t *testing.T, k *gemm.Kernel[T]) {
	nan, inf := T(math.NaN()), T(math.Inf(1))
	const depth = 7
	a, b := make([]T, depth*k.MR), make([]T, depth*k.NR)
	for i := range a {
		a[i] = 1
	}
	for i := range b {
		b[i] = 1
	}
	p := depth - 2
	a[p*k.MR+1] = inf  // row 1 of A is infinite, and meets
	b[p*k.NR+2] = 0    // a zero in column 2: NaN
	b[p*k.NR+3] = -1   // a negative number in column 3: −Inf
	b[2*k.NR+1] = -inf // column 1 of B: Inf − Inf in row 1, −Inf elsewhere
	b[1*k.NR+0] = nan  // column 0 of B

	// One number before C makes it unaligned; NaNs in C must be overwritten.
	c := make([]T, 1+k.MR*k.NR)
	for i := range c {
		c[i] = nan
	}
	c[0] = 5
	k.Tile(depth, a, b, c[1:], k.NR, false)
	assert.Equal(t, T(5), c[0])
	for i := range k.MR {
		for j := range k.NR {
			want := 0.0
			for p := range depth {
				want += float64(a[p*k.MR+i]) * float64(b[p*k.NR+j])
			}
			got := float64(c[1+i*k.NR+j])
			if math.IsNaN(want) {
				require.True(t, math.IsNaN(got), "%d, %d: %v, want NaN", i, j, got)
				continue
			}
			require.Equal(t, want, got, "%d, %d", i, j) // small integers: exact
		}
	}
	require.True(t, math.IsNaN(float64(c[1])) && math.IsInf(float64(c[1+1]), -1), "the test has no NaN or infinity")
}

func TestPanelsRefuseWhatDoesNotFit(t *testing.T) {
	eachKernel(t, func(t *testing.T, k *gemm.Kernel[float64]) {
		const depth = 3
		a, b, c := make([]float64, 2*depth*k.MR), make([]float64, depth*k.NR), make([]float64, 2*k.MR*k.NR)
		assert.NotPanics(t, func() { k.Panels(2, depth, a, b, c, k.NR, false) })
		assert.PanicsWithValue(t, fmt.Sprintf("gemm: rows of C %d numbers apart: want %d or more", k.NR-1, k.NR),
			func() { k.Panels(2, depth, a, b, c, k.NR-1, false) })
		for i, call := range []func(){
			func() { k.Panels(2, depth, a[1:], b, c, k.NR, false) },
			func() { k.Panels(2, depth, a, b[1:], c, k.NR, false) },
			func() { k.Panels(2, depth, a, b, c[1:], k.NR, false) },
			func() { k.Panels(-1, depth, a, b, c, k.NR, false) },
			func() { k.Panels(2, -1, a, b, c, k.NR, false) },
			func() { k.PackA(a, k.MR, depth, b[:0], depth, 1) },
			func() { k.PackA(a[:k.MR*depth-1], k.MR, depth, a, depth, 1) },
			func() { k.PackB(a, depth, k.NR, b, k.NR, -1) },
		} {
			assert.Panics(t, call, "call %d", i)
		}
	})
	assert.Panics(t, func() { gemm.NewKernel[float32](simd.AVX512 + 1) })
	assert.Panics(t, func() { gemm.NewKernel[float32](-1) })
}

func TestKernelsDoNotAllocate(t *testing.T) {
	eachKernel(t, func(t *testing.T, k *gemm.Kernel[float32]) {
		const depth = 9
		src := make([]float32, depth*k.MR*k.NR)
		a, b, c := make([]float32, k.SizeA(k.MR, depth)), make([]float32, k.SizeB(depth, k.NR)), make([]float32, k.MR*k.NR)
		assert.Zero(t, testing.AllocsPerRun(10, func() {
			k.PackA(a, k.MR, depth, src, depth, 1)
			k.PackB(b, depth, k.NR, src, k.NR, 1)
			k.Tile(depth, a, b, c, k.NR, true)
		}))
	})
}

// Peak must do what it says: the flops are those of whole turns, two for each
// lane of each register of a tile.
func TestPeakCounts(t *testing.T) {
	for _, l := range simd.Available() {
		want := map[simd.Level]float64{simd.Portable: 16, simd.AVX2: 2 * 12 * 8, simd.AVX512: 2 * 28 * 16}[l]
		assert.Equal(t, 100*want, gemm.NewKernel[float32](l).Peak(100), l)
		assert.Zero(t, gemm.NewKernel[float32](l).Peak(0))
	}
}
