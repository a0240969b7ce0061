package gemm_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"lamcap/internal/gemm"
)

func TestPack(t *testing.T) {
	t.Run("", func(t *testing.T) { eachKernel(t, testPack[float32]) })
	t.Run("", func(t *testing.T) { eachKernel(t, testPack[float64]) })
}

// testPack compares both packings with their definition, element by element,
// for every way to stride, and requires that nothing beyond them is written.
func testPack[T gemm.Float](t *testing.T, k *gemm.Kernel[T]) {
	r := rand.New(rand.NewPCG(3, 4))
	const mark = 123.5
	matrices := 300
	if testing.Short() {
		matrices = 30
	}
	for range matrices {
		m := randomMatrix[T](r, 1+r.IntN(70), 1+r.IntN(70))
		for _, c := range []struct {
			name  string
			width int
			lanes int
			depth int
			size  int
			pack  func(dst []T, rows, cols int, src []T, rowStride, colStride int)
			at    func(lane, p int) T
		}{
			{"A", k.MR, m.rows, m.columns, k.SizeA(m.rows, m.columns), k.PackA, m.at},
			{"B", k.NR, m.columns, m.rows, k.SizeB(m.rows, m.columns), k.PackB, func(lane, p int) T { return m.at(p, lane) }},
		} {
			panels := (c.lanes + c.width - 1) / c.width
			require.Equal(t, panels*c.width*c.depth, c.size)
			dst := make([]T, c.size+c.width)
			for i := range dst {
				dst[i] = mark
			}
			c.pack(dst, m.rows, m.columns, m.x, m.row, m.column)
			for i, got := range dst {
				panel, p, lane := i/(c.width*c.depth), i/c.width%c.depth, i%c.width
				lane += panel * c.width
				want := T(0)
				switch {
				case i >= c.size:
					want = mark
				case lane < c.lanes:
					want = c.at(lane, p)
				}
				if got != want {
					t.Fatalf("Pack%s of %d×%d, strides %d and %d: lane %d, number %d: %v, want %v", c.name, m.rows, m.columns, m.row, m.column, lane, p, got, want)
				}
			}
		}
	}
}

// Packing moves numbers, whatever they are: NaNs with their payload, signed
// zeros and subnormal numbers included.
func TestPackKeepsBits(t *testing.T) {
	eachKernel(t, func(t *testing.T, k *gemm.Kernel[float64]) {
		special := []float64{math.NaN(), math.Float64frombits(0x7ff0000000000001), math.Copysign(0, -1), math.Inf(-1), 5e-324}
		const depth = 11
		src := make([]float64, k.NR*depth)
		for i := range src {
			src[i] = special[i%len(special)]
		}
		dst := make([]float64, k.SizeB(depth, k.NR))
		k.PackB(dst, depth, k.NR, src, 1, depth)
		for i, x := range dst {
			require.Equal(t, math.Float64bits(src[i%k.NR*depth+i/k.NR]), math.Float64bits(x), "at %d", i)
		}
	})
}
