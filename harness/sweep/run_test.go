package sweep

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"lamcap/harness/learn"
	"lamcap/harness/pattern"
)

// testProgram stands for the one that runs.
var testProgram = Program{Version: "v1", Revision: "abc", Arch: "amd64", Instructions: "avx2"}

// smallPlan has quick trials of every kind, 10 of each cell.
func smallPlan(trials int) *Plan {
	p := &Plan{Title: "small", Source: fmt.Sprintf("trials = %d\n", trials)}
	for _, model := range []pattern.Model{pattern.OP, pattern.DP} {
		for _, facts := range []int{8, 20} {
			c := Cell{Address: Address{
				Experiment: "small", Spec: pattern.Spec{Model: model, DIn: 5, DOut: 6, P: facts, N: facts}, Rank: 5, Seed: 3,
			}, Critical: 13}
			p.Cells = append(p.Cells, Work{c, trials})
			c.Rank = 3
			p.Cells = append(p.Cells, Work{c, trials})
			c.Rank, c.Measure, c.Options = 5, Training, Options{Spectrum: true, Scores: true}
			p.Cells = append(p.Cells, Work{c, trials})
		}
	}
	return p
}

// divergent is a cell whose trials fail.
func divergent(trials int) Work {
	return Work{Cell{
		Address: Address{Experiment: "small", Measure: Training, Spec: pattern.Spec{DIn: 5, DOut: 6, P: 20, N: 20}, Rank: 5, Rule: learn.GradientDescent, Seed: 3},
		Options: Options{LearningRate: 1e308}, Critical: 13,
	}, trials}
}

func run(t testing.TB, p *Plan, dir string, o RunOptions) (Summary, string, error) {
	t.Helper()
	var log strings.Builder
	o.Log = &log
	if o.Program == (Program{}) {
		o.Program = testProgram
	}
	s, err := Run(context.Background(), p, dir, o)
	return s, log.String(), err
}

// dump is all records without what is not reproducible.
func dump(t testing.TB, dir string) string {
	t.Helper()
	records, err := ReadRecords(dir)
	require.NoError(t, err)
	var b strings.Builder
	for i := range records {
		r := &records[i]
		text := appendCell([]byte{'{'}, &r.Cell)
		for _, f := range resultFields {
			if !f.free {
				text = appendFields(text, []field[Record]{f}, r)
			}
		}
		b.Write(append(text, '}', '\n'))
	}
	return b.String()
}

// lineCount counts the lines of all files of records, so also what ReadRecords counts
// once.
func lineCount(t testing.TB, dir string) int {
	t.Helper()
	sources, err := recordFiles(dir)
	require.NoError(t, err)
	n := 0
	for _, s := range sources {
		text, err := os.ReadFile(s.path)
		require.NoError(t, err)
		n += strings.Count(string(text), "\n")
	}
	return n
}

// A training that recalls little is not an undecided instance.
func TestRecordsTableOfTrainings(t *testing.T) {
	p := smallPlan(2)
	var records []Record
	for trial := range 2 {
		c := p.Cells[5].Cell // 20 facts, trained
		r, err := Execute(c, uint64(trial))
		require.NoError(t, err)
		records = append(records, r)
	}
	x := RecordsTable(p, records)
	n := len(x.Columns)
	require.Equal(t, "accuracy", x.Columns[n-2].Key)
	mean := (records[0].Result.Accuracy + records[1].Result.Accuracy) / 2
	require.Less(t, mean, 1.)
	assert.Equal(t, []any{2, 0, nil, nil, mean}, x.Rows[5][n-6:n-1])
	assert.Equal(t, []any{0, 0, 0, 0, nil}, x.Rows[0][n-6:n-1])
	assert.False(t, x.Columns[n-2].Hidden)
}

// A trial's record is the same whoever runs it and when.
func TestRecordsDoNotDependOnWorkers(t *testing.T) {
	p := smallPlan(6)
	var want string
	for _, workers := range []int{1, 2, 5} {
		dir := t.TempDir()
		s, log, err := run(t, p, dir, RunOptions{Workers: workers})
		require.NoError(t, err)
		require.NoError(t, s.Err())
		assert.Equal(t, p.Instances(), s.New)
		assert.Empty(t, log)
		files, err := filepath.Glob(filepath.Join(dir, "records", "worker-*.jsonl"))
		require.NoError(t, err)
		assert.LessOrEqual(t, len(files), workers) // one may come too late for a job
		if want == "" {
			want = dump(t, dir)
			require.Equal(t, p.Instances(), strings.Count(want, "\n"))
		}
		require.Equal(t, want, dump(t, dir))
		assert.Equal(t, p.Instances(), lineCount(t, dir))
	}
	// Nor on the order of the cells.
	dir := t.TempDir()
	reversed := &Plan{}
	for i := range p.Cells {
		reversed.Cells = append(reversed.Cells, p.Cells[len(p.Cells)-1-i])
	}
	_, _, err := run(t, reversed, dir, RunOptions{})
	require.NoError(t, err)
	assert.Equal(t, want, dump(t, dir))
}

// What is stored is not run again: only new cells and trials are.
func TestExtendedGridRunsNewTrialsOnly(t *testing.T) {
	dir := t.TempDir()
	var mu sync.Mutex
	ran := map[ID]int{}
	o := RunOptions{execute: func(c Cell, trial uint64) (Record, error) {
		mu.Lock()
		ran[ID{c.Address, trial}]++
		mu.Unlock()
		return Execute(c, trial)
	}}
	p := smallPlan(10)
	all := p.Cells
	p.Cells = all[:4]
	for _, step := range []struct{ before, added int }{{0, 40}, {40, 0}} {
		s, _, err := run(t, p, dir, o)
		require.NoError(t, err)
		assert.Equal(t, step.before, s.Before)
		assert.Equal(t, step.added, s.New)
	}
	p = smallPlan(20) // of 10, and of more cells
	s, _, err := run(t, p, dir, o)
	require.NoError(t, err)
	assert.Equal(t, 40, s.Before)
	assert.Equal(t, p.Instances()-40, s.New)
	assert.Len(t, ran, p.Instances())
	for id, n := range ran {
		require.Equal(t, 1, n, "%v", id)
	}
	fresh := t.TempDir()
	_, _, err = run(t, p, fresh, RunOptions{})
	require.NoError(t, err)
	assert.Equal(t, dump(t, fresh), dump(t, dir))

	// A smaller grid keeps what it does not ask for.
	p = smallPlan(5)
	p.Cells = p.Cells[:2]
	s, _, err = run(t, p, dir, o)
	require.NoError(t, err)
	assert.Equal(t, Summary{Planned: 10, Before: 10, Elapsed: s.Elapsed}, s)
	status, err := ReadStatus(dir)
	require.NoError(t, err)
	assert.Equal(t, 230, status.Outside)
	assert.Equal(t, []int{5, 5}, []int{status.Counts[0].Done, status.Counts[1].Done})
}

func TestFailedTrialsDoNotStopTheOthers(t *testing.T) {
	dir := t.TempDir()
	p := smallPlan(4)
	p.Cells = append([]Work{divergent(3)}, p.Cells...)
	for range 2 { // failed trials are tried again
		s, log, err := run(t, p, dir, RunOptions{})
		require.NoError(t, err)
		require.Len(t, s.Failed, 3)
		assert.Equal(t, 48, s.Before+s.New)
		slices.SortFunc(s.Failed, func(a, b Failure) int { return cmp.Compare(a.Trial, b.Trial) })
		want := "48 of 51 trials are stored; 3 trials failed, and will be tried again by the next run:"
		for i := range 3 {
			want += fmt.Sprintf("\n  small training op descent d_in=5 d_out=6 m=5 p=20 seed=3, trial %d: diverged: a NaN or an infinity appeared", i)
		}
		assert.EqualError(t, s.Err(), want)
		assert.Equal(t, 3, strings.Count(log, "failed: small training op descent"))
	}
}

// A fault of the program is told with its stack, and what is no cell with its address.
func TestExecuteNamesWhatFailed(t *testing.T) {
	c := smallPlan(1).Cells[0].Cell
	c.Spec.Keys = -1
	r, err := Execute(c, 7)
	assert.ErrorContains(t, err, "seed=3, trial 7: keys = embedding(-1): want gaussian or sphere")
	assert.Zero(t, r)

	c = smallPlan(1).Cells[0].Cell
	r, err = guard(c, 7, func(Cell, uint64) (Record, error) { panic("a fault") })
	assert.ErrorContains(t, err, "small storage op lbfgs d_in=5 d_out=6 m=5 p=8 seed=3, trial 7: panic: a fault\ngoroutine")
	assert.Zero(t, r)
}

func TestFailuresAreKept(t *testing.T) {
	dir := t.TempDir()
	p := smallPlan(2)
	bad := p.Cells[0].Address
	s, log, err := run(t, p, dir, RunOptions{execute: func(c Cell, trial uint64) (Record, error) {
		if c.Address == bad && trial == 1 {
			return Record{}, errors.New("a fault\nwith its stack")
		}
		return Execute(c, trial)
	}})
	require.NoError(t, err)
	require.Len(t, s.Failed, 1)
	assert.Equal(t, "failed: a fault\nwith its stack\n", log)
	assert.ErrorContains(t, s.Err(), "23 of 24 trials are stored; 1 trial failed, and will be tried again by the next run:\n  a fault")
	assert.NotContains(t, s.Err().Error(), "stack")

	status, err := ReadStatus(dir)
	require.NoError(t, err)
	assert.Equal(t, 1, status.Counts[0].Failed)
	require.Len(t, status.Failures, 1)
	assert.EqualValues(t, 1, status.Failures[0].Trial)
	notes := strings.Join(status.Table().Notes, "\n")
	assert.Contains(t, notes, "11 of 12 cells, 23 of 24 trials are stored.")
	assert.Contains(t, notes, "failed: ")

	// Of a plan without the trial it is none.
	require.NoError(t, WritePlan(PlanFile(dir), smallPlan(1), testProgram))
	status, err = ReadStatus(dir)
	require.NoError(t, err)
	assert.Empty(t, status.Failures)

	// The next run has it.
	s, _, err = run(t, p, dir, RunOptions{})
	require.NoError(t, err)
	assert.Equal(t, 1, s.New)
	assert.NoFileExists(t, failureFile(dir))
	status, err = ReadStatus(dir)
	require.NoError(t, err)
	assert.Empty(t, status.Failures)

	// What a later record made good, wherever it is from, is no failure any more.
	require.NoError(t, os.WriteFile(failureFile(dir), append((&Failure{Job{p.Cells[0].Cell, 1}, "a fault"}).marshal(), '\n'), 0o600))
	status, err = ReadStatus(dir)
	require.NoError(t, err)
	assert.Empty(t, status.Failures)
}

func TestFailFast(t *testing.T) {
	dir := t.TempDir()
	p := smallPlan(4)
	p.Cells = slices.Insert(p.Cells, 1, divergent(3))
	s, _, err := run(t, p, dir, RunOptions{Workers: 1, FailFast: true})
	require.NoError(t, err)
	assert.True(t, s.FailedFast)
	assert.Equal(t, 4, s.New, "those before the failure")
	assert.Len(t, s.Failed, 1)
	assert.ErrorContains(t, s.Err(), "stopped at the first failure: 4 of 51 trials are stored; 1 trial failed")

	dir = t.TempDir()
	s, _, err = run(t, p, dir, RunOptions{Workers: 3, FailFast: true})
	require.NoError(t, err)
	assert.LessOrEqual(t, len(s.Failed), 3)
	assert.Equal(t, s.New, lineCount(t, dir), "trials in flight are stored")
}

func TestInterruptedRunFinishesWhatItHasBegun(t *testing.T) {
	dir := t.TempDir()
	p := smallPlan(5)
	ctx, stop := context.WithCancel(context.Background())
	var begun atomic.Int64
	s, err := Run(ctx, p, dir, RunOptions{Program: testProgram, Workers: 3, execute: func(c Cell, trial uint64) (Record, error) {
		if begun.Add(1) == 10 {
			stop()
		}
		return Execute(c, trial)
	}})
	require.NoError(t, err)
	assert.True(t, s.Interrupted)
	assert.EqualValues(t, begun.Load(), s.New)
	assert.Less(t, s.New, 14)
	assert.EqualError(t, s.Err(), fmt.Sprintf("interrupted: %d of 60 trials are stored; run again to go on", s.New))
	s, _, err = run(t, p, dir, RunOptions{})
	require.NoError(t, err)
	require.NoError(t, s.Err())
	fresh := t.TempDir()
	_, _, err = run(t, p, fresh, RunOptions{})
	require.NoError(t, err)
	assert.Equal(t, dump(t, fresh), dump(t, dir))
}

// Two runs on one folder: the second is refused and changes nothing.
func TestSecondRunIsRefused(t *testing.T) {
	dir := t.TempDir()
	p := smallPlan(1)
	var once sync.Once
	_, _, err := run(t, p, dir, RunOptions{execute: func(c Cell, trial uint64) (Record, error) {
		once.Do(func() {
			_, _, err := run(t, smallPlan(2), dir, RunOptions{})
			assert.ErrorContains(t, err, fmt.Sprintf("out = %s: in use by process %d on ", dir, os.Getpid()))
			status, err := ReadStatus(dir)
			if assert.NoError(t, err) {
				assert.Contains(t, status.Holder, fmt.Sprint(os.Getpid()))
				assert.Equal(t, p.Source, status.Plan.Source)
			}
		})
		return Execute(c, trial)
	}})
	require.NoError(t, err)
	_, _, err = run(t, smallPlan(2), dir, RunOptions{})
	require.NoError(t, err)
	status, err := ReadStatus(dir)
	require.NoError(t, err)
	assert.Empty(t, status.Holder)
}

func TestProgramChange(t *testing.T) {
	dir := t.TempDir()
	p := smallPlan(1)
	_, _, err := run(t, p, dir, RunOptions{})
	require.NoError(t, err)
	p = smallPlan(2)
	other := Program{Version: "v2", Revision: "abd", Modified: true, Build: "f00", Arch: "amd64", Instructions: "avx2"}
	_, _, err = run(t, p, dir, RunOptions{Program: other})
	require.EqualError(t, err, "12 stored records were made by another program: version v1 → v2, revision abc → abd, modified false → true, build none → f00: "+
		"numbers of two revisions may differ; go on with the program that made them, or write to another folder")
	var change *ProgramError
	require.ErrorAs(t, err, &change)
	status, err := ReadStatus(dir)
	require.NoError(t, err)
	assert.Equal(t, testProgram, status.Program, "nothing was changed")

	s, log, err := run(t, p, dir, RunOptions{Program: other, AllowProgramChange: true})
	require.NoError(t, err)
	assert.Equal(t, 12, s.New)
	assert.Contains(t, log, "note: 12 stored records were made by another program: version v1 → v2")
	records, err := ReadRecords(dir)
	require.NoError(t, err)
	for _, r := range records {
		want := testProgram
		if r.Trial == 1 {
			want = other
		}
		assert.Equal(t, want, r.Program)
	}

	// Another machine is no other program.
	dir = t.TempDir()
	_, _, err = run(t, smallPlan(1), dir, RunOptions{})
	require.NoError(t, err)
	machine := testProgram
	machine.Instructions = "avx512"
	_, log, err = run(t, p, dir, RunOptions{Program: machine})
	require.NoError(t, err)
	assert.Equal(t, "note: 12 stored records were made with instruction set avx2 of amd64, new ones have avx512 of amd64: last bits may differ between them\n", log)
}

func TestContradictingGridIsRefused(t *testing.T) {
	dir := t.TempDir()
	_, _, err := run(t, smallPlan(1), dir, RunOptions{})
	require.NoError(t, err)
	before := dump(t, dir)
	p := smallPlan(2)
	p.Cells[0].Options = Options{MaxEvaluations: 100, LearningRate: 0.5}
	_, _, err = run(t, p, dir, RunOptions{AllowProgramChange: true})
	assert.EqualError(t, err, "the grid contradicts stored records of small storage op lbfgs d_in=5 d_out=6 m=5 p=8 seed=3: "+
		"max_evaluations 0 → 100, learning_rate 0 → 0.5: give the experiment another name, or write to another folder")
	assert.Equal(t, before, dump(t, dir))

	p = smallPlan(1)
	p.Cells = append(p.Cells, p.Cells[2])
	_, _, err = run(t, p, dir, RunOptions{})
	assert.ErrorContains(t, err, "is planned twice")
	p.Cells[0].Trials = 0
	_, _, err = run(t, p, dir, RunOptions{})
	assert.ErrorContains(t, err, "trials = 0: want ≥ 1")
}

// A folder that was not made by a sweep may have a grid of its own.
func TestGridOfOthersIsKept(t *testing.T) {
	dir := t.TempDir()
	p := smallPlan(1)
	require.NoError(t, os.WriteFile(GridFile(dir), []byte("mine"), 0o600))
	_, _, err := run(t, p, dir, RunOptions{})
	require.ErrorContains(t, err, "has a grid.toml of its own")

	dir = t.TempDir()
	require.NoError(t, os.WriteFile(GridFile(dir), []byte(p.Source), 0o600))
	_, _, err = run(t, p, dir, RunOptions{})
	require.NoError(t, err, "the same grid")
	_, _, err = run(t, smallPlan(2), dir, RunOptions{})
	require.NoError(t, err, "an extended grid in the folder of a sweep")
}

func TestPlansReadBack(t *testing.T) {
	path := filepath.Join(t.TempDir(), "plan.json")
	p := smallPlan(3)
	p.Title, p.Source = "a \"title\"\n", "κ = [\"<\"]\n"
	require.NoError(t, WritePlan(path, p, testProgram))
	back, program, err := ReadPlan(path)
	require.NoError(t, err)
	assert.Equal(t, p, back)
	assert.Equal(t, testProgram, program)

	text, err := os.ReadFile(path)
	require.NoError(t, err)
	for _, c := range []struct{ old, new, want string }{
		{`"format":1,"title"`, `"format":2,"title"`, "format = 2"},
		{`"title"`, `"colour":1,"title"`, "colour"},
		{`"program_version"`, `"version"`, "program_version is missing"},
		{`"trials":3`, `"trials":0`, "trials = 0"},
		{`"rank":5`, `"rank":3`, "kappa = 1: want 0.6"},
		{"]}\n", "]}\n1", "more follows"},
		{"]}\n", "", "unexpected EOF"},
	} {
		require.Contains(t, string(text), c.old)
		require.NoError(t, os.WriteFile(path, []byte(strings.Replace(string(text), c.old, c.new, 1)), 0o600))
		_, _, err = ReadPlan(path)
		assert.ErrorContains(t, err, path+": not a plan: ")
		assert.ErrorContains(t, err, c.want)
	}
	bad := &Plan{Cells: []Work{{}}}
	require.Error(t, WritePlan(path, bad, testProgram))
	_, _, err = ReadPlan(filepath.Join(t.TempDir(), "none"))
	assert.True(t, errors.Is(err, os.ErrNotExist))
}
