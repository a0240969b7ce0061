package learn_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"lamcap/harness/learn"
	"lamcap/harness/pattern"
	"lamcap/internal/status"
)

// Other constants, schedules and a ridge: testdata/adam.py.
func TestAdamOptions(t *testing.T) {
	s := pattern.Spec{Model: pattern.DP, DIn: 1, DOut: 1, P: 2, N: 2}
	in, err := pattern.FromData(s, []float64{0x1p-20, 0x3p-20}, []float64{1, -1, -0.5, 0.25})
	require.NoError(t, err)
	for _, c := range []struct {
		schedule string
		ridge    float64
		want     []float64
	}{
		{"root", 0, []float64{0, -0.0073529411764705882353, -0.012552255325682468434, -0.016797477246481761954}},
		{"linear", 0x1p-20, []float64{0, -0.0073529411764705882353, -0.012071876702826692784, -0.014354469779680412131}},
		{"cosine", 0x1p-20, []float64{0, -0.0073529411764705882353, -0.012661743643621205853, -0.014368911350237635568}},
	} {
		schedule, err := learn.ParseSchedule(c.schedule)
		require.NoError(t, err)
		trainer := learn.NewTrainer(learn.Adam, learn.NewObjective(in), learn.NewWeights(1, 1, 0), learn.Options{
			LearningRate: 0.125, Beta1: 0.5, Beta2: 0.75, Epsilon: 0x1p-20, Schedule: schedule, Ridge: c.ridge, MaxEvaluations: 4,
		})
		for steps, want := range c.want {
			r := trainer.Run(steps + 1)
			assert.InDelta(t, want, r.Weights.Parameters[0], 1e-16, "%s after %d steps", c.schedule, steps)
			assert.Equal(t, status.MaxIterations, r.Status)
		}
		// A rate of 0 at T is the end, whatever the budget.
		if c.schedule != "root" {
			r := trainer.Run(1000)
			assert.Equal(t, status.Stalled, r.Status)
			assert.Equal(t, 4, r.Evaluations)
		}
	}
}

func TestSchedules(t *testing.T) {
	for _, c := range []struct {
		schedule learn.Schedule
		want     [5]float64
	}{
		{learn.ConstantSchedule(), [5]float64{1, 1, 1, 1, 1}},
		{learn.RootSchedule(), [5]float64{1, 0.70710678118654757, 0.57735026918962576, 0.5, 0.44721359549995793}},
		{learn.LinearSchedule(), [5]float64{1, 0.75, 0.5, 0.25, 0}},
		{learn.CosineSchedule(), [5]float64{1, 0.85355339059327373, 0.5, 0.14644660940672627, 0}},
	} {
		for i, want := range c.want {
			assert.InDelta(t, want, c.schedule.Factor(i+1, 5), 2e-16, c.schedule.Name)
		}
		assert.GreaterOrEqual(t, c.schedule.Factor(1, 1), 0.0, "a horizon without steps")
		got, err := learn.ParseSchedule(c.schedule.Name)
		require.NoError(t, err)
		assert.Equal(t, c.schedule.Name, got.Name)
	}
	_, err := learn.ParseSchedule("step")
	assert.EqualError(t, err, "schedule = step: want constant, root, linear or cosine")
}

// A function of the user's acts like one of the package's.
func TestOwnSchedule(t *testing.T) {
	in, _ := draw(shapes[0], 1)
	half := learn.Schedule{Name: "half", Factor: func(int, int) float64 { return 0.5 }}
	start := learn.NewWeights(5, 3, 0)
	for _, rule := range []learn.Rule{learn.Adam, learn.GradientDescent} {
		a := learn.Train(rule, learn.NewObjective(in), start, learn.Options{LearningRate: 0.25, Schedule: half, MaxEvaluations: 9})
		b := learn.Train(rule, learn.NewObjective(in), start, learn.Options{LearningRate: 0.125, MaxEvaluations: 9})
		assert.Equal(t, b.Weights, a.Weights)
	}
}
