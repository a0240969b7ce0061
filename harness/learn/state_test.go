package learn_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"lamcap/harness/learn"
	"lamcap/harness/pattern"
	"lamcap/internal/status"
)

// States that no training left behind, or not this one.
func TestHostileStates(t *testing.T) {
	in, _ := draw(pattern.Spec{Model: pattern.OP, DIn: 4, DOut: 4, P: 12, N: 12}, 1)
	obj := learn.NewObjective(in)
	o := learn.Options{Memory: 3}
	state := func(rule learn.Rule, passes int) *learn.State {
		trainer := learn.NewTrainer(rule, obj, learn.NewWeights(4, 4, 0), o)
		trainer.Run(passes)
		return trainer.State()
	}
	nan, inf := math.NaN(), math.Inf(1)
	for want, spoil := range map[string]func(s *learn.State){
		"rule = sgd: want":                           func(s *learn.State) { s.Rule = "sgd" },
		"rule = maxmargin: want one that is trained": func(s *learn.State) { s.Rule = "maxmargin" },
		"no moments":                                 func(s *learn.State) { s.Rule = "adam"; s.LearningRate = learn.DefaultLearningRate },
		"weights of d_out × d_in = 5 × 4":            func(s *learn.State) { s.Weights.DOut = 5 },
		"rank -1":                                    func(s *learn.State) { s.Weights.Rank = -1 },
		"16 numbers: want 17179869176":               func(s *learn.State) { s.Weights.Rank = math.MaxInt32 },
		"other data":                                 func(s *learn.State) { s.Fingerprint[3]++ },
		"-1 evaluations":                             func(s *learn.State) { s.Evaluations = -1 },
		"no evaluations":                             func(s *learn.State) { s.Evaluations = 0 },
		"status = status(77)":                        func(s *learn.State) { s.Status = 77 },
		"bound = NaN":                                func(s *learn.State) { s.Bound = nan },
		"a gradient of 3 numbers":                    func(s *learn.State) { s.Gradient = s.Gradient[:3] },
		"a number is not finite":                     func(s *learn.State) { s.Gradient[5] = inf },
		"no memory":                                  func(s *learn.State) { s.LBFGS = nil },
		"4 remembered steps: want 0 to 3":            func(s *learn.State) { s.LBFGS.Count = 4 },
		"-1 remembered steps":                        func(s *learn.State) { s.LBFGS.Count = -1 },
		"next slot 3":                                func(s *learn.State) { s.LBFGS.Next = 3 },
		"next slot -1":                               func(s *learn.State) { s.LBFGS.Next = -1 },
		"that do not match":                          func(s *learn.State) { s.LBFGS.Products = s.LBFGS.Products[1:] },
		"trials in a line search":                    func(s *learn.State) { s.LBFGS.Trials = math.MaxInt32 },
		"steps without progress":                     func(s *learn.State) { s.LBFGS.Idle = -1 },
		"want a step > 0 downhill":                   func(s *learn.State) { s.LBFGS.T = nan },
		"numbers that are not finite":                func(s *learn.State) { s.LBFGS.Low.Value = inf },
		"a remembered vector of 0 numbers":           func(s *learn.State) { s.LBFGS.Steps[1] = nil },
		"products that are not finite":               func(s *learn.State) { s.LBFGS.AlongSteps[0] = nan },
		"with curvature -1":                          func(s *learn.State) { s.LBFGS.Products[0] = -1 },
		"memory = 3: want 4, as in":                  func(s *learn.State) { s.Memory = 4 },
		"schedule = constant: want mine, as in":      func(s *learn.State) { s.Schedule = "mine" },
	} {
		s := state(learn.LBFGS, 12)
		require.NotPanics(t, func() {
			_, err := learn.ResumeTrainer(s, obj, o)
			require.NoError(t, err)
			spoil(s)
			_, err = learn.ResumeTrainer(s, obj, o)
			assert.ErrorContains(t, err, want)
		}, want)
	}
	for want, spoil := range map[string]func(s *learn.State){
		"8 steps: want 0 to 7": func(s *learn.State) { s.Adam.Step = 8 },
		"second moment -1":     func(s *learn.State) { s.Adam.Second[1] = -1 },
		"not finite":           func(s *learn.State) { s.Adam.First[1] = nan },
	} {
		s := state(learn.Adam, 7)
		spoil(s)
		_, err := learn.ResumeTrainer(s, obj, o)
		assert.ErrorContains(t, err, want)
	}
	_, err := learn.ResumeTrainer(nil, obj, o)
	assert.Error(t, err)
	_, err = learn.ResumeTrainer(state(learn.Adam, 7), obj, learn.Options{Memory: -1})
	assert.Error(t, err)
	other, _ := draw(pattern.Spec{Model: pattern.OP, DIn: 4, DOut: 4, P: 12, N: 12}, 2)
	_, err = learn.ResumeTrainer(state(learn.Adam, 7), learn.NewObjective(other), o)
	assert.ErrorContains(t, err, "want the instance that the training began with")
}

// What only ends a training may change; what steps depend on may not.
func TestResumeWithOtherOptions(t *testing.T) {
	in, _ := draw(pattern.Spec{Model: pattern.OP, DIn: 4, DOut: 4, P: 12, N: 12}, 1)
	obj := learn.NewObjective(in)
	trainer := learn.NewTrainer(learn.Adam, obj, learn.NewWeights(4, 4, 0), learn.Options{MaxEvaluations: 10})
	trainer.Run(10)
	again, err := learn.ResumeTrainer(trainer.State(), obj, learn.Options{MaxEvaluations: 40, GradientTolerance: 0.1})
	require.NoError(t, err)
	assert.Equal(t, status.Converged, again.Run(500).Status)
	_, err = learn.ResumeTrainer(trainer.State(), obj, learn.Options{Beta1: 0.5})
	assert.EqualError(t, err, "beta1 = 0.5: want 0.9, as in the training that was saved")

	o := learn.Options{MaxEvaluations: 10, Schedule: learn.CosineSchedule()}
	trainer = learn.NewTrainer(learn.Adam, obj, learn.NewWeights(4, 4, 0), o)
	trainer.Run(5)
	_, err = learn.ResumeTrainer(trainer.State(), obj, learn.Options{MaxEvaluations: 20, Schedule: learn.CosineSchedule()})
	assert.ErrorContains(t, err, "max evaluations = 20: want 10, the horizon of the schedule cosine")
	// One that has ended has ended.
	trainer.Run(50)
	again, err = learn.ResumeTrainer(trainer.State(), obj, o)
	require.NoError(t, err)
	assert.Equal(t, trainer.Run(100), again.Run(100))
}
