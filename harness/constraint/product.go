package constraint

import (
	"lamcap/internal/gemm"
	"lamcap/internal/simd"
	"lamcap/internal/vecmath"
)

// algebra is the linear algebra of one worker: products keep their workspace.
// All sums are taken in an order that depends on their length alone.
type algebra[T vecmath.Float] struct {
	product *gemm.Multiplier[T]
	*vecmath.Routines[T]
}

func newAlgebra[T vecmath.Float]() *algebra[T] {
	level := simd.Default()
	return &algebra[T]{gemm.NewMultiplier(gemm.NewKernel[T](level), 1), vecmath.New[T](level)}
}

// multiply computes c = a·bᵀ for a (m×k), b (n×k) and c (m×n), all row-major
// without gaps.
func (x *algebra[T]) multiply(c, a, b []T, m, n, k int) {
	if m == 1 {
		x.MatVec(c, b, k, n, k, a)
		return
	}
	x.multiplyRows(c, a, b, m, n, k)
}

// multiplyRows is multiply by matrix products alone: no number depends on how
// many rows are computed together.
func (x *algebra[T]) multiplyRows(c, a, b []T, m, n, k int) {
	x.product.Multiply(m, n, k, a, k, 1, b, 1, k, c, n, false)
}

// multiplyTransposed computes rows from … to−1 of c = aᵀ·b for a (k×m), b
// (k×n) and c (m×n), all row-major without gaps.
func (x *algebra[T]) multiplyTransposed(c, a, b []T, m, n, k, from, to int) {
	x.product.Multiply(to-from, n, k, a[from:], 1, m, b, n, 1, c[from*n:to*n], n, false)
}
