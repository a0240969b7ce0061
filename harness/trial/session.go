package trial

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"lamcap/harness/constraint"
	"lamcap/harness/learn"
	"lamcap/harness/pattern"
	"lamcap/harness/proof"
	"lamcap/internal/status"
)

// Session says how a training is interrupted and taken up again.
type Session struct {
	// Resume is where an earlier training of the same instance, with the same
	// options but for the budget, was left; nil begins at the beginning.
	Resume *Saved
	// Save, if not nil, is given the training every Every (0 means never), when
	// it is interrupted, and when its budget ends undecided. An error ends the
	// training.
	Save  func(*Saved) error
	Every time.Duration
}

// Saved is a training under way, with all that it needs to go on bit for bit.
// encoding/gob stores it exactly.
type Saved struct {
	// Start is the random start under way, of factors; −1 before them.
	Start int
	// Single says whether the training is in float32.
	Single bool
	// Next is the duality bound at which a refutation is tried again.
	Next float64
	// Result holds the counts so far.
	Result Result
	// Best are the weights that recalled most at the ends of earlier starts; nil
	// if none has ended.
	Best *learn.Weights
	// Multipliers are those that a training at full rank found before the starts
	// of factors, with their Refutation; nil if it found none.
	Multipliers *proof.Multipliers
	Refutation  proof.Refutation
	// Training is the training cut.
	Training *learn.State
}

// TrainSession is [Train] that can be interrupted, by ctx, and taken up again:
// the interruptions change no number. An interrupted result has the status
// Unknown, and the outcome Stored if only the largest margin was still looked for.
// It returns an error if the saved training does not belong to the instance and
// options, or could not be saved; and panics where [Decide] does.
func TrainSession(ctx context.Context, rng *rand.Rand, in *pattern.Instance, o Options, s Session) (Evidence, Result, error) {
	d := begin(rng, in, o)
	d.session, d.saved = s, time.Now()
	if s.Resume != nil {
		if err := d.restore(s.Resume); err != nil {
			return Evidence{}, Result{}, fmt.Errorf("saved training: %w", err)
		}
	}
	d.run(ctx)
	return d.evidence, d.end(), d.err
}

// restore takes up a saved training. It believes no proof that it can check, and
// nothing that no training leaves.
func (d *decision) restore(s *Saved) error {
	r, m := &s.Result, s.Multipliers
	switch {
	case s.Training == nil:
		return fmt.Errorf("there is none: want one that was saved before it ended")
	case s.Start < -1 || s.Start >= d.options.Restarts || d.options.Rank == 0 && s.Start >= 0:
		return fmt.Errorf("start %d: want −1 to %d, with the options it was saved with", s.Start, d.options.Restarts-1)
	case s.Single && !d.single:
		return fmt.Errorf("in float32: want it to go on so, without double")
	case r.Evaluations < 0 || r.Refutations < 0 || r.Corrections < 0 || s.Training.Evaluations < 0:
		return fmt.Errorf("%d evaluations, %d refutations, %d corrections: want counts ≥ 0", r.Evaluations, r.Refutations, r.Corrections)
	case !(r.MarginBound >= 0) || !(s.Training.Bound >= 0) || !(s.Next >= 0):
		return fmt.Errorf("bounds %g, %g and %g on margins: want them ≥ 0", r.MarginBound, s.Training.Bound, s.Next)
	case !(r.Seconds >= 0) || math.IsInf(r.Seconds, 0) || !(r.ProofSeconds >= 0) || math.IsInf(r.ProofSeconds, 0):
		return fmt.Errorf("%g s, %g s of proofs: want finite times ≥ 0", r.Seconds, r.ProofSeconds)
	}
	d.start, d.single, d.next, d.result, d.resumed = s.Start, s.Single, s.Next, *r, s.Training
	d.result.Status, d.result.Outcome, d.result.Exact = status.Unknown, Undecided, false
	if m != nil {
		if err := m.ValidateFor(d.in); err != nil {
			return err
		}
		a := proof.Assess(d.in, m)
		if !a.Exact && !(a.Bound <= proof.AcceptedBound*constraint.MarginScale(d.in)) {
			return fmt.Errorf("its multipliers bound margins by %g only: want a proof", a.Bound)
		}
		d.evidence.Multipliers, d.evidence.Refutation = m, s.Refutation
		d.evidence.Refutation.Outcome, d.evidence.Refutation.Bound, d.evidence.Refutation.Exact = true, a.Bound, a.Exact
	}
	if w := s.Best; w != nil {
		if err := w.Validate(); err != nil {
			return err
		}
		if w.DIn != d.in.Spec().DIn || w.DOut != d.in.Spec().DOut {
			return fmt.Errorf("weights of d_out × d_in = %d × %d: want those of the instance", w.DOut, w.DIn)
		}
		d.evidence.Weights, d.evidence.Verification = w, proof.Verify(d.in, w)
	}
	return nil
}

// open makes the training from start the one under way, or the one that was
// saved.
func (d *decision) open(start *learn.Weights, options learn.Options) error {
	if d.resumed == nil {
		d.trainer = learn.NewTrainer(d.options.Rule, d.engine(), start, options)
		return nil
	}
	saved := d.resumed
	d.resumed = nil
	if saved.Weights.Rank != start.Rank || saved.Rule != d.options.Rule.String() {
		return fmt.Errorf("saved training: rule %s, rank %d: want rule %v, rank %d", saved.Rule, saved.Weights.Rank, d.options.Rule, start.Rank)
	}
	var err error
	d.trainer, err = learn.ResumeTrainer(saved, d.engine(), options)
	return err
}

// advance goes on with the training under way until it ends, by itself, by its
// budget or by ctx.
func (d *decision) advance(ctx context.Context) learn.Run {
	budget := d.options.MaxEvaluations
	if ctx.Done() == nil && d.session.Save == nil {
		return d.trainer.Run(budget)
	}
	r := d.trainer.Run(0)
	for {
		r = d.trainer.Run(min(r.Evaluations+1, budget))
		ended := r.Status != status.MaxIterations
		switch spent := r.Evaluations >= budget; {
		case ended:
			return r
		case spent:
			d.save()
			return r
		case ctx.Err() != nil:
			d.save()
			d.interrupted, r.Status = true, status.Unknown
			return r
		case d.session.Every > 0 && time.Since(d.saved) >= d.session.Every:
			if d.save(); d.err != nil {
				d.interrupted, r.Status = true, status.Unknown
				return r
			}
		}
	}
}

// save hands the training under way to the session.
func (d *decision) save() {
	if d.session.Save == nil || d.err != nil {
		return
	}
	counts := d.result
	counts.Seconds += time.Since(d.started).Seconds()
	d.err = d.session.Save(&Saved{
		Start: d.start, Single: d.single, Next: d.next, Result: counts, Best: d.evidence.Weights,
		Multipliers: d.evidence.Multipliers, Refutation: d.evidence.Refutation, Training: d.trainer.State(),
	})
	d.saved = time.Now()
}
