package measure_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"lamcap/harness/learn"
	"lamcap/harness/measure"
	"lamcap/harness/pattern"
	"lamcap/quartercircle"
)

// Below capacity trainings are counted as cut short, but not max-margin; beyond, none is,
// and max-margin has nothing to observe. Notes say so, and columns fit rows.
func TestObserve(t *testing.T) {
	g := measure.Grid{
		Shapes: []measure.Shape{{DOut: 8, DIn: 8, Rank: 8}}, Models: []pattern.Model{pattern.DP},
		Rules: []learn.Rule{learn.Hebb, learn.LBFGS, learn.MaxMargin}, Facts: []int{8, 60},
	}
	cells, err := g.Cells(quartercircle.NewSpectra())
	require.NoError(t, err)
	const trials = 3
	var all []measure.Summary
	for _, c := range cells {
		ticks := 0
		s, seen, err := measure.Observe(context.Background(), c, "observe", measure.Experiment{Trials: trials, Seed: 5, Tick: func() { ticks++ }},
			func(m measure.Memory) float64 { return m.Accuracy() })
		require.NoError(t, err)
		assert.Equal(t, trials, ticks)
		assert.Len(t, seen, s.Trained)
		assert.Len(t, s.Row(), len(measure.Columns([]measure.Summary{s})))
		assert.EqualValues(t, 5, s.Seed)
		notes := strings.Join(measure.Notes([]measure.Summary{s}), "\n")
		below, margin, minimised := c.Spec.P == 8, c.Rule == learn.MaxMargin, c.Rule == learn.LBFGS
		assert.Equal(t, margin && !below, s.Trained == 0)
		assert.Equal(t, margin && !below, strings.Contains(notes, "maxmargin trained 0 of 3 instances (dp, d = 8, p = 60)"), notes)
		assert.Equal(t, minimised && below, s.Endless == trials)
		assert.Equal(t, minimised && below, strings.Contains(notes, "lbfgs: where everything is stored (3 of 3 instances in such rows)"), notes)
		assert.Equal(t, minimised, !math.IsNaN(s.Loss.Mean))
		if s.Trained > 0 {
			assert.Equal(t, measure.SampleOf(seen, func(x float64) float64 { return x }).Mean, s.Accuracy.Mean)
		}
		all = append(all, s)
	}
	assert.False(t, measure.HasOP(all))
	all[0].Spec.Model = pattern.OP
	assert.True(t, measure.HasOP(all))
	_, _, err = measure.Observe(context.Background(), cells[0], "observe", measure.Experiment{}, func(measure.Memory) int { return 0 })
	assert.EqualError(t, err, "trials = 0: want trials ≥ 1")
}
