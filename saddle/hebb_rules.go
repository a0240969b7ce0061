package saddle

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// rule is a Gauss rule for a probability law: Σ weights = 1.
type rule struct{ nodes, weights []float64 }

// gaussRule returns the rule of the law whose orthonormal polynomials have the
// given recurrence (diagonal and off-diagonal of the Jacobi matrix), by
// Golub and Welsch.
func gaussRule(diagonal, offDiagonal []float64) rule {
	n := len(diagonal)
	jacobi := mat.NewSymDense(n, nil)
	for i, v := range diagonal {
		jacobi.SetSym(i, i, v)
		if i > 0 {
			jacobi.SetSym(i-1, i, offDiagonal[i-1])
		}
	}
	var eigen mat.EigenSym
	if !eigen.Factorize(jacobi, true) {
		panic("saddle: the Jacobi matrix of a Gauss rule did not factorise")
	}
	var vectors mat.Dense
	eigen.VectorsTo(&vectors)
	r := rule{nodes: eigen.Values(nil), weights: make([]float64, n)}
	for i := range r.weights {
		r.weights[i] = vectors.At(0, i) * vectors.At(0, i)
	}
	return r
}

// cosineRule is the rule for the cosine between a fixed and a uniform direction
// in R^d, d ≥ 1 (Gegenbauer; d = 1: ±1).
func cosineRule(d, size int) rule {
	if d == 1 {
		return rule{nodes: []float64{-1, 1}, weights: []float64{0.5, 0.5}}
	}
	off := make([]float64, size-1)
	for i := range off {
		k := float64(i + 1)
		if d == 2 && i == 0 {
			off[i] = math.Sqrt(0.5) // the formula is 0/0
			continue
		}
		a := float64(d) / 2
		off[i] = math.Sqrt(k * (k + 2*a - 3) / (4 * (k + a - 1) * (k + a - 2)))
	}
	return gaussRule(make([]float64, size), off)
}

// noiseRule is the rule for τ, the interference's variance over its mean: a
// Gamma law whose variance makes that of |b|² exact (Laguerre).
func noiseRule(d int, others float64, size int) rule {
	x := float64(d)
	variance := 2 * (x*x - 2*x - 2) / ((x + 2) * (x + 2) * others)
	if variance <= 0 { // d = 2, where |b|² varies less than a Gaussian's
		return rule{nodes: []float64{1}, weights: []float64{1}}
	}
	shape := 1 / variance
	diagonal := make([]float64, size)
	off := make([]float64, size-1)
	for i := range diagonal {
		diagonal[i] = (2*float64(i) + shape) / shape
		if i > 0 {
			off[i-1] = math.Sqrt(float64(i)*(float64(i)+shape-1)) / shape
		}
	}
	return gaussRule(diagonal, off)
}

// variance of the law about its mean 1.
func (r rule) variance() float64 {
	v := 0.0
	for i, x := range r.nodes {
		v += r.weights[i] * (x - 1) * (x - 1)
	}
	return v
}
