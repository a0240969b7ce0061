package counter

import "lamcap/internal/simd"

// maxChunk is the largest chunkSize.
const maxChunk = 64

// chunkSize is the numbers that the assembly for l writes at a time; a block
// means that there is none.
func chunkSize(l simd.Level) int {
	switch l {
	case simd.AVX2:
		return 32
	case simd.AVX512:
		return 64
	}
	return blockSize
}

// fillChunks fills dst, of whole chunks, from a block of an index on.
func fillChunks(l simd.Level, dst []float32, key, index, block uint64) {
	if l == simd.AVX512 {
		fillAVX512(dst, key, index, block)
	} else {
		fillAVX2(dst, key, index, block)
	}
}

func fillAVX512(dst []float32, key, index, block uint64) {
	var scratch [2*rounds*64 + 63]byte
	normalsFloat32AVX512(dst, key, index, block, &scratch[0])
}

func fillAVX2(dst []float32, key, index, block uint64) {
	var scratch [2*rounds*32 + 63]byte
	normalsFloat32AVX2(dst, key, index, block, &scratch[0])
}
