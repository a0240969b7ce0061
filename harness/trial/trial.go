package trial

import (
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"lamcap/harness/learn"
	"lamcap/harness/pattern"
	"lamcap/internal/status"
)

// Outcome is what is known about an instance.
type Outcome int

const (
	// Undecided is the zero value: neither a witness nor a bound was found.
	Undecided Outcome = iota
	// Stored means that the returned weights recall every input.
	Stored
	// NotStorable means that no weights have a normalised margin above the
	// tolerance.
	NotStorable
)

var outcomeNames = [...]string{"undecided", "stored", "not_storable"}

// String returns "stored", "not_storable" or "undecided".
func (o Outcome) String() string {
	if o < 0 || int(o) >= len(outcomeNames) {
		return fmt.Sprintf("outcome(%d)", int(o))
	}
	return outcomeNames[o]
}

// Options say how an instance is decided. The zero value is L-BFGS at full rank
// with all the defaults.
type Options struct {
	// Rule is the learning rule.
	Rule learn.Rule
	// Rank is m of W = Q Rᵀ; 0, or the least dimension, means full rank. Hebb's
	// rule has no other.
	Rank int
	// Tolerance is the normalised margin, in units of the instance's own scale
	// (pattern.Instance.Scale, about 1 for sampled ones), below which it counts
	// as not storable; 0 means [DefaultTolerance].
	Tolerance float64
	// MaxEvaluations is the budget of each training in passes over the
	// instance; 0 means [learn.DefaultMaxEvaluations].
	MaxEvaluations int
	// Restarts is the number of random starts of Q and R; 0 means
	// [DefaultRestarts]. Full rank is convex and starts once, at W = 0.
	Restarts int
	// LearningRate is Adam's step size; 0 means [learn.DefaultLearningRate].
	LearningRate float64
	// Memory is the number of steps L-BFGS remembers; 0 means
	// [learn.DefaultMemory].
	Memory int
}

const (
	// DefaultTolerance is the default of [Options.Tolerance]. Margins of
	// storable instances are of order 1 and fluctuate, at d = 24, by some 0.04
	// around capacity: one in 10⁴ or 10⁵ of those is below it.
	DefaultTolerance = 1e-6
	// DefaultRestarts is the default of [Options.Restarts].
	DefaultRestarts = 5

	// factorTolerance ends a start of Q and R that has come to rest (see
	// [learn.Options.GradientTolerance]). From 1e-2 to 1e-4 the same starts are
	// stored (24 instances at d = 24, ranks 6 and 12, around capacity) while
	// those that fail take three times longer.
	factorTolerance = 3e-3
	// startNorm is ‖Q Rᵀ‖_F of a random start, that is, the size of its scores.
	startNorm = 1
)

// Validate reports the first option outside its range, or an instance too large
// for the rule.
func (o Options) Validate(s pattern.Spec) error {
	if err := s.Validate(); err != nil {
		return err
	}
	full := min(s.DIn, s.DOut)
	switch {
	case o.Rule != learn.LBFGS && o.Rule != learn.Adam && o.Rule != learn.Hebb:
		return fmt.Errorf("rule = %v: want hebb, adam or lbfgs", o.Rule)
	case o.Rank < 0 || o.Rank > full:
		return fmt.Errorf("rank = %d: want 1 ≤ rank ≤ min(d_in, d_out) = %d", o.Rank, full)
	case o.Rule == learn.Hebb && o.Rank != 0 && o.Rank != full:
		return fmt.Errorf("rank = %d: want full rank, %d, with rule hebb", o.Rank, full)
	case !(o.Tolerance >= 0) || math.IsInf(o.Tolerance, 0):
		return fmt.Errorf("tolerance = %g: want a finite tolerance > 0, or 0 for %g", o.Tolerance, DefaultTolerance)
	case o.MaxEvaluations < 0:
		return fmt.Errorf("max evaluations = %d: want ≥ 1, or 0 for %d", o.MaxEvaluations, learn.DefaultMaxEvaluations)
	case o.Restarts < 0:
		return fmt.Errorf("restarts = %d: want ≥ 1, or 0 for %d", o.Restarts, DefaultRestarts)
	case !(o.LearningRate >= 0) || math.IsInf(o.LearningRate, 0):
		return fmt.Errorf("learning rate = %g: want a finite rate > 0, or 0 for %g", o.LearningRate, learn.DefaultLearningRate)
	case o.Memory < 0:
		return fmt.Errorf("memory = %d: want ≥ 1, or 0 for %d", o.Memory, learn.DefaultMemory)
	case float64(s.DIn)*float64(s.DOut)*o.copies() > maxNumbers:
		return fmt.Errorf("weights of d_out × d_in = %d × %d take %.3g GB with rule %v: want ≤ 8.6 GB", s.DOut, s.DIn, 8e-9*float64(s.DIn)*float64(s.DOut)*o.copies(), o.Rule)
	case o.Rule != learn.Hebb && !s.Fits():
		return fmt.Errorf("pools of %.3g GB: want ≤ 8.6 GB with rule %v; lower p, n or d_out, or use rule hebb", 8e-9*s.PoolNumbers(), o.Rule)
	}
	return nil
}

// maxNumbers is 8 GiB of float64.
const maxNumbers = 1 << 30

// copies returns how many arrays of the size of W a training holds at most.
func (o Options) copies() float64 {
	const few = 10 // weights, gradients, directions, their copies
	if o.Rule != learn.LBFGS {
		return few
	}
	memory := o.Memory
	if memory == 0 {
		memory = learn.DefaultMemory
	}
	return few + 2*float64(memory)
}

// Result is what a trial says about one instance.
type Result struct {
	Outcome Outcome
	// Status is Converged if the instance was decided (or Hebb's rule applied),
	// Diverged if a NaN or an infinity appeared, MaxIterations or Stalled if the
	// budget or the rule ended undecided, Unknown if the trial was not run.
	Status status.Status
	// Recalled counts the inputs that the returned weights recall strictly,
	// beyond round-off; Accuracy is its share of all inputs.
	Recalled int
	Accuracy float64
	// Margin is min (S_μμ − S_μρ)/‖W‖_F of the returned weights: +Inf if no input
	// has a competitor, else NaN for W = 0 and for weights that are not finite.
	Margin float64
	// MarginBound is the least duality bound seen, which no weights exceed in
	// their Margin; +Inf if none was (Hebb's rule computes none).
	MarginBound float64
	// Evaluations counts passes over the instance, of all starts.
	Evaluations int
	// Seconds is the wall time of the decision, the only field that is not
	// reproducible.
	Seconds float64
	// Seed is the master seed, set by [Many].
	Seed uint64
}

// Decide trains on an instance until it is decided or the budget is spent. The
// rng supplies the random starts of low-rank factors and nothing else. It
// panics if the options are not valid (see [Options.Validate]).
func Decide(rng *rand.Rand, in *pattern.Instance, o Options) Result {
	_, r := Train(rng, in, o)
	return r
}

// Train is [Decide] and returns the weights too: the witness, or those with the
// most recalled inputs among the ends of all starts.
func Train(rng *rand.Rand, in *pattern.Instance, o Options) (*learn.Weights, Result) {
	begin := time.Now()
	s := in.Spec()
	if err := o.Validate(s); err != nil {
		panic("trial: " + err.Error())
	}
	if o.Tolerance == 0 {
		o.Tolerance = DefaultTolerance
	}
	if o.Restarts == 0 {
		o.Restarts = DefaultRestarts
	}
	if o.Rank == min(s.DIn, s.DOut) {
		o.Rank = 0
	}
	d := decision{in: in, options: o, tolerance: o.Tolerance * in.Scale(), result: Result{MarginBound: math.Inf(1)}}
	switch {
	case o.Rule == learn.Hebb:
		d.hebb()
	case o.Rank == 0:
		d.obj = learn.NewObjective(in)
		d.train(learn.NewWeights(s.DOut, s.DIn, 0), 0)
	default:
		d.obj = learn.NewObjective(in)
		d.factors(rng)
	}
	d.result.Recalled, d.result.Margin = d.best.Recalled, d.best.Margin
	d.result.Accuracy = float64(d.best.Recalled) / float64(s.P)
	d.result.Seconds = time.Since(begin).Seconds()
	return d.weights, d.result
}

// decision is the state of one trial.
type decision struct {
	in      *pattern.Instance
	obj     *learn.Objective
	options Options
	result  Result
	// tolerance is the option times the scale of the instance.
	tolerance float64

	weights *learn.Weights // the best so far
	best    learn.Verification
}

// consider keeps w if it recalls more than the best so far, or as much with a
// larger margin.
func (d *decision) consider(w *learn.Weights) {
	v := learn.Verify(d.in, w)
	if d.weights == nil || v.Recalled > d.best.Recalled || v.Recalled == d.best.Recalled && v.Margin > d.best.Margin {
		d.weights, d.best = w, v
	}
	if v.Recalled == d.in.Spec().P {
		d.result.Outcome, d.result.Status = Stored, status.Converged
	}
}

func (d *decision) hebb() {
	d.consider(learn.TrainHebb(d.in))
	d.result.Status = status.Converged
	if math.IsNaN(d.best.Norm) || math.IsInf(d.best.Norm, 0) {
		d.result.Status = status.Diverged
	}
}

// run trains from start and counts.
func (d *decision) run(start *learn.Weights, gradientTolerance float64) learn.Run {
	options := learn.Options{
		MaxEvaluations:    d.options.MaxEvaluations,
		GradientTolerance: gradientTolerance,
		LearningRate:      d.options.LearningRate,
		Memory:            d.options.Memory,
		Stop: func(w *learn.Weights, e learn.Evaluation) bool {
			p := d.in.Spec().P
			return e.Bound < d.tolerance ||
				e.Recalled == p && learn.Verify(d.in, w).Recalled == p
		},
	}
	train := learn.TrainLBFGS
	if d.options.Rule == learn.Adam {
		train = learn.TrainAdam
	}
	r := train(d.obj, start, options)
	d.result.Evaluations += r.Evaluations
	d.result.MarginBound = min(d.result.MarginBound, r.Bound)
	return r
}

// train runs one start to its end.
func (d *decision) train(start *learn.Weights, gradientTolerance float64) {
	r := d.run(start, gradientTolerance)
	d.consider(r.Weights)
	if d.result.Outcome == Stored {
		return
	}
	switch {
	case d.result.MarginBound < d.tolerance:
		d.result.Outcome, d.result.Status = NotStorable, status.Converged
	case r.Status == status.Converged: // at rest, but nothing is proved
		d.result.Status = status.Stalled
	default:
		d.result.Status = r.Status
	}
}

// factors tries random starts of Q and R. With L-BFGS it first asks whether the
// instance can be stored at full rank, which takes a fraction of a start: if
// not, neither can it at a lower one.
func (d *decision) factors(rng *rand.Rand) {
	s := d.in.Spec()
	if d.options.Rule == learn.LBFGS {
		d.run(learn.NewWeights(s.DOut, s.DIn, 0), 0)
	}
	for range d.options.Restarts {
		d.train(learn.RandomWeights(rng, s.DOut, s.DIn, d.options.Rank, startNorm), factorTolerance)
		if d.result.Outcome != Undecided {
			return
		}
	}
}
