package slurm

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"lamcap/harness/sweep"
	"lamcap/harness/table"
)

// Status is what the files of a sweep and the queue say together.
type Status struct {
	Arrays []ArrayStatus
	// QueueError is why the queue is not known, and so which tasks are live: Slurm did not
	// answer, or what it said is not understood.
	QueueError error
	// Failed names files that say why trials of tasks that are not done have none.
	Failed []string
	// Held are the numbers of arrays with tasks that wait for scontrol release, and
	// what squeue says of them.
	Held map[string]string
	live map[sweep.ID]bool
}

// ArrayStatus counts the tasks of one array. Done, Failed, Gone and the States add up
// to Tasks where the queue is known; elsewhere Unknown replaces the latter two.
type ArrayStatus struct {
	Batch string // its number
	Job   string // of the array, "" if sbatch gave none
	First int    // task of the batch
	Tasks int
	Done  int // all trials have records, whoever made them
	// Failed ended with trials that failed, and are not in the queue.
	Failed int
	// Gone are neither done nor in the queue: lost, cancelled, never submitted.
	Gone    int
	Unknown int
	States  map[string]int // as squeue calls them, HELD for what must be released
}

const stateHeld = "HELD"

// ReadStatus joins the records of a sweep and the queue. A queue that cannot be known is no
// error.
func ReadStatus(ctx context.Context, dir string, have []sweep.Record, c *Client) (*Status, error) {
	batches, err := Batches(dir)
	if err != nil {
		return nil, err
	}
	s := &Status{Held: map[string]string{}, live: map[sweep.ID]bool{}}
	recorded := recorded(have)
	var q map[taskKey]Element
	q, s.QueueError = askQueue(ctx, batches, recorded, c)
	for _, b := range batches {
		for _, a := range b.Arrays {
			s.Arrays = append(s.Arrays, s.array(b, a, recorded, q))
		}
	}
	return s, nil
}

func (s *Status) array(b *Batch, a Array, have map[sweep.ID]bool, q map[taskKey]Element) ArrayStatus {
	out := ArrayStatus{Batch: b.number(), Job: a.Job, First: a.Offset, Tasks: a.Tasks, States: map[string]int{}}
	for i := a.Offset; i < a.Offset+a.Tasks; i++ {
		if done(b.Tasks[i], have) {
			out.Done++
			continue
		}
		failed := b.file(i, endFailed)
		_, err := os.Lstat(failed)
		e, live := q[taskKey{b.Folder, i}]
		switch {
		case live:
			state := e.State
			if e.Held() {
				state = stateHeld
				s.Held[e.Job] = e.Reason
			}
			out.States[state]++
			for _, j := range b.Tasks[i] {
				s.live[j.ID()] = true
			}
		case err == nil:
			out.Failed++
			s.Failed = append(s.Failed, failed)
		case s.QueueError != nil:
			out.Unknown++
		default:
			out.Gone++
		}
	}
	return out
}

// Abandoned keeps those of the missing trials that no task of the queue works on.
func (s *Status) Abandoned(missing []sweep.Job) []sweep.Job {
	return slices.DeleteFunc(slices.Clone(missing), func(j sweep.Job) bool { return s.live[j.ID()] })
}

// Table lists the arrays, nil if there are none.
func (s *Status) Table() *table.Table {
	if len(s.Arrays) == 0 {
		return nil
	}
	t := &table.Table{Name: "slurm", Title: "Slurm: tasks of each array, done by their records, else by the queue", Columns: []table.Column{
		{Key: "batch"}, {Key: "job"}, {Key: "first"}, {Key: "tasks"}, {Key: "done"}, {Key: "running"},
		{Key: "pending"}, {Key: "held"}, {Key: "other"}, {Key: "failed"}, {Key: "gone"}, {Key: "unknown"},
	}}
	for _, a := range s.Arrays {
		var job any
		if a.Job != "" {
			job = a.Job
		}
		t.Append(a.Batch, job, a.First, a.Tasks, a.Done, a.States["RUNNING"], a.States["PENDING"], a.States[stateHeld],
			other(a.States), a.Failed, a.Gone, a.Unknown)
	}
	t.Notes = s.notes()
	return t
}

// other lists the states that have no column, as squeue calls them.
func other(states map[string]int) any {
	var words []string
	for _, name := range slices.Sorted(maps.Keys(states)) {
		switch name {
		case "RUNNING", "PENDING", stateHeld:
			continue
		}
		words = append(words, name+" "+strconv.Itoa(states[name]))
	}
	if words == nil {
		return nil
	}
	return strings.Join(words, ", ")
}

func (s *Status) notes() []string {
	var notes []string
	for _, job := range slices.Sorted(maps.Keys(s.Held)) {
		notes = append(notes, fmt.Sprintf("array %s has tasks that are held (%s): `scontrol release %s` lets them go on", job, s.Held[job], job))
	}
	const most = 3
	for i, path := range s.Failed {
		if i == most {
			notes = append(notes, fmt.Sprintf("%d more tasks failed", len(s.Failed)-most))
			break
		}
		notes = append(notes, fmt.Sprintf("trials failed: %s says why, and the log of its task in %s", path, filepath.Join(filepath.Dir(path), "logs")))
	}
	gone := 0
	for _, a := range s.Arrays {
		gone += a.Gone
	}
	if gone > 0 {
		notes = append(notes, "tasks that are gone are neither done nor in the queue: `lamcap sweep submit` submits what they lack")
	}
	return notes
}
