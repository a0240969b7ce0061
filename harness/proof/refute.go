package proof

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"lamcap/harness/constraint"
	"lamcap/harness/learn"
	"lamcap/harness/pattern"
	"lamcap/internal/status"
)

// RefuteOptions say how hard [Refute] tries. The zero value asks for all the
// defaults.
type RefuteOptions struct {
	// Threshold is the least softmax weight of a pair that is used, relative to
	// the largest of its input, at most 1; 0 means [DefaultThreshold].
	Threshold float64
	// Tolerance is the bound aimed at, in units of the scale of the instance's
	// margins (constraint.MarginScale), at most [AcceptedBound]; 0 means [DefaultBound]. A success may be less accurate,
	// with status Roundoff.
	Tolerance float64
	// MaxIterations is the budget of conjugate-gradient steps; 0 means
	// [DefaultMaxIterations].
	MaxIterations int
	// MaxRounds is the most corrections tried before giving up, each without
	// the pairs that the one before made negative; 0 means [DefaultMaxRounds].
	MaxRounds int
	// BoundOnly leaves out the proof that no W at all exists.
	BoundOnly bool
}

const (
	// DefaultThreshold is the default of [RefuteOptions.Threshold]. Any
	// multipliers are legitimate, so pairs may be left out; 1e-2 to 1e-4 succeed
	// at the same weights, unless an instance is so close to storable that only
	// bounds far below 0.01 decide it: then a smaller threshold helps.
	DefaultThreshold = 1e-3
	// DefaultBound is the default of [RefuteOptions.Tolerance]. 1e-15 can be
	// reached, at twice the steps.
	DefaultBound = 1e-11
	// AcceptedBound is the largest bound, in units of the scale of the instance's
	// margins (constraint.MarginScale), that counts as a proof that an instance
	// is not storable, for [Refute] and for [Check]; and the largest
	// [Assessment.Relative].
	AcceptedBound = 1e-10
	// DefaultMaxIterations is the default of [RefuteOptions.MaxIterations].
	// At d = 12 to 48 successes take 40 to 700, failures 100 to 400.
	DefaultMaxIterations = 5000
	// DefaultMaxRounds is the default of [RefuteOptions.MaxRounds]. Most
	// successes take 1 to 3.
	DefaultMaxRounds = 10

	// firstTolerance and looseTolerance are the accuracies of δ at which signs
	// are judged, the second more strictly.
	firstTolerance = 0.1
	looseTolerance = 1e-2
	// comfortable is the λ'/λ from which a first look is enough.
	comfortable = 0.1
	// smallResidual is the bound, in units of the instance's scale, from which
	// weights are capped at once.
	smallResidual = 0.03
	// hopeless is the λ'/λ = 1 − (c/λ)⟨δ, X⟩ below which no repair is tried. At
	// d = 24 to 48 successes begin above −11, and storable instances mostly
	// below −16.
	hopeless = -12
	// looseIterations ends the first judgement of signs in any case, and four
	// times as many the second.
	looseIterations = 150
	// smallSystem is the d_out·d_in up to which every round is tried: rounds
	// cost next to nothing there.
	smallSystem = 64
	// pairsPerWeight is the number of pairs used for each of the d_out·d_in
	// weights, at most: with 2 to 6 the steps are the same in number.
	pairsPerWeight = 4
	// negligible is the size of multipliers, relative to the largest, that are
	// left out.
	negligible = 1e-9
	// floorShare is the share of Σ λ that goes to the pairs which make
	// exactness provable.
	floorShare = 1e-4
)

// Validate reports the first option outside its range.
func (o RefuteOptions) Validate() error {
	switch {
	case !(o.Threshold >= 0 && o.Threshold <= 1):
		return fmt.Errorf("threshold = %g: want 0 < threshold ≤ 1, or 0 for %g", o.Threshold, DefaultThreshold)
	case !(o.Tolerance >= 0 && o.Tolerance <= AcceptedBound):
		return fmt.Errorf("tolerance = %g: want 0 < tolerance ≤ %g, or 0 for %g", o.Tolerance, AcceptedBound, DefaultBound)
	case o.MaxIterations < 0:
		return fmt.Errorf("max iterations = %d: want ≥ 1, or 0 for %d", o.MaxIterations, DefaultMaxIterations)
	case o.MaxRounds < 0:
		return fmt.Errorf("max rounds = %d: want ≥ 1, or 0 for %d", o.MaxRounds, DefaultMaxRounds)
	}
	return nil
}

func (o RefuteOptions) withDefaults() RefuteOptions {
	if o.Threshold == 0 {
		o.Threshold = DefaultThreshold
	}
	if o.Tolerance == 0 {
		o.Tolerance = DefaultBound
	}
	if o.MaxIterations == 0 {
		o.MaxIterations = DefaultMaxIterations
	}
	if o.MaxRounds == 0 {
		o.MaxRounds = DefaultMaxRounds
	}
	return o
}

// Refutation says what came of an attempt to prove that an instance cannot be
// stored.
type Refutation struct {
	// Outcome is whether the multipliers returned prove it: they are Exact, or
	// their Bound is at most [AcceptedBound] in units of the margins' scale and
	// relative to Σ λ‖X‖_F (see [Assessment]).
	// It is what [Check] accepts.
	Outcome bool
	// Bound is an upper bound on the normalised margin of all W, by the
	// multipliers returned, round-off included; +Inf if there are none.
	Bound float64
	// Exact says that no W at all has all ⟨W, X⟩ > 0.
	Exact bool
	// Kept is the number of pairs worked with.
	Kept int
	// Iterations counts conjugate-gradient steps, Rounds corrections up to the
	// first without a negative multiplier.
	Iterations, Rounds int
	// LeastRatio is the least λ'/λ = 1 − (c/λ)⟨δ, X⟩ of the first correction: a
	// proof follows at once if it is not negative.
	LeastRatio float64
	// Status is Converged if the tolerance was met, Roundoff if round-off kept
	// Bound above it, Stalled if multipliers were negative, MaxIterations if
	// the budget ended first, Diverged if a number was not finite.
	Status status.Status
}

// Refute tries to prove that an instance cannot be stored, from weights near a
// minimiser of the cross-entropy; any weights are allowed, and λ, not w, is the
// proof. It returns nil multipliers if the attempt failed. It panics if the
// dimensions do not match or the options are not valid (see
// [RefuteOptions.Validate]).
//
// "Near" is not very near. Of instances that 500 evaluations of L-BFGS do not
// store, in OP and DP, those refuted (all of them exactly) at the first attempt,
// after 12 evaluations from W = 0, with the mean number of steps, and the mean
// number of evaluations that their own duality bound needs to fall below 1e-6:
//
//	p/p_c                  1.01    1.05   1.10   1.20   1.30
//	d = 12  refuted         4/5    9/10  12/13  16/16  16/16
//	        steps           172     119    109     56     47
//	        evaluations     123      72    100     39     32
//	d = 24  refuted         8/8   13/14  16/16  16/16  16/16
//	        steps           156     161    127     74     68
//	        evaluations      93      86     59     37     30
//	d = 48  refuted         4/5     8/8    8/8    8/8    8/8
//	        steps           314     284    126     99     92
//	        evaluations       -      81     49     37     29
//
// The others take more evaluations, up to a few hundred. An attempt costs a pass
// over the scores and its steps, of some 4P d_out d_in multiplications each: 40
// to 700 if it succeeds, 100 to 400 if not. So package trial tries when the
// duality bound has fallen to 0.03 in the instance's scale, and again each time
// it has fallen to 0.4 of what it was.
func Refute(in *pattern.Instance, w *learn.Weights, o RefuteOptions) (*Multipliers, Refutation) {
	if err := o.Validate(); err != nil {
		panic("proof: " + err.Error())
	}
	o = o.withDefaults()
	s := in.Spec()
	if w.DIn != s.DIn || w.DOut != s.DOut {
		panic("proof: weights and instance have different dimensions")
	}
	r := &refuter{in: in, options: o, scale: constraint.MarginScale(in), result: Refutation{Bound: math.Inf(1), LeastRatio: math.Inf(-1)}}
	return r.run(w.Matrix(make([]float64, s.DOut*s.DIn))), r.result
}

type refuter struct {
	in      *pattern.Instance
	options RefuteOptions
	scale   float64 // of margins
	result  Refutation

	set    *constraint.Set
	normal solver
	lambda []float64
	// Scratch: one number for each pair, and matrices DOut×DIn.
	change, weights []float64
	delta, residual []float64
}

func (r *refuter) run(w []float64) *Multipliers {
	r.result.Status = status.Stalled
	s := r.in.Spec()
	if s.N == 1 {
		return nil // no constraints
	}
	if r.in.Scale() == 0 {
		return r.tied(single(s.P, 0, otherThan(r.in.Target(0)))) // every X is 0
	}
	choice := selection{
		threshold: r.options.Threshold,
		// Far above capacity weights are few and softmax weights flat: some tens of
		// competitors of each input are needed to balance.
		most: max(pairsPerWeight*s.DOut*s.DIn/s.P+4, 32),
	}
	if !r.options.BoundOnly {
		choice.spread(s)
	}
	set, lambda, tie := softmax(r.in, w, choice)
	switch {
	case tie != nil:
		return r.tied(tie)
	case set == nil:
		r.result.Status = status.Diverged
		return nil
	}
	r.set, r.lambda, r.normal = set, lambda, newSolver(set)
	r.change, r.weights = make([]float64, set.Len()), make([]float64, set.Len())
	r.delta, r.residual = make([]float64, len(w)), make([]float64, len(w))
	r.result.Kept = set.Len()
	all := append([]float64(nil), lambda...)
	if !r.correct() {
		// The contradiction may lie within the few inputs with the largest
		// weights, while those of the others fall to 0.
		if !r.concentrated(all) {
			return nil
		}
		choice.inputs = 0
	}
	m := r.multipliers()
	r.judge(m)
	if r.result.Outcome && !r.result.Exact && choice.inputs > 0 {
		m = r.again(choice, m)
	}
	if !r.result.Outcome {
		return nil
	}
	return m
}

// tied is a success with a pair of X = 0.
func (r *refuter) tied(m *Multipliers) *Multipliers {
	r.result = Refutation{Outcome: true, Exact: true, Kept: 1, LeastRatio: 1, Status: status.Converged}
	return m
}

// concentrated repeats the correction with the multipliers of those inputs alone
// whose sum is at least a share of the largest, for several shares.
func (r *refuter) concentrated(all []float64) bool {
	start := r.set.Start()
	sums := make([]float64, len(start)-1)
	for mu := range sums {
		sums[mu] = floats.Sum(all[start[mu]:start[mu+1]])
	}
	tried := len(sums)
	for _, share := range []float64{1e-4, 1e-2, 0.1, 0.5} {
		copy(r.lambda, all)
		kept, least := 0, share*floats.Max(sums)
		for mu, sum := range sums {
			if sum < least {
				clear(r.lambda[start[mu]:start[mu+1]])
			} else {
				kept++
			}
		}
		if kept == tried {
			continue
		}
		if tried = kept; r.correct() {
			return true
		}
	}
	return false
}

// again raises the multipliers of the spread inputs that the corrections made
// 0, which exactness needs, and corrects once more. It returns m, and keeps the
// result, if that shows no exactness either.
func (r *refuter) again(choice selection, m *Multipliers) *Multipliers {
	before, rounds := r.result, r.result.Rounds
	choice.raise(r.set, r.lambda)
	if r.correct() {
		if better := r.multipliers(); r.judge(better) && r.result.Exact {
			r.result.Rounds = rounds
			return better
		}
	}
	before.Iterations = r.result.Iterations
	r.result = before
	return m
}

// ratios computes λ'/λ = 1 − (c/λ)⟨δ, X⟩ of every pair and returns the least of
// those that count.
func (r *refuter) ratios() float64 {
	r.set.ForwardScaled(r.change, r.delta, r.weights)
	least := math.Inf(1)
	for i, x := range r.change {
		if r.lambda[i] == 0 {
			r.change[i] = 1
			continue
		}
		r.change[i] = 1 - x/r.lambda[i]
		if !(r.change[i] >= least) {
			least = r.change[i]
		}
	}
	return least
}

// flatten sets the weights c of the next system: those of λ up to a cap. With
// c = λ the correction is the smallest in the metric that keeps λ positive, but
// a few large λ make the system badly conditioned: with the median as the cap
// it takes half the steps, and moves small λ no more than they allow once the
// residual is small.
func (r *refuter) flatten(limit float64) {
	for i, l := range r.lambda {
		r.weights[i] = min(l, limit)
	}
}

// median returns that of the multipliers above 0.
func (r *refuter) median() float64 {
	positive := make([]float64, 0, len(r.lambda))
	for _, l := range r.lambda {
		if l > 0 {
			positive = append(positive, l)
		}
	}
	slices.Sort(positive)
	return positive[len(positive)/2]
}

// correct repeats the correction, each time without the pairs that the last one
// made negative, until the bound is met or as small as round-off lets it be.
func (r *refuter) correct() bool {
	begin := floats.Sum(r.lambda)
	patient := len(r.delta) <= smallSystem
	aim := 0.5 * r.options.Tolerance * r.scale
	last, met := r.bound(), 0
	// A residual this small is corrected with capped weights at once.
	flat := last <= smallResidual*r.in.Scale()
	prepared := false // with capped weights, which serve as long as they succeed
	for round := 0; ; round++ {
		if last <= aim {
			return true
		}
		if r.normal.iterations() >= r.options.MaxIterations {
			r.result.Status = status.MaxIterations
			return met > 0
		}
		if !flat || !prepared {
			limit := math.Inf(1)
			if flat {
				limit = r.median()
			}
			r.flatten(limit)
			r.normal.prepare(r.weights)
			prepared = flat
		}
		clear(r.delta)
		r.normal.begin(r.residual) // that of the last bound
		tolerance := max(0.5*aim/last, 1e-13)
		// A first look at low accuracy ends most attempts that must fail.
		steps := min(r.options.MaxIterations, r.normal.iterations()+looseIterations)
		r.normal.advance(r.delta, max(firstTolerance, tolerance), steps)
		least := r.ratios()
		if least >= hopeless && least < comfortable || patient {
			steps = min(r.options.MaxIterations, r.normal.iterations()+4*looseIterations)
			r.normal.advance(r.delta, max(looseTolerance, tolerance), steps)
			least = r.ratios()
		}
		if r.result.Rounds == 0 {
			r.result.LeastRatio = least
		}
		if least > 0 && r.normal.reached() > tolerance && (flat || patient) {
			r.normal.advance(r.delta, tolerance, r.options.MaxIterations)
			least = r.ratios()
		}
		r.result.Iterations = r.normal.iterations()
		if met == 0 {
			r.result.Rounds++
		}
		switch {
		case !finite(least):
			r.result.Status = status.Diverged
			return false
		case least < hopeless && !patient, least < 0 && met == 0 && round+1 >= r.options.MaxRounds:
			return false
		}
		for i := range r.lambda {
			r.lambda[i] *= max(r.change[i], 0)
		}
		if floats.Sum(r.lambda) < 1e-3*begin {
			return false
		}
		now := r.bound()
		if least < 0 && met == 0 && !(now < 0.8*last) && !patient {
			return false // no progress
		}
		if least >= 0 {
			if met++; met > 1 && now > 0.5*last {
				return true // round-off
			}
		}
		// Nothing was negative: what is left is corrected with capped weights;
		// unless those have just failed.
		if flat = least >= 0; !flat {
			prepared = false
		}
		last = now
	}
}

// bound returns ‖Σ λ X‖_F/Σ λ without its round-off, and leaves Σ λ X in residual.
func (r *refuter) bound() float64 {
	r.set.Backward(r.residual, r.lambda)
	return floats.Norm(r.residual, 2) / floats.Sum(r.lambda)
}

// multipliers returns the present ones; without those that matter less than
// the tolerance, which inputs outside a contradiction are left with.
func (r *refuter) multipliers() *Multipliers {
	m := &Multipliers{Start: r.set.Start(), Candidate: r.set.Candidate(), Value: r.lambda}
	kept := append([]float64(nil), r.lambda...)
	cut := negligible * floats.Max(kept)
	for i, v := range kept {
		if v < cut {
			kept[i] = 0
		}
	}
	r.set.Backward(r.residual, kept)
	if floats.Norm(r.residual, 2)/floats.Sum(kept) <= 0.5*r.options.Tolerance*r.scale {
		m.Value = kept
	}
	return m.compact()
}

// judge fills the result from what the multipliers prove, and returns Outcome.
func (r *refuter) judge(m *Multipliers) bool {
	a := newEvaluator(r.in, m).assess(!r.options.BoundOnly)
	r.result.Bound, r.result.Exact = a.Bound, a.Exact
	r.result.Outcome = a.accepted(r.scale)
	switch {
	case a.Bound <= r.options.Tolerance*r.scale:
		r.result.Status = status.Converged
	case r.normal.iterations() >= r.options.MaxIterations:
		r.result.Status = status.MaxIterations
	case r.result.Outcome:
		r.result.Status = status.Roundoff
	}
	return r.result.Outcome
}
