package trial

import (
	"context"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"lamcap/harness/learn"
	"lamcap/harness/pattern"
	"lamcap/harness/proof"
	"lamcap/internal/status"
	"lamcap/internal/stream"
)

// Without corrections (no bound is below −1) the softmax weights themselves
// become the proof when L-BFGS has brought the bound down: a bound that counts as
// a proof is never left undecided. All instances are well above capacity.
func TestSoftmaxWeightsAreProof(t *testing.T) {
	for _, s := range []pattern.Spec{
		{Model: pattern.OP, DIn: 4, DOut: 4, P: 20, N: 20},
		{Model: pattern.DP, DIn: 4, DOut: 3, P: 36, N: 2},
		{Model: pattern.DP, DIn: 5, DOut: 4, P: 30, N: 12},
	} {
		for seed := range uint64(8) {
			in := pattern.Sample(stream.New(seed, "softmax", "", 0), s)
			accepted := 0 // passes
			d := begin(nil, in, Options{Progress: func(e learn.Evaluation) {
				if e.Residual <= proof.AcceptedBound*in.Scale() {
					accepted++
				}
			}})
			d.next = -1
			d.run(context.Background())
			e, r := d.evidence, d.end()
			require.Equal(t, NotStorable, r.Outcome, "%+v: %+v", s, r)
			assert.Equal(t, status.Converged, r.Status)
			assert.Equal(t, 1, accepted, "the first such pass decides")
			assert.LessOrEqual(t, r.MarginBound, proof.AcceptedBound*in.Scale())
			assert.Positive(t, r.Refutations)
			assert.Zero(t, r.Corrections)
			assert.Len(t, e.Multipliers.Value, s.P*(s.N-1))
			a := proof.Assess(in, e.Multipliers)
			assert.Equal(t, a, proof.Assessment{Bound: e.Refutation.Bound, Relative: a.Relative, Exact: r.Exact})
			_, err := e.Certificate(in, proof.Address{}, r.Outcome)
			assert.NoError(t, err)
			// The same softmax weights as in a pass.
			again := learn.NewObjective(in).Evaluate(e.Weights, make([]float64, s.DOut*s.DIn))
			assert.InDelta(t, again.Residual, a.Bound, 1e-12*in.Scale())
		}
	}
}

// Of scores that are all far below the target's, and of weights that are not
// finite.
func TestSoftmaxMultipliersExtremes(t *testing.T) {
	s := pattern.Spec{Model: pattern.DP, DIn: 1, DOut: 1, P: 2, N: 3}
	in, err := pattern.FromData(s, []float64{1, 1}, []float64{1, 0, -1, 2, 0, 1})
	require.NoError(t, err)
	w := learn.NewWeights(1, 1, 0)
	w.Parameters[0] = 1e4
	m := softmaxMultipliers(in, w)
	require.NoError(t, m.Validate(s))
	// Log-odds of −1e4 and −2e4, and of −2e4 and −1e4.
	assert.Equal(t, []float64{1, 0, 0, 1}, m.Value)
	assert.Equal(t, []int32{1, 2, 1, 2}, m.Candidate)
	for _, x := range []float64{math.NaN(), math.Inf(1)} {
		w.Parameters[0] = x
		assert.Nil(t, softmaxMultipliers(in, w))
	}
	w.Parameters[0] = 0
	in, err = pattern.FromData(pattern.Spec{Model: pattern.DP, DIn: 1, DOut: 1, P: 2, N: 1}, []float64{1, 1}, []float64{1, 2})
	require.NoError(t, err)
	assert.Nil(t, softmaxMultipliers(in, w), "no pairs")
}
