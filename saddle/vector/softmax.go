package vector

import (
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack/lapack64"

	"lamcap/internal/gemm"
	"lamcap/internal/simd"
	"lamcap/internal/vecmath"
)

// softmaxProx is the proximal point of the cross-entropy, by Newton's method on
//
//	F(v) = ‖v − r v⁰‖²/2 + χ (log Σ_ρ e^{s_ρ} − s_0),   s = U v,
//	∇F = v − r v⁰ + χ (Uᵀπ − u_0),   H = 1 + χ Uᵀ(diag π − π πᵀ)U,
//
// which is convex with H ≥ 1. Since ∇F = 0 at the solution for any r and χ,
//
//	∂v/∂log r = H⁻¹ r v⁰,   ∂v/∂log χ = −H⁻¹ (r v⁰ − v).
type softmaxProx struct {
	d, n     int
	routines *vecmath.Routines[float64]
	product  *gemm.Multiplier[float64]

	weights []float64 // π
	scaled  []float64 // rows of U times χπ
	mean    []float64 // Uᵀπ
	hessian []float64
	step    []float64
	along   []float64 // U·step
}

func newSoftmaxProx(d, n int) *softmaxProx {
	level := simd.Default()
	return &softmaxProx{
		d: d, n: n, routines: vecmath.New[float64](level),
		product: gemm.NewMultiplier(gemm.NewKernel[float64](level), 1),
		weights: make([]float64, n), scaled: make([]float64, n*d),
		mean: make([]float64, d), hessian: make([]float64, d*d), step: make([]float64, d), along: make([]float64, n),
	}
}

const (
	// accurate is the Newton decrement, relative to 1 + ‖r v⁰‖, below which one more
	// step ends the search: convergence is quadratic, so that step leaves its square.
	accurate = 1e-7
	maxSteps = 100
)

func (p *softmaxProx) solve(field, rows []float64, r, chi float64, out *response) bool {
	scale := 1 + r*norm(field)
	p.routines.MatVec(out.scores, rows, p.d, p.n, p.d, out.point)
	value := p.value(field, r, chi, out)
	for range maxSteps {
		if math.IsNaN(value) || math.IsInf(value, 0) {
			return false
		}
		decrement, ok := p.newton(field, rows, r, chi, out)
		if !ok || math.IsNaN(decrement) {
			return false
		}
		p.routines.MatVec(p.along, rows, p.d, p.n, p.d, p.step)
		if math.Sqrt(decrement) <= accurate*scale {
			p.advance(1, rows, out)
			out.loss = p.loss(out.scores)
			p.finish(field, r, out)
			return true
		}
		// F falls by at least a tenth of what its slope promises, but for its round-off.
		t, last := 1.0, value
		for {
			p.advance(t, rows, out)
			value = p.value(field, r, chi, out)
			if value <= last-0.1*t*decrement+1e-13*(1+last) {
				break
			}
			p.advance(-t, rows, out)
			if t /= 2; t < 1e-10 {
				return false
			}
		}
	}
	return false
}

// advance moves the point by t steps, and its scores.
func (p *softmaxProx) advance(t float64, rows []float64, out *response) {
	p.routines.AddScaled(out.point, t, p.step)
	p.routines.AddScaled(out.scores, t, p.along)
}

func (p *softmaxProx) loss(scores []float64) float64 {
	return math.Max(0, p.routines.LogSumExp(scores)-scores[0])
}

// value is F.
func (p *softmaxProx) value(field []float64, r, chi float64, out *response) float64 {
	out.loss = p.loss(out.scores)
	sum := 0.0
	for i, v := range out.point {
		sum += (v - r*field[i]) * (v - r*field[i])
	}
	return sum/2 + chi*out.loss
}

// newton finds the step −H⁻¹∇F and its decrement ∇FᵀH⁻¹∇F, and leaves the factor of H.
func (p *softmaxProx) newton(field, rows []float64, r, chi float64, out *response) (decrement float64, ok bool) {
	d := p.d
	total, _ := p.routines.SoftmaxRow(p.weights, out.scores, p.routines.Max(out.scores), vecmath.LeastFloat64)
	for i := range p.weights {
		p.weights[i] /= total
	}
	p.routines.MatVecTrans(p.mean, rows, d, p.n, d, p.weights)
	for c, w := range p.weights {
		row, scaled := rows[c*d:(c+1)*d], p.scaled[c*d:(c+1)*d]
		for i, x := range row {
			scaled[i] = chi * w * x
		}
	}
	p.product.Multiply(d, d, p.n, p.scaled, 1, d, rows, d, 1, p.hessian, d, false)
	for i, m := range p.mean {
		row := p.hessian[i*d : (i+1)*d]
		p.routines.AddScaled(row, -chi*m, p.mean)
		row[i]++
	}
	if !p.factor() {
		return 0, false
	}
	gradient := p.step
	for i := range gradient {
		gradient[i] = r*field[i] - out.point[i] - chi*(p.mean[i]-rows[i])
	}
	negative := p.mean // of the gradient; the mean is not needed any more
	copy(negative, gradient)
	p.invert(p.step)
	return p.routines.Dot(p.step, negative), true
}

// finish adds what follows from the point: derivatives, with H of the last step.
func (p *softmaxProx) finish(field []float64, r float64, out *response) {
	for i, v := range out.point {
		out.slopes[0][i] = r * field[i]
		out.slopes[1][i] = v - r*field[i]
	}
	p.invert(out.slopes[0])
	p.invert(out.slopes[1])
	out.largest = largestCompetitor(out.scores)
}

func (p *softmaxProx) factor() bool {
	_, ok := lapack64.Potrf(blas64.Symmetric{N: p.d, Stride: p.d, Data: p.hessian, Uplo: blas.Upper})
	return ok
}

// invert replaces x by H⁻¹x.
func (p *softmaxProx) invert(x []float64) {
	factor := blas64.Triangular{N: p.d, Stride: p.d, Data: p.hessian, Uplo: blas.Upper, Diag: blas.NonUnit}
	vector := blas64.Vector{N: p.d, Inc: 1, Data: x}
	blas64.Trsv(blas.Trans, factor, vector)
	blas64.Trsv(blas.NoTrans, factor, vector)
}

// largestCompetitor is the index of the largest score but the first.
func largestCompetitor(scores []float64) int {
	at := 1
	for c := 2; c < len(scores); c++ {
		if scores[c] > scores[at] {
			at = c
		}
	}
	return at
}
