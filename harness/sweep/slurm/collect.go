package slurm

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"lamcap/harness/sweep"
	"lamcap/harness/table"
	"lamcap/internal/files"
)

// workerPrefix tells records of tasks from those of a local run.
const workerPrefix = "slurm-"

// Collection is what a [Collect] did.
type Collection struct {
	Dir      string // of the sweep
	File     string // of the merged records
	Records  int    // in it
	Planned  int    // trials of the plan
	Missing  []sweep.Job
	Queue    *Status // where trials are missing: which of them tasks in the queue have
	Pruned   int     // files of tasks that were removed
	prunable bool
}

// Collect merges the records of tasks into one file, [sweep.CollectedFile], each trial
// once, which replaces the file that was there. The files of tasks may stay: they count
// once beside it. prune removes those of tasks that Slurm does not have, whose records are
// merged. It holds the sweep's lock.
func Collect(ctx context.Context, dir string, prune bool, c *Client) (out *Collection, err error) {
	plan, _, err := sweep.ReadPlan(sweep.PlanFile(dir))
	if errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("%s: no sweep is stored there: want the folder of lamcap sweep submit", dir)
	}
	if err != nil {
		return nil, err
	}
	store, err := sweep.OpenStore(dir)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	var live *liveTasks
	if prune { // before the records are read, so that what is written later stays
		if live, err = readLive(ctx, dir, c); err != nil {
			return nil, fmt.Errorf("%w: nothing was collected; it can be without --prune", err)
		}
	}
	have, err := store.Records()
	if err != nil {
		return nil, err
	}
	out = &Collection{Dir: dir, File: sweep.CollectedFile(dir), Planned: plan.Instances(), Missing: sweep.Missing(plan, have), prunable: prune}
	if out.Records, err = merge(out.File, have); err != nil {
		return nil, err
	}
	if prune {
		if out.Pruned, err = live.prune(have); err != nil {
			return out, err
		}
	}
	if len(out.Missing) > 0 {
		out.Queue, err = ReadStatus(ctx, dir, have, c)
	}
	return out, err
}

// Tables tell what was collected, and name the cells of trials without a record.
func (c *Collection) Tables() []*table.Table {
	t := &table.Table{Name: "collected", Vertical: true, Columns: []table.Column{
		{Key: "file"}, {Key: "records"}, {Key: "planned"}, {Key: "missing"}, {Key: "pruned"},
	}}
	var pruned any
	if c.prunable {
		pruned = c.Pruned
	}
	t.Append(c.File, c.Records, c.Planned, len(c.Missing), pruned)
	tables := []*table.Table{t}
	if m := MissingTable(c.Missing, c.Queue); m != nil {
		tables = append(tables, m)
	}
	return tables
}

// Err is an error if trials have no record, and says what to do about them.
func (c *Collection) Err() error {
	if len(c.Missing) == 0 {
		return nil
	}
	missing := fmt.Sprintf("%d of %d trials have no record", len(c.Missing), c.Planned)
	if err := c.Queue.QueueError; err != nil {
		return fmt.Errorf("%s: what the queue has of them is not known (%w): `lamcap sweep submit --out %s` submits those that it has not", missing, err, c.Dir)
	}
	abandoned := len(c.Queue.Abandoned(c.Missing))
	switch {
	case abandoned == 0:
		return fmt.Errorf("%s: tasks in the queue have them: collect again when those have ended", missing)
	case abandoned < len(c.Missing):
		return fmt.Errorf("%s: tasks in the queue have %d; `lamcap sweep submit --out %s` submits the others, %d", missing, len(c.Missing)-abandoned, c.Dir, abandoned)
	}
	return fmt.Errorf("%s: `lamcap sweep submit --out %s` submits them", missing, c.Dir)
}

// merge writes the records of tasks among those of a folder, read after its lock was taken,
// to a file. It returns how many there are.
func merge(path string, have []sweep.Record) (int, error) {
	n := 0
	if err := files.MakeFolder(filepath.Dir(path)); err != nil {
		return 0, err
	}
	err := files.Replace(path, func(w io.Writer) error {
		e := json.NewEncoder(w)
		for i := range have {
			if !strings.HasPrefix(have[i].Worker, workerPrefix) {
				continue // it is in a worker's file
			}
			if err := e.Encode(&have[i]); err != nil {
				return err
			}
			n++
		}
		return nil
	})
	return n, err
}

// liveTasks are those that Slurm still has, whose files must stay.
type liveTasks struct {
	batches []*Batch
	queue   map[taskKey]Element
}

// readLive asks the queue.
func readLive(ctx context.Context, dir string, c *Client) (*liveTasks, error) {
	batches, err := Batches(dir)
	if err != nil {
		return nil, err
	}
	// Tasks that are done may be in the queue too: all are asked for.
	q, err := askQueue(ctx, batches, nil, c)
	return &liveTasks{batches, q}, err
}

// prune removes the files of tasks that were not live, and whose records are all in have,
// which were read and collected after the queue was asked. It returns how many files
// there were.
func (l *liveTasks) prune(have []sweep.Record) (int, error) {
	known := recorded(have)
	removed := 0
	for _, b := range l.batches {
		for i := range b.Tasks {
			if _, ok := l.queue[taskKey{b.Folder, i}]; ok {
				continue
			}
			t := &task{batch: b, index: i}
			for _, path := range t.files(endDone, ".*"+endPartial, ".*"+endPart) {
				if !contained(path, known) {
					continue
				}
				if err := os.Remove(path); err != nil {
					return removed, err
				}
				removed++
			}
		}
	}
	return removed, nil
}

// contained reports whether all records of a file are known. A torn end, as a lost
// attempt leaves it, holds none.
func contained(path string, known map[sweep.ID]bool) bool {
	torn, err := readRecords(path, func(r *sweep.Record, _ []byte) error {
		if !known[r.ID()] {
			return errUnknown
		}
		return nil
	})
	return err == nil && (len(torn) == 0 || strings.HasSuffix(path, endPart))
}

var errUnknown = errors.New("a record that was not collected")

// Cancel cancels the arrays of a sweep that the queue has, and no other job. It returns
// their numbers.
func Cancel(ctx context.Context, dir string, c *Client) ([]string, error) {
	batches, err := Batches(dir)
	if err != nil {
		return nil, err
	}
	if len(batches) == 0 {
		return nil, fmt.Errorf("%s: nothing was submitted from there: want the folder of lamcap sweep submit", dir)
	}
	q, err := askQueue(ctx, batches, nil, c)
	if err != nil {
		return nil, fmt.Errorf("%w: nothing was cancelled, since what the cluster still has is not known", err)
	}
	var jobs []string
	seen := map[string]bool{}
	for _, b := range batches {
		for _, a := range b.Arrays {
			for i := a.Offset; i < a.Offset+a.Tasks; i++ {
				if e, ok := q[taskKey{b.Folder, i}]; ok && !seen[e.Job] {
					seen[e.Job] = true
					jobs = append(jobs, e.Job)
				}
			}
		}
	}
	if len(jobs) == 0 {
		return nil, nil
	}
	_, err = c.change(ctx, "scancel", jobs...)
	return jobs, err
}
