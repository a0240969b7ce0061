package pattern_test

import (
	"encoding/hex"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"lamcap/harness/pattern"
	"lamcap/internal/stream"
)

// The encoding, which files rely on: SHA-256 of "lamcap instance 1\0", then as
// little-endian words of 64 bits model, d_in, d_out, p, n, and for each input
// its key and its target. The reference is Python's hashlib and struct.
func TestFingerprintEncoding(t *testing.T) {
	s := pattern.Spec{Model: pattern.DP, DIn: 2, DOut: 1, P: 2, N: 2}
	in, err := pattern.FromData(s, []float64{1, 2, 3, 4}, []float64{5, 6, 7, 8})
	require.NoError(t, err)
	f := in.Fingerprint()
	assert.Equal(t, "c55a129a2b4dcbc31c922281c242619fa562cf6cee310ac39060e33b6effa40a", hex.EncodeToString(f[:]))
}

// Another stream, another shape and any other key or target give another one;
// whether pools are kept does not matter.
func TestFingerprintTellsInstances(t *testing.T) {
	for _, model := range []pattern.Model{pattern.OP, pattern.DP} {
		s := pattern.Spec{Model: model, DIn: 3, DOut: 2, P: 4, N: 4}
		seen := map[[32]byte]string{}
		note := func(name string, in *pattern.Instance) {
			f := in.Fingerprint()
			assert.Empty(t, seen[f], name)
			seen[f] = name
		}
		drawn := pattern.Sample(stream.New(1, "", "", 0), s)
		note("drawn", drawn)
		assert.Equal(t, drawn.Fingerprint(), pattern.SampleStreamed(stream.New(1, "", "", 0), s).Fingerprint())
		note("seed", pattern.Sample(stream.New(2, "", "", 0), s))
		keys := append([]float64(nil), drawn.Keys()...)
		pools := make([]float64, int(s.PoolNumbers()))
		for i := range pools {
			pools[i] = float64(i%7) - 3
		}
		given := func(name string, s pattern.Spec, keys, pools []float64) {
			in, err := pattern.FromData(s, append([]float64(nil), keys...), append([]float64(nil), pools...))
			require.NoError(t, err)
			note(name, in)
		}
		given("given", s, keys, pools)
		keys[11] *= 1 + 0x1p-52
		given("key", s, keys, pools)
		pools[len(pools)-s.N*s.DOut] += 1 // the last target of DP, the first of OP
		given("target", s, keys, pools)
		s.DIn, s.DOut = s.DOut, s.DIn
		keys, pools = keys[:8], append(pools, make([]float64, int(s.PoolNumbers())-len(pools))...)
		given("shape", s, keys, pools)
	}
}
