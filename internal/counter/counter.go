package counter

import (
	"crypto/sha256"
	"encoding/binary"

	"lamcap/internal/simd"
	"lamcap/internal/stream"
)

// keyTag keeps these keys apart from other uses of the same seed, and carries a
// version: a change of the numbers that a key draws must change it.
const keyTag = "lamcap normal 1\x00"

// Key addresses a family of sub-streams, one for each 64-bit index.
//
// It holds the 64-bit key of Philox and random origins of both halves of the
// counter. Two Keys share numbers only if their keys of Philox are equal and
// the parts of the counter that they use overlap. Among N Keys that use P indices
// and B blocks each this has probability at most N²/2 · 2^−64 · 4PB · 2^−128, from
// SHA-256 as a random function: 3e-27 for N = 10⁹, P = 10⁶ and B = 10⁷. (The
// 64 bits of the key alone would give N²·2^−65, 3% for this N.)
type Key struct {
	key                      uint64
	blockOrigin, indexOrigin uint64
}

// NewKey derives a key from a seed, by SHA-256.
func NewKey(seed stream.Key) Key {
	b := sha256.Sum256(append([]byte(keyTag), seed[:]...))
	return Key{
		key:         binary.LittleEndian.Uint64(b[:8]),
		blockOrigin: binary.LittleEndian.Uint64(b[8:16]),
		indexOrigin: binary.LittleEndian.Uint64(b[16:24]),
	}
}

// Normals fills dst with standard normal numbers: those at positions offset,
// offset + 1, … of the sub-stream index. Instruction set l changes the speed
// and nothing else; the machine must run it.
func (k Key) Normals(l simd.Level, dst []float32, index, offset uint64) {
	block, skip := offset/blockSize+k.blockOrigin, int(offset%blockSize)
	index += k.indexOrigin
	chunk := chunkSize(l)
	if chunk == blockSize || len(dst) <= 2*blockSize {
		k.portable(dst, index, block, skip)
		return
	}
	// Assembly writes whole chunks: the ends go through a buffer.
	if skip > 0 {
		var buffer [maxChunk]float32
		fillChunks(l, buffer[:chunk], k.key, index, block)
		n := copy(dst, buffer[skip:chunk])
		dst, block = dst[n:], block+uint64(chunk/blockSize)
	}
	whole := len(dst) / chunk * chunk
	if whole > 0 {
		fillChunks(l, dst[:whole], k.key, index, block)
		dst, block = dst[whole:], block+uint64(whole/blockSize)
	}
	if len(dst) > 0 {
		var buffer [maxChunk]float32
		fillChunks(l, buffer[:chunk], k.key, index, block)
		copy(dst, buffer[:])
	}
}

// portable is Normals from number skip of the given block on.
func (k Key) portable(dst []float32, index, block uint64, skip int) {
	for ; len(dst) > 0; block++ {
		w := philox([4]uint32{uint32(block), uint32(block >> 32), uint32(index), uint32(index >> 32)}, k.key)
		var v [blockSize]float32
		v[0], v[2] = normals(w[0], w[1])
		v[1], v[3] = normals(w[2], w[3])
		dst = dst[copy(dst, v[skip:]):]
		skip = 0
	}
}
