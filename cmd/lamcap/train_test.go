package main

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"lamcap/harness/learn"
	"lamcap/harness/pattern"
	"lamcap/harness/trial"
	"lamcap/internal/status"
)

// A full disk loses the checkpoint, not the result.
func TestResultIsPrintedWhenSavingFails(t *testing.T) {
	f := trainFlags{save: func(string, *trial.Saved) error { return errors.New("disk full") }}
	c := f.command(&output{format: "json"})
	var out strings.Builder
	c.SetOut(&out)
	c.SilenceErrors, c.SilenceUsage = true, true
	folder := t.TempDir()
	c.SetArgs([]string{"--d", "12", "--p", "36", "--seed", "3", "--max-evaluations", "6",
		"--checkpoint", filepath.Join(folder, "saved"), "--certificate", filepath.Join(folder, "proof")})
	err := c.Execute()
	assert.EqualError(t, err, "disk full")
	assert.ErrorAs(t, err, new(failure), "exit code 1")
	assert.Contains(t, out.String(), `"outcome":"undecided"`)
	assert.Contains(t, out.String(), `"evaluations":6,`)
}

// What to do depends on why nothing was proved.
func TestUnproved(t *testing.T) {
	s := pattern.Spec{Model: pattern.OP, DIn: 12, DOut: 12, P: 60, N: 60}
	for _, c := range []struct {
		name    string
		flags   trainFlags
		options trial.Options
		status  status.Status
		want    string
	}{
		{"hebb", trainFlags{}, trial.Options{Rule: learn.Hebb}, status.Converged, "rule hebb proves nothing"},
		{"diverged", trainFlags{}, trial.Options{Rule: learn.GradientDescent}, status.Diverged, "lower --learning-rate"},
		{"rank", trainFlags{}, trial.Options{Rank: 6}, status.Stalled, "raise --restarts"},
		{"full rank", trainFlags{}, trial.Options{Rank: 12}, status.MaxIterations, "raise --max-evaluations, with --checkpoint"},
		{"budget", trainFlags{}, trial.Options{}, status.MaxIterations, "raise --max-evaluations, with --checkpoint"},
		{"budget, checkpoint", trainFlags{checkpoint: "x"}, trial.Options{}, status.MaxIterations, "with the same --checkpoint, to go on from 7"},
		{"maxmargin", trainFlags{}, trial.Options{Rule: learn.MaxMargin}, status.MaxIterations, "use --rule lbfgs with a larger --max-evaluations"},
		{"ridge", trainFlags{}, trial.Options{Ridge: 1}, status.Stalled, "lower --ridge"},
		{"adam", trainFlags{}, trial.Options{Rule: learn.Adam}, status.Stalled, "use --rule lbfgs"},
		{"stalled", trainFlags{}, trial.Options{}, status.Stalled, "as close to the border of what can be stored as this"},
	} {
		err := c.flags.unproved(s, c.options, trial.Result{Status: c.status, Evaluations: 7})
		require.ErrorContains(t, err, c.want, c.name)
	}
}
