package maxmargin

import (
	"fmt"
	"math"

	"lamcap/harness/constraint"
	"lamcap/harness/learn"
	"lamcap/harness/pattern"
	"lamcap/internal/status"
)

// Options say how far to go. The zero value has all the defaults.
type Options struct {
	// Gap is the largest 1 − Margin/Bound that ends a solve; 0 means
	// [DefaultGap].
	Gap float64
	// Tolerance is the margin, in units of the scale of the instance's margins
	// (constraint.MarginScale, about 1 for sampled ones), below which it counts
	// as not storable; 0 means [DefaultTolerance].
	Tolerance float64
	// MaxIterations is the budget of conjugate-gradient steps, each a pass over
	// the working set forward and backward; 0 means [DefaultMaxIterations].
	MaxIterations int
	// Start, if not nil, are weights from which the first working set is
	// chosen, instead of Hebb's; they may be in factors and of any size.
	Start *learn.Weights
	// Threads is the most goroutines of a pass; 0 means GOMAXPROCS. It changes
	// no result.
	Threads int
	// Stop, if not nil, is asked between passes, from the goroutine that called
	// [Solve]; true ends the solve.
	Stop func() bool
}

const (
	// DefaultGap is the default of [Options.Gap].
	DefaultGap = 1e-3
	// DefaultTolerance is the default of [Options.Tolerance].
	DefaultTolerance = 1e-6
	// DefaultMaxIterations is the default of [Options.MaxIterations]. At d = 24
	// an instance at half the capacity takes some 500; within 5% of capacity
	// they take 3,000 to 5,000 at margins of 0.1, and 20,000 at one of 0.02.
	DefaultMaxIterations = 100_000
)

// Validate reports the first option outside its range.
func (o Options) Validate(s pattern.Spec) error {
	if err := s.Validate(); err != nil {
		return err
	}
	switch {
	case !(o.Gap >= 0 && o.Gap < 1):
		return fmt.Errorf("gap = %g: want 0 < gap < 1, or 0 for %g", o.Gap, DefaultGap)
	case !(o.Tolerance >= 0) || math.IsInf(o.Tolerance, 0):
		return fmt.Errorf("tolerance = %g: want a finite tolerance > 0, or 0 for %g", o.Tolerance, DefaultTolerance)
	case o.MaxIterations < 0:
		return fmt.Errorf("max iterations = %d: want ≥ 1, or 0 for %d", o.MaxIterations, DefaultMaxIterations)
	case o.Threads < 0:
		return fmt.Errorf("threads = %d: want ≥ 1, or 0 for all", o.Threads)
	case o.Start != nil && (o.Start.DIn != s.DIn || o.Start.DOut != s.DOut):
		return fmt.Errorf("start of %d×%d weights: want d_out × d_in = %d×%d", o.Start.DOut, o.Start.DIn, s.DOut, s.DIn)
	}
	if o.Start != nil {
		if norm := o.Start.Norm(); math.IsNaN(norm) || math.IsInf(norm, 0) {
			return fmt.Errorf("start of norm %g: want finite weights", norm)
		}
	}
	return nil
}

func (o Options) withDefaults() Options {
	if o.Gap == 0 {
		o.Gap = DefaultGap
	}
	if o.Tolerance == 0 {
		o.Tolerance = DefaultTolerance
	}
	if o.MaxIterations == 0 {
		o.MaxIterations = DefaultMaxIterations
	}
	return o
}

// Solution is what is known of the largest margin of an instance.
type Solution struct {
	// Status is Converged if the gap was reached or the instance was found not
	// storable (see NotStorable), Roundoff if round-off alone keeps Margin and
	// Bound further apart than the gap asked for, MaxIterations if the budget
	// was spent, Diverged if a NaN or an infinity appeared. It is Unknown if
	// Stop ended the solve: everything else is then what was found until then.
	Status status.Status
	// NotStorable says that Bound is below the tolerance: no weights have a
	// margin that counts. Weights is then nil, Margin and Gap are NaN.
	NotStorable bool
	// Weights have the margin Margin and norm ‖W‖_F = 1 to round-off; nil if no
	// weights were found.
	Weights *learn.Weights
	// Margin is a lower bound on the largest margin: the least
	// (S_μμ − S_μρ)/‖W‖_F of Weights over all pairs, less a bound on the
	// round-off in it. It may be negative if the solve ended early. It is +Inf,
	// as Bound, if no input has a competitor.
	Margin float64
	// Bound is an upper bound on the margin of all weights: ‖Σ λ X‖_F/Σ λ of
	// the multipliers, plus a bound on the round-off in it.
	Bound float64
	// Gap is 1 − Margin/Bound; 0 if no input has a competitor.
	Gap float64

	// Set lists the pairs of the working set and Multipliers their λ ≥ 0, of
	// sum 1, of which Active are positive; nil if there are none.
	Set         *constraint.Set
	Multipliers []float64
	Active      int

	// Scans counts passes over all scores, Iterations steps of conjugate
	// gradients, NewtonSteps minimisations of a quadratic.
	Scans, Iterations, NewtonSteps int
}
