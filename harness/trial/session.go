package trial

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

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
// Unknown. It returns an error if the saved training does not belong to the
// instance and options, or could not be saved.
func TrainSession(ctx context.Context, rng *rand.Rand, in *pattern.Instance, o Options, s Session) (Evidence, Result, error) {
	d := begin(rng, in, o)
	d.session, d.saved = s, time.Now()
	if r := s.Resume; r != nil {
		if r.Training == nil || r.Start < -1 || r.Start >= d.options.Restarts || d.options.Rank == 0 && r.Start >= 0 {
			return Evidence{}, Result{}, fmt.Errorf("saved training, start %d: want one that was saved with the same options", r.Start)
		}
		d.start, d.single, d.next, d.result, d.resumed = r.Start, r.Single, r.Next, r.Result, r.Training
		d.result.Status, d.result.Outcome = status.Unknown, Undecided
		if m := r.Multipliers; m != nil {
			if err := m.Validate(in.Spec()); err != nil {
				return Evidence{}, Result{}, fmt.Errorf("saved training: %w", err)
			}
			d.evidence.Multipliers, d.evidence.Refutation = m, r.Refutation
		}
		if r.Best != nil {
			if r.Best.DIn != in.Spec().DIn || r.Best.DOut != in.Spec().DOut {
				return Evidence{}, Result{}, fmt.Errorf("saved training: weights of d_out × d_in = %d × %d: want those of the instance", r.Best.DOut, r.Best.DIn)
			}
			d.evidence.Weights, d.evidence.Verification = r.Best, proof.Verify(in, r.Best)
		}
	}
	d.run(ctx)
	return d.evidence, d.end(), d.err
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
