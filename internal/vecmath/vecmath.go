package vecmath

import (
	"fmt"
	"math"

	"lamcap/internal/simd"
)

// Float is the precisions.
type Float interface{ float32 | float64 }

// Routines is the set of routines of one precision for one instruction set. It
// is immutable: any number of goroutines may use it.
type Routines[T Float] struct {
	// Level is the instruction set; it is for information.
	Level simd.Level

	softmaxColumns func(t []T, rows, width int, shift []T, floor T, best, sum []T) int
	softmaxRow     func(dst, x []T, shift, floor T) (T, int)
	sumExp         func(x []T, shift T) float64
	largest        func(x []T) T
	dot            func(x, y []T) T
	addScaled      func(y []T, alpha T, x []T)
	matVec         func(y, a []T, lda, rows, cols int, x []T)
	matVecTrans    func(y, a []T, lda, rows, cols int, x []T)
}

// New returns the routines for instruction set l. It panics if this machine
// does not run it.
func New[T Float](l simd.Level) *Routines[T] {
	if l < simd.Portable || l > simd.Best() {
		panic(fmt.Sprintf("vecmath: instruction set %v: this machine runs %v at most", l, simd.Best()))
	}
	r := &Routines[T]{Level: l}
	switch r := any(r).(type) {
	case *Routines[float32]:
		*r = Routines[float32]{Level: l, softmaxColumns: softmaxColumns32, softmaxRow: softmaxRow32, sumExp: sumExp32}
		setPortable(r)
		accelerate32(r)
	case *Routines[float64]:
		*r = Routines[float64]{Level: l, softmaxColumns: softmaxColumns64, softmaxRow: softmaxRow64, sumExp: sumExp64}
		setPortable(r)
		accelerate64(r)
	}
	return r
}

// setPortable sets the routines that are the same in both precisions.
func setPortable[T Float](r *Routines[T]) {
	r.largest = largest[T]
	r.dot = dot[T]
	r.addScaled = addScaled[T]
	r.matVec = matVec[T]
	r.matVecTrans = matVecTrans[T]
}

// least is the least exponent of precision T whose exponential is not 0.
func least[T Float]() T {
	var l T
	switch l := any(&l).(type) {
	case *float32:
		*l = LeastFloat32
	case *float64:
		*l = LeastFloat64
	}
	return l
}

// checkLength panics unless n numbers are given where want are needed.
func checkLength(routine, name string, n, want int) {
	if n != want {
		panic(fmt.Sprintf("vecmath: %s: length of %s is %d: want %d", routine, name, n, want))
	}
}

// SoftmaxColumns takes one block of scores, rows × width row-major and without
// gaps, whose columns belong to different softmaxes, and advances them all:
//
//	best[j] ← max(best[j], max_i t[i][j])
//	t[i][j] ← exp(t[i][j] − shift[j]), or 0 where t[i][j] − shift[j] < floor
//	sum[j]  ← sum[j] + Σ_i t[i][j]
//
// It returns how many of the new t are not 0, exactly. The length of t is
// rows·width, that of shift, best and sum is width; width may be any number,
// and is fast as a multiple of 16 for float32, of 8 for float64. A floor below
// [LeastFloat32] or [LeastFloat64] counts as that.
//
// A score of −Inf becomes 0 exactly and leaves best alone. A NaN stays in t and
// spreads to sum, but best does not see it. Results above the range become
// +Inf, in t and in sum (see the errors of the package).
func (r *Routines[T]) SoftmaxColumns(t []T, rows, width int, shift []T, floor T, best, sum []T) (nonzero int) {
	const routine = "SoftmaxColumns"
	if rows < 0 || width < 0 {
		panic(fmt.Sprintf("vecmath: %s: %d × %d: want sizes ≥ 0", routine, rows, width))
	}
	checkLength(routine, "t", len(t), rows*width)
	checkLength(routine, "shift", len(shift), width)
	checkLength(routine, "best", len(best), width)
	checkLength(routine, "sum", len(sum), width)
	if rows == 0 || width == 0 {
		return 0
	}
	return r.softmaxColumns(t, rows, width, shift, max(floor, least[T]()), best, sum)
}

// SoftmaxRow writes exp(x[i] − shift) to dst[i], or 0 where x[i] − shift <
// floor, and returns the sum of dst and how many of it are not 0, exactly. A
// floor below [LeastFloat32] or [LeastFloat64] counts as that. NaN and values
// above the range are treated as by [Routines.SoftmaxColumns]. The lengths of
// dst and x are equal; they may be the same slice.
func (r *Routines[T]) SoftmaxRow(dst, x []T, shift, floor T) (sum T, nonzero int) {
	checkLength("SoftmaxRow", "dst", len(dst), len(x))
	return r.softmaxRow(dst, x, shift, max(floor, least[T]()))
}

// Exp writes exp(x[i]) to dst[i], with the errors and the range that the
// package states. The lengths are equal; the slices may be the same.
func (r *Routines[T]) Exp(dst, x []T) {
	checkLength("Exp", "dst", len(dst), len(x))
	r.softmaxRow(dst, x, 0, least[T]())
}

// Max returns the largest number of x: NaN if any is NaN, −Inf for an empty x.
func (r *Routines[T]) Max(x []T) T { return r.largest(x) }

// LogSumExp returns log Σ_i exp(x[i]), −Inf for an empty x, NaN if any is NaN.
// It neither overflows nor loses a small sum to a large maximum. The error is
// half an ulp of the result and, in absolute terms, what follows from the relative
// error of the sum, which is accumulated in float64: 2e-7 for float32, and
// 4e-16 + m·1.1e-16 for m numbers of float64.
func (r *Routines[T]) LogSumExp(x []T) T {
	top := r.largest(x)
	if math.IsInf(float64(top), 0) || top != top {
		return top
	}
	return T(float64(top) + math.Log(r.sumExp(x, top)))
}

// Dot returns Σ_i x[i] y[i]. The lengths are equal.
func (r *Routines[T]) Dot(x, y []T) T {
	checkLength("Dot", "y", len(y), len(x))
	return r.dot(x, y)
}

// AddScaled adds alpha·x to y. The lengths are equal.
func (r *Routines[T]) AddScaled(y []T, alpha T, x []T) {
	checkLength("AddScaled", "x", len(x), len(y))
	r.addScaled(y, alpha, x)
}

// MatVec writes A x to y, where A is rows × cols, row-major with rows lda ≥
// cols apart; x has cols numbers, y has rows, and must not overlap the others.
func (r *Routines[T]) MatVec(y, a []T, lda, rows, cols int, x []T) {
	checkMatrix("MatVec", a, lda, rows, cols)
	checkLength("MatVec", "x", len(x), cols)
	checkLength("MatVec", "y", len(y), rows)
	if rows == 0 || cols == 0 {
		clear(y)
		return
	}
	r.matVec(y, a, lda, rows, cols, x)
}

// MatVecTrans writes Aᵀ x to y, where A is rows × cols, row-major with rows lda
// ≥ cols apart; x has rows numbers, y has cols, and must not overlap the others.
func (r *Routines[T]) MatVecTrans(y, a []T, lda, rows, cols int, x []T) {
	checkMatrix("MatVecTrans", a, lda, rows, cols)
	checkLength("MatVecTrans", "x", len(x), rows)
	checkLength("MatVecTrans", "y", len(y), cols)
	if rows == 0 || cols == 0 {
		clear(y)
		return
	}
	r.matVecTrans(y, a, lda, rows, cols, x)
}

// checkMatrix panics unless a holds a rows × cols matrix.
func checkMatrix[T Float](routine string, a []T, lda, rows, cols int) {
	if rows < 0 || cols < 0 || lda < cols {
		panic(fmt.Sprintf("vecmath: %s: %d × %d, rows %d apart: want sizes ≥ 0 and rows at least their length apart", routine, rows, cols, lda))
	}
	if rows > 0 && cols > 0 && len(a) < (rows-1)*lda+cols {
		panic(fmt.Sprintf("vecmath: %s: length of a is %d: want at least %d for %d × %d, rows %d apart", routine, len(a), (rows-1)*lda+cols, rows, cols, lda))
	}
}
