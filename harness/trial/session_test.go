package trial_test

import (
	"bytes"
	"context"
	"encoding/gob"
	"errors"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"lamcap/harness/learn"
	"lamcap/harness/pattern"
	"lamcap/harness/proof"
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
		"max-margin":   {square(pattern.OP, 8, 14), trial.Options{Rule: learn.MaxMargin}},
		// Refuted, or not, where the budget or the ridge ended them.
		"spent":         {square(pattern.OP, 8, 60), trial.Options{MaxEvaluations: 4}},
		"ridge":         {square(pattern.OP, 8, 40), trial.Options{Ridge: 5}},
		"ridge, failed": {square(pattern.DP, 8, 18), trial.Options{Ridge: 50}},
		"spent factors": {square(pattern.OP, 8, 60), trial.Options{Rank: 2, Restarts: 2, MaxEvaluations: 4}},
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

// The last attempt of an undecided training is one more than those on the way,
// unless the last of these was at the same weights; and what is saved is from
// before it.
func TestLastAttemptIsMadeOnce(t *testing.T) {
	repeated, added := 0, 0
	for _, seed := range []uint64{12, 33} { // whose first attempts fail
		in := pattern.Sample(stream.New(seed, "session", "attempts", 0), square(pattern.DP, 9, 26))
		before := 0 // attempts on the way
		for budget := 1; budget <= 60; budget++ {
			var saved *trial.Saved
			keep := trial.Session{Save: func(s *trial.Saved) error { saved = s; return nil }}
			_, r, err := trial.TrainSession(context.Background(), nil, in, trial.Options{MaxEvaluations: budget}, keep)
			require.NoError(t, err)
			if saved == nil {
				break // decided before the budget was spent
			}
			if saved.Result.Refutations == before {
				added++
				assert.Equal(t, before+1, r.Refutations, "seed %d, %d passes", seed, budget)
			} else {
				repeated++
				assert.Equal(t, before+1, saved.Result.Refutations)
				assert.Equal(t, saved.Result.Refutations, r.Refutations, "seed %d, %d passes", seed, budget)
			}
			before = saved.Result.Refutations
		}
	}
	assert.Positive(t, added)
	assert.Positive(t, repeated)
}

// What is known when the search for the largest margin is cut short: the instance
// is stored, with the witness of L-BFGS. Taken up again it ends as if it had not.
func TestMaxMarginInterrupted(t *testing.T) {
	s, o := square(pattern.OP, 8, 14), trial.Options{Rule: learn.MaxMargin}
	in := pattern.Sample(stream.New(2, "session", "max-margin", 0), s)
	want, result := trial.Train(nil, in, o)
	require.Equal(t, status.Converged, result.Status)
	first, _ := trial.Train(nil, in, trial.Options{})

	var saved *trial.Saved
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	o.Progress = func(e learn.Evaluation) {
		if e.Recalled == s.P { // the pass after which L-BFGS ends
			cancel()
		}
	}
	e, r, err := trial.TrainSession(ctx, nil, in, o, trial.Session{Save: func(s *trial.Saved) error { saved = s; return nil }})
	require.NoError(t, err)
	assert.Equal(t, status.Unknown, r.Status)
	assert.Equal(t, trial.Stored, r.Outcome)
	assert.Equal(t, first.Weights, e.Weights)
	assert.Equal(t, first.Verification, e.Verification)
	assert.Less(t, r.Margin, result.Margin)

	o.Progress = nil
	e, r, err = trial.TrainSession(context.Background(), nil, in, o, trial.Session{Resume: saved})
	require.NoError(t, err)
	r.Seconds, r.ProofSeconds, result.Seconds, result.ProofSeconds = 0, 0, 0, 0
	assert.Equal(t, result, r)
	assert.Equal(t, want.Weights, e.Weights)
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

// Nothing that no training leaves is taken over, and no proof that is none.
func TestSavedIsNotTrusted(t *testing.T) {
	s := square(pattern.DP, 8, 16) // storable
	in := pattern.Sample(stream.New(2, "session", "trust", 0), s)
	o := trial.Options{Rank: 2, Restarts: 3, MaxEvaluations: 7}
	var bytesOf bytes.Buffer
	_, _, err := trial.TrainSession(context.Background(), stream.New(1, "", "", 0), in, o, trial.Session{Save: func(s *trial.Saved) error {
		bytesOf.Reset()
		return gob.NewEncoder(&bytesOf).Encode(s)
	}})
	require.NoError(t, err)
	for name, change := range map[string]func(*trial.Saved){
		"want dimensions":     func(s *trial.Saved) { s.Best = learn.NewWeights(8, 8, 0); s.Best.Rank = -1 },
		"want 64":             func(s *trial.Saved) { s.Best = learn.NewWeights(8, 8, 0); s.Best.Parameters = s.Best.Parameters[:5] },
		"want 16000000000":    func(s *trial.Saved) { s.Best = learn.NewWeights(8, 8, 0); s.Best.Rank = 1e9 },
		"want those of the":   func(s *trial.Saved) { s.Best = learn.NewWeights(9, 8, 0) },
		"want a proof":        func(s *trial.Saved) { s.Multipliers = onePair(); s.Refutation.Exact = true },
		"want counts":         func(s *trial.Saved) { s.Result.Evaluations = -1 << 62 },
		"bounds -5":           func(s *trial.Saved) { s.Result.MarginBound = -5 },
		", -3 and":            func(s *trial.Saved) { s.Training.Bound = -3 },
		"want finite times":   func(s *trial.Saved) { s.Result.Seconds = math.NaN() },
		"want −1 to 2":        func(s *trial.Saved) { s.Start = 3 },
		"want it to go on so": func(s *trial.Saved) { s.Single = true },
	} {
		saved := new(trial.Saved)
		require.NoError(t, gob.NewDecoder(bytes.NewReader(bytesOf.Bytes())).Decode(saved))
		change(saved)
		_, _, err := trial.TrainSession(context.Background(), stream.New(1, "", "", 0), in, o, trial.Session{Resume: saved})
		assert.ErrorContains(t, err, name)
	}
}

// onePair are multipliers of eight-dimensional DP, p = 16, that prove nothing.
func onePair() *proof.Multipliers {
	start := make([]int, 17)
	for i := range start[1:] {
		start[i+1] = 1
	}
	return &proof.Multipliers{Start: start, Candidate: []int32{1}, Value: []float64{1}}
}
