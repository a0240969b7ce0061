package constraint

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// team runs numbered jobs on several goroutines without allocating. What a job
// computes may not depend on its worker.
type team struct {
	job   func(job, worker int)
	count int

	next, workers atomic.Int64
	group         sync.WaitGroup
	work          func() // made once: a goroutine started on it allocates nothing
}

func newTeam() *team {
	t := new(team)
	t.work = func() {
		t.drain(int(t.workers.Add(1)))
		t.group.Done()
	}
	return t
}

func (t *team) drain(worker int) {
	for {
		i := int(t.next.Add(1)) - 1
		if i >= t.count {
			return
		}
		t.job(i, worker)
	}
}

// run calls job(0, ·) … job(count−1, ·), each once, with workers 0 … threads−1.
func (t *team) run(threads, count int, job func(job, worker int)) {
	threads = min(threads, count)
	if threads <= 1 {
		for i := range count {
			job(i, 0)
		}
		return
	}
	t.job, t.count = job, count
	t.next.Store(0)
	t.workers.Store(0)
	t.group.Add(threads - 1)
	for range threads - 1 {
		go t.work()
	}
	t.drain(0)
	t.group.Wait()
}

// serialWork is the number of multiplications below which a pass runs on the
// goroutine of its caller: it takes some 0.2 ms, a wake-up some 0.01 ms.
const serialWork = 1 << 20

// threadsFor returns how many threads share a pass of the given size when
// threads are asked for, 0 meaning GOMAXPROCS.
func threadsFor(threads int, work float64) int {
	if work < serialWork {
		return 1
	}
	if threads == 0 {
		return runtime.GOMAXPROCS(0)
	}
	return threads
}
