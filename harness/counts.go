package harness

import (
	"context"
	"errors"
	"fmt"

	"lamcap/harness/learn"
	"lamcap/harness/pattern"
	"lamcap/harness/stats"
	"lamcap/harness/trial"
)

// Count is what became of independent instances at one load.
type Count struct {
	// Load is what theories are asked at, by convention the number of facts p.
	Load float64
	// Stored instances have weights that recall every input. Undecided ones were
	// shown to be neither storable nor not to be: a training that did not store
	// everything proves nothing, so without proofs all that were not stored are undecided.
	Stored, Undecided int
	// Trials is the number of all instances, 0 ≤ Stored + Undecided ≤ Trials.
	Trials int
}

// NotStorable is the number of the other instances.
func (c Count) NotStorable() int { return c.Trials - c.Stored - c.Undecided }

func (c Count) outcomes() stats.Outcomes {
	return stats.Outcomes{Stored: c.Stored, Undecided: c.Undecided, Trials: c.Trials}
}

func (c Count) check() error {
	if c.Stored < 0 || c.Undecided < 0 || c.Stored > c.Trials-c.Undecided {
		return fmt.Errorf("%d stored and %d undecided of %d: want stored, undecided ≥ 0 and stored + undecided ≤ trials", c.Stored, c.Undecided, c.Trials)
	}
	return nil
}

// Decide draws independent instances of an ensemble, trains a memory on each and
// decides it by proof: stored, with weights that recall every input, or not
// storable, with multipliers that leave no weights a margin, or undecided.
// Load is P. The same seed gives the same instances and outcomes on any number of
// threads; an instance at capacity takes below 0.1 s at d = 24, some 0.3 s at d = 48. An error is one of
// the spec or the end of ctx.
func Decide(ctx context.Context, s pattern.Spec, seed uint64, trials int) (Count, error) {
	counts, err := DecideLoads(ctx, s, []int{s.P}, seed, trials)
	if err != nil {
		return Count{}, err
	}
	return counts[0], nil
}

// DecideLoads is Decide at several numbers of facts, each in place of s.P. The
// number of candidates goes with it, N = P, if s.N = 0 and in the original problem.
func DecideLoads(ctx context.Context, s pattern.Spec, facts []int, seed uint64, trials int) ([]Count, error) {
	if trials < 0 {
		return nil, fmt.Errorf("trials = %d: want trials ≥ 0", trials)
	}
	counts := make([]Count, len(facts))
	for i, p := range facts {
		at := s
		at.P = p
		if at.N == 0 || at.Model == pattern.OP {
			at.N = p
		}
		o := trial.Options{Rule: learn.LBFGS}
		if err := o.Validate(at); err != nil {
			return nil, err
		}
		cell := fmt.Sprintf("%v d_in=%d d_out=%d p=%d n=%d keys=%v values=%v", at.Model, at.DIn, at.DOut, at.P, at.N, at.Keys, at.Values)
		counts[i] = Count{Load: float64(p), Trials: trials}
		for _, r := range trial.Many(ctx, at, o, seed, "harness", cell, trials, nil) {
			switch r.Outcome {
			case trial.Stored:
				counts[i].Stored++
			case trial.Undecided:
				counts[i].Undecided++
			}
		}
		if err := ctx.Err(); err != nil {
			return nil, errors.Join(fmt.Errorf("interrupted at p = %d: counts of the trials that ran would favour instances that are decided fast", p), err)
		}
	}
	return counts, nil
}
