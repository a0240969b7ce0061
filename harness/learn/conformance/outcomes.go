package conformance

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"lamcap/harness/learn"
	"lamcap/harness/pattern"
	"lamcap/harness/proof"
	"lamcap/internal/status"
)

// stop ends a training with a verified witness.
func stop(in *pattern.Instance) func(*learn.Weights, learn.Evaluation) bool {
	return func(w *learn.Weights, e learn.Evaluation) bool {
		p := in.Spec().P
		return e.Recalled == p && proof.Verify(in, w).Recalled == p
	}
}

func (c subjectCase) easy(t *testing.T) {
	in := c.sample(40, 3, 6)
	start := c.start(in)
	before := start.Clone()
	o := c.Options
	o.MaxEvaluations, o.Stop = 300, stop(in)
	r := learn.Train(c.Rule, learn.NewObjective(in), start, o)
	assert.Equal(t, status.Converged, r.Status)
	v := proof.Verify(in, r.Weights)
	assert.Equal(t, 3, v.Recalled)
	assert.Equal(t, 3, r.Evaluation.Recalled)
	assert.LessOrEqual(t, v.Margin, r.Bound)
	assert.LessOrEqual(t, r.Evaluations, 300)
	assert.Equal(t, before, start, "the start is not changed")
}

// contradiction gives the first two inputs the same key, and each other's
// target as competitor.
func (c subjectCase) contradiction(t *testing.T) {
	sample := c.sample(6, 4, 5)
	require.True(t, c.model != pattern.Facts || sample.Target(0) != sample.Target(1))
	keys, pools := data(sample)
	copy(keys[6:12], keys[:6])
	if c.model == pattern.DP {
		pool0, pool1 := pools[:5*6], pools[5*6:2*5*6]
		copy(pool0[6:12], pool1[:6])
		copy(pool1[6:12], pool0[:6])
	}
	in := instance(t, sample.Spec(), keys, pools, targetsOf(sample))
	o := c.Options
	seen, witness := 0, stop(in)
	o.MaxEvaluations, o.Stop = 200, func(w *learn.Weights, e learn.Evaluation) bool {
		seen++
		if witness(w, e) {
			t.Errorf("called stored after %d passes", seen)
			return true
		}
		return false
	}
	r := learn.Train(c.Rule, learn.NewObjective(in), c.start(in), o)
	assert.Less(t, proof.Verify(in, r.Weights).Recalled, 4)
	assert.Less(t, r.Evaluation.Recalled, 4)
	assert.NotEqual(t, status.Diverged, r.Status)
	assert.Equal(t, r.Evaluations, seen, "Stop sees every pass once")
	// Its log-odds add up to 0, so the two cost 2 log 2 at least.
	assert.Greater(t, r.Evaluation.Loss, 1.38)
}
