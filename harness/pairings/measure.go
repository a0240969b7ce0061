package pairings

import (
	"context"
	"fmt"
	"runtime"
	"sync"

	"lamcap/harness/progress"
	"lamcap/harness/stats"
	"lamcap/harness/trial"
	"lamcap/internal/status"
)

// level is the confidence of all intervals.
const level = 0.95

// Options say what is measured.
type Options struct {
	Loads  []int // numbers of facts, in any order
	Trials int   // instances at each load, at least 1
	Seed   uint64
	// Pools is the number of pools that the theory of a given pool is averaged over; 0 means
	// [DefaultPools].
	Pools int
	// Progress, if not nil, is told of each instance that is done.
	Progress progress.Reporter
}

// DefaultPools is the default of [Options.Pools].
const DefaultPools = 8

// Measurement is the transition of an ensemble with what was predicted of it.
type Measurement struct {
	Ensemble
	Loads    []int
	Outcomes []stats.Outcomes
	// Results holds the outcomes of the trials at each load.
	Results [][]trial.Outcome
	// Half is fitted to the decided instances.
	Half       stats.HalfPoint
	Prediction Prediction
}

// Decided returns the counts without undecided instances, as half-points take them.
func (m *Measurement) Decided() stats.Transition {
	var t stats.Transition
	for i, p := range m.Loads {
		t.Loads = append(t.Loads, float64(p))
		t.Stored = append(t.Stored, m.Outcomes[i].Stored)
		t.Trials = append(t.Trials, m.Outcomes[i].Trials-m.Outcomes[i].Undecided)
	}
	return t
}

// Decide decides all instances of an ensemble, on as many goroutines as GOMAXPROCS. It returns an error
// for loads that cannot be drawn, for vectors whose scores would leave the range of round-off bounds, and when
// ctx ends.
func Decide(ctx context.Context, e Ensemble, o Options) (*Measurement, error) {
	for _, p := range o.Loads {
		if err := e.check(p); err != nil {
			return nil, err
		}
	}
	if o.Trials < 1 {
		return nil, fmt.Errorf("trials = %d: want at least 1", o.Trials)
	}
	m := &Measurement{Ensemble: e, Loads: o.Loads}
	for _, p := range o.Loads {
		outcomes, err := e.decide(ctx, p, o)
		if err != nil {
			return nil, fmt.Errorf("%s, p = %d: %w", e.Name, p, err)
		}
		c := stats.Outcomes{Trials: o.Trials}
		for _, r := range outcomes {
			switch r {
			case trial.Stored:
				c.Stored++
			case trial.Undecided:
				c.Undecided++
			}
		}
		m.Outcomes, m.Results = append(m.Outcomes, c), append(m.Results, outcomes)
	}
	m.Half = m.Decided().Fit(level)
	return m, nil
}

// decide runs the trials of one load.
func (e Ensemble) decide(ctx context.Context, p int, o Options) ([]trial.Outcome, error) {
	outcomes, errs := make([]trial.Outcome, o.Trials), make([]error, o.Trials)
	var reporting sync.Mutex
	err := trial.Run(ctx, o.Trials, runtime.GOMAXPROCS(0), func(t int) {
		in, err := e.Instance(o.Seed, p, t)
		if err != nil {
			errs[t] = err
			return
		}
		r := trial.Decide(nil, in, trial.Options{Threads: 1})
		if r.Status == status.Diverged {
			errs[t] = fmt.Errorf("trial %d: the training diverged", t)
		}
		outcomes[t] = r.Outcome
		if o.Progress != nil {
			reporting.Lock()
			defer reporting.Unlock()
			o.Progress.Add(1)
		}
	})
	for _, e := range errs {
		if err == nil {
			err = e
		}
	}
	return outcomes, err
}
