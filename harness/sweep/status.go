package sweep

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"

	"lamcap/harness/table"
	"lamcap/harness/trial"
	"lamcap/internal/filelock"
)

// Count is what the records of a cell say.
type Count struct {
	Done                           int // records, the sum of the next three
	Stored, NotStorable, Undecided int
	Accuracy                       float64 // summed over records
	Seconds                        float64 // of all trials, as if one after the other
	Failed                         int     // trials that failed in the latest run and are still missing
}

// add counts a record.
func (c *Count) add(r *Record) {
	c.Done++
	c.Accuracy += r.Result.Accuracy
	c.Seconds += r.Result.Seconds
	switch r.Result.Outcome {
	case trial.Stored:
		c.Stored++
	case trial.NotStorable:
		c.NotStorable++
	default:
		c.Undecided++
	}
}

// Status is how far the sweep in a folder is.
type Status struct {
	Dir     string
	Plan    *Plan   // of the latest run or submission
	Program Program // of the latest run or submission
	// Counts are those of the cells of the plan, trials beyond the plan's left out.
	Counts []Count
	// Outside is the number of records that the plan does not ask for.
	Outside int
	// Failures are the trials that failed in the latest run and are still missing.
	Failures []Failure
	// Holder says which process works in the folder, "" if none does.
	Holder string
	// Records are all there are.
	Records []Record
}

// ReadStatus reads what the files in a folder say; a sweep may be running there.
func ReadStatus(dir string) (*Status, error) {
	records, err := ReadRecords(dir)
	if err != nil {
		return nil, err
	}
	plan, program, err := ReadPlan(PlanFile(dir))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: no sweep is stored there: want the folder that one was written to", dir)
	}
	if err != nil {
		return nil, err
	}
	failures, err := readFailures(dir)
	if err != nil {
		return nil, err
	}
	s := &Status{Dir: dir, Plan: plan, Program: program, Records: records}
	if s.Holder, _, err = filelock.Holder(lockFile(dir)); err != nil && !errors.Is(err, os.ErrPermission) {
		return nil, err
	}
	s.Counts, s.Outside = CountRecords(plan, records)
	have, cells := identities(records), plan.index()
	for _, f := range failures {
		i, planned := cells[f.Cell.Address]
		if _, done := have[f.ID()]; planned && !done && f.Trial < uint64(plan.Cells[i].Trials) {
			s.Counts[i].Failed++
			s.Failures = append(s.Failures, f)
		}
	}
	return s, nil
}

// CountRecords counts the records of each cell of a plan, and those of others.
func CountRecords(p *Plan, records []Record) (counts []Count, outside int) {
	counts = make([]Count, len(p.Cells))
	cells := p.index()
	for i := range records {
		r := &records[i]
		if k, planned := cells[r.Address]; planned && r.Trial < uint64(p.Cells[k].Trials) {
			counts[k].add(r)
		} else {
			outside++
		}
	}
	return counts, outside
}

// index is where the cell of an address is.
func (p *Plan) index() map[Address]int {
	m := make(map[Address]int, len(p.Cells))
	for i, w := range p.Cells {
		m[w.Address] = i
	}
	return m
}

// Extra is a column beside those of a status.
type Extra struct {
	table.Column
	Value func(cell int) any // of the plan's cell of that number
}

// Table lists the cells with what is done and what is missing.
func (s *Status) Table(extra ...Extra) *table.Table {
	t := &table.Table{Name: "sweep_status", Title: s.Plan.Title, Columns: append(cellColumns(),
		table.Column{Key: "trials"}, table.Column{Key: "done"}, table.Column{Key: "missing"}, table.Column{Key: "failed"})}
	for _, e := range extra {
		t.Columns = append(t.Columns, e.Column)
	}
	planned, done, complete := 0, 0, 0
	for i, w := range s.Plan.Cells {
		c := s.Counts[i]
		row := append(cellValues(w.Cell), w.Trials, c.Done, w.Trials-c.Done, c.Failed)
		for _, e := range extra {
			row = append(row, e.Value(i))
		}
		t.Append(row...)
		planned, done = planned+w.Trials, done+c.Done
		if c.Done == w.Trials {
			complete++
		}
	}
	t.Notes = append(t.Notes, fmt.Sprintf("%d of %s, %d of %s are stored.", complete, counted(len(s.Plan.Cells), "cell"), done, counted(planned, "trial")))
	if s.Outside > 0 {
		t.Notes = append(t.Notes, fmt.Sprintf("Besides, %s that the grid does not ask for.", counted(s.Outside, "record")))
	}
	const shown = 10
	for i, f := range s.Failures {
		if i == shown {
			t.Notes = append(t.Notes, fmt.Sprintf("and %d more.", len(s.Failures)-i))
			break
		}
		t.Notes = append(t.Notes, "failed: "+f.Error())
	}
	if s.Holder != "" {
		t.Notes = append(t.Notes, "In use by "+s.Holder+".")
	} else if done < planned {
		t.Notes = append(t.Notes, "No process of lamcap sweep run works there.")
	}
	t.Notes = append(t.Notes, "Program: "+s.Program.String()+".")
	return t
}

// RecordsTable lists the cells with what their records say. A training decides nothing: a memory
// that recalls everything is stored, of one that does not its accuracy is told.
func RecordsTable(p *Plan, records []Record) *table.Table {
	t := &table.Table{Name: "sweep_run", Title: p.Title, Columns: append(cellColumns(),
		table.Column{Key: "trials"}, table.Column{Key: "stored"}, table.Column{Key: "not_storable"}, table.Column{Key: "undecided"},
		table.Column{Key: "accuracy", Digits: 3, Hidden: !slices.ContainsFunc(p.Cells, func(w Work) bool { return w.Measure == Training })},
		table.Column{Key: "seconds", Head: "s", Digits: 2})}
	counts, outside := CountRecords(p, records)
	for i, w := range p.Cells {
		c := counts[i]
		var notStorable, undecided, accuracy any
		if w.Measure == Storage {
			notStorable, undecided = c.NotStorable, c.Undecided
		}
		if c.Done > 0 {
			accuracy = c.Accuracy / float64(c.Done)
		}
		t.Append(append(cellValues(w.Cell), c.Done, c.Stored, notStorable, undecided, accuracy, c.Seconds)...)
	}
	if outside > 0 {
		t.Notes = append(t.Notes, fmt.Sprintf("Besides, %s that the grid does not ask for.", counted(outside, "record")))
	}
	return t
}

// cellColumns name a cell.
func cellColumns() []table.Column {
	return []table.Column{
		{Key: "experiment"}, {Key: "measure"}, {Key: "model"}, {Key: "rule"}, {Key: "d_in"}, {Key: "d_out"}, {Key: "rank"}, {Key: "p"},
		{Key: "n", Hidden: true}, {Key: "keys_embedding", Hidden: true}, {Key: "values_embedding", Hidden: true},
		{Key: "load", Head: "p/p_c", Digits: 3}, {Key: "seed"},
	}
}

func cellValues(c Cell) []any {
	s := c.Spec
	return []any{c.Experiment, c.Measure, s.Model, c.Rule, s.DIn, s.DOut, c.Rank, s.P, s.N, s.Keys, s.Values, c.Load(), c.Seed}
}
