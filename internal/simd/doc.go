// Package simd chooses the instruction set that the numerical kernels run.
//
// Every kernel of this module exists in up to three versions, from a plain Go
// one that runs everywhere to assembly for the widest registers of amd64:
//
//	portable   plain Go, any architecture
//	avx2       256-bit registers; needs AVX2 and FMA
//	avx512     512-bit registers; needs AVX-512 F, DQ, VL and BW, AVX2 and FMA
//
// [Best] is the widest that this machine runs. The environment variable named
// by [Variable] forces a narrower one, so that each version can be tested and
// timed on one machine:
//
//	LAMCAP_SIMD=portable go test ./...
//
// Results agree between instruction sets up to rounding, not bit for bit:
// fused multiply-adds and wider sums round differently.
package simd
