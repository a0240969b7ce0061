package pattern_test

import (
	"encoding/hex"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"lamcap/harness/pattern"
	"lamcap/harness/pattern/patterntest"
	"lamcap/internal/stream"
)

func TestFromPairs(t *testing.T) {
	in, err := pattern.FromPairs([]float64{1, 2, 3}, []float64{1, 10, 2, 20, 3, 30, 4, 40}, 1, 2, []int{3, 0, 3})
	require.NoError(t, err)
	assert.Equal(t, pattern.Spec{Model: pattern.Facts, DIn: 1, DOut: 2, P: 3, N: 4}, in.Spec())
	assert.Equal(t, 8., in.Spec().PoolNumbers())
	assert.True(t, in.Stored())
	assert.Equal(t, "facts", in.Spec().Model.String())
	for mu, row := range []int{3, 0, 3} {
		assert.Equal(t, row, in.Target(mu))
		assert.Equal(t, []float64{float64(row + 1), 10 * float64(row+1)}, in.TargetValue(mu, nil))
		assert.Equal(t, []float64{3, 30}, in.PoolRows(mu, 2, 1, nil), "one pool")
		assert.Equal(t, []float32{3, 30}, in.PoolRows32(mu, 2, 1, nil))
	}
	// All candidates count, as keys do.
	assert.InEpsilon(t, math.Sqrt(14./3)*math.Sqrt((30+3000)/8.), in.Scale(), 1e-15)
	assert.InEpsilon(t, math.Sqrt((30+3000)/8.), in.LeastScale(), 1e-15)
}

func TestFromPairsErrors(t *testing.T) {
	for want, f := range map[string]func() (*pattern.Instance, error){
		"p = 0: want p ≥ 1": func() (*pattern.Instance, error) { return pattern.FromPairs(nil, []float64{1}, 1, 1, nil) },
		"n = 0: want n ≥ 1": func() (*pattern.Instance, error) { return pattern.FromPairs([]float64{1}, nil, 1, 1, []int{0}) },
		"d_out = 0: want d_out ≥ 1": func() (*pattern.Instance, error) {
			return pattern.FromPairs([]float64{1}, []float64{1}, 1, 0, []int{0})
		},
		"d_in = -1: want d_in ≥ 1": func() (*pattern.Instance, error) {
			return pattern.FromPairs([]float64{1}, []float64{1}, -1, 1, []int{0})
		},
		"keys: 1 numbers: want p·d_in = 2": func() (*pattern.Instance, error) {
			return pattern.FromPairs([]float64{1}, []float64{1}, 2, 1, []int{0})
		},
		"values: 3 numbers: want a multiple of d_out = 2": func() (*pattern.Instance, error) {
			return pattern.FromPairs([]float64{1}, []float64{1, 2, 3}, 1, 2, []int{0})
		},
		"target 1 = 2: want a row from 0 to n − 1 = 1": func() (*pattern.Instance, error) {
			return pattern.FromPairs([]float64{1, 1}, []float64{1, 2}, 1, 1, []int{0, 2})
		},
		"target 0 = -1: want a row from 0 to n − 1 = 1": func() (*pattern.Instance, error) {
			return pattern.FromPairs([]float64{1}, []float64{1, 2}, 1, 1, []int{-1})
		},
		"keys[0] = NaN: want a finite number": func() (*pattern.Instance, error) {
			return pattern.FromPairs([]float64{math.NaN()}, []float64{1, 2}, 1, 1, []int{1})
		},
		"pools[1] = +Inf: want a finite number": func() (*pattern.Instance, error) {
			return pattern.FromPairs([]float64{1}, []float64{1, math.Inf(1)}, 1, 1, []int{0})
		},
	} {
		in, err := f()
		assert.EqualError(t, err, want)
		assert.Nil(t, in)
	}
	_, err := pattern.FromData(pattern.Spec{Model: pattern.Facts, DIn: 1, DOut: 1, P: 1, N: 1}, []float64{1}, []float64{1})
	assert.ErrorContains(t, err, "FromPairs")
}

// What is given cannot be drawn, nor be asked for by name.
func TestFactsAreNotDrawn(t *testing.T) {
	_, err := pattern.ParseModel("facts")
	assert.EqualError(t, err, "model = facts: want op or dp")
	s := pattern.Spec{Model: pattern.Facts, DIn: 1, DOut: 1, P: 1, N: 1}
	assert.PanicsWithValue(t, "pattern: facts are given, not drawn", func() { pattern.Sample(stream.New(1, "", "", 0), s) })
	assert.PanicsWithValue(t, "pattern: facts are given, not drawn", func() { pattern.SampleStreamed(stream.New(1, "", "", 0), s) })
	s.N = 1 << 30
	assert.ErrorContains(t, s.Validate(), "want n d_out ≤")
}

// SHA-256 of "lamcap instance 1\0", then as little-endian words of 64 bits model,
// d_in, d_out, p, n, of each fact its key and the row of its target, and all
// values. The reference is Python's hashlib and struct.
func TestFactsFingerprint(t *testing.T) {
	keys, values := []float64{1, 2, 3, 4}, []float64{5, 6, 7}
	hash := func(targets ...int) string {
		in, err := pattern.FromPairs(keys, values, 2, 1, targets)
		require.NoError(t, err)
		f := in.Fingerprint()
		return hex.EncodeToString(f[:])
	}
	want := hash(2, 0)
	assert.Equal(t, "7b405f4accff3469fe4081eedadb12468e2319f2ddbfd851f1c8ab2df0a30db1", want)
	assert.NotEqual(t, want, hash(0, 2))
	values[1]++ // no target
	assert.NotEqual(t, want, hash(2, 0))
	values[1]--
	keys[3]++
	assert.NotEqual(t, want, hash(2, 0))
}

// AsFacts gives other eyes the same numbers.
func TestAsFacts(t *testing.T) {
	op := pattern.Sample(stream.New(1, "facts", "", 0), pattern.Spec{Model: pattern.OP, DIn: 3, DOut: 2, P: 5, N: 5})
	facts := patterntest.AsFacts(op)
	for mu := range 5 {
		assert.Equal(t, op.TargetValue(mu, nil), facts.TargetValue(mu, nil))
		assert.Equal(t, op.Target(mu), facts.Target(mu))
	}
	assert.Equal(t, op.Scale(), facts.Scale())
	assert.Equal(t, op.LeastScale(), facts.LeastScale())
	assert.NotEqual(t, op.Fingerprint(), facts.Fingerprint())
}
