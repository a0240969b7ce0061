package maxmargin

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"lamcap/harness/constraint"
)

// preconditioner is a guess of the Hessian
//
//	H = 1 + σ Σ_{active} x xᵀ,   x = X/unit,
//
// of k active pairs: 1 + c A, with A = A_V ⊗ A_K the second moments of x in the
// principal axes, where it is diagonal. Were the x independent draws, the inverse
// of H would be near (1 + c A)⁻¹ for many of them, with
//
//	c = σ k/(1 + σ tr A (1 + c A)⁻¹)
//
// ([HLN07]). c ≪ σ k for large σ, when pairs are fewer than directions:
// then k = tr c A (1 + c A)⁻¹ directions at most are stiff, those of the largest
// moments, and the others are left alone. To whiten all of them is no use.
type preconditioner struct {
	values, keys []float64 // moments of the sides
	moments      []float64 // the diagonal of A
	inverse      []float64 // of 1 + c A
}

func newPreconditioner(dOut, dIn int) *preconditioner {
	return &preconditioner{
		values: make([]float64, dOut), keys: make([]float64, dIn),
		moments: make([]float64, dOut*dIn), inverse: make([]float64, dOut*dIn),
	}
}

// prepare is for the pairs of a set with multiplier > 0.
func (b *preconditioner) prepare(set *constraint.Set, multiplier []float64, unit, sigma float64) {
	k := float64(set.Squares(b.values, b.keys, multiplier))
	if k == 0 {
		for i := range b.inverse {
			b.inverse[i] = 1
		}
		return
	}
	floats.Scale(1/(k*unit), b.values)
	floats.Scale(1/(k*unit), b.keys)
	total := 0.0
	for i, v := range b.values {
		row := b.moments[i*len(b.keys) : (i+1)*len(b.keys)]
		floats.ScaleTo(row, v, b.keys)
		total += floats.Sum(row)
	}
	// c (1 + σ tr A (1 + c A)⁻¹) increases with c.
	low, high := sigma*k/(1+sigma*total), sigma*k
	for high > 1.1*low {
		c, trace := math.Sqrt(low*high), 0.0
		for _, a := range b.moments {
			trace += a / (1 + c*a)
		}
		if c*(1+sigma*trace) < sigma*k {
			low = c
		} else {
			high = c
		}
	}
	for i, a := range b.moments {
		b.inverse[i] = 1 / (1 + high*a)
	}
}

// apply writes (1 + c A)⁻¹ g to dst and returns g·dst.
func (b *preconditioner) apply(dst, g []float64) float64 {
	floats.MulTo(dst, b.inverse, g)
	return floats.Dot(dst, g)
}
