package learn

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"

	"lamcap/harness/pattern"
	"lamcap/internal/gemm"
	"lamcap/internal/roundoff"
	"lamcap/internal/simd"
)

// Evaluation is what one pass over an instance says about weights.
type Evaluation struct {
	// Loss is the cross-entropy summed over the inputs, in nats.
	Loss float64
	// Margin is the least S_μμ − S_μρ, not divided by any norm: +Inf if no
	// input has a competitor, NaN if a score is.
	Margin float64
	// Recalled counts the inputs with S_μμ > S_μρ for every other ρ, in
	// floating point; an input without competitors is recalled by all weights.
	// Package proof counts with an error bound.
	Recalled int
	// Competition is Σ λ, the softmax weight of the wrong candidates summed
	// over the inputs; its ratio to p is the mean probability of a wrong answer.
	Competition float64
	// Residual is ‖Σ λ X‖_F/Σ λ as computed: the duality bound on the
	// normalised margin of all weights, of any rank, but for round-off. +Inf
	// when λ = 0, NaN without gradient.
	Residual float64
	// Bound is Residual enlarged by the round-off that may be in it.
	Bound float64
}

// Precision is the arithmetic of an evaluation.
type Precision int

const (
	// Double evaluates in float64.
	Double Precision = iota
	// Single evaluates scores and forces in float32, which takes half the time,
	// and sums losses and gradients in float64. The data are rounded to float32.
	Single
)

// String returns "double" or "single".
func (p Precision) String() string {
	switch p {
	case Double:
		return "double"
	case Single:
		return "single"
	}
	return fmt.Sprintf("precision(%d)", int(p))
}

// gamma bounds the relative error of k roundings.
func (p Precision) gamma(k int) float64 {
	if p == Single {
		return roundoff.GammaSingle(k)
	}
	return roundoff.Gamma(k)
}

// least is η, the least number above 0.
func (p Precision) least() float64 {
	if p == Single {
		return math.SmallestNonzeroFloat32
	}
	return math.SmallestNonzeroFloat64
}

// Engine says how an instance is evaluated. The zero value is Double on one
// thread.
type Engine struct {
	Precision Precision
	// Threads is the number of goroutines, 0 meaning 1. Results do not depend
	// on it.
	Threads int
}

// Objective evaluates the cross-entropy of an instance and its gradient. On one
// thread it allocates nothing after set-up. Nothing of size P×N is kept.
// It may not be used from several goroutines at once.
//
// Results depend in their last bits on the instruction set (package simd).
type Objective struct {
	in        *pattern.Instance
	spec      pattern.Spec
	precision Precision
	engine    interface {
		evaluate(matrix, gradient []float64) Evaluation
	}
	matrix  []float64 // W, DOut×DIn, of weights in factors
	full    []float64 // ∂L/∂W, DOut×DIn, of weights in factors
	product *gemm.Multiplier[float64]
	// roundoff bounds the rounding of ‖Σ λ X‖/Σ λ, and underflow what is lost of
	// ‖Σ λ X‖ below the range of the arithmetic.
	roundoff, underflow float64
}

// NewObjective prepares the evaluation of in with the zero [Engine].
func NewObjective(in *pattern.Instance) *Objective { return NewObjectiveWith(in, Engine{}) }

// NewObjectiveWith prepares the evaluation of in. It panics if the engine is
// not valid.
func NewObjectiveWith(in *pattern.Instance, e Engine) *Objective {
	return newObjective(in, e, simd.Default())
}

func newObjective(in *pattern.Instance, e Engine, level simd.Level) *Objective {
	if e.Precision != Double && e.Precision != Single || e.Threads < 0 {
		panic(fmt.Sprintf("learn: engine %+v: want precision single or double, threads ≥ 0", e))
	}
	s := in.Spec()
	o := &Objective{in: in, spec: s, precision: e.Precision, matrix: make([]float64, s.DOut*s.DIn), full: make([]float64, s.DOut*s.DIn)}
	o.product = gemm.NewMultiplier(gemm.NewKernel[float64](level), 1)
	if e.Precision == Single {
		o.engine = newEngine[float32](in, level, e.Threads)
	} else {
		o.engine = newEngine[float64](in, level, e.Threads)
	}
	// A sum of products with k roundings, in any order, is off by at most γ_k
	// times the sum of their sizes ([Higham02], (3.5)). Here k ≤ 2N + P + 12 (N
	// of them since the weight that goes to the target is −Σ λ only to
	// round-off, four for data rounded to float32), and each λ comes with
	// ‖u_μ − u_ρ‖‖e_μ‖ ≤ 2 max‖u‖ max‖e‖.
	u, key := largestValue(in), largestKey(in)
	o.roundoff = 2 * u * key * e.Precision.gamma(2*s.N+s.P+12)
	// Once every input leads by a hundred nats in float32, λ leaves the range
	// while Σ λ, a float64, does not. A number that underflows is off by at most
	// half of the least one, η: the factor of an input's exponentials, of which N
	// are at most 1; each entry of a force; and each of P products in every entry
	// of the gradient.
	p, n, dOut, dIn := float64(s.P), float64(s.N), float64(s.DOut), float64(s.DIn)
	o.underflow = p * (key*((n+1)*u+math.Sqrt(dOut)) + math.Sqrt(dOut*dIn)) * e.Precision.least()
	return o
}

// Instance returns the instance that is evaluated.
func (o *Objective) Instance() *pattern.Instance { return o.in }

// Evaluate returns the loss of w with everything that the same pass gives. If
// gradient is not nil, it has the length of w.Parameters and receives the
// gradient with respect to them.
func (o *Objective) Evaluate(w *Weights, gradient []float64) Evaluation {
	m := w.Matrix(o.matrix)
	full := gradient
	if w.Rank > 0 && gradient != nil {
		full = o.full
	}
	e := o.engine.evaluate(m, full)
	e.Residual, e.Bound = math.NaN(), math.NaN()
	if gradient != nil {
		e.Residual, e.Bound = o.bound(full, e.Competition)
	}
	if w.Rank > 0 && gradient != nil {
		o.factorGradient(w, gradient)
	}
	return e
}

// factorGradient turns G = ∂L/∂W in o.full into ∂L/∂Q = G R, ∂L/∂R = Gᵀ Q.
func (o *Objective) factorGradient(w *Weights, gradient []float64) {
	q, r := w.Factors()
	k := w.Rank
	o.product.Multiply(w.DOut, k, w.DIn, o.full, w.DIn, 1, r, k, 1, gradient[:len(q)], k, false)
	o.product.Multiply(w.DIn, k, w.DOut, o.full, 1, w.DIn, q, k, 1, gradient[len(q):], k, false)
}

func (o *Objective) bound(gradient []float64, competition float64) (residual, bound float64) {
	if competition == 0 {
		return math.Inf(1), math.Inf(1)
	}
	residual = floats.Norm(gradient, 2) / competition
	return residual, residual*(1+roundoff.Gamma(len(gradient)+2*o.spec.P+8)) + o.roundoff + o.underflow/competition
}

// Noise bounds the relative round-off of losses, as line searches need it: in
// float32 that of scores some hundred times larger than the losses.
func (o *Objective) Noise() float64 {
	if o.precision == Single {
		return 1e-6
	}
	return float64Noise
}
