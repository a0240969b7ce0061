package gemm_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"lamcap/internal/gemm"
	"lamcap/internal/simd"
)

func TestMultiply(t *testing.T) {
	t.Run("", func(t *testing.T) { eachKernel(t, testMultiply[float32]) })
	t.Run("", func(t *testing.T) { eachKernel(t, testMultiply[float64]) })
}

// testMultiply compares products of odd shapes and strides with gonum within
// γ_k |A|·|B| on each side, and requires that only C is written and that one
// thread and three write the same bits.
func testMultiply[T gemm.Float](t *testing.T, k *gemm.Kernel[T]) {
	r := rand.New(rand.NewPCG(5, 6))
	alone, shared := gemm.NewMultiplier(k, 1), gemm.NewMultiplier(k, 3)
	shapes := [][3]int{
		{1, 1, 1}, {k.MR, k.NR, 4}, {k.MR + 1, k.NR - 1, 5},
		// More than one block of depth (256 numbers), of rows (192 KiB), of columns
		// (3072).
		{7, 35, 257}, {61, 45, 700}, {300, 20, 250}, {9, 3200, 3},
		// Enough work and packing for the goroutines to share.
		{40, 300, 260}, {20, 1100, 70},
	}
	more := 60
	if testing.Short() {
		more = 10 // the race detector is slow on the reference
	}
	for range more {
		shapes = append(shapes, [3]int{1 + r.IntN(70), 1 + r.IntN(70), 1 + r.IntN(70)})
	}
	for _, s := range shapes {
		a, b := randomMatrix[T](r, s[0], s[2]), randomMatrix[T](r, s[2], s[1])
		ldc := b.columns + r.IntN(5)
		before := random[T](r, (a.rows-1)*ldc+b.columns)
		add := r.IntN(2) == 1
		name := fmt.Sprintf("%d×%d×%d, strides %d, %d and %d, %d, add %v", s[0], s[1], s[2], a.row, a.column, b.row, b.column, add)
		c := append([]T(nil), before...)
		alone.Multiply(a.rows, b.columns, a.columns, a.x, a.row, a.column, b.x, b.row, b.column, c, ldc, add)
		compare(t, name, a, b, before, c, ldc, add)

		again := append([]T(nil), before...)
		shared.Multiply(a.rows, b.columns, a.columns, a.x, a.row, a.column, b.x, b.row, b.column, again, ldc, add)
		requireSame(t, name+": one thread and three", c, again)
	}
}

// One number of C depends on its row of A and its column of B alone: not on
// the shape of the product around it, within a block of depth and beyond.
func TestElementsDoNotDependOnTheShape(t *testing.T) {
	eachKernel(t, func(t *testing.T, k *gemm.Kernel[float32]) {
		r := rand.New(rand.NewPCG(7, 8))
		const rows, columns, depth = 97, 83, 300
		a, b := random[float32](r, rows*depth), random[float32](r, depth*columns)
		whole := make([]float32, rows*columns)
		m := gemm.NewMultiplier(k, 2)
		m.Multiply(rows, columns, depth, a, depth, 1, b, columns, 1, whole, columns, false)
		for range 20 {
			i, j := r.IntN(rows), r.IntN(columns)
			h, w := 1+r.IntN(rows-i), 1+r.IntN(columns-j)
			part := make([]float32, h*w)
			m.Multiply(h, w, depth, a[i*depth:], depth, 1, b[j:], columns, 1, part, w, false)
			for p := range part {
				require.Equal(t, whole[(i+p/w)*columns+j+p%w], part[p], "%d×%d at %d, %d", h, w, i, j)
			}
		}
	})
}

func TestEmptyProducts(t *testing.T) {
	eachKernel(t, func(t *testing.T, k *gemm.Kernel[float64]) {
		m := gemm.NewMultiplier(k, 2)
		c := []float64{1, 2, 3, 4}
		m.Multiply(0, 2, 3, nil, 3, 1, make([]float64, 6), 2, 1, nil, 2, false)
		m.Multiply(2, 0, 3, make([]float64, 6), 3, 1, nil, 0, 1, nil, 0, false)
		m.Multiply(2, 1, 0, nil, 0, 1, nil, 1, 1, c, 2, true)
		assert.Equal(t, []float64{1, 2, 3, 4}, c)
		m.Multiply(2, 1, 0, nil, 0, 1, nil, 1, 1, c, 2, false)
		assert.Equal(t, []float64{0, 2, 0, 4}, c)
	})
}

func TestMultiplyRefusesWhatDoesNotFit(t *testing.T) {
	m := gemm.NewMultiplier(gemm.NewKernel[float64](simd.Default()), 1)
	x := make([]float64, 6)
	assert.PanicsWithValue(t, "gemm: 5 numbers of A: want 6 or more", func() { m.Multiply(2, 2, 3, x[:5], 3, 1, x, 2, 1, x, 2, false) })
	assert.PanicsWithValue(t, "gemm: 5 numbers of B: want 6 or more", func() { m.Multiply(2, 2, 3, x, 3, 1, x[:5], 2, 1, x, 2, false) })
	assert.PanicsWithValue(t, "gemm: 3 numbers of C: want 4 or more", func() { m.Multiply(2, 2, 3, x, 3, 1, x, 2, 1, x[:3], 2, false) })
	assert.PanicsWithValue(t, "gemm: rows of C 1 numbers apart: want 2 or more", func() { m.Multiply(2, 2, 3, x, 3, 1, x, 2, 1, x, 1, false) })
	assert.Panics(t, func() { m.Multiply(2, 2, -3, x, 3, 1, x, 2, 1, x, 2, false) })
	assert.Panics(t, func() { gemm.NewMultiplier(gemm.NewKernel[float64](simd.Portable), 0) })
}

// The workspace is allocated by the first product of a size, not by later
// ones, whether or not goroutines share them.
func TestMultiplyDoesNotAllocate(t *testing.T) {
	eachKernel(t, func(t *testing.T, k *gemm.Kernel[float32]) {
		const rows, columns, depth = 75, 110, 90
		a, b, c := make([]float32, rows*depth), make([]float32, depth*columns), make([]float32, rows*columns)
		for _, threads := range []int{1, 2} {
			m := gemm.NewMultiplier(k, threads)
			assert.Zero(t, testing.AllocsPerRun(10, func() {
				m.Multiply(rows, columns, depth, a, depth, 1, b, columns, 1, c, columns, false)
			}), "%d threads", threads)
		}
	})
}
