package gemm

import (
	"fmt"

	"lamcap/internal/simd"
)

// Float is the type of the numbers. The assembly is for float32 and float64
// themselves: a type derived from them gets the portable kernel.
type Float interface{ ~float32 | ~float64 }

// Kernel is a micro-kernel for tiles of MR×NR numbers and the packing that it
// wants. It holds no state: any number of goroutines may use one. Its fields
// are for reading.
type Kernel[T Float] struct {
	Level  simd.Level // the instruction set it uses
	MR, NR int        // rows and columns of a tile

	// panels computes count ≥ 1 tiles as Panels does, without checks.
	panels func(count, depth int, a, b, c []T, ldc int, add bool)
	// copyA and copyB copy rows ≥ 1 rows of MR or NR numbers, stride apart in
	// src, end to end into dst.
	copyA, copyB func(rows int, dst, src []T, stride int)
	// transpositions are what Pack uses where the depth is contiguous, those
	// of most lanes first; none of them is needed.
	transpositions []transposition[T]
	// peak does turns ≥ 1 turns of multiply-adds of x in registers.
	peak func(turns int, x T)
	// flops is what one turn of peak does.
	flops int
}

// NewKernel is the micro-kernel of the instruction set l. It panics if this
// machine does not run l.
func NewKernel[T Float](l simd.Level) *Kernel[T] {
	if l < simd.Portable || l > simd.Best() {
		panic(fmt.Sprintf("gemm: instruction set %v: this machine runs %v at most", l, simd.Best()))
	}
	for _, k := range assembly(l) {
		if k, ok := k.(*Kernel[T]); ok {
			return k
		}
	}
	return &Kernel[T]{
		Level: simd.Portable, MR: portableRows, NR: portableColumns,
		panels: portablePanels[T],
		copyA:  portableCopy[T], copyB: portableCopy[T],
		transpositions: []transposition[T]{{lanes: 4, block: 1, run: portableTranspose[T]}},
		peak:           portablePeak[T], flops: portablePeakFlops,
	}
}

// Tile computes C = A·B, or C += A·B if add. A is a packed panel [depth][MR],
// B a packed panel [depth][NR], and C has MR rows of NR numbers, ldc ≥ NR
// numbers apart. It panics if a slice is too short.
func (k *Kernel[T]) Tile(depth int, a, b, c []T, ldc int, add bool) {
	k.Panels(1, depth, a, b, c, ldc, add)
}

// Panels computes a column of count tiles from as many packed panels of A,
// which lie end to end in a, and one packed panel of B: tile i goes to the MR
// rows of C from i·MR on. Shapes are those of [Kernel.Tile], which it equals
// bit for bit; one call for many tiles saves time where the depth is small.
func (k *Kernel[T]) Panels(count, depth int, a, b, c []T, ldc int, add bool) {
	if count < 0 || depth < 0 {
		panic(fmt.Sprintf("gemm: %d tiles of depth %d: want no negative number", count, depth))
	}
	if count == 0 {
		return
	}
	if ldc < k.NR {
		panic(fmt.Sprintf("gemm: rows of C %d numbers apart: want %d or more", ldc, k.NR))
	}
	if len(a) < count*depth*k.MR || len(b) < depth*k.NR || len(c) < (count*k.MR-1)*ldc+k.NR {
		panic(fmt.Sprintf("gemm: %d numbers of A, %d of B, %d of C: want %d, %d, %d or more for %d tiles of depth %d",
			len(a), len(b), len(c), count*depth*k.MR, depth*k.NR, (count*k.MR-1)*ldc+k.NR, count, depth))
	}
	if depth == 0 {
		if !add {
			for i := range count * k.MR {
				clear(c[i*ldc:][:k.NR])
			}
		}
		return
	}
	k.panels(count, depth, a, b, c, ldc, add)
}
