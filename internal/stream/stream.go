package stream

import (
	"crypto/sha256"
	"encoding/binary"
	"math/rand/v2"
)

// The tags keep the two kinds of seed apart, and carry a version: a change of
// the encoding must change them.
const (
	streamTag    = "lamcap stream 1\x00"
	subStreamTag = "lamcap substr 1\x00"
)

// New returns the generator at address (master, experiment, cell, trial).
// Equal addresses give equal streams; different ones give independent streams
// (up to collisions of SHA-256). The generator is not safe for concurrent use.
func New(master uint64, experiment, cell string, trial uint64) *rand.Rand {
	b := make([]byte, 0, len(streamTag)+4*8+len(experiment)+len(cell))
	b = append(b, streamTag...)
	b = binary.BigEndian.AppendUint64(b, master)
	b = appendString(b, experiment)
	b = appendString(b, cell)
	b = binary.BigEndian.AppendUint64(b, trial)
	return rand.New(rand.NewChaCha8(sha256.Sum256(b)))
}

// appendString appends s behind its length, which makes the encoding of
// several strings unambiguous.
func appendString(b []byte, s string) []byte {
	b = binary.BigEndian.AppendUint64(b, uint64(len(s)))
	return append(b, s...)
}

// Key addresses a family of sub-streams, one for each index.
type Key [32]byte

// NewKey draws a key (four 64-bit words) from rng.
func NewKey(rng *rand.Rand) Key {
	var k Key
	for i := 0; i < len(k); i += 8 {
		binary.BigEndian.PutUint64(k[i:], rng.Uint64())
	}
	return k
}

// Stream returns the sub-stream of the given index, from its start.
func (k Key) Stream(index uint64) *rand.Rand {
	b := make([]byte, 0, len(subStreamTag)+len(k)+8)
	b = append(b, subStreamTag...)
	b = append(b, k[:]...)
	b = binary.BigEndian.AppendUint64(b, index)
	return rand.New(rand.NewChaCha8(sha256.Sum256(b)))
}
