package facts

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"
	"time"

	"gonum.org/v1/gonum/floats"

	"lamcap/harness/learn"
	"lamcap/harness/maxmargin"
	"lamcap/harness/proof"
	"lamcap/harness/trial"
	"lamcap/internal/status"
	"lamcap/internal/stream"
)

// Options say how facts are stored. The zero value has all the defaults.
type Options struct {
	// Rank is m of W = Q Rᵀ; 0, or the least dimension, means full rank.
	Rank int
	// MaxEvaluations, Restarts, Tolerance, Double and Threads are those of
	// [trial.Options].
	MaxEvaluations, Restarts, Threads int
	Tolerance                         float64
	Double                            bool
	// Gap is how near the margin of stored facts has to come to the largest,
	// 1 − margin/bound; 0 means [DefaultGap].
	Gap float64
	// Seed is that of the random starts of low rank.
	Seed uint64
	// Progress, if not nil, is called after every pass over the facts, and before
	// every step towards the largest margin.
	Progress func()
}

// DefaultGap is the default of [Options.Gap]. A tenth of it took 850 pairs of raw
// word vectors, d = 100, 20 seconds of one core.
const DefaultGap = 1e-2

// Validate reports the first option outside its range.
func (o Options) Validate(f *Facts) error {
	if !(o.Gap >= 0 && o.Gap < 1) {
		return fmt.Errorf("gap = %g: want 0 < gap < 1, or 0 for %g", o.Gap, DefaultGap)
	}
	return o.trial(f).Validate(f.instance.Spec())
}

func (o Options) trial(f *Facts) trial.Options {
	t := trial.Options{
		Rule: learn.LBFGS, Rank: o.Rank, MaxEvaluations: o.MaxEvaluations, Restarts: o.Restarts,
		Tolerance: o.Tolerance, Double: o.Double, Threads: o.Threads,
	}
	if o.Progress != nil {
		t.Progress = func(learn.Evaluation) { o.Progress() }
	}
	return t
}

// Method says what a memory is.
type Method string

const (
	// MaxMargin is the W of norm 1 with the largest min (u − v)ᵀ W e, up to the gap.
	MaxMargin Method = "max_margin"
	// CrossEntropy is the W, or the Q Rᵀ, at the end of a training on
	// Σ log Σ_v exp((v − u)ᵀ W e): its scores are log odds.
	CrossEntropy Method = "cross_entropy"
)

// Stored is a memory of facts, and what is known of it and of all others.
type Stored struct {
	Outcome trial.Outcome
	// Exact says of facts that are not storable that no W at all recalls them;
	// else only margins above MarginBound are excluded.
	Exact bool
	// Status is that of the training: Converged, or why it ended before.
	Status status.Status
	// Weights is W, d_out×d_in row-major: u·(W e) is the score of the vectors.
	Weights []float64
	Rank    int // of W at most
	Method  Method
	// Recalled counts the facts that W recalls strictly, beyond round-off; Missed
	// are the others.
	Recalled int
	Missed   []Miss
	// Loss is the mean cross-entropy of a fact, in nats; NaN for the max-margin W.
	Loss float64
	// Margin is min (u − v)ᵀ W e/‖W‖_F of W, and MarginBound a bound on that of all
	// weights, in the units of the vectors. Gap is 1 − Margin/MarginBound, NaN where
	// that says nothing.
	Margin, MarginBound, Gap float64
	// Conflicts are those of [Facts.Conflicts].
	Conflicts []Conflict
	// Certificate is the proof of the outcome, checked by [proof.CheckFor] with
	// [Facts.Instance]; nil if undecided.
	Certificate *proof.Certificate
	Evaluations int
	Seconds     float64
	Seed        uint64
}

// Store decides whether the facts can be stored and returns the memory: of largest
// margin when they are, at full rank; else that of the least cross-entropy. At a
// rank below the full one a W found is a witness, but that there is none is shown
// at full rank only. If ctx ends, the result holds what was found so far, with
// status Unknown. It panics if the options are not valid.
func (f *Facts) Store(ctx context.Context, o Options) (*Stored, error) {
	if err := o.Validate(f); err != nil {
		panic("facts: " + err.Error())
	}
	began, in := time.Now(), f.instance
	s := in.Spec()
	r := &Stored{Seed: o.Seed, Loss: math.NaN(), Gap: math.NaN(), MarginBound: math.Inf(1), Conflicts: f.Conflicts(), Rank: min(s.DIn, s.DOut)}
	if o.Rank > 0 {
		r.Rank = o.Rank
	}
	full := r.Rank == min(s.DIn, s.DOut)
	w, err := f.decide(ctx, o, full, r)
	if err != nil {
		return nil, err
	}
	if r.Outcome == trial.NotStorable && full || w == nil {
		w = f.train(ctx, w, o, full, r)
	}
	if s.N == 1 { // any weights would do: those that say what belongs together
		w = learn.TrainHebb(in)
		r.Method, r.Rank = CrossEntropy, 1
	}
	if r.Method != MaxMargin {
		r.Loss = learn.NewObjective(in).Evaluate(w, make([]float64, len(w.Parameters))).Loss / float64(s.P)
	}
	r.Weights = slices.Clone(w.Matrix(make([]float64, s.DOut*s.DIn)))
	f.judge(r, o.Threads)
	r.Seconds = time.Since(began).Seconds()
	return r, nil
}

// decide looks for a proof of either outcome.
func (f *Facts) decide(ctx context.Context, o Options, full bool, r *Stored) (*learn.Weights, error) {
	in := f.instance
	if len(r.Conflicts) > 0 {
		m := f.multipliers(&r.Conflicts[0])
		a := proof.Assess(in, m)
		r.Outcome, r.Exact, r.MarginBound = trial.NotStorable, true, a.Bound
		if !a.Refutes(in) || !a.Exact {
			return nil, fmt.Errorf("facts: the conflict %v is not confirmed (%+v): please report it", r.Conflicts[0], a)
		}
		var err error
		r.Certificate, err = proof.NewNotStorable(in, proof.Address{}, m, proof.Refutation{Outcome: true, Bound: a.Bound, Exact: a.Exact, Status: status.Converged})
		return nil, err
	}
	options := o.trial(f)
	evidence, result, err := trial.TrainSession(ctx, stream.New(o.Seed, "store", "", 0), in, options, trial.Session{})
	if err != nil {
		return nil, err
	}
	r.Outcome, r.Exact, r.Status, r.MarginBound, r.Evaluations = result.Outcome, result.Exact, result.Status, result.MarginBound, result.Evaluations
	r.Method = CrossEntropy
	if full && r.Outcome == trial.Stored && in.Spec().N > 1 {
		f.widen(ctx, o, &evidence, r)
	}
	if r.Outcome != trial.Undecided {
		if r.Certificate, err = evidence.Certificate(in, proof.Address{}, r.Outcome); err != nil {
			return nil, err
		}
	}
	return evidence.Weights, nil
}

// widen goes on from a witness to the largest margin, until ctx ends, and keeps the
// better one.
func (f *Facts) widen(ctx context.Context, o Options, e *trial.Evidence, r *Stored) {
	gap := o.Gap
	if gap == 0 {
		gap = DefaultGap
	}
	solution := maxmargin.Solve(f.instance, maxmargin.Options{
		Start: e.Weights, Gap: gap, Threads: o.Threads,
		Stop: func() bool {
			if o.Progress != nil {
				o.Progress()
			}
			return ctx.Err() != nil
		},
	})
	r.Status, r.MarginBound = solution.Status, min(r.MarginBound, solution.Bound)
	if solution.Weights == nil {
		return
	}
	if v := proof.Verify(f.instance, solution.Weights); v.Recalled == f.Len() && v.Margin >= e.Verification.Margin {
		e.Weights, e.Verification, r.Method = solution.Weights, v, MaxMargin
	}
}

// restTolerance ends the training of facts that are not stored: the gradient
// relative to the sum of the probabilities of wrong answers, in the instance's
// scale.
const restTolerance = 1e-4

// train minimises the cross-entropy, from weights or from a start of its own.
func (f *Facts) train(ctx context.Context, start *learn.Weights, o Options, full bool, r *Stored) *learn.Weights {
	in := f.instance
	s := in.Spec()
	r.Method = CrossEntropy
	switch {
	case start != nil:
	case full:
		start = learn.NewWeights(s.DOut, s.DIn, 0)
	default:
		start = learn.RandomWeights(stream.New(o.Seed, "store", "", 0), s.DOut, s.DIn, o.Rank, 1)
	}
	engine := learn.Engine{Threads: o.Threads}
	const large = 1 << 20
	if float64(s.P)*float64(s.N)*float64(s.DOut) >= large {
		if !o.Double {
			engine.Precision = learn.Single
		}
		if o.Threads == 0 {
			engine.Threads = runtime.GOMAXPROCS(0)
		}
	}
	tolerance := restTolerance
	if full {
		tolerance *= in.Scale()
	}
	trainer := learn.NewTrainer(learn.LBFGS, learn.NewObjectiveWith(in, engine), start, learn.Options{
		MaxEvaluations: o.MaxEvaluations, GradientTolerance: tolerance,
		Stop: func(*learn.Weights, learn.Evaluation) bool {
			if o.Progress != nil {
				o.Progress()
			}
			return ctx.Err() != nil
		},
	})
	budget := o.MaxEvaluations
	if budget == 0 {
		budget = learn.DefaultMaxEvaluations
	}
	run := trainer.Run(budget)
	if run.Status == status.Stalled && engine.Precision == learn.Single { // at rest in float32
		engine.Precision = learn.Double
		trainer.SwitchTo(learn.NewObjectiveWith(in, engine))
		run = trainer.Run(budget)
	}
	r.Evaluations += run.Evaluations
	r.MarginBound = min(r.MarginBound, run.Bound)
	switch {
	case ctx.Err() != nil:
		r.Status = status.Unknown
	case r.Outcome == trial.NotStorable:
		r.Status = run.Status
	}
	return run.Weights
}

// judge says what the weights recall, and turns everything into the units of the
// vectors.
func (f *Facts) judge(r *Stored, threads int) {
	in := f.instance
	s := in.Spec()
	v := proof.Verify(in, &learn.Weights{DOut: s.DOut, DIn: s.DIn, Parameters: r.Weights})
	r.Recalled, r.Margin = v.Recalled, v.Margin
	if r.Outcome == trial.Stored && s.N > 1 {
		r.Gap = 1 - r.Margin/r.MarginBound
	}
	if r.Recalled < s.P {
		r.Missed = f.missed(r.Weights, 0, threads)
	}
	r.Margin, r.MarginBound = math.Ldexp(r.Margin, f.exponent), math.Ldexp(r.MarginBound, f.exponent)
	// Scores of the cross-entropy are log odds, in any unit of the vectors, as far
	// as that is in range.
	if r.Method == CrossEntropy {
		scaled := make([]float64, len(r.Weights))
		for i, x := range r.Weights {
			scaled[i] = math.Ldexp(x, -f.exponent)
		}
		if size, before := floats.Norm(scaled, math.Inf(1)), floats.Norm(r.Weights, math.Inf(1)); before == 0 || size > 1e-200 && size < 1e200 {
			r.Weights = scaled
			return
		}
	}
	for i := range r.Missed {
		m := &r.Missed[i]
		m.Score, m.Answer.Score = math.Ldexp(m.Score, f.exponent), math.Ldexp(m.Answer.Score, f.exponent)
	}
}

// missed are the facts that weights do not recall, with the scores of the instance
// times 2^exponent.
func (f *Facts) missed(w []float64, exponent, threads int) []Miss {
	var all []Miss
	x := newScorer(f.instance, w, exponent, threads)
	var mutex sync.Mutex
	x.scan(func(mu int, scores []float64, bound float64) {
		rank, tie := place(scores, f.targets[mu], bound)
		if rank == 1 {
			return
		}
		m := Miss{Fact: mu, Pair: f.pairs[mu], Rank: rank, Score: x.score(scores[f.targets[mu]]), Answer: x.answerFor(scores, f.targets[mu], bound)}
		m.Answer.Value, m.Answer.Tie = f.rows[m.Answer.Value], tie
		mutex.Lock()
		defer mutex.Unlock()
		all = append(all, m)
	})
	slices.SortFunc(all, compareMisses)
	return all
}

// errInterrupted says that a result is not the end of its training.
var errInterrupted = errors.New("interrupted before the end")

// Interrupted returns an error if the training was cut short by its context.
func (r *Stored) Interrupted(ctx context.Context) error {
	if ctx.Err() != nil && r.Status == status.Unknown {
		return errInterrupted
	}
	return nil
}
