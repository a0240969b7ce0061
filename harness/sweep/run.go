package sweep

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"runtime"
	"strings"
	"sync"
	"time"

	"lamcap/harness/progress"
	"lamcap/internal/files"
	"lamcap/internal/journal"
)

// RunOptions say how a plan is run. Results do not depend on them.
type RunOptions struct {
	Program Program // the one that runs, as of [CurrentProgram]
	Workers int     // trials side by side; 0 means GOMAXPROCS
	// FailFast stops at the first trial that fails: those in flight are finished.
	FailFast bool
	// AllowProgramChange goes on with records that another program made.
	AllowProgramChange bool
	// Progress is where progress is shown, nil for nowhere; Log where notes and failures
	// are, a line each, nil for nowhere.
	Progress *os.File
	Log      io.Writer

	// execute and stored are others in tests.
	execute func(Cell, uint64) (Record, error)
	stored  func(Job)
}

// Summary is what a run did.
type Summary struct {
	Planned int // trials of the plan
	Before  int // of them, those stored before
	New     int // of them, those stored by this run
	Failed  []Failure
	// Interrupted says that the context ended the run, FailedFast that the first
	// failure did, before all trials were tried.
	Interrupted, FailedFast bool
	Elapsed                 time.Duration
}

// Err is an error if the plan is not complete.
func (s Summary) Err() error {
	stored := fmt.Sprintf("%d of %d trials are stored", s.Before+s.New, s.Planned)
	var failed string
	if n := len(s.Failed); n > 0 {
		const shown = 10
		var list []string
		for _, f := range s.Failed[:min(n, shown)] {
			list = append(list, "\n  "+f.Error())
		}
		if n > shown {
			list = append(list, fmt.Sprintf("\n  and %d more", n-shown))
		}
		failed = fmt.Sprintf("%s failed, and will be tried again by the next run:%s", counted(n, "trial"), strings.Join(list, ""))
	}
	switch {
	case s.Interrupted && failed != "":
		return fmt.Errorf("interrupted: %s; run again to go on; %s", stored, failed)
	case s.Interrupted:
		return fmt.Errorf("interrupted: %s; run again to go on", stored)
	case s.FailedFast:
		return fmt.Errorf("stopped at the first failure: %s; %s", stored, failed)
	case failed != "":
		return fmt.Errorf("%s; %s", stored, failed)
	}
	return nil
}

func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// Run runs the trials of a plan that have no record in the folder, and appends a record
// of each to the file of the worker that ran it. It holds the folder's lock meanwhile.
//
// A trial that fails is told at once and listed in the summary, and the others go on.
// When ctx ends, those in flight are finished. What ends the run with an error is a
// folder that cannot be used, records that contradict the plan or the program, and a
// record that cannot be written: what was stored before stays stored, and the next run
// goes on from there.
func Run(ctx context.Context, p *Plan, dir string, o RunOptions) (s Summary, err error) {
	if err := p.validate(); err != nil {
		return s, err
	}
	started := time.Now()
	store, err := OpenStore(dir)
	if err != nil {
		return s, err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	r := &runner{options: o, store: store, failures: failures{dir: dir}}
	if err := r.prepare(p); err != nil {
		return r.summary, err
	}
	r.work(ctx, p)
	r.summary.Failed, r.summary.Elapsed = r.failures.list, time.Since(started)
	if r.broken != nil {
		r.broken.Stored, r.broken.Planned = r.summary.Before+r.summary.New, r.summary.Planned
		return r.summary, r.broken
	}
	return r.summary, nil
}

// runner is the state of a run.
type runner struct {
	options RunOptions
	store   *Store
	bar     *progress.Weighted
	worker  string // the host's part of the workers' names

	have map[ID]struct{}
	left map[Address]int // missing trials of each cell that is not complete

	mu       sync.Mutex
	next     func() (Job, bool)
	failures failures
	summary  Summary
	stopped  bool // no more jobs
	broken   *StoreError
}

// prepare reads what there is and refuses what contradicts it.
func (r *runner) prepare(p *Plan) error {
	have, err := r.store.Records()
	if err != nil {
		return err
	}
	if err := OtherOptions(p, have); err != nil {
		return err
	}
	var changed *ProgramError
	if err := OtherProgram(have, r.options.Program); errors.As(err, &changed) {
		if !r.options.AllowProgramChange {
			return err
		}
		r.note("note: %d stored records were made by another program: %s", changed.Records, changed.Old.change(changed.New))
	}
	r.noteMachines(have)
	r.have = identities(have)
	if text := r.store.Replaces(p, have); text != "" {
		r.note("note: %s", text)
	}
	if err := r.store.Save(p, r.options.Program); err != nil {
		return err
	}
	return r.failures.begin()
}

// noteMachines tells of records whose last bits may be others here.
func (r *runner) noteMachines(have []Record) {
	now := r.options.Program
	n, example := 0, Program{}
	for i := range have {
		if q := have[i].Program; q.Arch != now.Arch || q.Instructions != now.Instructions {
			n, example = n+1, q
		}
	}
	if n > 0 {
		r.note("note: %d stored records were made with instruction set %s of %s, new ones have %s of %s: last bits may differ between them",
			n, example.Instructions, example.Arch, now.Instructions, now.Arch)
	}
}

// note writes a line of what is worth knowing.
func (r *runner) note(format string, values ...any) {
	if r.options.Log != nil {
		r.bar.Print(r.options.Log, fmt.Sprintf(format, values...)+"\n")
	}
}

// work runs the missing trials, in the order of the plan.
func (r *runner) work(ctx context.Context, p *Plan) {
	r.left = make(map[Address]int, len(p.Cells))
	cost, total := 0.0, 0
	for j := range missing(p, r.have) {
		r.left[j.Cell.Address]++
		cost += Seconds(j.Cell)
		total++
	}
	r.summary.Planned, r.summary.Before = p.Instances(), p.Instances()-total
	if total == 0 {
		return
	}
	r.worker = "unknown"
	if host, err := os.Hostname(); err == nil {
		r.worker = strings.ToValidUTF8(host, "�")
	}
	r.bar = progress.NewWeighted(r.options.Progress, "trials", total, cost, func() string {
		return fmt.Sprintf("%d of %s", len(p.Cells)-len(r.left), counted(len(p.Cells), "cell"))
	})
	defer r.bar.Done()
	next, stop := iter.Pull(missing(p, r.have))
	defer stop()
	r.next = next
	workers := r.options.Workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	var group sync.WaitGroup
	for i := range min(workers, total) {
		group.Go(func() { r.serve(ctx, i) })
	}
	group.Wait()
	r.failures.end()
}

// job is the next one, if there is one and nothing speaks against it.
func (r *runner) job(ctx context.Context) (Job, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.stopped {
		return Job{}, false
	}
	j, ok := r.next()
	if ok && ctx.Err() != nil {
		r.stopped, r.summary.Interrupted = true, true
		return Job{}, false
	}
	return j, ok
}

// serve is one worker, with a file of its own.
func (r *runner) serve(ctx context.Context, i int) {
	j, ok := r.job(ctx)
	if !ok {
		return
	}
	file, path, torn, err := r.store.worker(i)
	if err != nil {
		r.breakOff(path, err)
		return
	}
	defer file.Close()
	if torn > 0 {
		r.mu.Lock()
		r.note("note: %s: cut %d bytes of a record that was not complete when an earlier run ended", path, torn)
		r.mu.Unlock()
	}
	for ; ok; j, ok = r.job(ctx) {
		if err := r.run(j, i, file); err != nil {
			r.breakOff(path, err)
			return
		}
	}
}

// run executes one job and stores it; the error is one of the store.
func (r *runner) run(j Job, i int, file *journal.Journal) error {
	execute := Execute
	if r.options.execute != nil {
		execute = r.options.execute
	}
	record, err := execute(j.Cell, j.Trial)
	var text []byte
	if err == nil {
		record.Program, record.Worker = r.options.Program, fmt.Sprintf("%s/worker-%03d", r.worker, i)
		if text, err = record.MarshalJSON(); err != nil {
			err = fmt.Errorf("%v, trial %d: not a possible record: %w", j.Cell.Address, j.Trial, err)
		}
	}
	if err != nil {
		r.failed(Failure{j, err.Error()})
		return nil
	}
	if err := file.Append(text); err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.summary.New++
	if r.left[j.Cell.Address]--; r.left[j.Cell.Address] == 0 {
		delete(r.left, j.Cell.Address)
	}
	if r.options.stored != nil {
		r.options.stored(j)
	}
	r.bar.Spend(Seconds(j.Cell))
	return nil
}

// failed tells of a trial that has no record.
func (r *runner) failed(f Failure) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.failures.add(f)
	r.note("failed: %s", f.Message)
	r.bar.Spend(Seconds(f.Cell))
	if r.options.FailFast && !r.stopped {
		r.stopped, r.summary.FailedFast = true, true
	}
}

// breakOff ends the run because nothing can be stored.
func (r *runner) breakOff(path string, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.stopped = true; r.broken == nil {
		r.broken = &StoreError{Path: path, Err: err}
	}
}

// StoreError says that a record could not be written, which ended the run.
type StoreError struct {
	Path            string
	Err             error
	Stored, Planned int // trials
}

// Error says what is safe and what to do.
func (e *StoreError) Error() string {
	return fmt.Sprintf("%s: no record can be written there: %v: the run was stopped; %d of %d trials are stored and stay so; put it right and run again, which goes on from there",
		e.Path, files.Cause(e.Err), e.Stored, e.Planned)
}

// Unwrap is the error of the file.
func (e *StoreError) Unwrap() error { return e.Err }
