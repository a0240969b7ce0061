package proof_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"lamcap/harness/constraint"
	"lamcap/harness/learn"
	"lamcap/harness/pattern"
	"lamcap/harness/proof"
	"lamcap/internal/stream"
)

// With keys that are all 0, or values, every X is 0: an exact proof, from any
// weights, without a correction.
func TestRefuteWithoutLength(t *testing.T) {
	for _, s := range shapes {
		for _, weights := range []float64{0, 1, 1e300, math.NaN(), math.Inf(1)} {
			in, rng := draw(s, 1)
			keys, pools := in.Keys(), make([]float64, int(s.PoolNumbers()))
			for name, data := range map[string][2][]float64{
				"keys": {make([]float64, len(keys)), nil}, "values": {keys, pools}, "both": {make([]float64, len(keys)), pools},
			} {
				if data[1] == nil {
					data[1] = make([]float64, len(pools))
					for i := range data[1] {
						data[1][i] = rng.NormFloat64()
					}
				}
				var zero *pattern.Instance
				var err error
				if s.Model == pattern.Facts {
					targets := make([]int, s.P) // of which the first is not row 0
					for mu := range targets {
						targets[mu] = (mu + 1) % s.N
					}
					zero, err = pattern.FromPairs(data[0], data[1], s.DIn, s.DOut, targets)
				} else {
					zero, err = pattern.FromData(s, data[0], data[1])
				}
				require.NoError(t, err)
				require.Zero(t, zero.Scale())
				w := learn.NewWeights(s.DOut, s.DIn, 0)
				for i := range w.Parameters {
					w.Parameters[i] = weights
				}
				m, r := proof.Refute(zero, w, proof.RefuteOptions{})
				assert.True(t, r.Outcome && r.Exact && m.Len() == 1, "%+v, %s, weights %g: %+v", s, name, weights, r)
				assert.Zero(t, r.Bound)
				assert.Zero(t, r.Iterations)
				if m != nil {
					assert.Equal(t, proof.Assessment{Exact: true}, proof.Assess(zero, m))
				}
			}
		}
	}
}

// Scores of different rows of zeros, or none at all: n = 1 has no competitors
// and nothing to refute.
func TestRefuteWithoutCompetitorsNorLength(t *testing.T) {
	s := pattern.Spec{Model: pattern.DP, DIn: 2, DOut: 2, P: 3, N: 1}
	in, err := pattern.FromData(s, make([]float64, 6), make([]float64, 6))
	require.NoError(t, err)
	_, r := proof.Refute(in, learn.NewWeights(2, 2, 0), proof.RefuteOptions{})
	assert.False(t, r.Outcome)
}

// Two keys at right angles are storable whatever their lengths. The largest
// margin, 1.4e-8 at a length of 1e-8, must not count as none.
func TestShortKeyIsNoProof(t *testing.T) {
	s := pattern.Spec{Model: pattern.OP, DIn: 2, DOut: 2, P: 2, N: 2}
	for _, length := range []float64{1e-2, 1e-8, 1e-11, 1e-30, 1e-70} {
		in, err := pattern.FromData(s, []float64{1, 0, 0, length}, []float64{1, 0, 0, 1})
		require.NoError(t, err)
		witness := &learn.Weights{DOut: 2, DIn: 2, Parameters: []float64{1, -1, -1, 1}}
		require.Equal(t, 2, proof.Verify(in, witness).Recalled)
		for _, evaluations := range []int{1, 3, 10, 100} {
			_, r := proof.Refute(in, train(in, evaluations), proof.RefuteOptions{})
			assert.False(t, r.Outcome, "length %g: %+v", length, r)
		}
		// The multipliers of the largest margin, ‖Σ λ X‖/Σ λ = √2 length, and of
		// what is no more than AcceptedBound of the scale if that is 1e-11.
		a := proof.Assess(in, &proof.Multipliers{Start: []int{0, 1, 2}, Candidate: []int32{1, 0}, Value: []float64{length * length, 1}})
		assert.InEpsilon(t, math.Sqrt2*length, a.Bound, 1e-3)
		assert.Greater(t, a.Bound, proof.AcceptedBound*constraint.MarginScale(in))
		assert.False(t, a.Refutes(in))
	}
}

// So do values: with lengths of 1e-12 their pairs have no more than that as
// their margin, and cancel no better than those of long values.
func TestShortValuesAreNoProof(t *testing.T) {
	s := pattern.Spec{Model: pattern.OP, DIn: 3, DOut: 3, P: 3, N: 3}
	const length = 1e-12
	in, err := pattern.FromData(s, []float64{1, 0, 0, 0, 1, 0, 0, 0, 1}, []float64{1, 0, 0, 0, length, 0, 0, 0, length})
	require.NoError(t, err)
	witness := learn.NewWeights(3, 3, 0)
	copy(witness.Parameters, []float64{1, 0, 0, -1, 1, 0, -1, 0, 1})
	require.Equal(t, 3, proof.Verify(in, witness).Recalled)
	// These separate all but the two short values, so that their λ are the largest.
	almost := learn.NewWeights(3, 3, 0)
	copy(almost.Parameters, []float64{1e3, -1e3, -1e3})
	for _, w := range []*learn.Weights{almost, train(in, 1), train(in, 3), train(in, 10), train(in, 100)} {
		_, r := proof.Refute(in, w, proof.RefuteOptions{})
		assert.False(t, r.Outcome, "%+v", r)
	}
	// X = length (e2 − e3) e2ᵀ and −length (e2 − e3) e3ᵀ: they add up to 2 length
	// for Σ λ = 2, far below AcceptedBound, and to 1/√2 of their sizes.
	a := proof.Assess(in, &proof.Multipliers{Start: []int{0, 0, 1, 2}, Candidate: []int32{2, 1}, Value: []float64{1, 1}})
	assert.InEpsilon(t, length, a.Bound, 1e-8, "a bound, 1e-9 above")
	assert.Less(t, a.Bound, proof.AcceptedBound*constraint.MarginScale(in))
	assert.InEpsilon(t, math.Sqrt2/2, a.Relative, 1e-8)
	assert.False(t, a.Refutes(in))
}

// rescaled returns the instance with keys and pools of Gaussian entries times
// given factors.
func rescaled(t *testing.T, s pattern.Spec, seed uint64, key, pool func(mu int) float64) *pattern.Instance {
	in, _ := draw(s, seed)
	keys, pools := append([]float64(nil), in.Keys()...), []float64{}
	for i := range keys {
		keys[i] *= key(i / s.DIn)
	}
	count := 1
	if s.Model == pattern.DP {
		count = s.P
	}
	for mu := range count {
		for _, x := range in.Pool(mu, nil) {
			pools = append(pools, x*pool(mu))
		}
	}
	out, err := pattern.FromData(s, keys, pools)
	require.NoError(t, err)
	return out
}

// Lengths that differ by up to 1e140 make no storable instance not storable,
// and a common factor makes no difference to a proof.
func TestProofsAtExtremeLengths(t *testing.T) {
	const far = 70
	constant := func(exponent int) func(int) float64 {
		return func(int) float64 { return math.Ldexp(1, int(float64(exponent)*math.Log2(10))) }
	}
	for _, model := range []pattern.Model{pattern.OP, pattern.DP} {
		above := pattern.Spec{Model: model, DIn: 6, DOut: 5, P: 40, N: 40}
		for _, exponents := range [][2]int{{far, far}, {far, -far}, {-far, far}, {-far, -far}} {
			t.Run(fmt.Sprintf("%v/%v", model, exponents), func(t *testing.T) {
				in, _ := draw(above, 3)
				w := train(in, 12)
				_, want := proof.Refute(in, w, proof.RefuteOptions{})
				require.True(t, want.Outcome && want.Exact, "%+v", want)
				scaled := rescaled(t, above, 3, constant(exponents[0]), constant(exponents[1]))
				factor := scaled.Scale() / rescaled(t, above, 3, constant(0), constant(0)).Scale()
				for i := range w.Parameters {
					w.Parameters[i] /= factor // the same scores
				}
				_, r := proof.Refute(scaled, w, proof.RefuteOptions{})
				assert.True(t, r.Outcome && r.Exact, "%+v", r)
				assert.Equal(t, want.Iterations, r.Iterations)
			})
		}
		below := pattern.Spec{Model: model, DIn: 6, DOut: 5, P: 6, N: 6}
		for seed := range uint64(10) {
			rng := stream.New(seed, "lengths", "", 0)
			random := func() func(int) float64 {
				var lengths []float64
				for range below.P {
					lengths = append(lengths, math.Pow(10, far*(2*rng.Float64()-1)))
				}
				return func(mu int) float64 { return lengths[mu] }
			}
			plain, _ := draw(below, seed)
			require.NotNil(t, decide(t, plain, address(seed)))
			in := rescaled(t, below, seed, random(), random())
			for _, evaluations := range []int{0, 1, 3, 10, 30} {
				w := learn.NewWeights(below.DOut, below.DIn, 0)
				if evaluations > 0 {
					w = train(in, evaluations)
				}
				_, r := proof.Refute(in, w, proof.RefuteOptions{})
				assert.False(t, r.Outcome, "%v, seed %d, %d evaluations: %+v", model, seed, evaluations, r)
			}
		}
	}
}

// A contradiction within one input is exact at any length: u_μ between two
// competitors.
func TestExactProofAmongExtremeLengths(t *testing.T) {
	s := pattern.Spec{Model: pattern.DP, DIn: 2, DOut: 1, P: 3, N: 3}
	in, err := pattern.FromData(s, []float64{1e70, 0, 0, 1e-70, 1, 1}, []float64{1e70, 0, 0, 0, 1e-70, -1e-70, 1, 0, 0})
	require.NoError(t, err)
	m := &proof.Multipliers{Start: []int{0, 0, 2, 2}, Candidate: []int32{1, 2}, Value: []float64{1, 1}}
	a := proof.Assess(in, m)
	assert.True(t, a.Exact)
	assert.Less(t, a.Bound, 1e-160, "what underflow may hide")
}
