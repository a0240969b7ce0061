package conformance

import (
	"bytes"
	"encoding/gob"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"lamcap/harness/learn"
	"lamcap/harness/pattern"
	"lamcap/internal/stream"
)

// saved is the trainer after its state went through bytes.
func (c subjectCase) saved(t *testing.T, trainer *learn.Trainer, in *pattern.Instance, o learn.Options) *learn.Trainer {
	var b bytes.Buffer
	require.NoError(t, gob.NewEncoder(&b).Encode(trainer.State()))
	s := new(learn.State)
	require.NoError(t, gob.NewDecoder(&b).Decode(s))
	again, err := learn.ResumeTrainer(s, learn.NewObjective(in), o)
	require.NoError(t, err)
	return again
}

// resume cuts a training at every pass, and at random ones, with and without
// saving. The instance is above capacity, so that line searches take several
// trials and memories are full.
func (c subjectCase) resume(t *testing.T) {
	const passes = 60
	in := c.sample(4, 24, 12)
	o := c.Options
	o.MaxEvaluations, o.Memory = passes, 7
	stops := 0
	o.Stop = func(*learn.Weights, learn.Evaluation) bool { stops++; return false }
	whole := learn.NewTrainer(c.Rule, learn.NewObjective(in), c.start(in), o).Run(passes)
	want, passesMade := exactly(whole), stops
	assert.Equal(t, exactly(learn.Train(c.Rule, learn.NewObjective(in), c.start(in), o)), want)
	rng := stream.New(4, "conformance", "", 0)
	for kind := range 4 {
		stops = 0
		trainer := learn.NewTrainer(c.Rule, learn.NewObjective(in), c.start(in), o)
		var r learn.Run
		for budget := 0; ; {
			r = trainer.Run(min(budget, passes))
			assert.LessOrEqual(t, r.Evaluations, max(budget, 0))
			if budget >= passes {
				break
			}
			switch kind {
			case 0, 1:
				budget++
			default:
				budget += 1 + rng.IntN(9)
			}
			if kind == 1 || kind == 3 && rng.IntN(2) == 0 {
				trainer = c.saved(t, trainer, in, o)
			}
		}
		assert.True(t, slices.Equal(want, exactly(r)), "cut in way %d", kind)
		assert.Equal(t, passesMade, stops, "Stop sees every pass once")
	}
}
