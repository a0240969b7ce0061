package learn

import (
	"math"

	"lamcap/internal/status"
)

// verdict is what a rule makes of a point.
type verdict int

const (
	goOn verdict = iota
	stalled
	diverged
)

// stepper is a learning rule in reverse communication: it is shown each point
// that was evaluated and says which to evaluate next, so that a training can
// be cut between any two evaluations.
type stepper interface {
	// next writes to dst the weights to evaluate after those at `at`, given
	// the objective and its gradient there, or says that there are none.
	next(dst, at []float64, p point, gradient []float64) verdict
	// reached returns the last point that the rule accepted, if it is better
	// than the one evaluated last; nil if not.
	reached(last point, gradient []float64) ([]float64, point)
	// restart expects a point reached to be shown again, by another Evaluator.
	restart()
	save(*State)
	load(*State) error
}

// Trainer is a training that can be interrupted between any two passes. It is
// not safe for concurrent use.
type Trainer struct {
	rule      Rule
	options   Options
	evaluator Evaluator
	stepper   stepper // nil for Hebb
	ridge     *ridge

	tried, kept *Weights // tried is the next point, or a buffer for it
	gradient    []float64
	point       point // of kept
	bound       float64
	evaluations int
	ended       status.Status // Unknown while the training can go on
	again       bool          // the next pass is at kept
}

// Train is a training from start, which it does not change, with the budget
// o.MaxEvaluations. It panics where [NewTrainer] does.
func Train(rule Rule, e Evaluator, start *Weights, o Options) Run {
	return NewTrainer(rule, e, start, o).Run(o.withDefaults(rule).MaxEvaluations)
}

// NewTrainer prepares a training from start, which it does not change and
// which Hebb's rule ignores. It panics if the options are not valid (see
// [Options.Validate]), the rule is none, or start does not fit the instance;
// Hebb's rule needs weights stored in full.
func NewTrainer(rule Rule, e Evaluator, start *Weights, o Options) *Trainer {
	if err := o.Validate(); err != nil {
		panic("learn: " + err.Error())
	}
	in := e.Instance()
	if s := in.Spec(); start.DIn != s.DIn || start.DOut != s.DOut {
		panic("learn: weights and instance have different dimensions")
	}
	if rule == Hebb && start.Rank != 0 {
		panic("learn: Hebb's rule has no factors")
	}
	o = o.withDefaults(rule)
	n := len(start.Parameters)
	t := &Trainer{
		rule: rule, options: o, evaluator: e, ridge: newRidge(o.Ridge, start.Rank),
		tried: start.Clone(), kept: start.Clone(), gradient: make([]float64, n),
		point: point{Evaluation{Loss: math.NaN(), Margin: math.NaN(), Competition: math.NaN(), Residual: math.NaN(), Bound: math.NaN()}, math.NaN()},
		bound: math.Inf(1), again: true,
	}
	switch rule {
	case LBFGS:
		t.stepper = newLBFGS(o, newPreconditioner(in, start.Rank), start.DOut*start.Rank, n, noiseOf(e))
	case Adam:
		t.stepper = newAdam(o, in.Spec().P, n)
	case GradientDescent:
		t.stepper = newDescent(o, in.Spec().P, n)
	case Hebb:
		t.kept = TrainHebb(in)
		t.ridge.lambda = 0
	default:
		panic("learn: no such rule: " + rule.String())
	}
	return t
}

// Run goes on until the training ends or until budget passes were made in all,
// those of earlier calls included; after that, a larger budget continues it.
// However the budgets are chosen, the training is the same bit for bit.
func (t *Trainer) Run(budget int) Run {
	for t.ended == status.Unknown && t.evaluations < budget {
		if t.propose(); t.ended == status.Unknown {
			t.evaluate()
		}
	}
	r := Run{
		Weights: t.kept.Clone(), Evaluation: t.point.Evaluation, Penalised: t.point.objective,
		Bound: t.bound, Evaluations: t.evaluations, Status: t.ended,
	}
	if r.Status == status.Unknown {
		r.Status = status.MaxIterations
	}
	return r
}

// propose writes the point to evaluate next to t.tried, or ends the training.
func (t *Trainer) propose() {
	if t.again {
		copy(t.tried.Parameters, t.kept.Parameters)
		return
	}
	switch v := t.stepper.next(t.tried.Parameters, t.kept.Parameters, t.point, t.gradient); {
	case v == stalled:
		t.back()
		t.ended = status.Stalled
	case v == diverged || !finite(t.tried.Parameters):
		t.ended = status.Diverged
	}
}

// evaluate makes a pass at t.tried, keeps it, and sees whether the training
// ends there.
func (t *Trainer) evaluate() {
	e := t.evaluator.Evaluate(t.tried, t.gradient)
	t.evaluations++
	p := point{e, e.Loss + t.ridge.add(t.tried, t.gradient)}
	if !p.finite() || !finite(t.gradient) || !finite(t.tried.Parameters) {
		t.ended = status.Diverged
		if t.evaluations == 1 {
			t.point = p
		}
		return
	}
	t.again = false
	t.tried, t.kept, t.point = t.kept, t.tried, p
	if e.Bound < t.bound {
		t.bound = e.Bound
	}
	if t.finished() || t.stepper == nil {
		t.ended = status.Converged
	}
}

func (t *Trainer) finished() bool {
	o, e := &t.options, t.point.Evaluation
	if e.Competition == 0 && o.Ridge == 0 { // the loss is 0: nothing is left to learn
		return true
	}
	if o.Stop != nil && o.Stop(t.kept, e) {
		return true
	}
	if o.GradientTolerance == 0 {
		return false
	}
	rest := e.Bound // with its round-off
	if t.kept.Rank > 0 || o.Ridge > 0 {
		rest = stationarity(t.kept, t.gradient, e.Competition)
	}
	return rest <= o.GradientTolerance
}

// back returns to the point that the rule reached, if it is better than the one
// evaluated last.
func (t *Trainer) back() {
	if x, p := t.stepper.reached(t.point, t.gradient); x != nil {
		copy(t.kept.Parameters, x)
		t.point = p
	}
}

// SwitchTo goes on with another Evaluator of the same instance, say one of
// higher precision after the training stalled: the next pass looks again at
// the point reached, and what the rule has learnt about the loss is kept. It
// also takes up a training that has ended. It panics if the instance has
// another spec.
func (t *Trainer) SwitchTo(e Evaluator) {
	if e.Instance().Spec() != t.evaluator.Instance().Spec() {
		panic("learn: another instance")
	}
	t.evaluator, t.ended = e, status.Unknown
	if t.stepper != nil && !t.again {
		t.back()
		t.stepper.restart()
	}
	if l, ok := t.stepper.(*lbfgs); ok {
		l.noise = noiseOf(e)
	}
	t.again = true
}

func clone(x []float64) []float64 { return append([]float64(nil), x...) }
