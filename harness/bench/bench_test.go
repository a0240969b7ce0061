package bench

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"lamcap/harness/table"
	"lamcap/harness/trial"
	"lamcap/internal/simd"
)

func TestValidate(t *testing.T) {
	assert.NoError(t, Options{}.Validate())
	assert.NoError(t, Options{Parts: []string{"steps", "kernels", "decisions"}, Repeats: 1}.Validate())
	assert.EqualError(t, Options{Repeats: -1}.Validate(), "repeats = -1: want ≥ 1, or 0 for 7")
	assert.EqualError(t, Options{Parts: []string{"steps", "foo"}}.Validate(), "part = foo: want kernels, steps or decisions")
	_, err := Run(context.Background(), Options{Parts: []string{""}})
	assert.EqualError(t, err, "part = : want kernels, steps or decisions")
}

func TestSizes(t *testing.T) {
	// The sizes at which PyTorch was measured when targets were set.
	want := []size{{64, 430}, {128, 1400}, {256, 4800}}
	assert.Equal(t, want, (&run{}).sizes())
	assert.Equal(t, append(want, size{512, 19300}), (&run{Options: Options{Full: true}}).sizes())
}

func TestDecisionInstances(t *testing.T) {
	assert.Equal(t, []int{5, 5, 3, 1}, []int{decisionInstances(64), decisionInstances(128), decisionInstances(256), decisionInstances(512)})
}

func TestPartsInTheOrderAskedFor(t *testing.T) {
	assert.Len(t, Options{Parts: []string{"decisions", "steps"}}.parts(&run{}), 2)
}

func TestOutcomes(t *testing.T) {
	assert.Equal(t, "stored", outcomes(map[trial.Outcome]int{trial.Stored: 5}))
	assert.Equal(t, "3 stored, 1 not_storable, 2 undecided",
		outcomes(map[trial.Outcome]int{trial.Undecided: 2, trial.Stored: 3, trial.NotStorable: 1}))
}

// counter counts what is reported.
type counter int

func (c *counter) Add(n int) { *c += counter(n) }
func (c *counter) Done()     {}

// small is a run of one repeat on one thread.
func small(ctx context.Context) (*run, *counter) {
	c := new(counter)
	return &run{Options: Options{Seed: 1, Progress: c}, ctx: ctx, repeats: 1, threads: 1, stepSeconds: 0.01}, c
}

// cells maps the keys of the columns to the only row of a table.
func cells(t *testing.T, tab *table.Table) map[string]any {
	t.Helper()
	require.Len(t, tab.Rows, 1)
	m := map[string]any{}
	for i, c := range tab.Columns {
		m[c.Key] = tab.Rows[0][i]
	}
	return m
}

func TestDecision(t *testing.T) {
	r, ticks := small(context.Background())
	// Of 12² = 144 weights some 36 facts are critical: 18 are stored, 90 not.
	for load, want := range map[float64]string{0.5: "stored", 2.5: "not_storable"} {
		tab := newDecisions(r)
		require.NoError(t, r.decision(tab, 12, load, 36))
		row := cells(t, tab)
		assert.Equal(t, want, row["outcome"])
		assert.Equal(t, 5, row["instances"])
		assert.Positive(t, row["seconds"])
		assert.Nil(t, row["pytorch_seconds"])
		assert.Nil(t, row["ratio"])
		assert.Nil(t, row["ratio_range"])
		within := row["seconds_range"].(table.Interval)
		assert.Less(t, within.Lo, within.Hi, "five instances")
		assert.True(t, within.Lo <= row["seconds"].(float64) && row["seconds"].(float64) <= within.Hi)
	}
	assert.EqualValues(t, 10, *ticks)
}

func TestStep(t *testing.T) {
	r, ticks := small(context.Background())
	tab := newSteps(r)
	require.NoError(t, r.step(tab, size{8, 20}))
	row := cells(t, tab)
	for _, key := range []string{"single_ms", "double_ms", "single_gflops"} {
		assert.Positive(t, row[key], key)
	}
	assert.Nil(t, row["pytorch_ms"])
	assert.Nil(t, row["ratio"])
	assert.EqualValues(t, 1, *ticks)
}

func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, part := range partNames {
		_, err := Run(ctx, Options{Parts: []string{part}})
		assert.ErrorIs(t, err, context.Canceled, part)
	}
	r, _ := small(ctx)
	assert.ErrorIs(t, appendKernel[float32](r, &table.Table{}, simd.Portable, "single", 1), context.Canceled)
	assert.ErrorIs(t, r.decision(newDecisions(r), 12, 0.5, 36), context.Canceled)
	assert.ErrorIs(t, r.step(newSteps(r), size{8, 20}), context.Canceled)
}
