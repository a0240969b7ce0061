package trial

import (
	"context"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"

	"lamcap/harness/learn"
	"lamcap/harness/pattern"
	"lamcap/internal/stream"
)

// Many decides independent instances of an ensemble, on as many goroutines as
// GOMAXPROCS. Result t belongs to the instance that the stream (master,
// experiment, cell, t) draws, whatever the number of goroutines and the order
// of work. When ctx ends, running trials are completed; those not run have
// Status Unknown. After each trial progress, if not nil, is called, never twice
// at once. Each instance is decided on one thread, unless the options say
// otherwise. It panics if the options or the spec are not valid.
func Many(ctx context.Context, s pattern.Spec, o Options, master uint64, experiment, cell string, trials int, progress func()) []Result {
	if err := o.Validate(s); err != nil {
		panic("trial: " + err.Error())
	}
	if o.Threads == 0 {
		o.Threads = 1
	}
	results := make([]Result, max(trials, 0))
	var reporting sync.Mutex
	Run(ctx, len(results), runtime.GOMAXPROCS(0), func(t int) {
		results[t] = One(s, o, master, experiment, cell, uint64(t))
		if progress != nil {
			reporting.Lock()
			defer reporting.Unlock()
			progress()
		}
	})
	return results
}

// One runs trial t of a cell: result t of [Many].
func One(s pattern.Spec, o Options, master uint64, experiment, cell string, t uint64) Result {
	rng := stream.New(master, experiment, cell, t)
	r := Decide(rng, Draw(rng, s, o.Rule), o)
	r.Seed = master
	return r
}

// mostPools is the most numbers of pools that are kept in memory, 2 GiB of
// float32.
const mostPools = 1 << 29

// Draw draws an instance to be decided with a rule: its pools are kept in memory
// if they are read more than once and are small enough.
func Draw(rng *rand.Rand, s pattern.Spec, rule learn.Rule) *pattern.Instance {
	if rule == learn.Hebb || s.PoolNumbers() > mostPools {
		return pattern.SampleStreamed(rng, s)
	}
	return pattern.Sample(rng, s)
}

// Run calls f(0) … f(n−1), each once, from the given number of goroutines, and
// returns when all calls have ended. When ctx ends, no further call starts; the
// error is then ctx.Err(). A panic of f ends the program.
func Run(ctx context.Context, n, workers int, f func(i int)) error {
	var next atomic.Int64
	var group sync.WaitGroup
	var missed atomic.Bool
	for range min(max(workers, 1), n) {
		group.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				if ctx.Err() != nil {
					missed.Store(true)
					return
				}
				f(i)
			}
		})
	}
	group.Wait()
	if missed.Load() {
		return ctx.Err()
	}
	return nil
}
