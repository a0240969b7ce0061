package maxmargin

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"lamcap/harness/constraint"
	"lamcap/harness/learn"
	"lamcap/harness/pattern"
	"lamcap/internal/roundoff"
	"lamcap/internal/status"
)

// Solve looks for the weights of largest margin until the gap is reached, the
// instance is found not storable, the budget is spent, or [Options.Stop] ends
// it. It panics if the options are not valid (see [Options.Validate]).
//
// Of an instance that generates its pools it keeps the values of the working
// set only, some tens of candidates for each input.
func Solve(in *pattern.Instance, o Options) Solution {
	if err := o.Validate(in.Spec()); err != nil {
		panic("maxmargin: " + err.Error())
	}
	s := &solver{
		in: in, spec: in.Spec(), options: o.withDefaults(), scanner: constraint.NewScanner(in),
		solution: Solution{Margin: math.NaN(), Bound: math.Inf(1), Gap: math.NaN()},
	}
	s.scanner.Threads = o.Threads
	s.tolerance = s.options.Tolerance * constraint.MarginScale(in)
	if s.spec.N == 1 {
		w := learn.NewWeights(s.spec.DOut, s.spec.DIn, 0)
		w.Parameters[0] = 1 // any weights would do
		return Solution{Status: status.Converged, Weights: w, Margin: math.Inf(1), Bound: math.Inf(1)}
	}
	s.lagrangian = newLagrangian(s.spec.DOut, s.spec.DIn, o.Stop)
	s.run()
	s.finish()
	return s.solution
}

type solver struct {
	in        *pattern.Instance
	spec      pattern.Spec
	options   Options
	tolerance float64
	scanner   *constraint.Scanner
	longest   []float64
	set       *constraint.Set // the working set; the Lagrangian's is its rotation
	rotation  *constraint.Rotation
	*lagrangian

	// The best so far: weights, and multipliers with the set they belong to.
	weights, next   []float64
	margin          float64 // of weights, and as much as round-off may add to it
	multipliers     []float64
	multipliersOf   *constraint.Set
	multipliersNorm float64 // ‖Σ λ X‖_F/Σ λ in units of the Lagrangian
	force           []float64
	solution        Solution
}

const (
	// initialPenalty is σ in units of a typical multiplier at margin 1: λ's
	// of sum 1/K² over the active pairs.
	initialPenalty = 10
	// penaltyGrowth is the factor by which σ grows at least, and maxGrowth at
	// most, after an update of the multipliers.
	penaltyGrowth = 1.5
	maxGrowth     = 4
	// scanEvery is the most updates of the multipliers between two scans.
	scanEvery = 4
)

func (s *solver) run() {
	if s.interrupted() {
		return
	}
	s.begin()
	if s.decided() {
		return
	}
	for due := 0; ; {
		converged := s.minimise(s.considerBound)
		if s.solution.Status = s.failure(); s.solution.Status != status.Unknown || s.stopped {
			return
		}
		copy(s.lambda, s.multiplier)
		if s.decided() {
			return
		}
		least := floats.Min(s.lead) / floats.Norm(s.w, 2)
		if due--; due <= 0 || 1-least/s.multipliersNorm <= s.options.Gap {
			due = scanEvery
			if added := s.extend(); added > 0 {
				due = 1
			}
			if s.decided() {
				return
			}
		}
		s.adapt(converged)
	}
}

// begin chooses the first working set and σ.
func (s *solver) begin() {
	start := s.options.Start
	if start == nil {
		start = learn.TrainHebb(s.in)
	}
	w := make([]float64, s.spec.DOut*s.spec.DIn)
	s.next, s.force = make([]float64, len(w)), make([]float64, len(w))
	copy(w, start.Matrix(w))
	if norm := floats.Norm(w, 2); norm > 0 {
		floats.Scale(1/norm, w)
	}
	s.set, _, _, _ = s.scan(w, math.Inf(1))
	_, exponent := math.Frexp(s.set.Size())
	s.unit = math.Ldexp(1, exponent)
	lambda := make([]float64, s.set.Len())
	s.rotation = constraint.PrincipalAxes(s.set)
	s.use(s.rotation.Set(s.set), lambda)
	for i := range s.multiplier {
		s.multiplier[i] = 1
	}
	s.set.Backward(s.dual, s.multiplier)
	floats.Scale(1/s.unit, s.dual)
	s.considerBound()
	s.sigma = s.penalty()
}

// penalty is σ for the bound so far.
func (s *solver) penalty() float64 {
	return initialPenalty / (s.multipliersNorm * s.multipliersNorm * float64(s.set.Len()))
}

// adapt changes σ for the next minimisation. Larger ones take fewer updates of
// the multipliers, of more Newton steps each; one that was not completed was
// too stiff.
func (s *solver) adapt(converged bool) {
	if !converged {
		s.sigma /= maxGrowth
		return
	}
	s.sigma *= min(maxGrowth, max(penaltyGrowth, s.penalty()/s.sigma))
}

// considerBound keeps the multipliers if their bound, without the rotation and its
// round-off, is the least so far. It returns false if the solve cannot go on.
func (s *solver) considerBound() bool {
	if s.failure() != status.Unknown {
		return false
	}
	sum := floats.Sum(s.multiplier)
	if norm := floats.Norm(s.dual, 2) / sum; s.multipliers == nil || norm < s.multipliersNorm {
		s.set.Backward(s.force, s.multiplier)
		floats.Scale(1/s.unit, s.force)
		norm = floats.Norm(s.force, 2) / sum
		if s.multipliers != nil && !(norm < s.multipliersNorm) {
			return s.solution.Bound > s.tolerance
		}
		s.multipliers = append(s.multipliers[:0], s.multiplier...)
		s.multipliersOf, s.multipliersNorm = s.set, norm
		s.solution.Bound = (norm*s.unit*(1+roundoff.Gamma(s.spec.DIn*s.spec.DOut+s.set.Len()+8)) + s.set.BackwardError()) * (1 + 1e-14)
	}
	return s.solution.Bound > s.tolerance
}

// failure returns the status of a solve that cannot go on, or Unknown.
func (s *solver) failure() status.Status {
	if size := floats.Norm(s.w, 2) + floats.Norm(s.dual, 2); math.IsNaN(size) || math.IsInf(size, 0) {
		return status.Diverged
	}
	if s.iterations >= s.options.MaxIterations {
		return status.MaxIterations
	}
	return status.Unknown
}

// extend scans the scores of W, keeps it if its margin is the largest so far,
// and extends the working set. It returns the number of pairs added.
func (s *solver) extend() int {
	s.rotation.Back(s.next, s.w)
	set, added, margin, certain := s.scan(s.next, s.unit)
	if s.weights == nil || certain > s.solution.Margin {
		s.weights = append(s.weights[:0], s.next...)
		s.solution.Margin = certain
		s.margin = margin + (margin - certain)
	}
	if added > 0 {
		lambda := make([]float64, set.Len())
		for mu := range s.spec.P {
			copy(lambda[set.Start()[mu]:], s.lambda[s.set.Start()[mu]:s.set.Start()[mu+1]])
		}
		s.set = set
		s.use(s.rotation.Set(set), lambda)
	}
	return added
}

// decided says whether the solve ends, and how.
func (s *solver) decided() bool {
	r := &s.solution
	switch {
	case r.Bound <= s.tolerance:
		r.NotStorable, r.Status = true, status.Converged
	case s.weights == nil:
	case 1-r.Margin/r.Bound <= s.options.Gap:
		r.Status = status.Converged
	case 1-s.margin/(2*s.multipliersNorm*s.unit-r.Bound) <= s.options.Gap: // both off by all their round-off
		r.Status = status.Roundoff
	}
	return r.Status != status.Unknown
}

// finish turns the best weights and multipliers into the solution.
func (s *solver) finish() {
	r := &s.solution
	r.Iterations, r.NewtonSteps = s.iterations, s.newtonSteps
	if r.Status == status.MaxIterations && s.weights == nil {
		s.extend()
	}
	r.Set, r.Multipliers = s.multipliersOf, s.multipliers
	if sum := floats.Sum(r.Multipliers); sum > 0 {
		floats.Scale(1/sum, r.Multipliers)
	}
	for _, m := range r.Multipliers {
		if m > 0 {
			r.Active++
		}
	}
	if s.weights == nil || r.NotStorable {
		r.Margin = math.NaN()
		return
	}
	r.Weights = &learn.Weights{DOut: s.spec.DOut, DIn: s.spec.DIn, Parameters: s.weights}
	floats.Scale(1/floats.Norm(s.weights, 2), s.weights)
	r.Gap = 1 - r.Margin/r.Bound
}
