package anisotropy

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"lamcap/saddle"
)

// Without a ridge the spectra change nothing but the norm, by √⟨1/σ²⟩.
func TestTrainingWithoutRidge(t *testing.T) {
	s := Spectra{Keys: powerLaw(12, 1), Values: twoLevels(10, 4)}
	got, err := SolveTraining(s, saddle.Training{Facts: 120, Candidates: 20})
	require.NoError(t, err)
	want, err := saddle.SolveTraining(saddle.Training{Weights: 120, Facts: 120, Candidates: 20})
	require.NoError(t, err)
	assert.Equal(t, want.Accuracy, got.Scores.Accuracy)
	assert.Equal(t, want.Loss, got.Scores.Loss)
	inverse := 0.0
	for _, k := range s.Keys {
		for _, v := range s.Values {
			inverse += 1 / (k * v) / 120
		}
	}
	assert.InEpsilon(t, want.Norm.Value*math.Sqrt(inverse), got.Norm.Value, 1e-12)
}

// With a ridge, for equal eigenvalues: saddle.SolveTraining, in units of σ.
func TestTrainingIsotropic(t *testing.T) {
	s := Isotropic(8, 9)
	for i := range s.Keys {
		s.Keys[i] = 4
	}
	got, err := SolveTraining(s, saddle.Training{Facts: 60, Candidates: 20, Ridge: 8})
	require.NoError(t, err)
	assert.True(t, got.Status.OK())
	want, err := saddle.SolveTraining(saddle.Training{Weights: 72, Facts: 60, Candidates: 20, Ridge: 2})
	require.NoError(t, err)
	assert.InDelta(t, want.Accuracy.Value, got.Scores.Accuracy.Value, 1e-9)
	assert.InDelta(t, want.Loss.Value, got.Scores.Loss.Value, 1e-9)
	assert.InEpsilon(t, want.Norm.Value/2, got.Norm.Value, 1e-9)
	assert.InEpsilon(t, 2, got.Ridge, 1e-12)
	// The equation for ν: N/(λ + ν) = χ, in units of σ.
	nu := 8 / got.Filter // with λ, in the units of λ_K λ_V
	assert.InEpsilon(t, 72/(2+nu), want.Chi.Value, 1e-6)
}

func TestTrainingErrors(t *testing.T) {
	_, err := SolveTraining(Spectra{Keys: []float64{1}}, saddle.Training{Facts: 5, Candidates: 3})
	assert.ErrorContains(t, err, "values: no positive eigenvalue")
	_, err = SolveTraining(Isotropic(3, 3), saddle.Training{Facts: 50, Candidates: 3, Ridge: -1})
	assert.ErrorContains(t, err, "want 0 ≤ ridge")
	_, err = SolveTraining(Isotropic(3, 3), saddle.Training{Facts: -50, Candidates: 3, Ridge: 1})
	assert.Error(t, err)
}
