package measure_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"

	"lamcap/harness/learn"
	"lamcap/harness/measure"
	"lamcap/harness/pattern"
	"lamcap/harness/trial"
	"lamcap/internal/status"
)

func square(m pattern.Model, d, p int) pattern.Spec {
	return pattern.Spec{Model: m, DIn: d, DOut: d, P: p, N: p}
}

func run(t *testing.T, p measure.Problem) measure.Memory {
	t.Helper()
	m, err := measure.Run(p)
	require.NoError(t, err)
	return m
}

// Beyond capacity (p_c = 40 at d = 12) the minimum is unique: L-BFGS and Adam find
// the same loss, norm and singular values, L-BFGS to the tolerance.
func TestMinimumIsUnique(t *testing.T) {
	for _, model := range []pattern.Model{pattern.OP, pattern.DP} {
		p := measure.Problem{Spec: square(model, 12, 70), Seed: 1, Experiment: "minimum"}
		a := run(t, p)
		assert.Equal(t, status.Converged, a.Result.Status)
		assert.LessOrEqual(t, a.Gradient, measure.DefaultGradientTolerance)
		assert.Equal(t, trial.Undecided, a.Result.Outcome)
		p.Rule = learn.Adam
		b := run(t, p)
		assert.Less(t, b.Gradient, 1e-2)
		assert.GreaterOrEqual(t, b.Loss, a.Loss)
		assert.InEpsilon(t, a.Loss, b.Loss, 1e-4)
		assert.InEpsilon(t, a.Norm, b.Norm, 1e-2)
		for i, x := range b.SingularValues() {
			assert.InDelta(t, a.SingularValues()[i], x, 1e-2*a.Norm)
		}
	}
}

// Below capacity there is no minimum: all is stored, at the loss asked for, and a
// lower loss has a larger margin, which that of max-margin exceeds.
func TestBelowCapacity(t *testing.T) {
	for _, model := range []pattern.Model{pattern.OP, pattern.DP} {
		p := measure.Problem{Spec: square(model, 12, 25), Seed: 2, Experiment: "below"}
		a := run(t, p)
		assert.Equal(t, trial.Stored, a.Result.Outcome)
		assert.LessOrEqual(t, a.Loss, measure.DefaultLossTolerance)
		assert.Equal(t, 1.0, a.Accuracy())
		p.Options.LossTolerance = 1e-9
		b := run(t, p)
		assert.Greater(t, b.Result.Margin, a.Result.Margin)
		p.Rule = learn.MaxMargin
		c := run(t, p)
		assert.Greater(t, c.Result.Margin, b.Result.Margin)
		assert.InDelta(t, 1, c.Norm, 1e-12)
		assert.True(t, math.IsNaN(c.Loss) && math.IsNaN(c.Gradient))
	}
}

// Beyond capacity no weights have a margin.
func TestNoMargin(t *testing.T) {
	m := run(t, measure.Problem{Spec: square(pattern.DP, 8, 60), Rule: learn.MaxMargin, Seed: 3})
	assert.Equal(t, trial.NotStorable, m.Result.Outcome)
	assert.False(t, m.Trained())
	assert.PanicsWithValue(t, "measure: no weights: want a trained memory for its scores", func() { m.Scores() })
}

// Σ σ² = ‖W‖²_F at any rank and shape, and factors have as many singular values as
// columns.
func TestSingularValues(t *testing.T) {
	for _, c := range []struct{ in, out, rank, want int }{{6, 6, 0, 6}, {9, 5, 0, 5}, {5, 9, 5, 5}, {9, 6, 2, 2}} {
		s := pattern.Spec{Model: pattern.DP, DIn: c.in, DOut: c.out, P: 30, N: 10}
		m := run(t, measure.Problem{Spec: s, Rank: c.rank, Seed: 4, Experiment: "values"})
		values := m.SingularValues()
		require.Len(t, values, c.want)
		assert.InEpsilon(t, m.Norm, floats.Norm(values, 2), 1e-12)
		for i := range values[1:] {
			assert.Greater(t, values[i], values[i+1])
		}
	}
}

// Scores by the definition, u_ρᵀ W e_μ/‖W‖_F.
func TestScores(t *testing.T) {
	for _, model := range []pattern.Model{pattern.OP, pattern.DP} {
		for _, rule := range []learn.Rule{learn.Hebb, learn.LBFGS, learn.MaxMargin} {
			m := run(t, measure.Problem{Spec: square(model, 7, 11), Rule: rule, Seed: 5})
			correct, wrong := m.Scores()
			recalled, margin := 0, math.Inf(1)
			for mu := range correct {
				v := make([]float64, 7)
				for i := range v {
					v[i] = floats.Dot(m.Weights.Parameters[7*i:7*i+7], m.Instance.Key(mu)) / m.Norm
				}
				pool := m.Instance.Pool(mu, nil)
				want := math.Inf(-1)
				for c := range 11 {
					s := floats.Dot(pool[7*c:7*c+7], v)
					if c == m.Instance.Target(mu) {
						assert.InDelta(t, s, correct[mu], 1e-12)
					} else {
						want = max(want, s)
					}
				}
				assert.InDelta(t, want, wrong[mu], 1e-12)
				margin = min(margin, correct[mu]-wrong[mu])
				if correct[mu] > wrong[mu] {
					recalled++
				}
			}
			assert.Equal(t, m.Result.Recalled, recalled)
			assert.InDelta(t, m.Result.Margin, margin, 1e-12)
			if rule == learn.Hebb {
				assert.Equal(t, math.Inf(1), m.Result.MarginBound, "it computes none")
			} else {
				assert.GreaterOrEqual(t, m.Result.MarginBound, margin)
			}
		}
	}
}

// The two problems at one address have the same keys, which pairs them.
func TestCommonKeys(t *testing.T) {
	p := measure.Problem{Spec: square(pattern.OP, 6, 9), Rule: learn.Hebb, Seed: 6, Cell: "pair"}
	q := p
	q.Spec.Model = pattern.DP
	assert.Equal(t, run(t, p).Instance.Keys(), run(t, q).Instance.Keys())
}

// Same address, same numbers, for any GOMAXPROCS, and Many is Run.
func TestThreadsDoNotMatter(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, p := range []measure.Problem{
		{Spec: square(pattern.DP, 8, 30)}, {Spec: square(pattern.OP, 8, 25), Rank: 3, Options: measure.Options{Restarts: 2}},
		{Spec: square(pattern.OP, 8, 12), Rule: learn.MaxMargin}, {Spec: square(pattern.DP, 8, 30), Rule: learn.Adam, Options: measure.Options{MaxEvaluations: 50}},
	} {
		p.Seed, p.Experiment, p.Cell = 7, "threads", "cell"
		describe := func(m measure.Memory) string {
			correct, wrong := m.Scores()
			m.Result.Seconds, m.Result.ProofSeconds = 0, 0
			return fmt.Sprint(m.Result, m.Loss, m.Gradient, m.Norm, m.SingularValues(), correct, wrong)
		}
		var want []string
		for _, procs := range []int{1, 3} {
			runtime.GOMAXPROCS(procs)
			got := make([]string, 4)
			require.NoError(t, measure.Many(context.Background(), p, len(got), func(i int, m measure.Memory) { got[i] = describe(m) }))
			if want == nil {
				want = got
			}
			assert.Equal(t, want, got)
		}
		p.Trial = 2
		assert.Equal(t, want[2], describe(run(t, p)))
	}
}

func TestErrors(t *testing.T) {
	good := measure.Problem{Spec: square(pattern.DP, 4, 6)}
	for want, change := range map[string]func(p *measure.Problem){
		"rank = 5: want 1 ≤ rank ≤ min(d_in, d_out) = 4":                             func(p *measure.Problem) { p.Rank = 5 },
		"rank = 2: want full rank, 4, with rule hebb":                                func(p *measure.Problem) { p.Rank, p.Rule = 2, learn.Hebb },
		"gradient tolerance = -1: want a finite tolerance > 0, or 0 for the default": func(p *measure.Problem) { p.Options.GradientTolerance = -1 },
		"loss tolerance = NaN: want a finite tolerance > 0, or 0 for the default":    func(p *measure.Problem) { p.Options.LossTolerance = math.NaN() },
		"d_in = 0: want d_in ≥ 1":                                                    func(p *measure.Problem) { p.Spec.DIn = 0 },
	} {
		p := good
		change(&p)
		_, err := measure.Run(p)
		assert.EqualError(t, err, want)
		assert.EqualError(t, measure.Many(context.Background(), p, 1, nil), want)
	}
	p := good
	p.Rule, p.Options.LearningRate, p.Spec.P, p.Spec.N = learn.Adam, 1e308, 60, 60
	_, err := measure.Run(p)
	assert.ErrorContains(t, err, "diverged")

	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	assert.True(t, errors.Is(measure.Many(ctx, good, 3, func(int, measure.Memory) { t.Error("must not run") }), context.Canceled))
}
