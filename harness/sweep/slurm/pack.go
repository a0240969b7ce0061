package slurm

import (
	"lamcap/harness/sweep"
)

// overhead is what a trial takes besides its computation, in seconds: its record is
// synced to a file system that is shared.
const overhead = 0.01

// pack deals jobs to tasks in their order: a task takes jobs until the next one would
// make it longer than target, in seconds of one core. A job that is longer than that
// has a task of its own.
func pack(jobs []sweep.Job, seconds func(sweep.Cell) float64, target float64) [][]sweep.Job {
	var tasks [][]sweep.Job
	var task []sweep.Job
	length := 0.0
	for _, j := range jobs {
		s := overhead
		if own := seconds(j.Cell); own > 0 { // not NaN
			s += own
		}
		if len(task) > 0 && !(length+s <= target) {
			tasks = append(tasks, task)
			task, length = nil, 0
		}
		task = append(task, j)
		length += s
	}
	if len(task) > 0 {
		tasks = append(tasks, task)
	}
	return tasks
}

// split cuts n tasks into arrays of at most size tasks each: offsets and lengths.
func split(n, size int) []Array {
	var arrays []Array
	for offset := 0; offset < n; offset += size {
		arrays = append(arrays, Array{Offset: offset, Tasks: min(size, n-offset)})
	}
	return arrays
}

// run is trials First … First+Count−1 of a cell of a batch.
type run struct {
	Cell  int    `json:"cell"`
	First uint64 `json:"first"`
	Count uint64 `json:"count"`
}

// compress writes jobs as runs of trials of cells, which it collects.
func compress(jobs []sweep.Job, index map[sweep.Address]int, cells *[]sweep.Cell) []run {
	var runs []run
	for _, j := range jobs {
		i, ok := index[j.Cell.Address]
		if !ok {
			i = len(*cells)
			index[j.Cell.Address] = i
			*cells = append(*cells, j.Cell)
		}
		if n := len(runs); n > 0 && runs[n-1].Cell == i && runs[n-1].First+runs[n-1].Count == j.Trial {
			runs[n-1].Count++
			continue
		}
		runs = append(runs, run{i, j.Trial, 1})
	}
	return runs
}

// expand is the inverse of compress.
func expand(runs []run, cells []sweep.Cell) []sweep.Job {
	var jobs []sweep.Job
	for _, r := range runs {
		for t := range r.Count {
			jobs = append(jobs, sweep.Job{Cell: cells[r.Cell], Trial: r.First + t})
		}
	}
	return jobs
}
