package main

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"context"

	"lamcap/harness/learn"
	"lamcap/harness/pattern"
	"lamcap/harness/proof"
	"lamcap/harness/trial"
	"lamcap/internal/stream"
)

// FuzzCheckpoint goes on with trainings whose files hold anything: an error, or the
// outcome that the instance has, whatever the file claims.
func FuzzCheckpoint(f *testing.F) {
	type training struct {
		in     *pattern.Instance
		o      trial.Options
		stored bool // what is so
	}
	var trainings []training
	for i, s := range []pattern.Spec{{Model: pattern.DP, DIn: 3, DOut: 2, P: 4, N: 3}, {Model: pattern.OP, DIn: 2, DOut: 2, P: 8, N: 8}} {
		in := pattern.Sample(stream.New(uint64(i), "checkpoint", "", 0), s)
		_, r := trial.Train(stream.New(1, "checkpoint", "", 0), in, trial.Options{})
		require.NotEqual(f, trial.Undecided, r.Outcome)
		stored := r.Outcome == trial.Stored
		require.Equal(f, i == 0, stored)
		for _, o := range []trial.Options{{}, {Rule: learn.Adam}, {Rule: learn.GradientDescent}, {Rank: 1, Restarts: 2}} {
			o.MaxEvaluations = 6
			trainings = append(trainings, training{in, o, stored})
			if o.Rank > 0 {
				trainings[len(trainings)-1].stored = false // as may be
			}
			save := func(saved *trial.Saved) error {
				var b bytes.Buffer
				if err := encodeCheckpoint(&b, saved); err != nil {
					return err
				}
				f.Add(uint8(len(trainings)-1), b.Bytes())
				f.Add(uint8(len(trainings)), b.Bytes())
				return nil
			}
			ctx, stop := context.WithCancel(context.Background())
			stop()
			_, _, err := trial.TrainSession(ctx, stream.New(1, "checkpoint", "", 0), in, o, trial.Session{Save: save})
			require.NoError(f, err)
		}
	}
	f.Add(uint8(0), []byte(checkpointMagic))
	f.Add(uint8(0), []byte("lamcap training 2\n"))
	f.Fuzz(func(t *testing.T, which uint8, text []byte) {
		saved, err := decodeCheckpoint(bytes.NewReader(text))
		if err != nil {
			require.Nil(t, saved)
			return
		}
		c := trainings[int(which)%len(trainings)]
		evidence, r, err := trial.TrainSession(context.Background(), stream.New(1, "checkpoint", "", 0), c.in, c.o, trial.Session{Resume: saved})
		switch {
		case err != nil:
			require.Zero(t, r.Outcome)
		case r.Outcome == trial.Stored:
			require.Equal(t, c.in.Spec().P, proof.Verify(c.in, evidence.Weights).Recalled)
		case r.Outcome == trial.NotStorable:
			require.False(t, c.stored)
			require.True(t, proof.Assess(c.in, evidence.Multipliers).Refutes(c.in))
		}
	})
}
