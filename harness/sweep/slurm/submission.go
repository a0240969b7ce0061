package slurm

import (
	"fmt"
	"time"

	"lamcap/harness/table"
)

// Table lists the arrays of a submission to a plan of so many trials.
func (s *Submission) Table(planned int) *table.Table {
	t := &table.Table{Name: "submitted", Title: "Submitted job arrays", Columns: []table.Column{
		{Key: "batch"}, {Key: "job"}, {Key: "first"}, {Key: "tasks"}, {Key: "trials"},
	}}
	if s.Batch != nil {
		for _, a := range s.Batch.Arrays {
			if a.Job == "" {
				continue
			}
			trials := 0
			for _, task := range s.Batch.Tasks[a.Offset : a.Offset+a.Tasks] {
				trials += len(task)
			}
			t.Append(s.Batch.number(), a.Job, a.Offset, a.Tasks, trials)
		}
	}
	if s.Trials > 0 {
		t.Notes = append(t.Notes, fmt.Sprintf("%d of %d trials were submitted, about %v of one core.", s.Trials, planned, time.Duration(max(s.Seconds, 1)*float64(time.Second)).Round(time.Second)))
	}
	if s.Live > 0 {
		t.Notes = append(t.Notes, fmt.Sprintf("Not submitted again, since tasks in the queue have them: trials without a record, %d.", s.Live))
	}
	if s.Left > 0 {
		t.Notes = append(t.Notes, fmt.Sprintf("Not submitted, since the cluster keeps no more jobs (MaxJobCount): trials without a record, %d; submit again when it has room.", s.Left))
	}
	if s.Batch == nil && s.Live == 0 && s.Left == 0 {
		t.Notes = []string{fmt.Sprintf("All %d trials have a record: nothing was submitted.", planned)}
	}
	return t
}
