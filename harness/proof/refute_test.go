package proof_test

import (
	"math"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"
	"pgregory.net/rapid"

	"lamcap/harness/learn"
	"lamcap/harness/pattern"
	"lamcap/harness/proof"
	"lamcap/internal/status"
)

// residual computes ‖Σ λ X‖_F/Σ λ from the definitions.
func residual(in *pattern.Instance, m *proof.Multipliers) float64 {
	s := in.Spec()
	g := make([]float64, s.DOut*s.DIn)
	total := 0.0
	for mu := range s.P {
		pool, key, target := in.Pool(mu, nil), in.Key(mu), in.Target(mu)
		for i := m.Start[mu]; i < m.Start[mu+1]; i++ {
			total += m.Value[i]
			for j := range s.DOut {
				y := pool[target*s.DOut+j] - pool[int(m.Candidate[i])*s.DOut+j]
				for k, e := range key {
					g[j*s.DIn+k] += m.Value[i] * y * e
				}
			}
		}
	}
	square := 0.0
	for _, x := range g {
		square += x * x
	}
	return math.Sqrt(square) / total
}

// The bound of arbitrary multipliers is what the definitions give, a little
// above, so a term left out would be noticed.
func TestAssessAgainstDefinitions(t *testing.T) {
	for i, s := range shapes {
		in, rng := draw(s, uint64(i))
		m := &proof.Multipliers{Start: make([]int, s.P+1)}
		for mu := range s.P {
			for c := range s.N {
				if c != in.Target(mu) && rng.Float64() < 0.7 {
					m.Candidate = append(m.Candidate, int32(c))
					m.Value = append(m.Value, rng.ExpFloat64())
				}
			}
			m.Start[mu+1] = len(m.Value)
		}
		if m.Len() == 0 {
			continue
		}
		require.NoError(t, m.Validate(s))
		a, want := proof.Assess(in, m), residual(in, m)
		assert.InEpsilon(t, want, a.Bound, 1e-8)
		assert.Greater(t, a.Bound, want*(1-1e-14))
		assert.False(t, a.Exact, "arbitrary multipliers prove nothing")
	}
}

// A hull that contains the target: u = 0 between ±1 in one dimension. Then
// λ = (½, ½) is exact in floating point, λ = (½, ½ + 1e-15) nearly so: the
// residual 1e-15 must not be lost among round-off bounds, nor exactness among
// nearby multipliers.
func TestAssessResolvesRoundoff(t *testing.T) {
	s := pattern.Spec{Model: pattern.DP, DIn: 1, DOut: 1, P: 1, N: 3}
	in := given(t, s, []float64{1}, []float64{0, 1, -1})
	m := &proof.Multipliers{Start: []int{0, 2}, Candidate: []int32{1, 2}, Value: []float64{0.5, 0.5}}
	a := proof.Assess(in, m)
	assert.Less(t, a.Bound, 1e-28)
	assert.True(t, a.Exact)
	m.Value[1] += 0x1p-50
	a = proof.Assess(in, m)
	assert.InEpsilon(t, 0x1p-50, a.Bound, 1e-8)
	assert.True(t, a.Exact)
	m.Value[1] = 0
	a = proof.Assess(in, m)
	assert.InEpsilon(t, 1, a.Bound, 1e-8)
	assert.False(t, a.Exact)
}

// One input whose target is a mixture of its competitors, among many that are
// easily stored: multipliers must concentrate on it.
func TestRefuteOneContradiction(t *testing.T) {
	const d, p, n = 6, 8, 12
	s := pattern.Spec{Model: pattern.DP, DIn: d, DOut: d, P: p, N: n}
	drawn, _ := draw(s, 5)
	var pools []float64
	for mu := range p {
		pools = append(pools, drawn.Pool(mu, nil)...)
	}
	for i := range d { // the target of input 3 is the mean of its competitors
		mean := 0.0
		for c := 1; c < n; c++ {
			mean += pools[(3*n+c)*d+i] / (n - 1)
		}
		pools[3*n*d+i] = mean
	}
	in := given(t, s, drawn.Keys(), pools)
	for _, evaluations := range []int{8, 32, 128} {
		m, r := proof.Refute(in, train(in, evaluations), proof.RefuteOptions{})
		require.True(t, r.Outcome, "%d evaluations: %+v", evaluations, r)
		assert.True(t, r.Exact, "%d evaluations: %+v", evaluations, r)
		// The others have margins above 0.1, so that a bound of 1e-11 leaves
		// them 1e-10 of Σ λ at most.
		assert.InDelta(t, floats.Sum(m.Value), floats.Sum(m.Value[m.Start[3]:m.Start[4]]), 1e-9*floats.Sum(m.Value), "only input 3 is contradictory")
	}
}

// X = 0, by a key that is 0 or by a competitor that equals the target, is an
// exact proof by itself.
func TestRefuteTies(t *testing.T) {
	s := pattern.Spec{Model: pattern.DP, DIn: 3, DOut: 3, P: 4, N: 5}
	drawn, rng := draw(s, 1)
	keys := append([]float64(nil), drawn.Keys()...)
	var pools []float64
	for mu := range s.P {
		pools = append(pools, drawn.Pool(mu, nil)...)
	}
	zero := append([]float64(nil), keys...)
	clear(zero[3:6])
	twins := append([]float64(nil), pools...)
	copy(twins[(2*s.N+4)*3:(2*s.N+5)*3], twins[2*s.N*3:])
	for _, c := range []struct {
		in        *pattern.Instance
		mu        int
		candidate int32
	}{
		{given(t, s, zero, pools), 1, 1},
		{given(t, s, keys, twins), 2, 4},
	} {
		for _, w := range []*learn.Weights{learn.NewWeights(3, 3, 0), weightsOf(rng, s, 0, 1), weightsOf(rng, s, 2, 30)} {
			m, r := proof.Refute(c.in, w, proof.RefuteOptions{})
			assert.Equal(t, proof.Refutation{Outcome: true, Exact: true, Kept: 1, LeastRatio: 1, Status: status.Converged}, r)
			assert.Equal(t, []int32{c.candidate}, m.Candidate)
			assert.Equal(t, 1, m.Start[c.mu+1]-m.Start[c.mu])
			a := proof.Assess(c.in, m)
			assert.Equal(t, proof.Assessment{Bound: 0, Exact: true}, a)
		}
	}
	// In one dimension on a sphere ties are everywhere.
	op := pattern.Spec{Model: pattern.OP, DIn: 2, DOut: 1, P: 3, N: 3, Values: pattern.Sphere}
	in, _ := draw(op, 1)
	_, r := proof.Refute(in, learn.NewWeights(1, 2, 0), proof.RefuteOptions{})
	assert.True(t, r.Exact)
}

// Instances with more weights than constraints can always be stored, and those
// with n = 2 and p far above 2N never: see Cover's theorem.
func TestRefuteExtremes(t *testing.T) {
	for seed := range uint64(5) {
		s := pattern.Spec{Model: pattern.DP, DIn: 5, DOut: 5, P: 5, N: 4}
		in, rng := draw(s, seed)
		for _, w := range []*learn.Weights{learn.NewWeights(5, 5, 0), weightsOf(rng, s, 0, 1), weightsOf(rng, s, 1, 10)} {
			m, r := proof.Refute(in, w, proof.RefuteOptions{})
			assert.False(t, r.Outcome, "%+v", r)
			assert.Nil(t, m)
			assert.NotEqual(t, status.Converged, r.Status)
		}
		s = pattern.Spec{Model: pattern.DP, DIn: 4, DOut: 3, P: 60, N: 2}
		in, _ = draw(s, seed)
		_, r := proof.Refute(in, train(in, 16), proof.RefuteOptions{})
		assert.True(t, r.Outcome && r.Exact, "%+v", r)
	}
}

// A witness and multipliers never exist for the same instance, from whatever
// weights they are sought; and neither the order of inputs nor the scale of
// keys and values (by powers of 2: exactly) changes an outcome.
func TestOutcomesAgree(t *testing.T) {
	counts := map[proof.Outcome]int{}
	rapid.Check(t, func(t *rapid.T) {
		s := pattern.Spec{
			Model: pattern.DP, DIn: rapid.IntRange(1, 4).Draw(t, "d_in"), DOut: rapid.IntRange(1, 4).Draw(t, "d_out"),
			P: rapid.IntRange(1, 12).Draw(t, "p"), N: rapid.IntRange(2, 6).Draw(t, "n"),
		}
		drawn, rng := draw(s, rapid.Uint64().Draw(t, "seed"))
		keyScale := math.Ldexp(1, rapid.IntRange(-200, 200).Draw(t, "key exponent"))
		valueScale := math.Ldexp(1, rapid.IntRange(-200, 200).Draw(t, "value exponent"))
		var keys, pools, scaledKeys, scaledPools []float64
		for mu := range s.P {
			keys = append(keys, drawn.Key(mu)...)
			pools = append(pools, drawn.Pool(mu, nil)...)
		}
		for _, mu := range rng.Perm(s.P) {
			for _, x := range drawn.Key(mu) {
				scaledKeys = append(scaledKeys, x*keyScale)
			}
			for _, x := range drawn.Pool(mu, nil) {
				scaledPools = append(scaledPools, x*valueScale)
			}
		}
		first, err := pattern.FromData(s, keys, pools)
		require.NoError(t, err)
		second, err := pattern.FromData(s, scaledKeys, scaledPools)
		require.NoError(t, err)
		var outcomes [2]*proof.Certificate
		for i, in := range []*pattern.Instance{first, second} {
			outcomes[i] = decideFrom(t, in, rng.Float64()*3, keyScale*valueScale*float64(i)+float64(1-i))
		}
		a, b := outcomes[0], outcomes[1]
		if a != nil && b != nil && a.Outcome != b.Outcome {
			t.Fatalf("%v and %v", a.Outcome, b.Outcome)
		}
		if a != nil {
			counts[a.Outcome]++
		}
	})
	if !testing.Short() { // which makes a fifth of the draws
		assert.Greater(t, counts[proof.Stored], 10)
		assert.Greater(t, counts[proof.NotStorable], 10)
	}
}

// decideFrom looks for a proof of either kind, and for the other one too, from
// weights of gradient steps of random length.
func decideFrom(t *rapid.T, in *pattern.Instance, noise, scale float64) *proof.Certificate {
	var found *proof.Certificate
	for _, evaluations := range []int{1, 3, 10, 30} {
		w := train(in, evaluations)
		for i := range w.Parameters {
			w.Parameters[i] *= 1 + noise*float64(i%3)/10
		}
		m, r := proof.Refute(in, w, proof.RefuteOptions{})
		v := proof.Verify(in, w)
		var c *proof.Certificate
		var err error
		if v.Recalled == in.Spec().P {
			c, err = proof.NewStored(in, address(0), w, v)
		} else if r.Outcome {
			c, err = proof.NewNotStorable(in, address(0), m, r)
			if r.Bound > 1e-10*scale*3 {
				t.Fatalf("bound %g with numbers of size %g", r.Bound, scale)
			}
		}
		require.NoError(t, err)
		if r.Outcome && v.Recalled == in.Spec().P {
			t.Fatalf("stored and refuted: %+v, %+v", v, r)
		}
		if c == nil {
			continue
		}
		if found != nil && found.Outcome != c.Outcome {
			t.Fatalf("%v and %v", found.Outcome, c.Outcome)
		}
		found = c
	}
	return found
}

// The same multipliers, to the last bit, from one thread and several.
func TestRefuteThreads(t *testing.T) {
	s := pattern.Spec{Model: pattern.OP, DIn: 20, DOut: 24, P: 125, N: 125}
	in, _ := draw(s, 1)
	w := train(in, 12)
	m, r := proof.Refute(in, w, proof.RefuteOptions{})
	require.True(t, r.Outcome && r.Exact, "%+v", r)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	m1, r1 := proof.Refute(in, w, proof.RefuteOptions{})
	assert.Equal(t, m, m1)
	assert.Equal(t, r, r1)
	// Fewer pairs, and no exactness.
	_, r2 := proof.Refute(in, w, proof.RefuteOptions{BoundOnly: true, Tolerance: 1e-14})
	assert.True(t, r2.Outcome && !r2.Exact && r2.Kept < r.Kept, "%+v", r2)
	assert.Less(t, r2.Bound, 1e-14)
	// A budget too small is reported as such.
	m3, r3 := proof.Refute(in, w, proof.RefuteOptions{MaxIterations: 5})
	assert.Nil(t, m3)
	assert.False(t, r3.Outcome)
}
