// Package gemm multiplies matrices of float32 and float64 numbers,
//
//	C = A·B   or   C += A·B
//
// in two layers. A [Kernel] computes tiles of C that fit in registers, from
// factors packed into panels; the training engine fuses it with what follows.
// A [Multiplier] packs and blocks whole matrices for the caches, after [Goto],
// on one or several threads.
//
// The micro-kernels are assembly for AVX-512 and for AVX2 with FMA, generated
// in lamcap/internal/asm, and plain Go elsewhere; [lamcap/internal/simd]
// chooses. All of them sum over the depth in its order, in one go per block of
// depth, so that every element satisfies the bound of [Higham], theorem 3.5,
//
//	|Ĉ − A·B| ≤ γ_k |A|·|B|,   γ_k = k·u / (1 − k·u),
//
// for a depth of k and unit roundoff u (k + 1 with C += A·B). Infinities and
// NaNs propagate as IEEE 754 has them: no product with zero is skipped.
//
// References:
//
//	[Goto]   K. Goto, R. van de Geijn, Anatomy of high-performance matrix
//	         multiplication, ACM Trans. Math. Softw. 34 (2008) 12.
//	[Higham] N. J. Higham, Accuracy and Stability of Numerical Algorithms,
//	         2nd ed., SIAM (2002), section 3.5.
package gemm

//go:generate ../asm/generate gemm
