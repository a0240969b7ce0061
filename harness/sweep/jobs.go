package sweep

import "iter"

// Job is one trial to be run.
type Job struct {
	Cell  Cell
	Trial uint64
}

// ID says which trial the job is.
func (j Job) ID() ID { return ID{j.Cell.Address, j.Trial} }

// Missing lists the trials of a plan that have no record, in the order of the plan.
func Missing(p *Plan, have []Record) []Job {
	var jobs []Job
	for j := range missing(p, identities(have)) {
		jobs = append(jobs, j)
	}
	return jobs
}

// identities is the set of the trials that have records.
func identities(records []Record) map[ID]struct{} {
	set := make(map[ID]struct{}, len(records))
	for i := range records {
		set[records[i].ID()] = struct{}{}
	}
	return set
}

// missing yields the jobs one by one: of a large plan not all are held at once.
func missing(p *Plan, have map[ID]struct{}) iter.Seq[Job] {
	return func(yield func(Job) bool) {
		for _, w := range p.Cells {
			for t := range uint64(w.Trials) {
				j := Job{w.Cell, t}
				if _, done := have[j.ID()]; !done && !yield(j) {
					return
				}
			}
		}
	}
}
