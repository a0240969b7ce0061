package learn

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
)

// ridge is (λ/2) ‖W‖²_F. Of factors it is never multiplied out:
//
//	‖Q Rᵀ‖²_F = Σ_kl (QᵀQ)_kl (RᵀR)_kl,   ∂/∂Q = λ Q (RᵀR),   ∂/∂R = λ R (QᵀQ).
type ridge struct {
	lambda float64
	qq, rr []float64 // QᵀQ and RᵀR, upper triangles of m×m
}

func newRidge(lambda float64, rank int) *ridge {
	return &ridge{lambda: lambda, qq: make([]float64, rank*rank), rr: make([]float64, rank*rank)}
}

// add returns the penalty at w and adds its gradient.
func (r *ridge) add(w *Weights, gradient []float64) float64 {
	if r.lambda == 0 {
		return 0
	}
	if w.Rank == 0 {
		floats.AddScaled(gradient, r.lambda, w.Parameters)
		return r.lambda / 2 * floats.Dot(w.Parameters, w.Parameters)
	}
	m := w.Rank
	q, s := w.Factors()
	blas64.Implementation().Dsyrk(blas.Upper, blas.Trans, m, w.DOut, 1, q, m, 0, r.qq, m)
	blas64.Implementation().Dsyrk(blas.Upper, blas.Trans, m, w.DIn, 1, s, m, 0, r.rr, m)
	r.multiply(q, r.rr, gradient[:len(q)], m)
	r.multiply(s, r.qq, gradient[len(q):], m)
	sum := 0.0
	for k := range m {
		sum += r.qq[k*m+k] * r.rr[k*m+k] / 2
		for l := k + 1; l < m; l++ {
			sum += r.qq[k*m+l] * r.rr[k*m+l]
		}
	}
	return r.lambda * sum
}

// multiply adds λ x a to y, for rows x of length m and a symmetric a.
func (r *ridge) multiply(x, a, y []float64, m int) {
	for ; len(x) > 0; x, y = x[m:], y[m:] {
		blas64.Implementation().Dsymv(blas.Upper, m, r.lambda, a, m, x[:m], 1, 1, y[:m], 1)
	}
}
