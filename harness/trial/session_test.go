package trial_test

import (
	"bytes"
	"context"
	"encoding/gob"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"lamcap/harness/learn"
	"lamcap/harness/pattern"
	"lamcap/harness/trial"
	"lamcap/internal/status"
	"lamcap/internal/stream"
)

// sessions are trainings of every kind: both outcomes, undecided, factors with
// and without a proof at full rank, float32 and float64.
func sessions() map[string]struct {
	s pattern.Spec
	o trial.Options
} {
	type c = struct {
		s pattern.Spec
		o trial.Options
	}
	return map[string]c{
		"stored":       {square(pattern.DP, 8, 18), trial.Options{}},
		"not storable": {square(pattern.OP, 8, 26), trial.Options{}},
		"undecided":    {square(pattern.DP, 8, 22), trial.Options{MaxEvaluations: 9}},
		"adam":         {square(pattern.OP, 6, 8), trial.Options{Rule: learn.Adam, MaxEvaluations: 60}},
		"factors":      {square(pattern.OP, 8, 14), trial.Options{Rank: 2, Restarts: 3, MaxEvaluations: 60}},
		"no factors":   {square(pattern.OP, 8, 40), trial.Options{Rank: 2, Restarts: 3, MaxEvaluations: 60}},
		"float32":      {square(pattern.OP, 64, 300), trial.Options{Threads: 2}},
	}
}

// A training interrupted after every single pass, saved to bytes and taken up
// again from them ends as the one that nothing interrupted, bit for bit.
func TestInterruptionsChangeNothing(t *testing.T) {
	for name, c := range sessions() {
		t.Run(name, func(t *testing.T) {
			draw := func() (*pattern.Instance, trial.Evidence, trial.Result) {
				rng := stream.New(2, "session", name, 0)
				in := pattern.Sample(rng, c.s)
				e, r := trial.Train(rng, in, c.o)
				return in, e, r
			}
			in, want, result := draw()
			result.Seconds, result.ProofSeconds = 0, 0
			var saved bytes.Buffer
			session := trial.Session{Save: func(s *trial.Saved) error {
				saved.Reset()
				return gob.NewEncoder(&saved).Encode(s)
			}}
			cuts := 0
			for {
				// The context ends with the second pass: whatever is done, little is.
				ctx, cancel := context.WithCancel(context.Background())
				passes := 0
				o := c.o
				o.Progress = func(learn.Evaluation) {
					if passes++; passes == 2 {
						cancel()
					}
				}
				rng := stream.New(2, "session", name, 0)
				pattern.Sample(rng, c.s) // the starts of factors follow in the stream
				e, r, err := trial.TrainSession(ctx, rng, in, o, session)
				cancel()
				require.NoError(t, err)
				if r.Status == status.Unknown {
					cuts++
					session.Resume = new(trial.Saved)
					require.NoError(t, gob.NewDecoder(bytes.NewReader(saved.Bytes())).Decode(session.Resume))
					continue
				}
				r.Seconds, r.ProofSeconds = 0, 0
				assert.Equal(t, result, r)
				assert.Equal(t, want.Weights, e.Weights)
				assert.Equal(t, want.Multipliers, e.Multipliers)
				break
			}
			assert.Positive(t, cuts)
		})
	}
}

// A larger budget goes on where a smaller one ended.
func TestBudgetIsResumable(t *testing.T) {
	s := square(pattern.DP, 8, 22)
	in := pattern.Sample(stream.New(2, "session", "budget", 0), s)
	_, want := trial.Train(nil, in, trial.Options{})
	require.NotEqual(t, trial.Undecided, want.Outcome)
	var saved *trial.Saved
	keep := trial.Session{Save: func(s *trial.Saved) error { saved = s; return nil }}
	_, r, err := trial.TrainSession(context.Background(), nil, in, trial.Options{MaxEvaluations: 5}, keep)
	require.NoError(t, err)
	assert.Equal(t, trial.Undecided, r.Outcome)
	assert.Equal(t, status.MaxIterations, r.Status)
	keep.Resume = saved
	_, r, err = trial.TrainSession(context.Background(), nil, in, trial.Options{}, keep)
	require.NoError(t, err)
	assert.Equal(t, want.Outcome, r.Outcome)
	assert.Equal(t, want.Evaluations, r.Evaluations)
	assert.Equal(t, want.Margin, r.Margin)
}

// What was not saved by this training is refused, and an error of Save ends it.
func TestSessionErrors(t *testing.T) {
	s := square(pattern.DP, 8, 22)
	in := pattern.Sample(stream.New(2, "session", "budget", 0), s)
	var saved *trial.Saved
	keep := trial.Session{Save: func(s *trial.Saved) error { saved = s; return nil }}
	_, _, err := trial.TrainSession(context.Background(), nil, in, trial.Options{MaxEvaluations: 5}, keep)
	require.NoError(t, err)
	session := trial.Session{Resume: saved}
	other := pattern.Sample(stream.New(3, "session", "budget", 0), s)
	_, _, err = trial.TrainSession(context.Background(), nil, other, trial.Options{}, session)
	assert.ErrorContains(t, err, "saved with other data")
	_, _, err = trial.TrainSession(context.Background(), nil, in, trial.Options{Rule: learn.Adam}, session)
	assert.ErrorContains(t, err, "rule lbfgs")
	_, _, err = trial.TrainSession(context.Background(), stream.New(1, "", "", 0), in, trial.Options{Rank: 2, Rule: learn.Adam}, session)
	assert.Error(t, err)
	_, _, err = trial.TrainSession(context.Background(), nil, in, trial.Options{}, trial.Session{Resume: &trial.Saved{Start: -1}})
	assert.ErrorContains(t, err, "saved training")
	full := errors.New("disk full")
	_, r, err := trial.TrainSession(context.Background(), nil, in, trial.Options{},
		trial.Session{Save: func(*trial.Saved) error { return full }, Every: 1})
	assert.ErrorIs(t, err, full)
	assert.Equal(t, trial.Undecided, r.Outcome)
}
