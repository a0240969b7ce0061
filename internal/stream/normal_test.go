package stream_test

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"

	"lamcap/internal/stream"
)

// The same bits on every machine: the hash is that of amd64 without fused operations. 575
// of the numbers are from the tail, where those of math/rand/v2 differ in the last bit.
func TestNormalIsTheSameEverywhere(t *testing.T) {
	rng := stream.New(7, "normal", "", 0)
	h := sha256.New()
	var word [8]byte
	tail := 0
	for range 1_000_000 {
		x := stream.Normal(rng)
		if math.Abs(x) > 3.442619855899 {
			tail++
		}
		binary.LittleEndian.PutUint64(word[:], math.Float64bits(x))
		h.Write(word[:])
	}
	assert.Equal(t, "2719cbcc8f8633ce0b4a6c671e0b23f942131e499c1b05103954871e98f48028", hex.EncodeToString(h.Sum(nil)))
	assert.Equal(t, 575, tail)
}

// The ziggurat of package math/rand/v2: the same words from the generator, and the same
// numbers, but for the last bits where that takes a logarithm.
func TestNormalIsThatOfTheLibrary(t *testing.T) {
	ours, theirs := stream.New(1, "", "", 0), stream.New(1, "", "", 0)
	for range 1_000_000 {
		a, b := stream.Normal(ours), theirs.NormFloat64()
		if a == b || math.Abs(a) > 3.44 && math.Abs(a-b) <= 4e-15 {
			continue
		}
		t.Fatalf("%x: want %x", a, b)
	}
	assert.Equal(t, theirs.Uint64(), ours.Uint64(), "the same number of words")
}

// Moments, and the tail beyond the last strip, within five standard deviations.
func TestNormalIsNormal(t *testing.T) {
	const n = 4_000_000
	rng := stream.New(2, "", "", 0)
	var first, second, fourth float64
	var beyond int
	for range n {
		x := stream.Normal(rng)
		first, second, fourth = first+x, second+x*x, fourth+x*x*x*x
		if x > 3.5 || x < -3.5 {
			beyond++
		}
	}
	assert.InDelta(t, 0, first/n, 5/math.Sqrt(n))
	assert.InDelta(t, 1, second/n, 5*math.Sqrt(2./n))
	assert.InDelta(t, 3, fourth/n, 5*math.Sqrt(96./n))
	p := math.Erfc(3.5 / math.Sqrt2)
	assert.InDelta(t, n*p, beyond, 5*math.Sqrt(n*p))
}

func BenchmarkNormal(b *testing.B) {
	rng := stream.New(1, "", "", 0)
	b.Run("portable", func(b *testing.B) {
		for b.Loop() {
			stream.Normal(rng)
		}
	})
	b.Run("library", func(b *testing.B) {
		for b.Loop() {
			rng.NormFloat64()
		}
	})
}
