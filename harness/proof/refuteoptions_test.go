package proof_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"lamcap/harness/learn"
	"lamcap/harness/pattern"
	"lamcap/harness/proof"
	"lamcap/internal/status"
)

func TestRefuteOptionsValidate(t *testing.T) {
	in, _ := draw(shapes[0], 1)
	s := in.Spec()
	require.NoError(t, proof.RefuteOptions{}.Validate())
	require.NoError(t, proof.RefuteOptions{Threshold: 1, Tolerance: proof.AcceptedBound, MaxIterations: 1, MaxRounds: 1}.Validate())
	for want, o := range map[string]proof.RefuteOptions{
		"threshold = -1: want 0 < threshold ≤ 1, or 0 for 0.001":          {Threshold: -1},
		"threshold = 1.5: want 0 < threshold ≤ 1, or 0 for 0.001":         {Threshold: 1.5},
		"threshold = NaN: want 0 < threshold ≤ 1, or 0 for 0.001":         {Threshold: math.NaN()},
		"tolerance = 1.1e-10: want 0 < tolerance ≤ 1e-10, or 0 for 1e-11": {Tolerance: 1.1e-10},
		"tolerance = -1e-12: want 0 < tolerance ≤ 1e-10, or 0 for 1e-11":  {Tolerance: -1e-12},
		"tolerance = NaN: want 0 < tolerance ≤ 1e-10, or 0 for 1e-11":     {Tolerance: math.NaN()},
		"tolerance = +Inf: want 0 < tolerance ≤ 1e-10, or 0 for 1e-11":    {Tolerance: math.Inf(1)},
		"max iterations = -1: want ≥ 1, or 0 for 5000":                    {MaxIterations: -1},
		"max rounds = -2: want ≥ 1, or 0 for 10":                          {MaxRounds: -2},
	} {
		assert.EqualError(t, o.Validate(), want)
		assert.PanicsWithValue(t, "proof: "+want, func() { proof.Refute(in, learn.NewWeights(s.DOut, s.DIn, 0), o) })
	}
}

// Whatever the options and the budget, what is called not storable is a
// certificate that the check accepts.
func TestRefutedIsAccepted(t *testing.T) {
	outcomes, unmet := 0, 0
	for seed := range uint64(3) {
		s := pattern.Spec{Model: pattern.OP, DIn: 8, DOut: 9, P: 40, N: 40}
		in, err := address(seed).Draw(s)
		require.NoError(t, err)
		w := train(in, 12)
		for _, o := range []proof.RefuteOptions{
			{Tolerance: proof.AcceptedBound}, {Tolerance: proof.AcceptedBound, BoundOnly: true}, {Tolerance: 1e-20}, {Threshold: 1}, {MaxRounds: 1},
			{MaxIterations: 5}, {MaxIterations: 10}, {MaxIterations: 20}, {MaxIterations: 40}, {MaxIterations: 80}, {MaxIterations: 160, BoundOnly: true},
		} {
			m, r := proof.Refute(in, w, o)
			assert.Equal(t, r.Outcome, m != nil)
			if !r.Outcome {
				assert.NotEqual(t, status.Converged, r.Status)
				continue
			}
			outcomes++
			assert.True(t, r.Exact || r.Bound <= proof.AcceptedBound*in.Scale(), "%+v: %+v", o, r)
			if o.Tolerance == 1e-20 {
				unmet++
				assert.Equal(t, status.Roundoff, r.Status)
			}
			c, err := proof.NewNotStorable(in, address(seed), m, r)
			require.NoError(t, err)
			report, err := proof.Check(c)
			require.NoError(t, err)
			assert.True(t, report.Valid, "%+v: %+v: %s", o, r, report.Reason)
		}
	}
	assert.Greater(t, outcomes, 15)
	assert.Positive(t, unmet)
}

// At more than five times the capacity softmax weights are flat and there are
// far more inputs than balance needs: an exact proof follows at once all the
// same.
func TestRefuteFarAboveCapacity(t *testing.T) {
	for _, c := range []struct{ d, p int }{{12, 300}, {24, 600}} {
		for _, model := range []pattern.Model{pattern.OP, pattern.DP} {
			for _, evaluations := range []int{4, 12} {
				t.Run(fmt.Sprintf("%v/d=%d/%d", model, c.d, evaluations), func(t *testing.T) {
					in, _ := draw(pattern.Spec{Model: model, DIn: c.d, DOut: c.d, P: c.p, N: c.p}, 1)
					_, r := proof.Refute(in, train(in, evaluations), proof.RefuteOptions{})
					t.Logf("%+v", r)
					assert.True(t, r.Outcome && r.Exact, "%+v", r)
				})
			}
		}
	}
}
