package trial

import (
	"fmt"

	"lamcap/harness/learn"
	"lamcap/harness/pattern"
	"lamcap/harness/proof"
)

// Options say how an instance is decided. The zero value is L-BFGS at full rank
// with all the defaults.
type Options struct {
	// Rule is the learning rule.
	Rule learn.Rule
	// Rank is m of W = Q Rᵀ; 0, or the least dimension, means full rank. Hebb's
	// rule and max-margin have no other.
	Rank int
	// Tolerance is the bound on the normalised margin of all weights, in units
	// of the scale of its margins (constraint.MarginScale, about 1 for sampled
	// ones), that a proof that it is not storable aims at, 1e-10 at most; 0 means
	// [proof.DefaultBound]. What round-off keeps above it counts up to 1e-10.
	Tolerance float64
	// MaxEvaluations is the budget of each training in passes over the
	// instance; 0 means [learn.DefaultMaxEvaluations].
	MaxEvaluations int
	// Restarts is the number of random starts of Q and R; 0 means
	// [DefaultRestarts]. Full rank is convex and starts once, at W = 0.
	Restarts int
	// LearningRate, Schedule, Beta1, Beta2, Epsilon, Momentum, Ridge and Memory
	// are those of [learn.Options]; but Memory 0 means 20 to 100 steps, as many
	// as fit into 128 MiB.
	LearningRate          float64
	Schedule              learn.Schedule
	Beta1, Beta2, Epsilon float64
	Momentum, Ridge       float64
	Memory                int
	// Double trains in float64 where float32 would do. Proofs are in float64
	// always.
	Double bool
	// Threads is the number of goroutines that one instance is trained and
	// proved with. 0 means GOMAXPROCS for a large instance and 1 for a small
	// one; in [Many], whose instances run side by side, it means 1. Results do
	// not depend on it.
	Threads int
	// Progress, if not nil, sees every pass.
	Progress func(e learn.Evaluation)
}

const (
	// DefaultRestarts is the default of [Options.Restarts].
	DefaultRestarts = 5

	// factorTolerance ends a start of Q and R that has come to rest (see
	// [learn.Options.GradientTolerance]). From 1e-2 to 1e-4 the same starts are
	// stored (24 instances at d = 24, ranks 6 and 12, around capacity) while
	// those that fail take three times longer.
	factorTolerance = 3e-3
	// startNorm is ‖Q Rᵀ‖_F of a random start, that is, the size of its scores.
	startNorm = 1

	// leastMemory and mostMemory are the least and the most steps that L-BFGS
	// remembers by default.
	leastMemory, mostMemory = 20, 100

	// largeFrom is the number of multiply-adds of all scores, p·n·d_out, from
	// which an instance is trained in float32 and on all threads.
	largeFrom = 1 << 20
)

// Validate reports the first option outside its range, or an instance too large
// for the rule.
func (o Options) Validate(s pattern.Spec) error {
	if err := s.Validate(); err != nil {
		return err
	}
	full := min(s.DIn, s.DOut)
	switch {
	case o.Rule < learn.LBFGS || o.Rule > learn.MaxMargin:
		return fmt.Errorf("rule = %v: want hebb, descent, adam, lbfgs or maxmargin", o.Rule)
	case o.Rank < 0 || o.Rank > full:
		return fmt.Errorf("rank = %d: want 1 ≤ rank ≤ min(d_in, d_out) = %d", o.Rank, full)
	case (o.Rule == learn.Hebb || o.Rule == learn.MaxMargin) && o.Rank != 0 && o.Rank != full:
		return fmt.Errorf("rank = %d: want full rank, %d, with rule %v", o.Rank, full, o.Rule)
	case !(o.Tolerance >= 0 && o.Tolerance <= proof.AcceptedBound):
		return fmt.Errorf("tolerance = %g: want 0 < tolerance ≤ %g, the largest bound that counts as a proof, or 0 for %g", o.Tolerance, proof.AcceptedBound, proof.DefaultBound)
	case o.Restarts < 0:
		return fmt.Errorf("restarts = %d: want ≥ 1, or 0 for %d", o.Restarts, DefaultRestarts)
	case o.Memory < 0:
		return fmt.Errorf("memory = %d: want ≥ 1, or 0 for %d to %d, as many steps as fit into 128 MiB", o.Memory, leastMemory, mostMemory)
	case o.Threads < 0:
		return fmt.Errorf("threads = %d: want ≥ 1, or 0 to choose", o.Threads)
	case float64(s.DIn)*float64(s.DOut)*o.copies(s) > maxNumbers:
		return fmt.Errorf("weights of d_out × d_in = %d × %d take %.3g GB with rule %v: want ≤ 8.6 GB", s.DOut, s.DIn, 8e-9*float64(s.DIn)*float64(s.DOut)*o.copies(s), o.Rule)
	}
	return o.training(s).Validate()
}

// maxNumbers is 8 GiB of float64.
const maxNumbers = 1 << 30

// copies returns how many arrays of the size of W a training holds at most.
func (o Options) copies(s pattern.Spec) float64 {
	const few = 16 // weights, gradients, directions, their copies
	if o.Rule != learn.LBFGS {
		return few
	}
	return few + float64(o.training(s).Memory) // two arrays of float32 for each step
}

// training is what the rule is told.
func (o Options) training(s pattern.Spec) learn.Options {
	memory := o.Memory
	if memory == 0 {
		// Two vectors of the size of W, in float32, are kept for each step.
		const bytes = 128 << 20
		memory = int(min(mostMemory, max(leastMemory, bytes/(8*float64(s.DIn)*float64(s.DOut)))))
	}
	return learn.Options{
		MaxEvaluations: o.MaxEvaluations, LearningRate: o.LearningRate, Schedule: o.Schedule,
		Beta1: o.Beta1, Beta2: o.Beta2, Epsilon: o.Epsilon, Momentum: o.Momentum, Ridge: o.Ridge, Memory: memory,
	}
}
