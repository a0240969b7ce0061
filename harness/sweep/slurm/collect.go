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
	"lamcap/internal/files"
)

// workerPrefix tells records of tasks from those of a local run.
const workerPrefix = "slurm-"

// Collect merges the records of tasks into one file, [sweep.CollectedFile], each trial
// once, which replaces the file that was there. Have are all records of the folder, read
// after the sweep's lock was taken. It returns how many records the file has.
//
// The files of tasks stay where they are: they count once beside the merged ones. See
// [Prune].
func Collect(dir string, have []sweep.Record) (int, error) {
	n := 0
	path := sweep.CollectedFile(dir)
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

// Live lists the tasks that Slurm still has, whose files must stay.
type Live struct {
	batches []*Batch
	queue   map[taskKey]Element
}

// ReadLive asks the queue.
func ReadLive(ctx context.Context, dir string, c *Client) (*Live, error) {
	batches, err := Batches(dir)
	if err != nil {
		return nil, err
	}
	// Tasks that are done may be in the queue too: all are asked for.
	q, err := askQueue(ctx, batches, nil, c)
	return &Live{batches, q}, err
}

// Prune removes the files of tasks that were not live, and whose records are all in have,
// which were read and collected after the queue was asked. It returns how many files
// there were.
func Prune(live *Live, have []sweep.Record) (int, error) {
	known := recorded(have)
	removed := 0
	for _, b := range live.batches {
		for i := range b.Tasks {
			if _, ok := live.queue[taskKey{b.Folder, i}]; ok {
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
