package gemm_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"lamcap/internal/gemm"
	"lamcap/internal/simd"
)

// FuzzMultiply compares products of any small shape and of entries of any size, NaN and
// infinities among them, with sums in float64, under every instruction set.
func FuzzMultiply(f *testing.F) {
	f.Add(uint8(1), uint8(1), uint8(1), uint64(0), uint64(0), true)
	f.Add(uint8(17), uint8(33), uint8(65), uint64(7), math.Float64bits(math.NaN()), false)
	f.Add(uint8(6), uint8(16), uint8(4), uint64(9), math.Float64bits(math.Inf(1)), true)
	f.Add(uint8(5), uint8(0), uint8(3), uint64(1), math.Float64bits(5e-324), false)
	f.Add(uint8(64), uint8(64), uint8(0), uint64(2), math.Float64bits(1e300), true)
	var double []*gemm.Multiplier[float64]
	var single []*gemm.Multiplier[float32]
	for _, l := range simd.Available() {
		double = append(double, gemm.NewMultiplier(gemm.NewKernel[float64](l), 1))
		single = append(single, gemm.NewMultiplier(gemm.NewKernel[float32](l), 1))
	}
	f.Fuzz(func(t *testing.T, rows, columns, depth uint8, seed, bits uint64, add bool) {
		for _, m := range double {
			fuzzMultiply(t, m, int(rows%70), int(columns%70), int(depth%70), seed, bits, add)
		}
		for _, m := range single {
			fuzzMultiply(t, m, int(rows%70), int(columns%70), int(depth%70), seed, bits, add)
		}
	})
}

func fuzzMultiply[T gemm.Float](t *testing.T, m *gemm.Multiplier[T], rows, columns, depth int, seed, bits uint64, add bool) {
	r := rand.New(rand.NewPCG(seed, 1))
	a, b, before := random[T](r, rows*depth), random[T](r, depth*columns), random[T](r, rows*columns)
	special := T(math.Float64frombits(bits))
	if len(a) > 0 {
		a[r.IntN(len(a))] = special
	}
	c := append([]T(nil), before...)
	m.Multiply(rows, columns, depth, a, depth, 1, b, columns, 1, c, columns, add)
	for i := range rows {
		for j := range columns {
			want, size := 0.0, 0.0
			if add {
				want, size = float64(before[i*columns+j]), math.Abs(float64(before[i*columns+j]))
			}
			for k := range depth {
				x := float64(a[i*depth+k]) * float64(b[k*columns+j])
				want, size = want+x, size+math.Abs(x)
			}
			got := float64(c[i*columns+j])
			finite := size < float64(largest[T]())/2 // else partial sums may overflow in T
			switch {
			case math.IsNaN(want) || math.IsInf(want, 0):
				if !math.IsNaN(got) && !math.IsInf(got, 0) {
					t.Fatalf("%T %d×%d×%d: c[%d][%d] = %v, want %v", special, rows, columns, depth, i, j, got, want)
				}
			case finite && !(math.Abs(got-want) <= 2*gamma[T](depth+2)*size+2*float64(smallest[T]())*float64(depth+1)):
				t.Fatalf("%T %d×%d×%d: c[%d][%d] = %v, want %v, sizes %v", special, rows, columns, depth, i, j, got, want, size)
			}
		}
	}
}

func largest[T gemm.Float]() T {
	if unitRoundoff[T]() == 0x1p-53 {
		largest := math.MaxFloat64
		return T(largest)
	}
	return T(math.MaxFloat32)
}

func smallest[T gemm.Float]() T {
	if unitRoundoff[T]() == 0x1p-53 {
		smallest := math.SmallestNonzeroFloat64
		return T(smallest)
	}
	smallest := math.SmallestNonzeroFloat32
	return T(smallest)
}
