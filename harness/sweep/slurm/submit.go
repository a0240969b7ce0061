package slurm

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"lamcap/harness/sweep"
	"lamcap/internal/files"
)

// Options say how trials are submitted.
type Options struct {
	// Minutes is how long a task should take, by the estimate of [sweep.Seconds]; 0
	// means [DefaultMinutes].
	Minutes float64
	// CPUs is how many trials a task runs side by side, each on one; 0 means 1.
	CPUs int
	// Partition and Time are those of sbatch, "" for the cluster's defaults.
	Partition, Time string
	// Arguments are further options of sbatch, a word each.
	Arguments []string
	// AllowProgramChange goes on with records that another program made.
	AllowProgramChange bool
	// Log gets notes, a line each; nil for none.
	Log io.Writer
	// Program is the path of lamcap on the nodes; "" means that of the process.
	Program string
	// Seconds estimates a trial; nil means [sweep.Seconds].
	Seconds func(sweep.Cell) float64
}

// DefaultMinutes is long beside what Slurm takes to start a task, and short beside
// what a lost node may cost.
const DefaultMinutes = 10

// Submission is what came of a [Submit].
type Submission struct {
	Batch *Batch // nil if nothing was to submit
	// Trials were submitted; Live are missing too, but tasks of earlier submissions
	// work on them or wait; Left did not fit into the cluster's queue.
	Trials, Live, Left int
	// Seconds is the estimate of what was submitted, on one core.
	Seconds float64
}

// Submit stores a plan in a folder, and hands its trials without a record to the cluster,
// but for those of tasks it still has. It holds the sweep's lock from the look at its
// records to the last sbatch. Records that contradict the plan or the program are an error,
// as for [sweep.Run].
//
// An error may come with a submission: what was submitted before it stays so, and
// submitting again goes on.
func Submit(ctx context.Context, dir string, plan *sweep.Plan, program sweep.Program, c *Client, o Options) (s *Submission, err error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	store, err := sweep.OpenStore(dir)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	have, err := store.Records()
	if err != nil {
		return nil, err
	}
	if err := sweep.OtherOptions(plan, have); err != nil {
		return nil, err
	}
	if err := sweep.OtherProgram(have, program); err != nil && !o.AllowProgramChange {
		return nil, err
	}
	if text := store.Replaces(plan, have); text != "" && o.Log != nil {
		fmt.Fprintf(o.Log, "note: %s\n", text)
	}
	if err := store.Save(plan, program); err != nil {
		return nil, err
	}
	return submitMissing(ctx, dir, plan, have, program, c, o)
}

// submitMissing hands over what is missing, while the lock is held.
func submitMissing(ctx context.Context, dir string, plan *sweep.Plan, have []sweep.Record, program sweep.Program, c *Client, o Options) (*Submission, error) {
	if o.Program == "" {
		var err error
		if o.Program, err = os.Executable(); err != nil {
			return nil, err
		}
	}
	if o.Minutes == 0 {
		o.Minutes = DefaultMinutes
	}
	if o.Seconds == nil {
		o.Seconds = sweep.Seconds
	}
	o.CPUs = max(o.CPUs, 1)
	missing := sweep.Missing(plan, have)
	if len(missing) == 0 {
		return &Submission{}, nil
	}
	// The controller is asked even if nothing was submitted before, so that a batch
	// is not written for one that does not answer.
	limits, err := c.Limits(ctx)
	if err != nil {
		return nil, notSubmitted(err)
	}
	live, tasks, err := liveJobs(ctx, dir, recorded(have), c)
	if err != nil {
		return nil, notSubmitted(err)
	}
	s := &Submission{}
	var jobs []sweep.Job
	for _, j := range missing {
		if live[j.ID()] {
			s.Live++
			continue
		}
		jobs = append(jobs, j)
	}
	b := &Batch{Program: program, CPUs: o.CPUs}
	b.Tasks = pack(jobs, o.Seconds, o.Minutes*60*float64(o.CPUs))
	if room := max(limits.Jobs-tasks, 0); len(b.Tasks) > room {
		for _, t := range b.Tasks[room:] {
			s.Left += len(t)
		}
		b.Tasks = b.Tasks[:room]
	}
	if len(b.Tasks) == 0 {
		return s, nil
	}
	if err := newBatch(dir, b); err != nil {
		return nil, err
	}
	s.Batch = b
	path := filepath.Join(b.Folder, "job.sh")
	err = files.Replace(path, func(w io.Writer) error {
		_, err := io.WriteString(w, script(o.Program, filepath.Join(b.Folder, "plan.json"), o.CPUs))
		return err
	})
	if err != nil {
		return s, err
	}
	for _, a := range split(len(b.Tasks), limits.ArraySize) {
		if err := b.submitArray(ctx, a, path, c, o); err != nil {
			return s, fmt.Errorf("tasks %d … %d of %d were not submitted: %w; submit again to go on", a.Offset, len(b.Tasks)-1, len(b.Tasks), err)
		}
		for _, task := range b.Tasks[a.Offset : a.Offset+a.Tasks] {
			s.Trials += len(task)
			for _, j := range task {
				s.Seconds += o.Seconds(j.Cell)
			}
		}
	}
	return s, nil
}

func notSubmitted(err error) error {
	return fmt.Errorf("%w: nothing was submitted, since what the cluster still works on is not known; submit again when it answers", err)
}

// submitArray notes an array, hands it to sbatch and notes its number.
func (b *Batch) submitArray(ctx context.Context, a Array, path string, c *Client, o Options) error {
	a.Submitted = time.Now().UTC().Truncate(time.Second)
	b.Arrays = append(b.Arrays, a)
	k := len(b.Arrays) - 1
	if err := b.writeArrays(); err != nil {
		b.Arrays = b.Arrays[:k]
		return err
	}
	answer, err := c.change(ctx, "sbatch", b.arguments(k, o, path)...)
	if err != nil {
		return err
	}
	job, err := parseJob(answer)
	if err != nil {
		return err
	}
	b.Arrays[k].Job = job
	return b.writeArrays()
}

// parseJob reads what sbatch --parsable prints: the number, and after a semicolon the
// cluster; lines of a site's own before it are no numbers.
func parseJob(answer string) (string, error) {
	lines := strings.Split(strings.TrimSpace(answer), "\n")
	job, _, _ := strings.Cut(strings.TrimSpace(lines[len(lines)-1]), ";")
	if !jobNumber(job) {
		return "", fmt.Errorf("sbatch --parsable prints %.200q: want the number of a job", oneLine(answer))
	}
	return job, nil
}

// liveJobs asks which trials tasks of earlier submissions still work on, and counts
// those tasks.
func liveJobs(ctx context.Context, dir string, have map[sweep.ID]bool, c *Client) (map[sweep.ID]bool, int, error) {
	batches, err := Batches(dir)
	if err != nil {
		return nil, 0, err
	}
	q, err := askQueue(ctx, batches, have, c)
	if err != nil {
		return nil, 0, err
	}
	live := map[sweep.ID]bool{}
	tasks := 0
	for _, b := range batches {
		for i, task := range b.Tasks {
			if _, ok := q[taskKey{b.Folder, i}]; !ok {
				continue
			}
			tasks++
			for _, j := range task {
				live[j.ID()] = true
			}
		}
	}
	return live, tasks, nil
}

// taskKey is a task of a batch.
type taskKey struct {
	folder string
	task   int
}

// askQueue maps tasks that are not done to what the queue says of them. Numbers of
// arrays that were not noted are learned from it.
func askQueue(ctx context.Context, batches []*Batch, have map[sweep.ID]bool, c *Client) (map[taskKey]Element, error) {
	type place struct {
		batch *Batch
		array int
	}
	places := map[string]place{}
	var names []string
	for _, b := range batches {
		for k, a := range b.Arrays {
			for i := range a.Tasks {
				if !done(b.Tasks[a.Offset+i], have) {
					places[b.arrayName(k)] = place{b, k}
					names = append(names, b.arrayName(k))
					break
				}
			}
		}
	}
	elements, err := c.Queue(ctx, names)
	if err != nil {
		return nil, err
	}
	q := map[taskKey]Element{}
	for _, e := range elements {
		p, ok := places[e.Name]
		if !ok {
			continue
		}
		a := &p.batch.Arrays[p.array]
		if e.Index >= a.Tasks {
			return nil, fmt.Errorf("squeue lists task %d of array %s (%s): want it below %d, as it was submitted", e.Index, e.Job, e.Name, a.Tasks)
		}
		if a.Job == "" {
			a.Job = e.Job
		}
		q[taskKey{p.batch.Folder, a.Offset + e.Index}] = e
	}
	return q, nil
}
