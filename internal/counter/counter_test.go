package counter

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"lamcap/internal/simd"
	"lamcap/internal/stream"
)

// testKey has the bytes 0 to 31 as its seed.
func testKey() Key {
	var seed stream.Key
	for i := range seed {
		seed[i] = byte(i)
	}
	return NewKey(seed)
}

// levels runs f for every instruction set of this machine.
func levels(t *testing.T, f func(t *testing.T, l simd.Level)) {
	for _, l := range simd.Available() {
		t.Run(l.String(), func(t *testing.T) { f(t, l) })
	}
}

// sameBits fails unless two slices agree bit for bit.
func sameBits(t require.TestingT, want, got []float32) {
	for i := range want {
		if math.Float32bits(want[i]) != math.Float32bits(got[i]) {
			require.Failf(t, "different bits", "number %d: want %x, got %x", i, want[i], got[i])
		}
	}
}

// The golden numbers come from an independent program in integers and float64
// (testdata/normals.py). If this test fails on some machine or compiler, the
// numbers are not the same there, which the package promises; if it fails
// after a change, every pool that a seed draws has changed: see keyTag.
func TestGoldenValues(t *testing.T) {
	levels(t, func(t *testing.T, l simd.Level) {
		for _, c := range []struct {
			index uint64
			first [8]float32
			sum   string
		}{
			{0, [8]float32{1.1107423305511475, -1.2173888683319092, 0.6658382415771484, -0.25629091262817383,
				-0.5193296074867249, -1.4520059823989868, 0.2963772714138031, 0.24774706363677979},
				"ae3a2bdd157d78004cc1d1fdb07d97439aca76db521f967795eff6a639bdf52a"},
			{1<<40 + 7, [8]float32{-2.1905248165130615, -1.3663606643676758, -0.7425757050514221, -1.1136631965637207,
				-0.6519697308540344, 1.2562614679336548, -0.13387656211853027, -0.3769672214984894},
				"8fcee36bae934ed8e6094fb379aa357dc397e29afb96bfa0ed9ab45097f9446f"},
		} {
			x := make([]float32, 20_000)
			testKey().Normals(l, x, c.index, 0)
			assert.Equal(t, c.first[:], x[:8])
			var b []byte
			for _, v := range x {
				b = binary.LittleEndian.AppendUint32(b, math.Float32bits(v))
			}
			sum := sha256.Sum256(b)
			assert.Equal(t, c.sum, hex.EncodeToString(sum[:]))
		}
	})
}

// All instruction sets give the bits of portable Go: 4·10⁶ numbers, with
// blocks that carry into the high word of the counter.
func TestSameBitsEverywhere(t *testing.T) {
	n := 1 << 20
	if testing.Short() {
		n = 1 << 14
	}
	want, got := make([]float32, n), make([]float32, n)
	k := testKey()
	for _, c := range []struct{ index, offset uint64 }{
		{0, 0}, {math.MaxUint64, 1 << 40}, {1 << 33, math.MaxUint64 - uint64(n)},
		{12345, 4*(1<<32-k.blockOrigin%(1<<32)) - uint64(n/2)}, // the low word of the block turns over
	} {
		k.Normals(simd.Portable, want, c.index, c.offset)
		for _, l := range simd.Available() {
			k.Normals(l, got, c.index, c.offset)
			sameBits(t, want, got)
		}
	}
}

// The words that random draws do not hit: ends of ranges, powers of two, and
// neighbours of where a rounding or a case changes.
func TestSameBitsAtEdges(t *testing.T) {
	for _, l := range simd.Available() {
		if chunkSize(l) == blockSize {
			continue
		}
		// Philox is a permutation: the counters that give chosen words.
		var words []uint32
		for b := range 32 {
			for d := range uint32(3) {
				words = append(words, 1<<b+d-1, ^(1<<b + d - 1))
			}
		}
		const key = 0x0123456789abcdef
		for i, k := range words {
			j := words[(i*71+5)%len(words)]
			c := inverse([4]uint32{k, j, j, k}, key)
			index, block := uint64(c[3])<<32|uint64(c[2]), uint64(c[1])<<32|uint64(c[0])
			got := make([]float32, chunkSize(l))
			fillChunks(l, got, key, index, block)
			var want [4]float32
			want[0], want[2] = normals(k, j)
			want[1], want[3] = normals(j, k)
			sameBits(t, want[:], got)
		}
	}
}

// inverse undoes philox.
func inverse(c [4]uint32, key uint64) [4]uint32 {
	// Inverses modulo 2^32 by Newton's iteration, which doubles the right bits.
	invert := func(m uint32) uint32 {
		x := m
		for range 5 {
			x *= 2 - m*x
		}
		return x
	}
	i0, i1 := invert(philoxM0), invert(philoxM1)
	for r := rounds - 1; r >= 0; r-- {
		k0, k1 := uint32(key)+uint32(r)*philoxW0, uint32(key>>32)+uint32(r)*philoxW1
		c0, c2 := c[3]*i0, c[1]*i1
		p0, p1 := uint64(philoxM0)*uint64(c0), uint64(philoxM1)*uint64(c2)
		c = [4]uint32{c0, c[0] ^ uint32(p1>>32) ^ k0, c2, c[2] ^ uint32(p0>>32) ^ k1}
	}
	return c
}

// A number depends on key, index and position only: any stretch equals the
// same part of a longer one.
func TestStretchesAgree(t *testing.T) {
	k := testKey()
	long := make([]float32, 600)
	k.Normals(simd.Portable, long, 3, 1000)
	rapid.Check(t, func(t *rapid.T) {
		l := rapid.SampledFrom(simd.Available()).Draw(t, "level")
		from := rapid.IntRange(0, 600).Draw(t, "from")
		to := rapid.IntRange(from, 600).Draw(t, "to")
		got := make([]float32, to-from+1)
		got[to-from] = 42
		k.Normals(l, got[:to-from], 3, uint64(1000+from))
		sameBits(t, long[from:to], got[:to-from])
		require.Equal(t, float32(42), got[to-from], "written past the end")
	})
}

// Keys of different seeds differ in all their parts, and so do their numbers.
func TestKeysDiffer(t *testing.T) {
	a, b := testKey(), NewKey(stream.Key{})
	assert.NotEqual(t, a.key, b.key)
	assert.NotEqual(t, a.blockOrigin, b.blockOrigin)
	assert.NotEqual(t, a.indexOrigin, b.indexOrigin)
	x, y := make([]float32, 100), make([]float32, 100)
	a.Normals(simd.Portable, x, 0, 0)
	b.Normals(simd.Portable, y, 0, 0)
	for i := range x {
		assert.NotEqual(t, x[i], y[i])
	}
}

func TestNormalsAllocatesNothing(t *testing.T) {
	k, x := testKey(), make([]float32, 333)
	for _, l := range simd.Available() {
		assert.Zero(t, testing.AllocsPerRun(10, func() { k.Normals(l, x, 1, 3) }))
	}
}

func BenchmarkNormals(b *testing.B) {
	for _, l := range simd.Available() {
		for _, c := range []struct {
			name string
			n    int
		}{{"480", 480}, {"16384", 16384}} {
			b.Run(c.name+"/"+l.String(), func(b *testing.B) {
				k, x := testKey(), make([]float32, c.n)
				index := uint64(0)
				for b.Loop() {
					k.Normals(l, x, index, 0)
					index++
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(c.n), "ns/number")
			})
		}
	}
}
