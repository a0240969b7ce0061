package gemm_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The assembly of every instruction set is run by the interpreter, on small
// integers, so that sums are exact whatever their order.

func TestInterpretedPanels(t *testing.T) {
	interpretPanels[float32](t, "panelsFloat32AVX2", 6, 16, 32)
	interpretPanels[float64](t, "panelsFloat64AVX2", 6, 8, 32)
	interpretPanels[float32](t, "panelsFloat32AVX512", 14, 32, 64)
	interpretPanels[float64](t, "panelsFloat64AVX512", 14, 16, 64)
}

func interpretPanels[T float32 | float64](t *testing.T, name string, rows, columns, widest int) {
	m := newInterpreter("gemm_amd64.s")
	r := rand.New(rand.NewPCG(9, 10))
	for _, depth := range []int{0, 1, 3, 4, 9} {
		for _, count := range []int{1, 2, 5} {
			for _, add := range []uint64{0, 1} {
				m.segments = nil
				ldc := columns + r.IntN(3)
				a, b := integers[T](r, count*depth*rows), integers[T](r, depth*columns)
				c := integers[T](r, (count*rows-1)*ldc+columns)
				at := put(m, c)
				m.call(name, uint64(count), uint64(depth), put(m, a), put(m, b), at, uint64(ldc), add)
				got := make([]T, len(c))
				get(m, at, got)
				assert.Equal(t, widest, m.widest, name)
				for i := range got {
					row, column := i/ldc, i%ldc
					want := c[i]
					if column < columns {
						want *= T(add)
						for p := range depth {
							want += a[(row/rows*depth+p)*rows+row%rows] * b[p*columns+column]
						}
					}
					require.Equal(t, want, got[i], "%s: depth %d, %d tiles, add %d: row %d, column %d", name, depth, count, add, row, column)
				}
			}
		}
	}
}

func TestInterpretedPacking(t *testing.T) {
	for _, rows := range []int{2, 4, 8} {
		interpretTranspose[float32](t, fmt.Sprintf("transposeFloat32Rows%d", rows), rows, 4)
	}
	for _, rows := range []int{2, 4} {
		interpretTranspose[float64](t, fmt.Sprintf("transposeFloat64Rows%d", rows), rows, 2)
	}
	for _, width := range []int{6, 14, 16, 32} {
		interpretCopy[float32](t, fmt.Sprintf("copyFloat32Width%d", width), width)
	}
	for _, width := range []int{6, 8, 14, 16} {
		interpretCopy[float64](t, fmt.Sprintf("copyFloat64Width%d", width), width)
	}
}

func interpretTranspose[T float32 | float64](t *testing.T, name string, rows, block int) {
	m := newInterpreter("gemm_amd64.s")
	r := rand.New(rand.NewPCG(11, 12))
	const blocks = 3
	columns := blocks * block
	for _, gap := range []int{0, 1, 5} {
		m.segments = nil
		from, to := columns+gap, rows+gap
		src := integers[T](r, (rows-1)*from+columns)
		dst := integers[T](r, (columns-1)*to+rows)
		at := put(m, dst)
		m.call(name, blocks, at, uint64(to), put(m, src), uint64(from))
		got := make([]T, len(dst))
		get(m, at, got)
		assert.LessOrEqual(t, m.widest, 32, name)
		for i := range got {
			want := dst[i]
			if lane := i % to; lane < rows {
				want = src[lane*from+i/to]
			}
			require.Equal(t, want, got[i], "%s: gap %d, at %d", name, gap, i)
		}
	}
}

func interpretCopy[T float32 | float64](t *testing.T, name string, width int) {
	m := newInterpreter("gemm_amd64.s")
	r := rand.New(rand.NewPCG(13, 14))
	const rows = 3
	stride := width + 3
	src, got := integers[T](r, (rows-1)*stride+width), make([]T, rows*width)
	at := put(m, got)
	m.call(name, rows, at, put(m, src), uint64(stride))
	get(m, at, got)
	assert.LessOrEqual(t, m.widest, 32, name)
	for i := range got {
		require.Equal(t, src[i/width*stride+i%width], got[i], "%s: at %d", name, i)
	}
}

// A turn of the ceiling's loop does the multiply-adds it is counted for: each
// register of a tile gains x² per turn.
func TestInterpretedPeak(t *testing.T) {
	m := newInterpreter("gemm_amd64.s")
	for _, c := range []struct {
		name      string
		bits      uint64 // of x = 3
		registers int
		bytes     int
	}{
		{"peakFloat32AVX2", uint64(math.Float32bits(3)), 12, 32},
		{"peakFloat64AVX2", math.Float64bits(3), 12, 32},
		{"peakFloat32AVX512", uint64(math.Float32bits(3)), 28, 64},
		{"peakFloat64AVX512", math.Float64bits(3), 28, 64},
	} {
		m.call(c.name, 5, c.bits)
		want := math.Float64bits(5 * 9)
		size := 8
		if c.bits>>32 == 0 {
			want, size = uint64(math.Float32bits(5*9)), 4
		}
		sums := 0
		for _, v := range m.vector {
			lanes := 0
			for i := 0; i < c.bytes; i += size {
				got := uint64(0)
				for b := range size {
					got |= uint64(v[i+b]) << (8 * b)
				}
				if got == want {
					lanes++
				}
			}
			if lanes == c.bytes/size {
				sums++
			}
		}
		assert.Equal(t, c.registers, sums, c.name)
	}
}

// integers is n whole numbers from −8 to 8.
func integers[T float32 | float64](r *rand.Rand, n int) []T {
	x := make([]T, n)
	for i := range x {
		x[i] = T(r.IntN(17) - 8)
	}
	return x
}
