package main

import (
	"errors"
	"fmt"

	"lamcap/harness/learn"
	"lamcap/harness/pattern"
	"lamcap/harness/proof"
	"lamcap/harness/trial"
	"lamcap/internal/files"
	"lamcap/internal/status"
)

// certify writes the proof of an outcome to the file asked for.
func (f *trainFlags) certify(in *pattern.Instance, a proof.Address, o trial.Options, e *trial.Evidence, r trial.Result) error {
	if r.Outcome == trial.Undecided {
		return fmt.Errorf("no certificate was written: the instance is undecided: %w", f.unproved(in.Spec(), o, r))
	}
	certificate, err := e.Certificate(in, a, r.Outcome)
	if err != nil {
		return fmt.Errorf("no certificate was written: %w", err)
	}
	if err := files.Create(f.certificate, certificate.Write); err != nil {
		return fmt.Errorf("certificate = %s: %w", f.certificate, files.Cause(err))
	}
	return nil
}

// unproved says why an instance is undecided, and what to do about it.
func (f *trainFlags) unproved(s pattern.Spec, o trial.Options, r trial.Result) error {
	switch {
	case o.Rule == learn.Hebb:
		return errors.New("rule hebb proves nothing where it does not recall every input; use --rule lbfgs")
	case r.Status == status.Diverged:
		return errors.New("a number left the range of floating point; lower --learning-rate")
	case o.Rank != 0 && o.Rank < min(s.DIn, s.DOut):
		return errors.New("no start stored it, which proves nothing at a rank below full; raise --restarts or --max-evaluations")
	case r.Status == status.MaxIterations && o.Rule == learn.MaxMargin:
		return errors.New("the budget is spent; use --rule lbfgs with a larger --max-evaluations")
	case r.Status == status.MaxIterations && f.checkpoint != "":
		return fmt.Errorf("the budget is spent; raise --max-evaluations, with the same --checkpoint, to go on from %d", r.Evaluations)
	case r.Status == status.MaxIterations:
		return errors.New("the budget is spent; raise --max-evaluations, with --checkpoint if it may take several runs")
	case o.Ridge > 0:
		return errors.New("the ridge ended the training before anything was proved; lower --ridge or leave it out")
	case o.Rule == learn.Adam || o.Rule == learn.GradientDescent:
		return fmt.Errorf("rule %v came to rest, as close to the border of what can be stored as this; use --rule lbfgs", o.Rule)
	}
	return errors.New("the training came to rest, as close to the border of what can be stored as this")
}
