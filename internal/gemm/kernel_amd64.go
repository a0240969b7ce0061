package gemm

import "lamcap/internal/simd"

// assembly lists the kernels written for the instruction set l, one for each
// type of number.
func assembly(l simd.Level) []any {
	switch l {
	case simd.AVX2:
		return []any{
			&Kernel[float32]{
				Level: l, MR: 6, NR: 16, transpositions: transpositionsFloat32(),
				panels: func(count, depth int, a, b, c []float32, ldc int, add bool) {
					panelsFloat32AVX2(count, depth, &a[0], &b[0], &c[0], ldc, add)
				},
				copyA: func(rows int, dst, src []float32, stride int) { copyFloat32Width6(rows, &dst[0], &src[0], stride) },
				copyB: func(rows int, dst, src []float32, stride int) { copyFloat32Width16(rows, &dst[0], &src[0], stride) },
				peak:  peakFloat32AVX2, flops: 2 * 12 * 8,
			},
			&Kernel[float64]{
				Level: l, MR: 6, NR: 8, transpositions: transpositionsFloat64(),
				panels: func(count, depth int, a, b, c []float64, ldc int, add bool) {
					panelsFloat64AVX2(count, depth, &a[0], &b[0], &c[0], ldc, add)
				},
				copyA: func(rows int, dst, src []float64, stride int) { copyFloat64Width6(rows, &dst[0], &src[0], stride) },
				copyB: func(rows int, dst, src []float64, stride int) { copyFloat64Width8(rows, &dst[0], &src[0], stride) },
				peak:  peakFloat64AVX2, flops: 2 * 12 * 4,
			},
		}
	case simd.AVX512:
		return []any{
			&Kernel[float32]{
				Level: l, MR: 14, NR: 32, transpositions: transpositionsFloat32(),
				panels: func(count, depth int, a, b, c []float32, ldc int, add bool) {
					panelsFloat32AVX512(count, depth, &a[0], &b[0], &c[0], ldc, add)
				},
				copyA: func(rows int, dst, src []float32, stride int) { copyFloat32Width14(rows, &dst[0], &src[0], stride) },
				copyB: func(rows int, dst, src []float32, stride int) { copyFloat32Width32(rows, &dst[0], &src[0], stride) },
				peak:  peakFloat32AVX512, flops: 2 * 28 * 16,
			},
			&Kernel[float64]{
				Level: l, MR: 14, NR: 16, transpositions: transpositionsFloat64(),
				panels: func(count, depth int, a, b, c []float64, ldc int, add bool) {
					panelsFloat64AVX512(count, depth, &a[0], &b[0], &c[0], ldc, add)
				},
				copyA: func(rows int, dst, src []float64, stride int) { copyFloat64Width14(rows, &dst[0], &src[0], stride) },
				copyB: func(rows int, dst, src []float64, stride int) { copyFloat64Width16(rows, &dst[0], &src[0], stride) },
				peak:  peakFloat64AVX512, flops: 2 * 28 * 8,
			},
		}
	default:
		return nil
	}
}

// transpositionsFloat32 are those of both vector instruction sets: memory, not
// the width of the registers, bounds them, and AVX does.
func transpositionsFloat32() []transposition[float32] {
	return []transposition[float32]{
		{lanes: 8, block: 4, run: func(blocks int, dst []float32, dstStride int, src []float32, srcStride int) {
			transposeFloat32Rows8(blocks, &dst[0], dstStride, &src[0], srcStride)
		}},
		{lanes: 4, block: 4, run: func(blocks int, dst []float32, dstStride int, src []float32, srcStride int) {
			transposeFloat32Rows4(blocks, &dst[0], dstStride, &src[0], srcStride)
		}},
		{lanes: 2, block: 4, run: func(blocks int, dst []float32, dstStride int, src []float32, srcStride int) {
			transposeFloat32Rows2(blocks, &dst[0], dstStride, &src[0], srcStride)
		}},
	}
}

// transpositionsFloat64 are transpositionsFloat32 for float64.
func transpositionsFloat64() []transposition[float64] {
	return []transposition[float64]{
		{lanes: 4, block: 2, run: func(blocks int, dst []float64, dstStride int, src []float64, srcStride int) {
			transposeFloat64Rows4(blocks, &dst[0], dstStride, &src[0], srcStride)
		}},
		{lanes: 2, block: 2, run: func(blocks int, dst []float64, dstStride int, src []float64, srcStride int) {
			transposeFloat64Rows2(blocks, &dst[0], dstStride, &src[0], srcStride)
		}},
	}
}
