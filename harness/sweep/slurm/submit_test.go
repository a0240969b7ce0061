package slurm

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"lamcap/harness/sweep"
)

// Sixteen trials, two a task, on a cluster whose arrays have three tasks at most.
func TestSubmitSplitsIntoArrays(t *testing.T) {
	f := newFake(t)
	dir := t.TempDir()
	s, err := submit(t, dir, plan(4, 4))
	require.NoError(t, err)
	assert.Equal(t, 16, s.Trials)
	assert.Equal(t, 16.0, s.Seconds)
	require.Len(t, s.Batch.Arrays, 3)
	for k, want := range []struct {
		array  string
		offset string
	}{{"--array=0-2", "0"}, {"--array=0-2", "3"}, {"--array=0-1", "6"}} {
		args := f.submitted(101 + k)
		assert.Contains(t, args, "--parsable")
		assert.Contains(t, args, want.array)
		assert.Contains(t, args, "--job-name="+s.Batch.Name+"-"+strconv.Itoa(k))
		assert.Contains(t, args, "--chdir="+s.Batch.Folder)
		assert.Contains(t, args, "--cpus-per-task=1")
		assert.Equal(t, []string{filepath.Join(s.Batch.Folder, "job.sh"), want.offset}, args[len(args)-2:])
		assert.Equal(t, strconv.Itoa(101+k), s.Batch.Arrays[k].Job)
	}
	assert.Nil(t, f.submitted(104))
	read, err := Batches(dir)
	require.NoError(t, err)
	assert.Equal(t, []*Batch{s.Batch}, read, "what is in the files")
}

// What the user gives sbatch stands before what the sweep relies on.
func TestSubmitArguments(t *testing.T) {
	f := newFake(t)
	o := options()
	o.Partition, o.Time, o.CPUs, o.Arguments = "long", "1:00:00", 4, []string{"--account=x y", "--job-name=mine"}
	s, err := Submit(t.Context(), t.TempDir(), plan(1, 8), testProgram(t), quick(), o)
	require.NoError(t, err)
	args := f.submitted(101)
	assert.Equal(t, []string{"--partition=long", "--time=1:00:00", "--requeue", "--account=x y", "--job-name=mine", "--parsable"}, args[:6])
	assert.Less(t, slices.Index(args, "--job-name=mine"), slices.Index(args, "--job-name="+s.Batch.arrayName(0)))
	assert.Contains(t, args, "--cpus-per-task=4")
	assert.Len(t, s.Batch.Tasks, 1, "eight trials of 1 s, four side by side, are a task of 2 s")
	for arg, says := range map[string]string{
		"--array=0-9": "its own arrays", "-a0-9": "its own arrays", "-Mbig": "SLURM_CLUSTERS", "--clusters": "SLURM_CLUSTERS",
		"-W": "sweep status", "account": "want one option",
	} {
		o.Arguments = []string{arg}
		_, err := Submit(t.Context(), t.TempDir(), plan(1, 1), testProgram(t), quick(), o)
		assert.ErrorContains(t, err, says, arg)
	}
}

// Tasks that the queue has, in whatever state, are not submitted a second time, nor
// are trials with a record.
func TestSubmitAgain(t *testing.T) {
	f := newFake(t)
	dir := t.TempDir()
	p := plan(4, 4)
	first, err := submit(t, dir, p)
	require.NoError(t, err)
	complete(t, first.Batch, 0)
	complete(t, first.Batch, 5)
	name := first.Batch.arrayName
	f.queue(
		"101|1|RUNNING|"+name(0)+"|None",
		"102|0|SOME_NEW_STATE|"+name(1)+"|None",
		"103|0|PENDING|"+name(2)+"|launch failed requeued held",
		"900|7|RUNNING|somebody|None",
	)
	second, err := submit(t, dir, p)
	require.NoError(t, err)
	assert.Equal(t, 6, second.Live)
	assert.Equal(t, 6, second.Trials)
	assert.NotEqual(t, first.Batch.Name, second.Batch.Name)
	var want []sweep.Job
	for _, i := range []int{2, 4, 7} {
		want = append(want, first.Batch.Tasks[i]...)
	}
	assert.Equal(t, want, slices.Concat(second.Batch.Tasks...))

	// All is done: nothing is asked or submitted.
	for _, b := range []*Batch{first.Batch, second.Batch} {
		for i := range b.Tasks {
			complete(t, b, i)
		}
	}
	f.script("squeue", "exit 1")
	third, err := submit(t, dir, p)
	require.NoError(t, err)
	assert.Nil(t, third.Batch)
	assert.Nil(t, f.submitted(105))
}

// A controller that does not answer: nothing is submitted, since what it still works
// on is not known.
func TestSubmitWithoutController(t *testing.T) {
	f := newFake(t)
	dir := t.TempDir()
	_, err := submit(t, dir, plan(1, 4))
	require.NoError(t, err)
	f.script("squeue", "echo 'slurm_load_jobs error: Unable to contact slurm controller (connect failure)' >&2; exit 1")
	_, err = submit(t, dir, plan(1, 4))
	assert.ErrorContains(t, err, "squeue: exit status 1: slurm_load_jobs error: Unable to contact slurm controller (connect failure)")
	assert.ErrorContains(t, err, "nothing was submitted")
	f.script("squeue", "echo nonsense")
	_, err = submit(t, dir, plan(1, 4))
	assert.ErrorContains(t, err, `squeue prints "nonsense"`)
	f.script("scontrol", "exit 1")
	_, err = submit(t, t.TempDir(), plan(1, 4))
	assert.ErrorContains(t, err, "scontrol: exit status 1: nothing was submitted")
	assert.Nil(t, f.submitted(102))
}

// What does not answer is killed with its children, which hold its output open.
func TestPatience(t *testing.T) {
	f := newFake(t)
	f.script("squeue", `sh -c 'echo $$ >"$FAKE/child"; exec sleep 60' & wait`)
	start := time.Now()
	_, err := (&Client{Query: 500 * time.Millisecond}).Queue(t.Context(), []string{"lamcap-x-0"})
	assert.ErrorContains(t, err, "squeue did not answer within 500ms")
	assert.Less(t, time.Since(start), 20*time.Second)
	require.Len(t, f.lines("child"), 1)
	child := f.lines("child")[0]
	assert.Eventually(t, func() bool {
		state, err := os.ReadFile("/proc/" + child + "/status")
		return err != nil || strings.Contains(string(state), "State:\tZ")
	}, 10*time.Second, 10*time.Millisecond)

	ctx, stop := context.WithCancel(t.Context())
	stop()
	_, err = (&Client{}).Queue(ctx, []string{"lamcap-x-0"})
	assert.ErrorIs(t, err, context.Canceled)

	t.Setenv("PATH", t.TempDir())
	_, err = (&Client{}).Queue(t.Context(), []string{"lamcap-x-0"})
	assert.ErrorContains(t, err, "squeue is not on PATH: want a machine with Slurm's commands")
}

// squeue is asked for these arrays alone, whatever filters the user has set.
func TestQueueIsNotFiltered(t *testing.T) {
	f := newFake(t)
	t.Setenv("SQUEUE_STATES", "PENDING")
	t.Setenv("SQUEUE_FORMAT", "%i")
	f.script("squeue", `printf '%s\n' "$@" >"$FAKE/args"; env | grep ^SQUEUE_ >"$FAKE/env" || true`)
	_, err := quick().Queue(t.Context(), []string{"a-0", "a-1"})
	require.NoError(t, err)
	assert.Equal(t, []string{"-h", "-r", "--name=a-0,a-1", "-o", queueFormat}, f.lines("args"))
	assert.Equal(t, []string{""}, f.lines("env"))
}

// An sbatch that fails in the middle: what was submitted before it stays so, and
// submitting again goes on with the rest.
func TestSubmitFailsBetweenArrays(t *testing.T) {
	f := newFake(t)
	dir := t.TempDir()
	p := plan(4, 4)
	f.script("sbatch", `[ -e "$FAKE/sbatch.101" ] && { echo 'sbatch: error: Job violates accounting/QOS policy' >&2; exit 1; }`+"\n"+accept)
	s, err := submit(t, dir, p)
	assert.ErrorContains(t, err, "tasks 3 … 7 of 8 were not submitted: sbatch: exit status 1: sbatch: error: Job violates accounting/QOS policy")
	assert.Equal(t, 6, s.Trials)
	f.queue("101|0|PENDING|"+s.Batch.arrayName(0)+"|None", "101|1|PENDING|"+s.Batch.arrayName(0)+"|None", "101|2|PENDING|"+s.Batch.arrayName(0)+"|None")
	f.script("sbatch", accept)
	s, err = submit(t, dir, p)
	require.NoError(t, err)
	assert.Equal(t, 6, s.Live)
	assert.Equal(t, 10, s.Trials)
	assert.Len(t, s.Batch.Arrays, 2)
}

// A submission whose process ends after sbatch took an array and before its number was
// noted: the array is found by its name.
func TestSubmitDiesBeforeItNotes(t *testing.T) {
	f := newFake(t)
	dir := t.TempDir()
	p := plan(4, 4)
	f.script("sbatch", strings.Replace(accept, "echo $n", "exit 1", 1)+"\nexit 1")
	s, err := submit(t, dir, p)
	require.Error(t, err)
	assert.Equal(t, 0, s.Trials, "as far as is known")
	f.script("sbatch", accept)
	f.queue("101|1|RUNNING|" + s.Batch.arrayName(0) + "|None")
	status, err := ReadStatus(t.Context(), dir, nil, quick())
	require.NoError(t, err)
	require.Len(t, status.Arrays, 1)
	assert.Equal(t, "101", status.Arrays[0].Job)
	assert.Equal(t, 1, status.Arrays[0].States["RUNNING"])
	second, err := submit(t, dir, p)
	require.NoError(t, err)
	assert.Equal(t, 2, second.Live)
	assert.Equal(t, 14, second.Trials)
}

// More tasks than the controller keeps jobs: the rest is left for another time.
func TestSubmitLeavesWhatDoesNotFit(t *testing.T) {
	f := newFake(t)
	f.script("scontrol", "cat <<'EOT'\n"+config(3, 5)+"EOT")
	dir := t.TempDir()
	s, err := submit(t, dir, plan(4, 4))
	require.NoError(t, err)
	assert.Equal(t, 10, s.Trials)
	assert.Equal(t, 6, s.Left)
	name := s.Batch.arrayName(0)
	f.queue("101|0|PENDING|"+name+"|None", "101|1|PENDING|"+name+"|None", "101|2|PENDING|"+name+"|None")
	s, err = submit(t, dir, plan(4, 4))
	require.NoError(t, err)
	assert.Equal(t, 4, s.Trials, "two tasks, beside three that wait")
	assert.Equal(t, 6, s.Left)
}

// The script hands names to the program as they are.
func TestScriptQuotes(t *testing.T) {
	dir := t.TempDir()
	program := filepath.Join(dir, `it's "a" $HOME program`)
	require.NoError(t, os.WriteFile(program, []byte("#!/bin/sh\nprintf '%s\\n' \"$GOMAXPROCS\" \"$@\"\n"), 0o755))
	batch := "/a b/`c`/100%j's \\ plan.json"
	path := filepath.Join(dir, "job.sh")
	require.NoError(t, os.WriteFile(path, []byte(script(program, batch, 3)), 0o644))
	out, err := exec.Command("sh", path, "2000").Output()
	require.NoError(t, err)
	assert.Equal(t, "3\nsweep\ntask\n--batch\n"+batch+"\n--offset\n2000\n", string(out))
}

// Sbatch expands % in the names of logs.
func TestLogsOfFolderWithPercent(t *testing.T) {
	f := newFake(t)
	dir := filepath.Join(t.TempDir(), "100%j a b")
	s, err := Submit(t.Context(), dir, plan(1, 1), testProgram(t), quick(), options())
	require.NoError(t, err)
	assert.Contains(t, f.submitted(101), "--output="+strings.Replace(s.Batch.Folder, "%", "%%", 1)+"/logs/%A_%a.log")
	_, err = Submit(t.Context(), filepath.Join(t.TempDir(), `a\b`), plan(1, 1), testProgram(t), quick(), options())
	assert.ErrorContains(t, err, "no backslash")
}
