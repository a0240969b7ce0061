package gemm_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas32"
	"gonum.org/v1/gonum/blas/blas64"

	"lamcap/internal/gemm"
	"lamcap/internal/simd"
)

// eachKernel runs a test for every instruction set of this machine.
func eachKernel[T gemm.Float](t *testing.T, test func(t *testing.T, k *gemm.Kernel[T])) {
	for _, l := range simd.Available() {
		t.Run(l.String()+"/"+typeName[T](), func(t *testing.T) { test(t, gemm.NewKernel[T](l)) })
	}
}

func typeName[T gemm.Float]() string {
	var zero T
	switch any(zero).(type) {
	case float32:
		return "float32"
	case float64:
		return "float64"
	default:
		return "other"
	}
}

// unitRoundoff is u, half the distance from 1 to the next number.
func unitRoundoff[T gemm.Float]() float64 {
	u := 1.0
	for T(1)+T(u/2) != 1 {
		u /= 2
	}
	return u / 2
}

// random is n normal numbers of sizes over some decades.
func random[T gemm.Float](r *rand.Rand, n int) []T {
	x := make([]T, n)
	for i := range x {
		x[i] = T(r.NormFloat64() * math.Exp(2*r.NormFloat64()))
	}
	return x
}

// matrix is a matrix with the strides of a row and of a column.
type matrix[T gemm.Float] struct {
	rows, columns int
	x             []T
	row, column   int
}

// randomMatrix has rows or columns contiguous, or neither, with gaps.
func randomMatrix[T gemm.Float](r *rand.Rand, rows, columns int) matrix[T] {
	m := matrix[T]{rows: rows, columns: columns}
	gap := r.IntN(4)
	switch r.IntN(3) {
	case 0:
		m.row, m.column = columns+gap, 1
	case 1:
		m.row, m.column = 1, rows+gap
	default:
		m.row, m.column = 2*columns+gap, 2
	}
	// Not one number more than it needs: a read beyond panics or, in
	// assembly, meets what the next test would notice.
	m.x = random[T](r, (rows-1)*m.row+(columns-1)*m.column+1)
	return m
}

func (m matrix[T]) at(i, j int) T { return m.x[i*m.row+j*m.column] }

// product is A·B by gonum, in the precision of T, for row-major copies.
func product[T gemm.Float](a, b matrix[T]) []T {
	c := make([]T, a.rows*b.columns)
	switch c := any(c).(type) {
	case []float32:
		blas32.Gemm(blas.NoTrans, blas.NoTrans, 1, general32(a), general32(b), 0,
			blas32.General{Rows: a.rows, Cols: b.columns, Stride: b.columns, Data: c})
	case []float64:
		blas64.Gemm(blas.NoTrans, blas.NoTrans, 1, general64(a), general64(b), 0,
			blas64.General{Rows: a.rows, Cols: b.columns, Stride: b.columns, Data: c})
	default:
		panic("gonum multiplies float32 and float64")
	}
	return c
}

func general32[T gemm.Float](m matrix[T]) blas32.General {
	g := blas32.General{Rows: m.rows, Cols: m.columns, Stride: m.columns}
	for i := range m.rows {
		for j := range m.columns {
			g.Data = append(g.Data, float32(m.at(i, j)))
		}
	}
	return g
}

func general64[T gemm.Float](m matrix[T]) blas64.General {
	g := blas64.General{Rows: m.rows, Cols: m.columns, Stride: m.columns}
	for i := range m.rows {
		for j := range m.columns {
			g.Data = append(g.Data, float64(m.at(i, j)))
		}
	}
	return g
}

// magnitude is |A|·|B| in float64.
func magnitude[T gemm.Float](a, b matrix[T]) []float64 {
	c := make([]float64, a.rows*b.columns)
	for i := range a.rows {
		for p := range a.columns {
			x := math.Abs(float64(a.at(i, p)))
			for j := range b.columns {
				c[i*b.columns+j] += x * math.Abs(float64(b.at(p, j)))
			}
		}
	}
	return c
}

// gamma is γ_k = k·u/(1 − k·u) for the type T.
func gamma[T gemm.Float](k int) float64 {
	ku := float64(k) * unitRoundoff[T]()
	return ku / (1 - ku)
}
