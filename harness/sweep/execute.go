package sweep

import (
	"errors"
	"fmt"
	"math"
	"runtime/debug"
	"time"

	"lamcap/harness/measure"
	"lamcap/harness/trial"
	"lamcap/internal/status"
)

// Execute runs one trial of a cell on one thread. The error names the trial and says
// what failed: a training that diverged, or a fault of the program, whose panic must not
// take the other trials of a long sweep with it.
func Execute(c Cell, t uint64) (Record, error) { return guard(c, t, execute) }

// guard makes errors of panics and names the trial in them.
func guard(c Cell, t uint64, f func(Cell, uint64) (Record, error)) (r Record, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = fmt.Errorf("panic: %v\n%s", fault, debug.Stack())
		}
		if err != nil {
			r, err = Record{}, fmt.Errorf("%v, trial %d: %w", c.Address, t, err)
		}
	}()
	return f(c, t)
}

func execute(c Cell, t uint64) (r Record, err error) {
	if err := c.Validate(); err != nil {
		return r, err
	}
	r = Record{Cell: c, Trial: t, Started: time.Now().UTC(), Loss: math.NaN(), Gradient: math.NaN(), Norm: math.NaN()}
	if c.Measure == Storage {
		r.Result = trial.One(c.Spec, c.decision(), c.Seed, c.Experiment, c.stream(), t)
		if r.Result.Status == status.Diverged {
			return r, errDiverged
		}
		return r, nil
	}
	m, err := measure.Run(c.problem(t))
	if m.Result.Status == status.Diverged {
		return r, errDiverged
	}
	if err != nil {
		return r, err
	}
	r.Result = m.Result
	if !m.Trained() {
		return r, nil
	}
	r.Loss, r.Gradient, r.Norm = m.Loss, m.Gradient, m.Norm
	if c.Options.Spectrum {
		r.SingularValues = m.SingularValues()
	}
	if c.Options.Scores {
		r.Correct, r.Wrong = m.Scores()
	}
	return r, nil
}

var errDiverged = errors.New("diverged: a NaN or an infinity appeared")
