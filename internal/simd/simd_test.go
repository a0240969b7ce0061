package simd

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestNamesRoundTrip(t *testing.T) {
	for l := Portable; l <= AVX512; l++ {
		got, err := Parse(l.String())
		require.NoError(t, err)
		assert.Equal(t, l, got)
	}
	assert.Equal(t, "simd.Level(3)", Level(3).String())
	assert.Equal(t, "simd.Level(-1)", Level(-1).String())
}

func TestParseRefusesUnknownNames(t *testing.T) {
	for _, name := range []string{"", "sse2", "AVX2", " avx2", "avx-512"} {
		_, err := Parse(name)
		assert.ErrorContains(t, err, "LAMCAP_SIMD = "+name+": want portable, avx2 or avx512", name)
	}
}

func TestChoose(t *testing.T) {
	for _, c := range []struct {
		name  string
		best  Level
		want  Level
		error string
	}{
		{"", AVX2, AVX2, ""},
		{"portable", AVX512, Portable, ""},
		{"avx2", AVX512, AVX2, ""},
		{"avx512", AVX512, AVX512, ""},
		{"avx512", AVX2, AVX2, "LAMCAP_SIMD = avx512: this machine runs avx2 at most"},
		{"avx2", Portable, Portable, "LAMCAP_SIMD = avx2: this machine runs portable at most"},
		{"neon", AVX2, AVX2, "LAMCAP_SIMD = neon: want portable, avx2 or avx512"},
	} {
		got, err := choose(c.name, c.best)
		assert.Equal(t, c.want, got, c.name)
		if c.error == "" {
			assert.NoError(t, err, c.name)
		} else {
			assert.ErrorContains(t, err, c.error, c.name)
		}
	}
}

func TestAvailableEndsWithBest(t *testing.T) {
	levels := Available()
	require.NotEmpty(t, levels)
	assert.Equal(t, Portable, levels[0])
	assert.Equal(t, Best(), levels[len(levels)-1])
}

// The variable is read from the environment of this process, whatever that is:
// what Default says must be what Chosen says.
func TestDefaultIsChosen(t *testing.T) {
	want, _ := Chosen()
	assert.Equal(t, want, Default())
	t.Setenv(Variable, "nonsense")
	assert.Equal(t, want, Default(), "Default must not change within a process")
	_, err := Chosen()
	assert.Error(t, err)
	t.Setenv(Variable, Portable.String())
	got, err := Chosen()
	require.NoError(t, err)
	assert.Equal(t, Portable, got)
}
