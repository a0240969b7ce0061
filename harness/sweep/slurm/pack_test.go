package slurm

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"lamcap/harness/sweep"
)

// jobs draws what may be missing of a few cells: runs with holes.
func drawJobs(t *rapid.T) []sweep.Job {
	var jobs []sweep.Job
	for p := range rapid.IntRange(0, 4).Draw(t, "cells") {
		for trial := range rapid.Uint64Range(0, 30).Draw(t, "trials") {
			if rapid.IntRange(0, 3).Draw(t, "hole") > 0 {
				jobs = append(jobs, sweep.Job{Cell: cell(4 + p), Trial: trial})
			}
		}
	}
	return jobs
}

// Every job is in one task, in order; no task is longer than the target but for one of
// a single job; none could take the next one's first job.
func TestPackLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		jobs := drawJobs(t)
		costs := map[int]float64{}
		for p := 4; p < 9; p++ {
			costs[p] = rapid.Float64Range(0, 5).Draw(t, "seconds")
		}
		seconds := func(c sweep.Cell) float64 { return costs[c.Spec.P] }
		target := rapid.Float64Range(0.1, 20).Draw(t, "target")
		tasks := pack(jobs, seconds, target)
		assert.Equal(t, tasks, pack(jobs, seconds, target))
		assert.Equal(t, jobs, slices.Concat(tasks...))
		length := func(jobs []sweep.Job) float64 {
			total := 0.0
			for _, j := range jobs {
				total += overhead + seconds(j.Cell)
			}
			return total
		}
		for i, task := range tasks {
			assert.NotEmpty(t, task)
			assert.True(t, len(task) == 1 || length(task) <= target)
			if i+1 < len(tasks) {
				assert.Greater(t, length(append(slices.Clone(task), tasks[i+1][0])), target)
			}
		}
	})
}

// Arrays cover tasks once, and none has an index that the cluster refuses.
func TestSplitLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, size := rapid.IntRange(0, 500).Draw(t, "tasks"), rapid.IntRange(1, 120).Draw(t, "size")
		end := 0
		for _, a := range split(n, size) {
			assert.Equal(t, end, a.Offset)
			assert.GreaterOrEqual(t, a.Tasks, 1)
			assert.LessOrEqual(t, a.Tasks, size)
			end += a.Tasks
		}
		assert.Equal(t, n, end)
	})
}

// A plan reads back as it was written.
func TestBatchReadsBack(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		b := &Batch{CPUs: rapid.IntRange(1, 9).Draw(t, "cpus"), Program: sweep.Program{Version: "v1", Revision: "abc", Modified: true, Build: "d0", Arch: "amd64", Instructions: "avx2"}}
		b.Tasks = pack(drawJobs(t), func(sweep.Cell) float64 { return 1 }, rapid.Float64Range(1, 9).Draw(t, "target"))
		b.Arrays = split(len(b.Tasks), rapid.IntRange(1, 5).Draw(t, "size"))
		if err := newBatch(dir, b); err != nil {
			t.Fatal(err)
		}
		if err := b.writeArrays(); err != nil {
			t.Fatal(err)
		}
		read, err := readBatch(b.Folder)
		if err != nil {
			t.Fatal(err)
		}
		assert.Equal(t, b, read)
	})
}
