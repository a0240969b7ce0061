package slurm

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"lamcap/harness/learn"
	"lamcap/harness/pattern"
	"lamcap/harness/sweep"
	"lamcap/internal/journal"
)

// fake is a cluster of shell scripts, first on PATH.
type fake struct {
	t   *testing.T
	dir string
}

// newFake answers as a cluster does that has nothing to do.
func newFake(t *testing.T) *fake {
	t.Helper()
	f := &fake{t, t.TempDir()}
	f.script("scontrol", "cat <<'EOT'\n"+config(3, 10000)+"EOT")
	f.script("squeue", `cat "$FAKE/queue" 2>/dev/null || true`)
	f.script("scancel", `printf '%s\n' "$@" >>"$FAKE/cancelled"`)
	f.script("sbatch", accept)
	t.Setenv("FAKE", f.dir)
	t.Setenv("PATH", f.dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	return f
}

// accept is an sbatch that takes every array: numbers 101, 102, …
const accept = `n=$(($(cat "$FAKE/n" 2>/dev/null || echo 100) + 1)); echo $n >"$FAKE/n"
printf '%s\n' "$@" >"$FAKE/sbatch.$n"
echo $n`

func config(arraySize, jobs int) string {
	return fmt.Sprintf("Configuration data as of 2026-01-01T00:00:00\nMaxArraySize            = %d\nMaxJobCount             = %d\nMaxJobId                = 67043328\n", arraySize, jobs)
}

func (f *fake) script(name, body string) {
	f.t.Helper()
	path := filepath.Join(f.dir, name)
	require.NoError(f.t, os.WriteFile(path, []byte("#!/bin/sh\n"+body+"\n"), 0o755))
}

// queue is what squeue prints from now on.
func (f *fake) queue(lines ...string) {
	f.t.Helper()
	require.NoError(f.t, os.WriteFile(filepath.Join(f.dir, "queue"), []byte(strings.Join(lines, "\n")+"\n"), 0o644))
}

// submitted returns what sbatch was given for job n, nil if it was not called.
func (f *fake) submitted(n int) []string { return f.lines(fmt.Sprintf("sbatch.%d", n)) }

func (f *fake) lines(name string) []string {
	f.t.Helper()
	text, err := os.ReadFile(filepath.Join(f.dir, name))
	if os.IsNotExist(err) {
		return nil
	}
	require.NoError(f.t, err)
	return strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
}

// cell is decided within a few milliseconds.
func cell(p int) sweep.Cell {
	return sweep.Cell{
		Address: sweep.Address{
			Experiment: "test", Rank: 4, Seed: 1, Rule: learn.LBFGS,
			Spec: pattern.Spec{Model: pattern.OP, DIn: 4, DOut: 4, P: p, N: p},
		},
		Critical: 8,
	}
}

// diverging is a cell of which no trial succeeds.
func diverging() sweep.Cell {
	c := cell(12)
	c.Rule, c.Options.LearningRate = learn.GradientDescent, math.MaxFloat64
	return c
}

// plan has trials of cells with 4, 5, … facts.
func plan(cells, trials int) *sweep.Plan {
	p := &sweep.Plan{Title: "test"}
	for i := range cells {
		p.Cells = append(p.Cells, sweep.Work{Cell: cell(4 + i), Trials: trials})
	}
	return p
}

// currentProgram hashes a large file once.
var currentProgram = sync.OnceValues(sweep.CurrentProgram)

// testProgram is what runs in tests.
func testProgram(t *testing.T) sweep.Program {
	t.Helper()
	p, err := currentProgram()
	require.NoError(t, err)
	return p
}

// options make a task of two trials.
func options() Options {
	return Options{Minutes: 2.5 / 60, Program: "/bin/lamcap", Seconds: func(sweep.Cell) float64 { return 1 }}
}

func submit(t *testing.T, dir string, p *sweep.Plan) (*Submission, error) {
	t.Helper()
	return Submit(t.Context(), dir, p, testProgram(t), quick(), options())
}

// quick has little patience.
func quick() *Client { return &Client{Query: 5 * time.Second, Change: 5 * time.Second} }

// complete runs task i of a batch.
func complete(t *testing.T, b *Batch, i int) {
	t.Helper()
	require.NoError(t, RunTask(t.Context(), filepath.Join(b.Folder, "plan.json"), i, testProgram(t), Attempt{Job: "1", Node: "n1"}, io.Discard))
}

// recordsOf reads a file of records.
func recordsOf(t *testing.T, path string) []sweep.Record {
	t.Helper()
	var all []sweep.Record
	torn, err := journal.Lines(path, func(_ int, line []byte) error {
		var r sweep.Record
		if err := json.Unmarshal(line, &r); err != nil {
			return err
		}
		all = append(all, r)
		return nil
	})
	require.NoError(t, err)
	require.Empty(t, torn)
	return all
}

// assertEqual compares records as they are written: NaN is no number that is equal.
func assertEqual(t *testing.T, want, got []sweep.Record, says string) {
	t.Helper()
	a, err := json.MarshalIndent(want, "", " ")
	require.NoError(t, err)
	b, err := json.MarshalIndent(got, "", " ")
	require.NoError(t, err)
	if string(a) != string(b) {
		t.Errorf("%s: %d records differ from %d", says, len(want), len(got))
	}
}
