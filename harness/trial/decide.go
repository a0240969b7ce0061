package trial

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"time"

	"lamcap/harness/constraint"
	"lamcap/harness/learn"
	"lamcap/harness/maxmargin"
	"lamcap/harness/pattern"
	"lamcap/harness/proof"
	"lamcap/internal/status"
)

// When to try a proof that the instance is not storable: first when the duality
// bound falls to firstRefutation (in the instance's scale), then each time it
// has fallen by refutationFactor again. The correction succeeds once the weights
// are near enough to the minimiser, at 0.2 already; but then it takes two to three
// times the steps, which cost more than the passes that bring the bound down. Of
// storable instances it stays above.
const (
	firstRefutation  = 0.03
	refutationFactor = 0.4
	// thresholdShare is the least softmax weight used, relative to the largest
	// of its input, over the duality bound.
	thresholdShare = 0.03
)

// decision is the state of one trial.
type decision struct {
	in      *pattern.Instance
	options Options // defaults filled in
	rng     *rand.Rand
	threads int
	single  bool
	started time.Time

	result   Result
	evidence Evidence
	// next is the residual at which a refutation is tried again.
	next float64

	session Session
	saved   time.Time      // when the session was saved last
	start   int            // the random start under way, of factors; −1 before them
	trainer *learn.Trainer // the training under way
	resumed *learn.State   // the training to go on with
	// interrupted says that the training under way was cut short, err why it
	// could not be saved or taken up.
	interrupted bool
	err         error
}

func begin(rng *rand.Rand, in *pattern.Instance, o Options) *decision {
	s := in.Spec()
	if err := o.Validate(s); err != nil {
		panic("trial: " + err.Error())
	}
	if o.Restarts == 0 {
		o.Restarts = DefaultRestarts
	}
	if o.MaxEvaluations == 0 {
		o.MaxEvaluations = learn.DefaultMaxEvaluations
	}
	if o.Rank == min(s.DIn, s.DOut) {
		o.Rank = 0
	}
	if o.Rank > 0 && rng == nil {
		panic(fmt.Sprintf("trial: no rng: want one for the random starts of rank %d", o.Rank))
	}
	large := float64(s.P)*float64(s.N)*float64(s.DOut) >= largeFrom
	d := &decision{
		in: in, options: o, rng: rng, threads: o.Threads, started: time.Now(),
		// Beyond these sizes products of float32 numbers may leave their range.
		single: large && !o.Double && in.Scale() > 1e-6 && in.Scale() < 1e6,
		result: Result{MarginBound: math.Inf(1)}, next: firstRefutation * in.Scale(), start: -1,
	}
	if d.threads == 0 {
		d.threads = 1
		if large {
			d.threads = runtime.GOMAXPROCS(0)
		}
	}
	return d
}

// run decides, or ends undecided.
func (d *decision) run(ctx context.Context) {
	s := d.in.Spec()
	switch {
	case d.options.Rule == learn.Hebb:
		d.consider(learn.TrainHebb(d.in))
		if d.result.Outcome == Undecided {
			d.result.Status = status.Converged
			if norm := d.evidence.Verification.Norm; math.IsNaN(norm) || math.IsInf(norm, 0) {
				d.result.Status = status.Diverged
			}
		}
	case d.options.Rule == learn.MaxMargin:
		d.maxMargin(ctx)
	case d.options.Rank == 0:
		d.train(ctx, learn.NewWeights(s.DOut, s.DIn, 0), 0)
	default:
		d.factors(ctx)
	}
}

// end completes the result.
func (d *decision) end() Result {
	v := d.evidence.Verification
	d.result.Recalled, d.result.Margin = v.Recalled, v.Margin
	d.result.Accuracy = float64(v.Recalled) / float64(d.in.Spec().P)
	d.result.Seconds += time.Since(d.started).Seconds()
	return d.result
}

// engine returns the evaluation of the instance in the precision of the moment.
func (d *decision) engine() *learn.Objective {
	e := learn.Engine{Threads: d.threads}
	if d.single {
		e.Precision = learn.Single
	}
	return learn.NewObjectiveWith(d.in, e)
}

// look sees every pass of a training, and ends it when the instance is decided.
func (d *decision) look(w *learn.Weights, e learn.Evaluation) bool {
	if d.options.Progress != nil {
		d.options.Progress(e)
	}
	if e.Recalled == d.in.Spec().P && d.verified(w) {
		return true
	}
	return d.refutable(w, e)
}

// refutable tries to prove that no weights store the instance, if w, with the
// evaluation e, are near enough to a minimiser for another attempt.
func (d *decision) refutable(w *learn.Weights, e learn.Evaluation) bool {
	if d.evidence.Multipliers != nil {
		return false // of a start of factors, after the proof at full rank
	}
	return w.Rank == 0 && e.Residual <= d.next && d.refuted(w, e) || d.accepted(e) && d.provedBySoftmax(w)
}

// accepted reports whether the duality bound counts as a proof, but for its
// round-off.
func (d *decision) accepted(e learn.Evaluation) bool {
	return e.Residual <= proof.AcceptedBound*constraint.MarginScale(d.in)
}

// lastAttempt tries once more at the weights at which a training at full rank
// ended undecided, unless that was where it tried last: with a ridge, say, the
// duality bound need not fall to where attempts are due.
func (d *decision) lastAttempt(r learn.Run) {
	switch {
	case d.interrupted || d.evidence.Multipliers != nil || r.Weights.Rank > 0:
	case r.Status == status.Diverged || !(r.Evaluation.Residual < math.Inf(1)):
	case d.next == refutationFactor*r.Evaluation.Residual: // as refuted leaves it
	default:
		d.refuted(r.Weights, r.Evaluation)
	}
}

func (d *decision) verified(w *learn.Weights) bool {
	defer d.proving(time.Now())
	return proof.Verify(d.in, w).Recalled == d.in.Spec().P
}

// proving adds the time since begin to that of proofs.
func (d *decision) proving(begin time.Time) { d.result.ProofSeconds += time.Since(begin).Seconds() }

// refuted tries to prove that no weights store the instance.
func (d *decision) refuted(w *learn.Weights, e learn.Evaluation) bool {
	defer d.proving(time.Now())
	o := proof.RefuteOptions{Tolerance: d.options.Tolerance}
	// Where the bound is small but no proof was found, a contradiction of few
	// inputs hides among the weights that would be left out.
	if small := thresholdShare * e.Residual / d.in.Scale(); small < proof.DefaultThreshold {
		o.Threshold = small
	}
	multipliers, r := proof.Refute(d.in, w, o)
	d.result.Refutations++
	d.result.Corrections += r.Iterations
	d.result.MarginBound = min(d.result.MarginBound, r.Bound)
	if r.Outcome {
		d.evidence.Multipliers, d.evidence.Refutation = multipliers, r
		return true
	}
	d.next = refutationFactor * e.Residual
	return false
}

// consider keeps w if it recalls more than the best so far, or as much with a
// larger margin.
func (d *decision) consider(w *learn.Weights) {
	defer d.proving(time.Now())
	v := proof.Verify(d.in, w)
	if best := d.evidence.Verification; d.evidence.Weights == nil || v.Recalled > best.Recalled || v.Recalled == best.Recalled && v.Margin > best.Margin {
		d.evidence.Weights, d.evidence.Verification = w, v
	}
	if v.Recalled == d.in.Spec().P {
		d.result.Outcome, d.result.Status = Stored, status.Converged
	}
}

// train runs one start to its end.
func (d *decision) train(ctx context.Context, start *learn.Weights, gradientTolerance float64) {
	options := d.options.training(d.in.Spec())
	options.GradientTolerance, options.Stop = gradientTolerance, d.look
	r, ok := d.finish(ctx, start, options)
	if !ok {
		return
	}
	if d.consider(r.Weights); d.result.Outcome != Stored {
		d.lastAttempt(r)
	}
	switch {
	case d.interrupted:
		d.result.Status, d.result.Outcome = status.Unknown, Undecided
	case d.result.Outcome == Stored:
	case d.evidence.Multipliers != nil:
		d.result.Outcome, d.result.Status = NotStorable, status.Converged
		d.result.Exact = d.evidence.Refutation.Exact
	case r.Status == status.Converged: // at rest, but nothing is proved
		d.result.Status = status.Stalled
	default:
		d.result.Status = r.Status
	}
}

// finish begins or resumes a training and takes it as far as it goes: in float32
// to where it comes to rest undecided, then in float64.
func (d *decision) finish(ctx context.Context, start *learn.Weights, options learn.Options) (r learn.Run, ok bool) {
	if d.err = d.open(start, options); d.err != nil {
		return r, false
	}
	r = d.advance(ctx)
	if r.Status == status.Stalled && d.single {
		d.single = false
		d.trainer.SwitchTo(d.engine())
		r = d.advance(ctx)
	}
	d.result.Evaluations += r.Evaluations
	d.result.MarginBound = min(d.result.MarginBound, r.Bound)
	return r, true
}

// maxMargin decides first, with L-BFGS, and goes on from a witness to the largest
// margin. If ctx ends that, the instance is stored all the same.
func (d *decision) maxMargin(ctx context.Context) {
	s, before := d.in.Spec(), d.result.Evaluations
	d.options.Rule = learn.LBFGS
	d.train(ctx, learn.NewWeights(s.DOut, s.DIn, 0), 0)
	if d.result.Outcome != Stored || s.N == 1 {
		return
	}
	solution := maxmargin.Solve(d.in, maxmargin.Options{
		Start: d.evidence.Weights, Threads: d.threads, Stop: func() bool { return ctx.Err() != nil },
	})
	if solution.Status == status.Unknown { // it goes on from the witness
		all := d.result.Evaluations
		d.result.Evaluations = before // those of the training are in its state
		d.save()
		d.result.Evaluations = all
		d.result.Status = status.Unknown
		return
	}
	d.result.MarginBound = min(d.result.MarginBound, solution.Bound)
	d.result.Status = solution.Status
	if solution.Weights != nil {
		d.evidence.Weights, d.evidence.Verification = nil, proof.Verification{}
		d.consider(solution.Weights)
		d.result.Status = solution.Status
	}
}

// factors tries random starts of Q and R. With L-BFGS it first asks whether the
// instance can be stored at full rank, which takes a fraction of a start: if
// not, neither can it at a lower one, and one start shows what is recalled then.
func (d *decision) factors(ctx context.Context) {
	s, single := d.in.Spec(), d.single
	if d.options.Rule == learn.LBFGS && d.start < 0 {
		options := d.options.training(s)
		options.Stop = d.look
		if r, ok := d.finish(ctx, learn.NewWeights(s.DOut, s.DIn, 0), options); ok && r.Evaluation.Recalled < s.P {
			d.lastAttempt(r)
		}
	}
	for i := 0; i < d.options.Restarts && d.result.Outcome == Undecided && !d.interrupted && d.err == nil; i++ {
		start := learn.RandomWeights(d.rng, s.DOut, s.DIn, d.options.Rank, startNorm/nearestPower(d.in.Scale()))
		if i < d.start { // done before an interruption
			continue
		}
		if i > d.start {
			d.start, d.single = i, single
		}
		d.train(ctx, start, factorTolerance)
	}
}

// nearestPower returns the power of 2 next to x > 0, and 1 for 0: the size of
// sampled data is 1 by it, whatever their fluctuation.
func nearestPower(x float64) float64 {
	if !(x > 0) {
		return 1
	}
	return math.Exp2(math.Round(math.Log2(x)))
}
