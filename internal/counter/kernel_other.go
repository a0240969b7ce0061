//go:build !amd64

package counter

import "lamcap/internal/simd"

// maxChunk is the largest chunkSize.
const maxChunk = blockSize

// chunkSize is the numbers that assembly writes at a time; a block means that
// there is none.
func chunkSize(simd.Level) int { return blockSize }

// fillChunks would write whole chunks by assembly.
func fillChunks(simd.Level, []float32, uint64, uint64, uint64) { panic("counter: no assembly") }
