package team

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// Team runs jobs without allocating. It may not be used from several goroutines
// at once.
type Team struct {
	job   func(job, worker int)
	count int

	next, workers atomic.Int64
	group         sync.WaitGroup
	work          func() // made once: a goroutine started on it allocates nothing
}

// New returns a team.
func New() *Team {
	t := new(Team)
	t.work = func() {
		t.drain(int(t.workers.Add(1)))
		t.group.Done()
	}
	return t
}

func (t *Team) drain(worker int) {
	for {
		i := int(t.next.Add(1)) - 1
		if i >= t.count {
			return
		}
		t.job(i, worker)
	}
}

// Run calls job(0, ·) … job(count−1, ·), each once, and returns when all calls
// have ended. The second argument says which of the threads calls, from 0 on;
// calls with the same one do not overlap. The goroutine of the caller is one of
// them.
func (t *Team) Run(threads, count int, job func(job, worker int)) {
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
	t.job = nil
}

// serialWork is the number of multiplications below which a pass runs on the
// goroutine of its caller: it takes some 0.2 ms, a wake-up some 0.01 ms.
const serialWork = 1 << 20

// Threads returns how many threads share a pass of the given size, in
// multiplications, when threads are asked for, 0 meaning GOMAXPROCS.
func Threads(threads int, work float64) int {
	if work < serialWork {
		return 1
	}
	if threads == 0 {
		return runtime.GOMAXPROCS(0)
	}
	return threads
}
