package team_test

import (
	"runtime"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"

	"lamcap/internal/team"
)

// Every job is done once, by a worker in range, none of which does two at once.
func TestRun(t *testing.T) {
	crew := team.New()
	for _, threads := range []int{0, 1, 2, 7} {
		for _, count := range []int{0, 1, 2, 5, 1000} {
			done := make([]int, count)
			busy := make([]atomic.Int32, max(threads, 1))
			var clashes atomic.Int32
			crew.Run(threads, count, func(job, worker int) {
				if busy[worker].Add(1) > 1 {
					clashes.Add(1)
				}
				done[job]++
				runtime.Gosched()
				busy[worker].Add(-1)
			})
			assert.Zero(t, clashes.Load())
			for job, times := range done {
				assert.Equal(t, 1, times, "threads %d, job %d of %d", threads, job, count)
			}
		}
	}
}

// Goroutines are taken from those that ended: nothing is allocated per run.
func TestRunAllocatesNothing(t *testing.T) {
	crew := team.New()
	job := func(job, worker int) {}
	assert.Zero(t, testing.AllocsPerRun(100, func() { crew.Run(1, 10, job) }))
	assert.Less(t, testing.AllocsPerRun(100, func() { crew.Run(3, 10, job) }), 0.5)
}

func TestThreads(t *testing.T) {
	assert.Equal(t, 1, team.Threads(8, 1e5))
	assert.Equal(t, 8, team.Threads(8, 1e7))
	assert.Equal(t, runtime.GOMAXPROCS(0), team.Threads(0, 1e7))
}
