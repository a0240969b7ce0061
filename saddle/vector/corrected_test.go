package vector

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"lamcap/extremes"
	"lamcap/internal/embedding"
	"lamcap/saddle"
)

// The first order in 1/d_out and 1/d_in, which has no draws. What is left of it has to be
// within its own estimate of that and the standard errors; the loss to a half of the
// estimate. A false alarm of one of twelve has a probability of 8e-4 at most, and the seed is
// fixed. Score level, with no estimate, is off by many standard errors.
func TestFirstOrder(t *testing.T) {
	for _, c := range []struct {
		p            float64
		values, keys embedding.Kind
		keyDimension int
	}{
		{139, embedding.Gaussian, embedding.Sphere, 0},
		{231, embedding.Sphere, embedding.Gaussian, 24},
	} {
		training := saddle.Training{Weights: 576, Facts: c.p}
		r := solve(t, Training{
			Training: training, Precision: Precision{MaxDraws: 1500, Target: 1e-3},
			Ensemble: Ensemble{DOut: 24, Values: c.values, Keys: c.keys, KeyDimension: c.keyDimension, Seed: 4},
		})
		first, err := saddle.TrainingCorrection{DOut: 24, Values: c.values, Keys: c.keys, DIn: float64(c.keyDimension)}.Solve(training)
		require.NoError(t, err)
		score, err := saddle.SolveTraining(training)
		require.NoError(t, err)
		assert.True(t, math.IsNaN(first.LargestMean.Value) && math.IsNaN(first.LargestStd.Value))
		near := func(drawn, first extremes.Value, part float64, name string) {
			assert.InDelta(t, drawn.Value, first.Value, 4*drawn.Error+part*first.Error, "%s at p = %v", name, c.p)
		}
		near(r.Norm, first.Norm, 1, "norm")
		near(r.Chi, first.Chi, 1, "χ")
		near(r.Loss, first.Loss, 0.5, "loss")
		near(r.Accuracy, first.Accuracy, 1, "accuracy")
		near(r.CorrectMean, first.CorrectMean, 1, "correct score")
		near(r.CorrectStd, first.CorrectStd, 1, "its deviation")
		assert.Greater(t, r.Norm.Value-score.Norm.Value, 6*r.Norm.Error)
		assert.Less(t, math.Abs(r.Norm.Value-first.Norm.Value), 0.4*(r.Norm.Value-score.Norm.Value))
	}
}
