package conformance

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"lamcap/harness/learn"
	"lamcap/internal/status"
)

// faulty is an Evaluator that spoils what another one says.
type faulty struct {
	learn.Evaluator
	pass  int
	spoil func(pass int, e *learn.Evaluation, gradient []float64)
}

func (f *faulty) Evaluate(w *learn.Weights, gradient []float64) learn.Evaluation {
	e := f.Evaluator.Evaluate(w, gradient)
	f.pass++
	f.spoil(f.pass, &e, gradient)
	return e
}

// divergence makes one number of one pass NaN or infinite.
func (c subjectCase) divergence(t *testing.T) {
	in := c.sample(6, 9, 7)
	for _, at := range []int{1, 2, 5, 9} {
		if at > 1 && c.train(in, 20).Evaluations < at {
			continue // a rule of one pass
		}
		// The trainings are the same up to the pass before.
		before := learn.Run{Weights: c.start(in)}
		if at > 1 {
			before = c.train(in, at-1)
		}
		for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
			for _, where := range []string{"loss", "gradient"} {
				name := fmt.Sprintf("%s = %g in pass %d", where, bad, at)
				f := &faulty{Evaluator: learn.NewObjective(in), spoil: func(pass int, e *learn.Evaluation, gradient []float64) {
					switch {
					case pass == at && where == "loss":
						e.Loss = bad
					case pass == at:
						gradient[len(gradient)-1] = bad
					}
				}}
				o := c.Options
				o.MaxEvaluations = 50
				r := learn.Train(c.Rule, f, c.start(in), o)
				require.Equal(t, status.Diverged, r.Status, name)
				assert.Equal(t, at, r.Evaluations, name)
				if at > 1 {
					assert.Equal(t, before.Weights, r.Weights, name)
					assert.Equal(t, before.Evaluation, r.Evaluation, name)
					assert.Equal(t, before.Bound, r.Bound, name)
				} else {
					assert.Equal(t, math.Inf(1), r.Bound, name)
				}
			}
		}
	}
}

// overflow gives gradients that no step survives, with a loss that is finite:
// whatever the rule does with them (nothing is storable, so the loss is never
// 0), it may not return what is not finite or call it converged.
func (c subjectCase) overflow(t *testing.T) {
	in := c.sample(4, 24, 12)
	if c.train(in, 20).Evaluations == 1 {
		return
	}
	for _, size := range []float64{1e160, 1e300, math.MaxFloat64} {
		f := &faulty{Evaluator: learn.NewObjective(in), spoil: func(pass int, e *learn.Evaluation, gradient []float64) {
			for i := range gradient {
				gradient[i] = math.Copysign(size, gradient[i])
			}
			e.Bound = math.Inf(1)
		}}
		o := c.Options
		o.MaxEvaluations = 50
		r := learn.Train(c.Rule, f, c.start(in), o)
		assert.NotEqual(t, status.Converged, r.Status, "gradients of %g", size)
		for _, x := range append([]float64{r.Evaluation.Loss, r.Penalised}, r.Weights.Parameters...) {
			require.False(t, math.IsNaN(x) || math.IsInf(x, 0), "gradients of %g: %v", size, r.Status)
		}
	}
}
