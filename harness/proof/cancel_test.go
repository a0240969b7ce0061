package proof_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"lamcap/harness/pattern"
	"lamcap/harness/proof"
)

// Two facts with one key up to a positive factor, each with the other's target:
// λ_1 e_1 = λ_2 e_2 makes them cancel to the last bit, at any lengths, and by one
// unit in the last place of a key they do not.
func TestContradictionOfTwoIsExact(t *testing.T) {
	in, rng := draw(pattern.Spec{Model: pattern.Facts, DIn: 5, DOut: 40, P: 1, N: 7}, 3)
	key := append([]float64(nil), in.Key(0)...)
	for i := range key {
		key[i] = math.Round(key[i] * 1e6) // times 3, exactly
	}
	for _, length := range []float64{1, 0x1p-220, 0x1p220} {
		keys := append([]float64(nil), key...)
		for _, x := range key {
			keys = append(keys, 3*x)
		}
		for i := range keys {
			keys[i] *= length
		}
		instance := func() *pattern.Instance {
			facts, err := pattern.FromPairs(keys, in.Pool(0, nil), 5, 40, []int{2, 6})
			require.NoError(t, err)
			return facts
		}
		m := &proof.Multipliers{Start: []int{0, 1, 2}, Candidate: []int32{6, 2}, Value: []float64{3, 1}}
		a := proof.Assess(instance(), m)
		assert.True(t, a.Exact, "length %g: %+v", length, a)
		m.Value[0] = math.Nextafter(3, 4)
		assert.False(t, proof.Assess(instance(), m).Exact)
		m.Value[0] = 3
		at := rng.IntN(len(keys))
		keys[at] = math.Nextafter(keys[at], math.Inf(1))
		assert.False(t, proof.Assess(instance(), m).Exact, "length %g", length)
	}
}

// Three values in a row: the one in the middle is half of the others' sum.
func TestContradictionOfOneIsExact(t *testing.T) {
	in, err := pattern.FromPairs([]float64{1, 2, 3}, []float64{0x1p-230, 1, 0x3p-230, -1, -0x2p-230, 3}, 3, 2, []int{0})
	require.NoError(t, err)
	m := func(a, b float64) *proof.Multipliers {
		return &proof.Multipliers{Start: []int{0, 2}, Candidate: []int32{1, 2}, Value: []float64{a, b}}
	}
	assert.False(t, proof.Assess(in, m(1, 1)).Exact)
	in, err = pattern.FromPairs([]float64{1, 2, 3}, []float64{0x1p-230, 1, 0x3p-230, -1, -0x1p-230, 3}, 3, 2, []int{0})
	require.NoError(t, err)
	assert.True(t, proof.Assess(in, m(1, 1)).Exact)
	assert.False(t, proof.Assess(in, m(1, 1+0x1p-52)).Exact)
}
