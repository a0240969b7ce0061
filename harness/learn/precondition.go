package learn

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"lamcap/harness/pattern"
	"lamcap/internal/gemm"
	"lamcap/internal/metric"
	"lamcap/internal/simd"
)

// preconditioner is a guess B of the inverse Hessian of the summed loss. Near
// W = 0 the Hessian is C ⊗ Σ_μ e_μ e_μᵀ, with C the covariance of the
// candidates, so B takes a gradient G to
//
//	C⁻¹ G (Σ_μ e_μ e_μᵀ)⁻¹,
//
// which is to train on whitened keys and values. At d = 24 and p = 115 the
// second moments of keys have a condition number of 7, those of the shared
// pool of OP as well. In DP, whose pools are independent, C is a number, the
// power of 2 next to the mean square of the target values.
//
// Of factors Q and R, the gradients become C⁻¹ ∂L/∂Q and (Σ e eᵀ)⁻¹ ∂L/∂R.
type preconditioner struct {
	dOut, dIn, rank int
	values, keys    []float64 // the two inverses; nil stands for scale times 1
	scale           float64
	scratch         []float64
	product         *gemm.Multiplier[float64]
}

func newPreconditioner(in *pattern.Instance, rank int) *preconditioner {
	s := in.Spec()
	b := &preconditioner{
		dOut: s.DOut, dIn: s.DIn, rank: rank, scale: 1, scratch: make([]float64, s.DOut*s.DIn),
		product: gemm.NewMultiplier(gemm.NewKernel[float64](simd.Default()), 1),
	}
	b.keys = b.inverseMoments(in.Keys(), s.DIn, false, 1)
	if b.keys == nil { // keys that are all 0
		b.keys = make([]float64, s.DIn*s.DIn)
		for i := range s.DIn {
			b.keys[i*s.DIn+i] = 1 / float64(s.P)
		}
	}
	if s.Model.SharedPool() {
		b.values = b.inverseMoments(in.Pool(0, nil), s.DOut, true, 1/float64(s.N))
	} else {
		b.scale = inverseSquare(in)
	}
	return b
}

// inverseMoments returns the inverse of scale·Σ x xᵀ over the rows of x, minus
// their mean if centred, with the ridge of package metric; nil if there is
// none.
func (b *preconditioner) inverseMoments(rows []float64, d int, centred bool, scale float64) []float64 {
	n := len(rows) / d
	if centred {
		mean := make([]float64, d)
		for i := range n {
			floats.AddScaled(mean, 1/float64(n), rows[i*d:(i+1)*d])
		}
		shifted := make([]float64, len(rows))
		for i := range n {
			floats.SubTo(shifted[i*d:(i+1)*d], rows[i*d:(i+1)*d], mean)
		}
		rows = shifted
	}
	moments := make([]float64, d*d)
	b.product.Multiply(d, d, n, rows, 1, d, rows, d, 1, moments, d, false)
	floats.Scale(scale, moments)
	return metric.Inverse(moments, d)
}

// inverseSquare returns the power of 2 next to the inverse mean square of the
// target values; 1 if they are all 0.
func inverseSquare(in *pattern.Instance) float64 {
	s := in.Spec()
	sum, buffer := 0.0, make([]float64, s.DOut)
	for mu := range s.P {
		u := in.TargetValue(mu, buffer)
		sum += floats.Dot(u, u)
	}
	mean := sum / float64(s.P) / float64(s.DOut)
	if !(mean > 0) || math.IsInf(mean, 0) {
		return 1
	}
	return math.Exp2(-math.Round(math.Log2(mean)))
}

// apply writes B g to dst.
func (b *preconditioner) apply(dst, g []float64) {
	if b.rank == 0 {
		b.product.Multiply(b.dOut, b.dIn, b.dIn, g, b.dIn, 1, b.keys, b.dIn, 1, b.scratch, b.dIn, false)
		b.multiply(dst, b.values, b.scratch, b.dOut, b.dIn)
		return
	}
	n := b.dOut * b.rank
	b.multiply(dst[:n], b.values, g[:n], b.dOut, b.rank)
	b.multiply(dst[n:], b.keys, g[n:], b.dIn, b.rank)
}

// multiply writes A x to dst, for a symmetric n×n matrix A (nil for the scale)
// and x with n rows of length k.
func (b *preconditioner) multiply(dst, a, x []float64, n, k int) {
	if a == nil {
		floats.ScaleTo(dst, b.scale, x)
		return
	}
	b.product.Multiply(n, k, n, a, n, 1, x, k, 1, dst, k, false)
}
