package slurm

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"lamcap/harness/sweep"
)

// batchOf writes a batch of one task.
func batchOf(t *testing.T, cpus int, jobs ...sweep.Job) *Batch {
	t.Helper()
	b := &Batch{CPUs: cpus, Program: testProgram(t), Tasks: [][]sweep.Job{jobs}}
	require.NoError(t, newBatch(t.TempDir(), b))
	return b
}

func trials(c sweep.Cell, n int) []sweep.Job {
	var jobs []sweep.Job
	for i := range n {
		jobs = append(jobs, sweep.Job{Cell: c, Trial: uint64(i)})
	}
	return jobs
}

func (b *Batch) attempt(ctx context.Context, t *testing.T, a Attempt) (log string, err error) {
	t.Helper()
	var text bytes.Buffer
	err = RunTask(ctx, filepath.Join(b.Folder, "plan.json"), 0, testProgram(t), a, &text)
	return text.String(), err
}

// taskFiles lists what the attempts of the task have left, without the folder and the
// random part of the names.
func (b *Batch) taskFiles(t *testing.T) []string {
	t.Helper()
	entries, err := os.ReadDir(b.Folder)
	require.NoError(t, err)
	var names []string
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), "task-") {
			names = append(names, e.Name())
		}
	}
	return names
}

// assertRecords asserts that a file has the records of these trials, each once, as a
// local run would write them.
func assertRecords(t *testing.T, path string, jobs []sweep.Job) {
	t.Helper()
	got := map[sweep.ID]sweep.Record{}
	for _, r := range recordsOf(t, path) {
		assert.NotContains(t, got, r.ID(), "twice")
		got[r.ID()] = r
	}
	assert.Len(t, got, len(jobs))
	for _, j := range jobs {
		want, err := sweep.Execute(j.Cell, j.Trial)
		require.NoError(t, err)
		want.Program = testProgram(t)
		r, ok := got[j.ID()]
		require.True(t, ok, "%v, trial %d", j.Cell.Address, j.Trial)
		assert.Empty(t, sweep.Difference(want, r))
		assert.Equal(t, want.Program, r.Program)
	}
}

func TestTask(t *testing.T) {
	for _, cpus := range []int{1, 3} {
		jobs := append(trials(cell(6), 5), trials(cell(9), 4)...)
		b := batchOf(t, cpus, jobs...)
		log, err := b.attempt(t.Context(), t, Attempt{Job: "17", Node: "n1"})
		require.NoError(t, err)
		assert.Contains(t, log, "task 0 of batch 001, job 17.0 on n1: complete: 9 records")
		assert.Equal(t, []string{"task-00000.jsonl"}, b.taskFiles(t))
		assertRecords(t, b.file(0, endDone), jobs)
		for _, r := range recordsOf(t, b.file(0, endDone)) {
			assert.Equal(t, "slurm-17.0@n1", r.Worker)
		}
		before, err := os.ReadFile(b.file(0, endDone))
		require.NoError(t, err)
		log, err = b.attempt(t.Context(), t, Attempt{Job: "17", Restart: 1, Node: "n2"})
		require.NoError(t, err)
		assert.Contains(t, log, "complete before: nothing to do")
		after, err := os.ReadFile(b.file(0, endDone))
		require.NoError(t, err)
		assert.Equal(t, string(before), string(after))
	}
}

// A task told to end keeps what it has, and the next attempt goes on with it.
func TestTaskInterrupted(t *testing.T) {
	jobs := trials(cell(5), 200)
	b := batchOf(t, 2, jobs...)
	ctx, stop := context.WithCancel(t.Context())
	go func() {
		defer stop()
		for ctx.Err() == nil {
			parts, _ := filepath.Glob(b.file(0, ".*"+endPart))
			for _, p := range parts {
				if text, _ := os.ReadFile(p); bytes.Count(text, []byte("\n")) >= 3 {
					return
				}
			}
			time.Sleep(time.Millisecond)
		}
	}()
	_, err := b.attempt(ctx, t, Attempt{Job: "17", Node: "n1"})
	require.ErrorIs(t, err, ErrInterrupted)
	names := b.taskFiles(t)
	require.Len(t, names, 1)
	assert.Regexp(t, `^task-00000\.17\.0\.\d+\.partial\.jsonl$`, names[0])
	kept := recordsOf(t, filepath.Join(b.Folder, names[0]))
	assert.GreaterOrEqual(t, len(kept), 3)
	assert.Less(t, len(kept), len(jobs))
	// They count at once.
	dir := filepath.Dir(filepath.Dir(b.Folder))
	have, err := sweep.ReadRecords(dir)
	require.NoError(t, err)
	assert.Len(t, have, len(kept))

	log, err := b.attempt(t.Context(), t, Attempt{Job: "17", Restart: 1, Node: "n2"})
	require.NoError(t, err)
	assert.Contains(t, log, fmt.Sprintf("200 trials, %d of them recorded by earlier attempts", len(kept)))
	assertRecords(t, b.file(0, endDone), jobs)
	have, err = sweep.ReadRecords(dir)
	require.NoError(t, err)
	assert.Len(t, have, len(jobs), "counted once")
}

// A node is lost: its last line is torn, at whatever byte.
func TestTaskAfterLostNode(t *testing.T) {
	jobs := trials(cell(6), 4)
	donor := batchOf(t, 1, jobs...)
	complete(t, donor, 0)
	text, err := os.ReadFile(donor.file(0, endDone))
	require.NoError(t, err)
	lines := bytes.SplitAfter(text, []byte("\n"))
	two := len(lines[0]) + len(lines[1])
	for _, c := range []struct {
		name string
		part []byte
		kept int
	}{
		{"nothing", nil, 0},
		{"whole", text[:two], 2},
		{"no newline", text[:two-1], 1},
		{"half", text[:two+len(lines[2])/2], 2},
		{"zeros", append(bytes.Clone(text[:two]), make([]byte, 512)...), 2},
		{"zeros and a newline", append(bytes.Clone(text[:two]), "\x00\x00\n"...), 2},
		{"damage in the middle", bytes.Replace(text[:two], []byte(`"trial":0`), []byte(`"trial":x`), 1), 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := batchOf(t, 1, jobs...)
			require.NoError(t, os.WriteFile(b.file(0, ".17.0.1"+endPart), c.part, 0o644))
			log, err := b.attempt(t.Context(), t, Attempt{Job: "17", Restart: 1, Node: "n2"})
			require.NoError(t, err)
			assert.Contains(t, log, fmt.Sprintf("4 trials, %d of them recorded", c.kept))
			assert.Equal(t, []string{"task-00000.jsonl"}, b.taskFiles(t))
			assertRecords(t, b.file(0, endDone), jobs)
		})
	}
}

// What another program wrote is not taken over, nor are other options.
func TestTaskTakesNothingForeign(t *testing.T) {
	jobs := trials(cell(6), 3)
	b := batchOf(t, 1, jobs...)
	var part []byte
	for i, j := range jobs {
		r, err := sweep.Execute(j.Cell, j.Trial)
		require.NoError(t, err)
		r.Program = testProgram(t)
		if i == 0 {
			r.Program.Build, r.Program.Version = "other", "v0"
		}
		if i == 1 {
			r.Options.MaxEvaluations = 7
		}
		line, err := json.Marshal(r)
		require.NoError(t, err)
		part = append(append(part, line...), '\n')
	}
	require.NoError(t, os.WriteFile(b.file(0, ".17.0.1"+endPart), part, 0o644))
	log, err := b.attempt(t.Context(), t, Attempt{Job: "17", Restart: 1, Node: "n2"})
	require.NoError(t, err)
	assert.Contains(t, log, "3 trials, 1 of them recorded")
	assertRecords(t, b.file(0, endDone), jobs)
}

// Attempts at once, as after a network was cut in two: none is in another's way.
func TestTaskAttemptsAtOnce(t *testing.T) {
	jobs := trials(cell(5), 10)
	b := batchOf(t, 1, jobs...)
	var all sync.WaitGroup
	errs := make([]error, 4)
	for i := range errs {
		all.Go(func() { _, errs[i] = b.attempt(t.Context(), t, Attempt{Job: "17", Node: "n1"}) })
	}
	all.Wait()
	for _, err := range errs {
		assert.NoError(t, err)
	}
	assertRecords(t, b.file(0, endDone), jobs)
}

// A failed trial does not take the others with it, and is tried again.
func TestTaskWithFailedTrial(t *testing.T) {
	good := trials(cell(6), 2)
	bad := sweep.Job{Cell: diverging(), Trial: 5}
	b := batchOf(t, 1, good[0], bad, good[1])
	log, err := b.attempt(t.Context(), t, Attempt{Job: "17", Node: "n1"})
	assert.ErrorContains(t, err, "1 of 3 trials failed; the others are recorded")
	assert.Contains(t, log, bad.Cell.String())
	assertRecords(t, b.file(0, endDone), good)
	text, err := os.ReadFile(b.file(0, endFailed))
	require.NoError(t, err)
	assert.Contains(t, string(text), bad.Cell.String()+", trial 5: ")
	log, err = b.attempt(t.Context(), t, Attempt{Job: "17", Restart: 1, Node: "n1"})
	assert.ErrorContains(t, err, "1 of 3 trials failed")
	assert.Contains(t, log, "3 trials, 2 of them recorded")
	assertRecords(t, b.file(0, endDone), good)
}

func TestTaskOfAnotherProgram(t *testing.T) {
	b := batchOf(t, 1, trials(cell(6), 2)...)
	path := filepath.Join(b.Folder, "plan.json")
	now := testProgram(t)
	now.Instructions = "portable" // nodes may differ in that
	require.NoError(t, RunTask(t.Context(), path, 0, now, Attempt{}, &bytes.Buffer{}))
	require.NoError(t, os.Remove(b.file(0, endDone)))
	now.Revision = "0123"
	err := RunTask(t.Context(), path, 0, now, Attempt{Node: "n7"}, &bytes.Buffer{})
	assert.ErrorContains(t, err, "the program on node n7 is ")
	assert.Equal(t, []string{"task-00000.failed"}, b.taskFiles(t))
	err = RunTask(t.Context(), path, 1, now, Attempt{}, &bytes.Buffer{})
	assert.ErrorContains(t, err, "want 0 ≤ task < 1")
}

// A folder that cannot be written to is an error, not a loss.
func TestTaskCannotWrite(t *testing.T) {
	b := batchOf(t, 1, trials(cell(6), 2)...)
	var text bytes.Buffer
	task := &task{batch: b, program: testProgram(t), jobs: b.Tasks[0], log: &text}
	require.NoError(t, task.open(nil))
	require.NoError(t, task.part.Close()) // as a disk that is gone
	task.todo = task.jobs
	task.work()
	assert.ErrorContains(t, task.broken, "records cannot be written")
	assert.Equal(t, 1, task.next, "no further trial is run for nothing")
}
