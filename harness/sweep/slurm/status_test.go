package slurm

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"lamcap/harness/sweep"
	"lamcap/harness/table"
)

func read(t *testing.T, dir string) []sweep.Record {
	t.Helper()
	have, err := sweep.ReadRecords(dir)
	require.NoError(t, err)
	return have
}

// Files decide what is done, the queue what is under way.
func TestStatus(t *testing.T) {
	f := newFake(t)
	dir := t.TempDir()
	p := plan(4, 4)
	s, err := submit(t, dir, p)
	require.NoError(t, err)
	complete(t, s.Batch, 0)
	complete(t, s.Batch, 1)
	require.NoError(t, s.Batch.writeFailed(2, []error{os.ErrInvalid}))
	name := s.Batch.arrayName
	f.queue(
		"101|1|RUNNING|"+name(0)+"|None", // its file says that it is done
		"102|0|RUNNING|"+name(1)+"|None",
		"102|1|PENDING|"+name(1)+"|launch failed requeued held",
		"103|1|SOME_NEW_STATE|"+name(2)+"|x",
	)
	status, err := ReadStatus(t.Context(), dir, read(t, dir), quick())
	require.NoError(t, err)
	require.NoError(t, status.QueueError)
	assert.Equal(t, []ArrayStatus{
		{Batch: "001", Job: "101", First: 0, Tasks: 3, Done: 2, Failed: 1, States: map[string]int{}},
		{Batch: "001", Job: "102", First: 3, Tasks: 3, Gone: 1, States: map[string]int{"RUNNING": 1, "HELD": 1}},
		{Batch: "001", Job: "103", First: 6, Tasks: 2, Gone: 1, States: map[string]int{"SOME_NEW_STATE": 1}},
	}, status.Arrays)
	assert.Equal(t, map[string]string{"102": "launch failed requeued held"}, status.Held)
	var text strings.Builder
	require.NoError(t, table.Write(&text, table.TableFormat, status.Table()))
	assert.Contains(t, text.String(), "SOME_NEW_STATE 1")
	assert.Contains(t, text.String(), "scontrol release 102")
	assert.Contains(t, text.String(), s.Batch.file(2, endFailed))

	missing := sweep.Missing(p, read(t, dir))
	assert.Len(t, missing, 12)
	var abandoned []sweep.Job
	for _, i := range []int{2, 5, 6} {
		abandoned = append(abandoned, s.Batch.Tasks[i]...)
	}
	assert.Equal(t, abandoned, status.Abandoned(missing))
}

// A controller that is down: the files tell what they know.
func TestStatusWithoutController(t *testing.T) {
	f := newFake(t)
	dir := t.TempDir()
	s, err := submit(t, dir, plan(4, 4))
	require.NoError(t, err)
	complete(t, s.Batch, 7)
	f.script("squeue", "exit 1")
	status, err := ReadStatus(t.Context(), dir, read(t, dir), quick())
	require.NoError(t, err)
	assert.ErrorContains(t, status.QueueError, "squeue: exit status 1")
	assert.Equal(t, 3, status.Arrays[0].Unknown)
	assert.Equal(t, 3, status.Arrays[1].Unknown)
	assert.Equal(t, 1, status.Arrays[2].Unknown)
	assert.Equal(t, 1, status.Arrays[2].Done)
}

func TestStatusOfNothing(t *testing.T) {
	f := newFake(t)
	f.script("squeue", "exit 1") // is not asked
	status, err := ReadStatus(t.Context(), t.TempDir(), nil, quick())
	require.NoError(t, err)
	require.NoError(t, status.QueueError)
	assert.Nil(t, status.Table())
}

// A folder of a batch whose process did not live to write its plan.
func TestStatusAfterCrash(t *testing.T) {
	newFake(t)
	dir := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "slurm", "batch-001", "logs"), 0o755))
	s, err := submit(t, dir, plan(1, 2))
	require.NoError(t, err)
	assert.Equal(t, "002", s.Batch.number())
	status, err := ReadStatus(t.Context(), dir, nil, quick())
	require.NoError(t, err)
	assert.Len(t, status.Arrays, 1)
}

// Damage is named, not taken for nothing submitted.
func TestDamagedBatch(t *testing.T) {
	newFake(t)
	for file, says := range map[string]string{"plan.json": "plan.json: ", "jobs.json": "jobs.json: "} {
		dir := t.TempDir()
		s, err := submit(t, dir, plan(1, 2))
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(s.Batch.Folder, file), []byte(`{"format":1,`), 0o644))
		_, err = ReadStatus(t.Context(), dir, nil, quick())
		assert.ErrorContains(t, err, says)
	}
}

func TestCollectAndPrune(t *testing.T) {
	f := newFake(t)
	dir := t.TempDir()
	p := plan(4, 4)
	s, err := submit(t, dir, p)
	require.NoError(t, err)
	for _, i := range []int{0, 1, 2, 5} {
		complete(t, s.Batch, i)
	}
	have := read(t, dir)
	collected, err := Collect(t.Context(), dir, false, quick())
	require.NoError(t, err)
	assert.Equal(t, 8, collected.Records)
	assert.Equal(t, 16, collected.Planned)
	assert.Equal(t, sweep.Missing(p, have), collected.Missing)
	assert.Zero(t, collected.Pruned)
	assertEqual(t, have, recordsOf(t, sweep.CollectedFile(dir)), "in the order of all records")
	assertEqual(t, have, read(t, dir), "counted once")

	// A task that the queue has keeps its file, and so does one of which not all is
	// known; a lost attempt does not.
	name := s.Batch.arrayName
	f.queue("101|1|COMPLETING|" + name(0) + "|None")
	require.NoError(t, os.WriteFile(s.Batch.file(0, ".9.0.1"+endPart), []byte(`{"half`), 0o644))
	live, err := readLive(t.Context(), dir, quick())
	require.NoError(t, err)
	complete(t, s.Batch, 3)
	removed, err := live.prune(have)
	require.NoError(t, err)
	assert.Equal(t, 4, removed)
	assert.Equal(t, []string{"task-00001.jsonl", "task-00003.jsonl"}, s.Batch.taskFiles(t))
	assert.Len(t, read(t, dir), 10, "nothing is lost")

	// What is collected stays so, and what came later joins it.
	f.queue("")
	collected, err = Collect(t.Context(), dir, true, quick())
	require.NoError(t, err)
	assert.Equal(t, 10, collected.Records)
	assert.Equal(t, 2, collected.Pruned)
	assert.Empty(t, s.Batch.taskFiles(t))
	status, err := ReadStatus(t.Context(), dir, read(t, dir), quick())
	require.NoError(t, err)
	assert.Equal(t, 3, status.Arrays[0].Done, "by records, not by files")
}

// A program that did not make the records submits only if it is told to.
func TestSubmitByAnotherProgram(t *testing.T) {
	f := newFake(t)
	dir := t.TempDir()
	s, err := submit(t, dir, plan(1, 2))
	require.NoError(t, err)
	complete(t, s.Batch, 0)
	other := testProgram(t)
	other.Version = "v9"
	o := options()
	_, err = Submit(t.Context(), dir, plan(1, 4), other, quick(), o)
	var change *sweep.ProgramError
	require.ErrorAs(t, err, &change)
	assert.Equal(t, 2, change.Records)
	assert.Nil(t, f.submitted(102), "nothing was submitted")
	o.AllowProgramChange = true
	s, err = Submit(t.Context(), dir, plan(1, 4), other, quick(), o)
	require.NoError(t, err)
	assert.Equal(t, 2, s.Trials)
	assert.Equal(t, other, s.Batch.Program)

	p := plan(1, 6)
	p.Cells[0].Options.MaxEvaluations = 7
	_, err = Submit(t.Context(), dir, p, other, quick(), o)
	assert.ErrorContains(t, err, "max_evaluations 0 → 7")
}

// What is missing is submitted again only where the queue does not have it.
func TestAdviceOfCollect(t *testing.T) {
	f := newFake(t)
	dir := t.TempDir()
	s, err := submit(t, dir, plan(1, 6)) // three tasks
	require.NoError(t, err)
	name := s.Batch.arrayName
	advice := func() string {
		c, err := Collect(t.Context(), dir, false, quick())
		require.NoError(t, err)
		return c.Err().Error()
	}
	submits := "`lamcap sweep submit --out " + dir + "` submits "
	assert.Equal(t, "6 of 6 trials have no record: "+submits+"them", advice())
	f.queue("101|1|RUNNING|" + name(0) + "|None")
	assert.Equal(t, "6 of 6 trials have no record: tasks in the queue have 2; "+submits+"the others, 4", advice())
	complete(t, s.Batch, 0)
	complete(t, s.Batch, 2)
	assert.Equal(t, "2 of 6 trials have no record: tasks in the queue have them: collect again when those have ended", advice())
	f.queue("the queue is closed")
	assert.Contains(t, advice(), "what the queue has of them is not known (squeue prints")
	complete(t, s.Batch, 1)
	c, err := Collect(t.Context(), dir, false, quick())
	require.NoError(t, err)
	assert.NoError(t, c.Err())
}

// The folder is one process's while it is submitted from or collected in.
func TestTheLockIsHeld(t *testing.T) {
	newFake(t)
	dir := t.TempDir()
	_, err := submit(t, dir, plan(1, 2))
	require.NoError(t, err)
	store, err := sweep.OpenStore(dir)
	require.NoError(t, err)
	_, err = submit(t, dir, plan(1, 4))
	assert.ErrorContains(t, err, "in use by")
	_, err = Collect(t.Context(), dir, false, quick())
	assert.ErrorContains(t, err, "in use by")
	require.NoError(t, store.Close())
	_, err = Collect(t.Context(), dir, false, quick())
	assert.NoError(t, err)
}

func TestCancel(t *testing.T) {
	f := newFake(t)
	dir := t.TempDir()
	_, err := Cancel(t.Context(), dir, quick())
	assert.ErrorContains(t, err, "nothing was submitted from there")
	s, err := submit(t, dir, plan(4, 4))
	require.NoError(t, err)
	name := s.Batch.arrayName
	f.queue("102|0|RUNNING|"+name(1)+"|None", "102|1|PENDING|"+name(1)+"|None", "103|1|PENDING|"+name(2)+"|None", "900|0|RUNNING|other|None")
	jobs, err := Cancel(t.Context(), dir, quick())
	require.NoError(t, err)
	assert.Equal(t, []string{"102", "103"}, jobs)
	assert.Equal(t, []string{"102", "103"}, f.lines("cancelled"))
	f.queue()
	jobs, err = Cancel(t.Context(), dir, quick())
	require.NoError(t, err)
	assert.Empty(t, jobs)
	assert.Len(t, f.lines("cancelled"), 2, "scancel without jobs would be wrong")
	f.script("squeue", "exit 1")
	_, err = Cancel(t.Context(), dir, quick())
	assert.ErrorContains(t, err, "nothing was cancelled")
}

func TestMissingTable(t *testing.T) {
	assert.Nil(t, MissingTable(nil, nil))
	var jobs []sweep.Job
	for _, trial := range []uint64{0, 1, 2, 5, 7, 8} {
		jobs = append(jobs, sweep.Job{Cell: cell(6), Trial: trial})
	}
	jobs = append(jobs, sweep.Job{Cell: cell(7), Trial: 3})
	status := &Status{live: map[sweep.ID]bool{jobs[1].ID(): true, jobs[6].ID(): true}}
	got := MissingTable(jobs, status)
	assert.Equal(t, [][]any{{cell(6).Address, 6, 1, "0-2,5,7-8"}, {cell(7).Address, 1, 1, "3"}}, got.Rows)
	assert.Equal(t, []any{cell(7).Address, 1, nil, "3"}, MissingTable(jobs[6:], nil).Rows[0])
}
