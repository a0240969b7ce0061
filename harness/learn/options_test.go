package learn_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"

	"lamcap/harness/learn"
)

func TestOptionsValidate(t *testing.T) {
	assert.NoError(t, learn.Options{}.Validate())
	assert.NoError(t, learn.Options{
		MaxEvaluations: 1, GradientTolerance: 1, LearningRate: 1e300, Schedule: learn.RootSchedule(), Beta1: 1e-300, Beta2: 0.9999999,
		Epsilon: 1e300, Momentum: 0.99, Ridge: 1e300, Memory: 1,
	}.Validate())
	nan, inf := math.NaN(), math.Inf(1)
	for want, o := range map[string]learn.Options{
		"max evaluations = -1: want ≥ 1, or 0 for 5000":                                       {MaxEvaluations: -1},
		"gradient tolerance = NaN: want a finite tolerance > 0, or 0 for none":                {GradientTolerance: nan},
		"learning rate = +Inf: want a finite rate > 0, or 0 for 0.1 (adam) and 0.3 (descent)": {LearningRate: inf},
		"learning rate = -1: want a finite rate > 0, or 0 for 0.1 (adam) and 0.3 (descent)":   {LearningRate: -1},
		"beta1 = 1: want 0 < beta1 < 1, or 0 for 0.9":                                         {Beta1: 1},
		"beta2 = -0.1: want 0 < beta2 < 1, or 0 for 0.999":                                    {Beta2: -0.1},
		"epsilon = NaN: want a finite number > 0, or 0 for 1e-08":                             {Epsilon: nan},
		"momentum = 1: want 0 ≤ momentum < 1":                                                 {Momentum: 1},
		"ridge = -1: want a finite number ≥ 0":                                                {Ridge: -1},
		"memory = -1: want ≥ 1, or 0 for 200":                                                 {Memory: -1},
		"schedule = mine: want a function with the name; see the schedules of this package":   {Schedule: learn.Schedule{Name: "mine"}},
		"schedule: want a name with the function, by which a saved training is continued":     {Schedule: learn.Schedule{Factor: learn.RootSchedule().Factor}},
	} {
		assert.EqualError(t, o.Validate(), want)
	}
}
