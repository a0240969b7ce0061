package slurm

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"lamcap/harness/sweep"
	"lamcap/internal/files"
	"lamcap/internal/journal"
)

// Attempt is one run of a task, as Slurm numbers them.
type Attempt struct {
	Job     string // number of the job, which is the task's own
	Restart int    // how often it was requeued
	Node    string
}

// Ends of the names of a task's files.
const (
	endDone    = ".jsonl"
	endPartial = ".partial.jsonl"
	endPart    = ".part"
	endFailed  = ".failed"
)

// ErrInterrupted says that a task was told to end before all its trials were run.
var ErrInterrupted = errors.New("told to end before all trials were run: those that were are kept")

// RunTask runs the trials of task i of a batch that no earlier attempt has recorded,
// b.CPUs side by side, and gives the file of records the task's name when all are in
// it. The error names trials that failed; the others count all the same. When ctx
// ends, it returns at once with [ErrInterrupted]: trials in flight are lost, those
// before them are kept under a name that counts.
//
// The program must be that of the plan but for the machine: records of another are
// another sweep's. Log gets a line for what happens.
func RunTask(ctx context.Context, plan string, i int, now sweep.Program, a Attempt, log io.Writer) error {
	b, err := readPlan(plan)
	if err != nil {
		return err
	}
	if i < 0 || i >= len(b.Tasks) {
		return fmt.Errorf("task %d of %s: want 0 ≤ task < %d", i, plan, len(b.Tasks))
	}
	if !now.Same(b.Program) {
		err := fmt.Errorf("the program on node %s is %v, and the sweep was submitted by %v: want the same, since numbers of two may differ", a.Node, now, b.Program)
		return errors.Join(err, b.writeFailed(i, []error{err}))
	}
	t := &task{batch: b, index: i, attempt: a, program: now, jobs: b.Tasks[i], log: log}
	return t.run(ctx)
}

// task is a task at work.
type task struct {
	batch   *Batch
	index   int
	attempt Attempt
	program sweep.Program
	jobs    []sweep.Job
	log     io.Writer

	mu     sync.Mutex
	path   string           // of the file of this attempt
	part   *journal.Journal // nil when no record is taken any more
	todo   []sweep.Job
	next   int // of todo
	ended  int // of todo: recorded or failed
	failed []error
	broken error // why records cannot be written
}

func (t *task) run(ctx context.Context) error {
	final := t.batch.file(t.index, endDone)
	earlier := t.earlier()
	t.todo = slices.DeleteFunc(slices.Clone(t.jobs), func(j sweep.Job) bool {
		_, ok := earlier[j.ID()]
		return ok
	})
	if _, err := os.Lstat(final); err == nil && len(t.todo) == 0 {
		t.say("complete before: nothing to do")
		return nil
	}
	t.say("%d trials, %d of them recorded by earlier attempts", len(t.jobs), len(earlier))
	if err := t.open(earlier); err != nil {
		return err
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		var workers sync.WaitGroup
		for range t.batch.CPUs {
			workers.Go(t.work)
		}
		workers.Wait()
	}()
	select {
	case <-done:
	case <-ctx.Done():
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	finished := t.broken == nil && t.ended == len(t.todo)
	err := t.close(final, finished)
	t.part = nil
	switch {
	case err != nil || t.broken != nil:
		return errors.Join(t.broken, err)
	case !finished:
		return ErrInterrupted
	}
	t.removeParts()
	if len(t.failed) > 0 {
		return errors.Join(fmt.Errorf("%d of %d trials failed; the others are recorded", len(t.failed), len(t.jobs)), t.batch.writeFailed(t.index, t.failed))
	}
	if err := os.Remove(t.batch.file(t.index, endFailed)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	t.say("complete: %d records", len(t.jobs))
	return nil
}

// open makes the file of this attempt and copies what earlier ones recorded.
func (t *task) open(earlier map[sweep.ID][]byte) error {
	// The name tells the attempt; that it is unique does not rest on Slurm's numbers.
	f, err := os.CreateTemp(t.batch.Folder, fmt.Sprintf("task-%05d.%s.%d.*%s", t.index, t.attempt.Job, t.attempt.Restart, endPart))
	if err != nil {
		return err
	}
	t.path = f.Name()
	err = f.Chmod(0o644)
	for _, j := range t.jobs {
		if line, ok := earlier[j.ID()]; ok && err == nil {
			_, err = f.Write(append(line, '\n'))
		}
	}
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return errors.Join(err, os.Remove(t.path))
	}
	t.part, _, err = journal.Open(t.path)
	return err
}

// close gives the file of this attempt the name of the task if it is finished, else
// one that counts for what it is. An attempt that cannot write leaves its file as it
// is: its whole lines are taken by the next.
func (t *task) close(final string, finished bool) error {
	if err := t.part.Close(); err != nil || t.broken != nil {
		return err
	}
	to := final
	if !finished {
		to = strings.TrimSuffix(t.path, endPart) + endPartial
	}
	err := os.Rename(t.path, to)
	if errors.Is(err, fs.ErrNotExist) && finished {
		// Another attempt was complete first, and tidied up.
		if _, there := os.Lstat(final); there == nil {
			return nil
		}
	}
	if err != nil {
		return err
	}
	return files.SyncFolder(t.batch.Folder)
}

// work runs trials until there are no more, or nobody takes records any more.
func (t *task) work() {
	for {
		t.mu.Lock()
		if t.part == nil || t.broken != nil || t.next == len(t.todo) {
			t.mu.Unlock()
			return
		}
		j := t.todo[t.next]
		t.next++
		t.mu.Unlock()
		r, err := sweep.Execute(j.Cell, j.Trial)
		var line []byte
		if err == nil {
			r.Program, r.Worker = t.program, t.worker()
			line, err = json.Marshal(r)
		}
		t.mu.Lock()
		if t.part != nil && t.broken == nil {
			t.take(j, line, err)
		}
		t.mu.Unlock()
	}
}

// take keeps a record, or why there is none. The lock is held.
func (t *task) take(j sweep.Job, line []byte, err error) {
	t.ended++
	if err != nil {
		if !strings.Contains(err.Error(), j.Cell.String()) {
			err = fmt.Errorf("%v, trial %d: %w", j.Cell.Address, j.Trial, err)
		}
		t.failed = append(t.failed, err)
		t.say("failed: %v", err)
		return
	}
	if err := t.part.Append(line); err != nil {
		t.broken = fmt.Errorf("records cannot be written: %w; the trials of this attempt that are whole are taken by the next", err)
	}
}

func (t *task) worker() string {
	return fmt.Sprintf("%s%s.%d@%s", workerPrefix, t.attempt.Job, t.attempt.Restart, t.attempt.Node)
}

func (t *task) say(format string, values ...any) {
	fmt.Fprintf(t.log, "task %d of batch %s, job %s.%d on %s: %s\n", t.index, t.batch.number(), t.attempt.Job, t.attempt.Restart, t.attempt.Node, fmt.Sprintf(format, values...))
}

// earlier collects the lines of trials that other attempts have recorded, whole and of
// this program. One may still run: what it has synced is as good.
func (t *task) earlier() map[sweep.ID][]byte {
	want := map[sweep.ID]sweep.Cell{}
	for _, j := range t.jobs {
		want[j.ID()] = j.Cell
	}
	lines := map[sweep.ID][]byte{}
	for _, path := range t.files(endDone, ".*"+endPartial, ".*"+endPart) {
		// A file that was renamed or removed meanwhile has nothing for this attempt, and
		// after a line that is no record nothing is trusted.
		_, _ = readRecords(path, func(r *sweep.Record, line []byte) error {
			if c, ok := want[r.ID()]; ok && c.Options == r.Options && r.Program.Same(t.program) {
				lines[r.ID()] = bytes.Clone(line)
			}
			return nil
		})
	}
	return lines
}

// readRecords calls f with the records of a file and their lines, until it or a line
// is wrong. It returns what is torn at the end.
func readRecords(path string, f func(r *sweep.Record, line []byte) error) ([]byte, error) {
	return journal.Lines(path, func(_ int, line []byte) error {
		var r sweep.Record
		if err := json.Unmarshal(line, &r); err != nil {
			return err
		}
		return f(&r, line)
	})
}

// files lists those of the task whose names end as given.
func (t *task) files(ends ...string) []string {
	var all []string
	for _, end := range ends {
		found, err := filepath.Glob(escape(t.batch.file(t.index, "")) + end)
		if err == nil { // a pattern that is wrong, which it is not
			all = append(all, found...)
		}
	}
	return all
}

// removeParts tidies up after attempts that were lost. Partial files, which count, are
// left to those who merge them.
func (t *task) removeParts() {
	for _, path := range t.files(".*" + endPart) {
		_ = os.Remove(path) // left behind at worst
	}
}

// writeFailed notes for people why trials of task i have no record.
func (b *Batch) writeFailed(i int, failed []error) error {
	return files.Replace(b.file(i, endFailed), func(w io.Writer) error {
		_, err := fmt.Fprintln(w, errors.Join(failed...))
		return err
	})
}
