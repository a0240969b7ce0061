package slurm

import (
	"fmt"
	"strings"

	"lamcap/harness/sweep"
	"lamcap/harness/table"
)

// MissingTable names the cells of trials without a record, nil if there are none, and
// tells which of those trials tasks in the queue work on or wait for; status may be nil.
func MissingTable(missing []sweep.Job, status *Status) *table.Table {
	if len(missing) == 0 {
		return nil
	}
	type row struct {
		cell   sweep.Cell
		trials []uint64
		live   int
	}
	var rows []*row
	index := map[sweep.Address]*row{}
	for _, j := range missing {
		r, ok := index[j.Cell.Address]
		if !ok {
			r = &row{cell: j.Cell}
			index[j.Cell.Address] = r
			rows = append(rows, r)
		}
		r.trials = append(r.trials, j.Trial)
		if status != nil && status.live[j.ID()] {
			r.live++
		}
	}
	t := &table.Table{Name: "missing", Title: "Trials without a record", Columns: []table.Column{
		{Key: "cell"}, {Key: "missing"}, {Key: "in_queue"}, {Key: "trials"},
	}}
	for _, r := range rows {
		var live any = r.live
		if status == nil || status.QueueError != nil {
			live = nil
		}
		t.Append(r.cell.Address, len(r.trials), live, ranges(r.trials))
	}
	return t
}

// ranges writes 0-3,7 for 0, 1, 2, 3, 7.
func ranges(trials []uint64) string {
	var words []string
	for i := 0; i < len(trials); {
		end := i
		for end+1 < len(trials) && trials[end+1] == trials[end]+1 {
			end++
		}
		if end == i {
			words = append(words, fmt.Sprint(trials[i]))
		} else {
			words = append(words, fmt.Sprintf("%d-%d", trials[i], trials[end]))
		}
		i = end + 1
	}
	return strings.Join(words, ",")
}
