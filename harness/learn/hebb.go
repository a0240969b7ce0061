package learn

import (
	"gonum.org/v1/gonum/blas/blas64"

	"lamcap/harness/pattern"
)

// TrainHebb returns W = Σ_μ u_μ e_μᵀ.
func TrainHebb(in *pattern.Instance) *Weights {
	s := in.Spec()
	w := NewWeights(s.DOut, s.DIn, 0)
	buffer := make([]float64, s.DOut)
	for mu := range s.P {
		blas64.Implementation().Dger(s.DOut, s.DIn, 1, in.TargetValue(mu, buffer), 1, in.Key(mu), 1, w.Parameters, s.DIn)
	}
	return w
}
