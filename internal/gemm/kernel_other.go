//go:build !amd64

package gemm

import "lamcap/internal/simd"

// assembly lists the kernels written for the instruction set l: none here.
func assembly(simd.Level) []any { return nil }
