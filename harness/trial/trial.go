package trial

import (
	"context"
	"fmt"
	"math/rand/v2"

	"lamcap/harness/learn"
	"lamcap/harness/pattern"
	"lamcap/harness/proof"
	"lamcap/internal/status"
)

// Outcome is what is known about an instance.
type Outcome = proof.Outcome

const (
	// Undecided is the zero value: neither a witness nor multipliers were found.
	Undecided = proof.Undecided
	// Stored means that the returned weights recall every input.
	Stored = proof.Stored
	// NotStorable means that no weights have a normalised margin above
	// Result.MarginBound; and none at all recall every input if Result.Exact.
	NotStorable = proof.NotStorable
)

// Result is what a trial says about one instance.
type Result struct {
	Outcome Outcome
	// Exact says of an instance that is not storable that no W at all recalls
	// every input, in exact arithmetic; else only margins above MarginBound are
	// excluded.
	Exact bool
	// Status is Converged if the instance was decided (or Hebb's rule applied),
	// Diverged if a NaN or an infinity appeared, MaxIterations or Stalled if the
	// budget or the rule ended undecided, Unknown if the trial was not run or
	// was interrupted.
	Status status.Status
	// Recalled counts the inputs that the returned weights recall strictly,
	// beyond round-off; Accuracy is its share of all inputs.
	Recalled int
	Accuracy float64
	// Margin is min (S_μμ − S_μρ)/‖W‖_F of the returned weights: +Inf if no input
	// has a competitor, else NaN for W = 0 and for weights that are not finite.
	Margin float64
	// MarginBound is the least bound found on the Margin of all weights,
	// round-off included; +Inf if none was (Hebb's rule computes none).
	MarginBound float64
	// Evaluations counts passes over the instance, of all starts.
	Evaluations int
	// Refutations counts the attempts to prove that the instance is not
	// storable, Corrections the conjugate-gradient steps in them.
	Refutations, Corrections int
	// Seconds is the wall time of the decision, and ProofSeconds the part of
	// it that verified witnesses and tried refutations: the only fields that
	// are not reproducible.
	Seconds, ProofSeconds float64
	// Seed is the master seed, set by [Many] and [One].
	Seed uint64
}

// Evidence is what a decision rests on.
type Evidence struct {
	// Weights are the witness, or those with the most recalled inputs among
	// the ends of all starts, with what was verified of them.
	Weights      *learn.Weights
	Verification proof.Verification
	// Multipliers prove that an instance is not storable, with what was
	// assessed of them; nil otherwise.
	Multipliers *proof.Multipliers
	Refutation  proof.Refutation
}

// Certificate returns the proof of an outcome, for an instance drawn at an
// address; an error if the instance was not decided.
func (e *Evidence) Certificate(in *pattern.Instance, a proof.Address, o Outcome) (*proof.Certificate, error) {
	switch o {
	case Stored:
		return proof.NewStored(in, a, e.Weights, e.Verification)
	case NotStorable:
		return proof.NewNotStorable(in, a, e.Multipliers, e.Refutation)
	}
	return nil, fmt.Errorf("the instance is undecided: there is nothing to certify; raise the budget of evaluations")
}

// Decide trains on an instance until it is decided or the budget is spent. The
// rng supplies the random starts of low-rank factors and nothing else: it may be
// nil at full rank. It panics if the options are not valid (see
// [Options.Validate]), or if starts are needed and rng is nil.
func Decide(rng *rand.Rand, in *pattern.Instance, o Options) Result {
	_, r := Train(rng, in, o)
	return r
}

// Train is [Decide] and returns the evidence too.
func Train(rng *rand.Rand, in *pattern.Instance, o Options) (Evidence, Result) {
	d := begin(rng, in, o)
	d.run(context.Background())
	return d.evidence, d.end()
}
