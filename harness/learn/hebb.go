package learn

import (
	"lamcap/harness/pattern"
	"lamcap/internal/gemm"
	"lamcap/internal/simd"
)

// TrainHebb returns W = Σ_μ u_μ e_μᵀ.
func TrainHebb(in *pattern.Instance) *Weights {
	s := in.Spec()
	w := NewWeights(s.DOut, s.DIn, 0)
	product := gemm.NewMultiplier(gemm.NewKernel[float64](simd.Default()), 1)
	const most = 256 // inputs at a time
	targets := make([]float64, min(most, s.P)*s.DOut)
	for first := 0; first < s.P; first += most {
		count := min(most, s.P-first)
		for i := range count {
			row := targets[i*s.DOut : (i+1)*s.DOut]
			copy(row, in.TargetValue(first+i, row))
		}
		keys := in.Keys()[first*s.DIn:]
		product.Multiply(s.DOut, s.DIn, count, targets, 1, s.DOut, keys, s.DIn, 1, w.Parameters, s.DIn, true)
	}
	return w
}
