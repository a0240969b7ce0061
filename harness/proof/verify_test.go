package proof_test

import (
	"fmt"
	"math"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"lamcap/harness/learn"
	"lamcap/harness/pattern"
	"lamcap/harness/proof"
	"lamcap/internal/stream"
)

// definition counts and bounds term by term.
func definition(in *pattern.Instance, w *learn.Weights) (recalled int, margin float64) {
	s := in.Spec()
	m := w.Matrix(make([]float64, s.DOut*s.DIn))
	norm := 0.0
	for _, x := range m {
		norm += x * x
	}
	margin = math.Inf(1)
	for mu := range s.P {
		pool, key, target := in.Pool(mu, nil), in.Key(mu), in.Target(mu)
		score := func(c int) (sum float64) {
			for i := range s.DOut {
				for j := range s.DIn {
					sum += pool[c*s.DOut+i] * m[i*s.DIn+j] * key[j]
				}
			}
			return sum
		}
		all := true
		for c := range s.N {
			if c == target {
				continue
			}
			difference := score(target) - score(c)
			all = all && difference > 0
			margin = min(margin, difference/math.Sqrt(norm))
		}
		if all {
			recalled++
		}
	}
	return recalled, margin
}

func TestVerifyAgainstDefinitions(t *testing.T) {
	for i, s := range shapes {
		in, rng := draw(s, uint64(i))
		for _, rank := range []int{0, 1, 2} {
			w := weightsOf(rng, s, rank, 1)
			recalled, margin := definition(in, w)
			got := proof.Verify(in, w)
			assert.Equal(t, recalled, got.Recalled)
			assert.Zero(t, got.Doubtful)
			assert.InDelta(t, margin, got.Margin, 1e-13)
			assert.InEpsilon(t, w.Norm(), got.Norm, 1e-15)
			// Certified is below, by what some 30 roundings can do.
			assert.Less(t, got.Certified, got.Margin)
			assert.InDelta(t, got.Margin, got.Certified, 1e-11)
		}
	}
}

// Scaling weights changes no answer: not at all by powers of 2, at any size
// short of overflow, and up to round-off of the margin otherwise.
func TestVerifyIsScaleInvariant(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := shapes[rapid.IntRange(0, len(shapes)-1).Draw(t, "shape")]
		in, rng := draw(s, rapid.Uint64().Draw(t, "seed"))
		w := weightsOf(rng, s, rapid.IntRange(0, 2).Draw(t, "rank"), 1)
		want := proof.Verify(in, w)
		scale := math.Ldexp(1, rapid.IntRange(-450, 450).Draw(t, "exponent"))
		scaled := w.Clone()
		for i := range scaled.Parameters {
			scaled.Parameters[i] *= scale
		}
		got := proof.Verify(in, scaled)
		if got.Recalled != want.Recalled || got.Margin != want.Margin || got.Certified != want.Certified {
			t.Fatalf("scale %g: %+v, want %+v", scale, got, want)
		}
		for i := range scaled.Parameters {
			scaled.Parameters[i] = w.Parameters[i] * 0.3
		}
		got = proof.Verify(in, scaled)
		if got.Recalled != want.Recalled || math.Abs(got.Margin-want.Margin) > 1e-13 {
			t.Fatalf("scale 0.3: %+v, want %+v", got, want)
		}
	})
}

// given is an instance of DP with the numbers given.
func given(t *testing.T, s pattern.Spec, keys, pools []float64) *pattern.Instance {
	in, err := pattern.FromData(s, keys, pools)
	require.NoError(t, err)
	return in
}

// A margin of 1e-13 on scores of order 1 is below what 48 roundings can do at
// worst, though not what they do: doubtful. At 1e-9 it is certain.
func TestVerifyNearTies(t *testing.T) {
	const d = 24
	s := pattern.Spec{Model: pattern.DP, DIn: d, DOut: d, P: 1, N: 2}
	drawn, _ := draw(s, 1)
	for gap, recalled := range map[float64]int{1e-14: 0, 1e-9: 1} {
		pool := append([]float64(nil), drawn.Pool(0, nil)...)
		for i := range d {
			pool[d+i] = pool[i] - gap*pool[i]
		}
		in := given(t, s, drawn.Keys(), pool)
		w := learn.TrainHebb(in)
		v := proof.Verify(in, w)
		assert.Equal(t, recalled, v.Recalled, "gap %g", gap)
		assert.Equal(t, 1-recalled, v.Doubtful, "gap %g", gap)
		assert.Equal(t, recalled == 1, v.Certified > 0, "gap %g", gap)
	}
}

// A competitor equal to the target ties for every W. Vector code sums rows in
// different orders, so floating point may see a difference: Verify must not.
func TestVerifyDuplicateValues(t *testing.T) {
	for _, d := range []int{1, 2, 3, 7, 24} {
		for n := 2; n < 8; n++ {
			s := pattern.Spec{Model: pattern.DP, DIn: d, DOut: d, P: 1, N: n}
			drawn, rng := draw(s, uint64(n))
			pool := append([]float64(nil), drawn.Pool(0, nil)...)
			copy(pool[(n-1)*d:], pool[:d])
			in := given(t, s, drawn.Keys(), pool)
			assert.Zero(t, proof.Verify(in, learn.TrainHebb(in)).Recalled)
			assert.Zero(t, proof.Verify(in, weightsOf(rng, s, 0, 1)).Recalled)
		}
	}
}

func TestVerifyNotFinite(t *testing.T) {
	in, _ := draw(pattern.Spec{Model: pattern.OP, DIn: 2, DOut: 2, P: 3, N: 3}, 1)
	for _, x := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		w := learn.NewWeights(2, 2, 0)
		w.Parameters[1] = x
		v := proof.Verify(in, w)
		assert.Zero(t, v.Recalled)
		assert.True(t, math.IsNaN(v.Margin) && math.IsNaN(v.Certified))
		_, r := proof.Refute(in, w, proof.RefuteOptions{})
		assert.False(t, r.Outcome)
	}
	assert.Panics(t, func() { proof.Verify(in, learn.NewWeights(3, 2, 0)) })
	assert.Panics(t, func() { proof.Refute(in, learn.NewWeights(3, 2, 0), proof.RefuteOptions{}) })
	assert.Panics(t, func() { proof.Refute(in, learn.NewWeights(2, 2, 0), proof.RefuteOptions{Threshold: -1}) })
}

// W = 0 ties every score and recalls nothing, unless there is no competitor:
// then every W recalls.
func TestVerifyZeroWeights(t *testing.T) {
	for _, n := range []int{1, 2, 5} {
		in, _ := draw(pattern.Spec{Model: pattern.DP, DIn: 2, DOut: 3, P: 4, N: n}, 1)
		v := proof.Verify(in, learn.NewWeights(3, 2, 0))
		if n == 1 {
			assert.Equal(t, proof.Verification{Recalled: 4, Margin: math.Inf(1), Certified: math.Inf(1)}, v)
			continue
		}
		assert.Zero(t, v.Recalled)
		assert.Equal(t, 4, v.Doubtful)
		assert.True(t, math.IsNaN(v.Margin), "0/0")
	}
}

// The same bits from one thread and several, and from pools that are kept and
// pools that are generated.
func TestVerifyThreadsAndStreams(t *testing.T) {
	s := pattern.Spec{Model: pattern.DP, DIn: 20, DOut: 24, P: 130, N: 90}
	in, rng := draw(s, 3)
	streamed := pattern.SampleStreamed(stream.New(3, "proof test", "", 0), s)
	w := weightsOf(rng, s, 0, 1)
	want := proof.Verify(in, w)
	assert.Equal(t, want, proof.Verify(streamed, w))
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	assert.Equal(t, want, proof.Verify(in, w))
}

// The witness of a large instance. At p = 20,000 and d = 512 it takes 4·10⁸
// scores.
func BenchmarkVerify(b *testing.B) {
	for _, c := range [][2]int{{24, 100}, {128, 1400}, {512, 20000}} {
		b.Run(fmt.Sprintf("op/d=%d", c[0]), func(b *testing.B) {
			s := pattern.Spec{Model: pattern.OP, DIn: c[0], DOut: c[0], P: c[1], N: c[1]}
			in, rng := draw(s, 1)
			w := weightsOf(rng, s, 0, 1)
			for b.Loop() {
				proof.Verify(in, w)
			}
		})
	}
}
