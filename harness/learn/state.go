package learn

import (
	"fmt"
	"math"

	"lamcap/internal/status"
)

// State is a training cut between two passes, with all that it needs to go on
// bit for bit. It shares nothing with the [Trainer]. encoding/gob stores it
// exactly; encoding/json refuses the infinities that it may hold.
type State struct {
	// Rule is the name of the rule; Fingerprint tells the instance.
	Rule        string
	Fingerprint []byte
	// Schedule is the name of the schedule. It and the numbers below are those
	// of the [Options], defaults filled in; a training goes on with the same.
	Schedule               string
	LearningRate           float64
	Beta1, Beta2, Epsilon  float64
	Momentum, Ridge        float64
	Memory, MaxEvaluations int

	// Weights were evaluated last, with Gradient of the objective there.
	Weights    Weights
	Gradient   []float64
	Evaluation Evaluation
	Penalised  float64
	// Bound, Evaluations and Status are those of [Run]; Status is Unknown while
	// the training can go on.
	Bound       float64
	Evaluations int
	Status      status.Status
	// Again says that the next pass is at Weights.
	Again bool

	// One of these is what the rule remembers; Hebb's remembers nothing.
	Adam    *AdamState
	Descent *DescentState
	LBFGS   *LBFGSState
}

// State returns the state after the last pass.
func (t *Trainer) State() *State {
	o := &t.options
	s := &State{
		Rule: t.rule.String(), Fingerprint: fingerprint(t.evaluator),
		Schedule: o.Schedule.Name, LearningRate: o.LearningRate, Beta1: o.Beta1, Beta2: o.Beta2, Epsilon: o.Epsilon,
		Momentum: o.Momentum, Ridge: o.Ridge, Memory: o.Memory, MaxEvaluations: o.MaxEvaluations,
		Weights: *t.kept.Clone(), Gradient: clone(t.gradient),
		Evaluation: t.point.Evaluation, Penalised: t.point.objective,
		Bound: t.bound, Evaluations: t.evaluations, Status: t.ended, Again: t.again,
	}
	if t.stepper != nil {
		t.stepper.save(s)
	}
	return s
}

// ResumeTrainer goes on with a training that was cut. The Evaluator must be of
// the same instance and give the same numbers, and the options must be the same
// where they change what is computed: GradientTolerance and Stop, which only
// end a training, may differ, and MaxEvaluations unless a schedule depends on
// it. It returns an error if they are not, or if the state is none that a
// training could have left.
func ResumeTrainer(s *State, e Evaluator, o Options) (*Trainer, error) {
	if s == nil {
		return nil, fmt.Errorf("state: want one that a training has saved")
	}
	rule, err := ParseRule(s.Rule)
	if err != nil {
		return nil, fmt.Errorf("state: %w", err)
	}
	if rule > GradientDescent {
		return nil, fmt.Errorf("state: rule = %v: want one that is trained, hebb, descent, adam or lbfgs", rule)
	}
	if err := o.Validate(); err != nil {
		return nil, err
	}
	o = o.withDefaults(rule)
	if err := s.checkOptions(o); err != nil {
		return nil, err
	}
	spec, w := e.Instance().Spec(), &s.Weights
	if w.DIn != spec.DIn || w.DOut != spec.DOut || w.Rank < 0 || rule == Hebb && w.Rank != 0 {
		return nil, fmt.Errorf("state: weights of d_out × d_in = %d × %d, rank %d: want %d × %d, those of the instance", w.DOut, w.DIn, w.Rank, spec.DOut, spec.DIn)
	}
	if err := w.Validate(); err != nil {
		return nil, fmt.Errorf("state: %w", err)
	}
	if string(s.Fingerprint) != string(fingerprint(e)) {
		return nil, fmt.Errorf("state: saved with other data: want the instance that the training began with")
	}
	t := NewTrainer(rule, e, w, o)
	copy(t.kept.Parameters, w.Parameters) // Hebb's are recomputed otherwise
	t.gradient = clone(s.Gradient)
	t.point = point{s.Evaluation, s.Penalised}
	t.bound, t.evaluations, t.ended, t.again = s.Bound, s.Evaluations, s.Status, s.Again
	if err := s.check(); err != nil {
		return nil, err
	}
	if t.stepper != nil {
		if err := t.stepper.load(s); err != nil {
			return nil, err
		}
	}
	return t, nil
}

// checkOptions compares the options that change what is computed.
func (s *State) checkOptions(o Options) error {
	for _, c := range []struct {
		name        string
		given, want any
	}{
		{"learning rate", o.LearningRate, s.LearningRate},
		{"schedule", o.Schedule.Name, s.Schedule},
		{"beta1", o.Beta1, s.Beta1},
		{"beta2", o.Beta2, s.Beta2},
		{"epsilon", o.Epsilon, s.Epsilon},
		{"momentum", o.Momentum, s.Momentum},
		{"ridge", o.Ridge, s.Ridge},
		{"memory", o.Memory, s.Memory},
	} {
		if c.given != c.want {
			return fmt.Errorf("%s = %v: want %v, as in the training that was saved", c.name, c.given, c.want)
		}
	}
	if o.Schedule.Name != ConstantSchedule().Name && o.MaxEvaluations != s.MaxEvaluations {
		return fmt.Errorf("max evaluations = %d: want %d, the horizon of the schedule %s in the training that was saved", o.MaxEvaluations, s.MaxEvaluations, s.Schedule)
	}
	return nil
}

// check looks for what no training leaves behind.
func (s *State) check() error {
	switch {
	case s.Evaluations < 0:
		return fmt.Errorf("state: %d evaluations: want ≥ 0", s.Evaluations)
	case s.Evaluations == 0 && !s.Again:
		return fmt.Errorf("state: no evaluations: want ≥ 1 before a step")
	case s.Status < status.Unknown || s.Status > status.Stalled:
		return fmt.Errorf("state: status = %v: want one that a training ends with", s.Status)
	case math.IsNaN(s.Bound):
		return fmt.Errorf("state: bound = NaN: want a bound or +Inf")
	case len(s.Gradient) != len(s.Weights.Parameters):
		return fmt.Errorf("state: a gradient of %d numbers: want %d", len(s.Gradient), len(s.Weights.Parameters))
	case s.Status == status.Diverged || s.Again: // the gradient is not used again
		return nil
	case !finite(s.Weights.Parameters) || !finite(s.Gradient) || !(point{s.Evaluation, s.Penalised}).finite():
		return fmt.Errorf("state: a number is not finite, but the status is %v", s.Status)
	}
	return nil
}

// checkVectors checks vectors as long as the weights.
func (s *State) checkVectors(vectors ...[]float64) error {
	for _, v := range vectors {
		if len(v) != len(s.Weights.Parameters) {
			return fmt.Errorf("state: a vector of %d numbers: want %d, one for each weight", len(v), len(s.Weights.Parameters))
		}
		if !finite(v) && s.Status != status.Diverged {
			return fmt.Errorf("state: a number is not finite, but the status is %v", s.Status)
		}
	}
	return nil
}

// checkStep checks a count of steps, each of which followed a pass.
func (s *State) checkStep(step int) error {
	if step < 0 || step > s.Evaluations {
		return fmt.Errorf("state: %d steps: want 0 to %d, the number of evaluations", step, s.Evaluations)
	}
	return nil
}

// fingerprint tells instances apart.
func fingerprint(e Evaluator) []byte {
	f := e.Instance().Fingerprint()
	return f[:]
}
