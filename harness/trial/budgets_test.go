package trial_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"lamcap/harness/learn"
	"lamcap/harness/maxmargin"
	"lamcap/harness/pattern"
	"lamcap/harness/proof"
	"lamcap/harness/trial"
	"lamcap/internal/status"
	"lamcap/internal/stream"
)

// A solver at its last iteration has not converged, and what it reports is that of the
// weights it returns, whatever the budget. 8 facts at d = 6 can be stored and 60 cannot, by
// a factor of two on either side: neither is decided in a few passes without a proof.
func TestSpentBudgets(t *testing.T) {
	for _, p := range []int{8, 60} {
		in := pattern.Sample(stream.New(3, "budgets", "", uint64(p)), square(pattern.DP, 6, p))
		objective := learn.NewObjective(in)
		for _, budget := range []int{1, 2, 3, 7} {
			for _, rule := range []learn.Rule{learn.LBFGS, learn.Adam, learn.GradientDescent} {
				r := learn.Train(rule, objective, learn.NewWeights(6, 6, 0), learn.Options{MaxEvaluations: budget})
				assert.Equal(t, status.MaxIterations, r.Status, "%v, %d passes, p = %d", rule, budget, p)
				assert.Equal(t, budget, r.Evaluations)
				again := objective.Evaluate(r.Weights, make([]float64, 36))
				assert.Equal(t, again, r.Evaluation, "%v: the residual is that of the weights returned", rule)

				d := trial.Decide(stream.New(3, "budgets", "restarts", 0), in, trial.Options{Rule: rule, MaxEvaluations: budget})
				if p == 8 {
					assert.NotEqual(t, trial.NotStorable, d.Outcome, "%v, %d passes: %+v", rule, budget, d)
				} else {
					assert.NotEqual(t, trial.Stored, d.Outcome, "%v, %d passes: %+v", rule, budget, d)
				}
				if d.Outcome == trial.Undecided {
					assert.Equal(t, status.MaxIterations, d.Status, "%+v", d)
				}
			}
			s := maxmargin.Solve(in, maxmargin.Options{MaxIterations: budget})
			if p == 8 {
				assert.False(t, s.NotStorable)
				assert.Equal(t, status.MaxIterations, s.Status, "%d steps", budget)
			}
			if s.Weights != nil {
				assert.InDelta(t, proof.Verify(in, s.Weights).Margin, s.Margin, 1e-9, "of the weights returned")
			}
		}
	}
}
