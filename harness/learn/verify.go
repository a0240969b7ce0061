package learn

import (
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/floats"

	"lamcap/harness/pattern"
)

// Verification says what weights recall, with an error bound.
type Verification struct {
	// Recalled counts the inputs whose every S_μμ − S_μρ, recomputed from the
	// weights, exceeds a bound on its round-off: these are recalled strictly in
	// exact arithmetic. So are inputs without competitors, by all weights.
	Recalled int
	// Doubtful counts the inputs whose least S_μμ − S_μρ is within the bound,
	// as ties are. They do not count as recalled.
	Doubtful int
	// Margin is min (S_μμ − S_μρ)/‖W‖_F: +Inf if no input has a competitor,
	// else NaN for W = 0 and for weights that are not finite.
	Margin float64
	// Norm is ‖W‖_F.
	Norm float64
}

// Verify recomputes the scores of all inputs. If Recalled is the number of
// inputs, the weights are a witness that the instance is storable.
//
// The bound: u·(W e) takes d_in + d_out roundings, so that its error is at most
// γ_k ‖u‖‖W‖_F‖e‖ with k = d_in + d_out ([Higham02], (3.5), for any order of
// summation), or γ_k ‖u‖‖Q‖_F‖R‖_F‖e‖ with k = d_in + m + d_out for factors;
// twice that, with the longest u of the pool, for a difference. The weights are
// first multiplied by a power of 2, which is exact and changes no answer, so
// that nothing overflows or underflows. Memory is O(N·d) for an instance that
// generates its pools.
func Verify(in *pattern.Instance, w *Weights) Verification {
	s := in.Spec()
	if w.DIn != s.DIn || w.DOut != s.DOut {
		panic("learn: weights and instance have different dimensions")
	}
	v := Verification{Margin: math.Inf(1), Norm: w.Norm()}
	if s.N == 1 {
		v.Recalled = s.P
		return v
	}
	unit, ok := normalise(w)
	if !ok {
		v.Margin = math.NaN()
		if v.Norm == 0 {
			v.Doubtful = s.P // every score is 0: ties
		}
		return v
	}
	size, roundings := norm(unit.Parameters), s.DIn+s.DOut
	if w.Rank > 0 {
		q, r := unit.Factors()
		size, roundings = norm(q)*norm(r), roundings+w.Rank
	}
	// Norms and the bound itself are rounded, by far less than this factor.
	size *= gamma(roundings+4) * (1 + 1e-9)

	hidden, value, scores := make([]float64, w.Rank), make([]float64, s.DOut), make([]float64, s.N)
	var buffer []float64
	if !in.Stored() {
		buffer = make([]float64, s.N*s.DOut)
	}
	longest := 0.0 // ‖u‖ in the pool
	for mu := range s.P {
		key, target, pool := in.Key(mu), in.Target(mu), in.Pool(mu, buffer)
		if s.Model == pattern.DP || mu == 0 {
			longest = 0
			for row := range s.N {
				u := pool[row*s.DOut : (row+1)*s.DOut]
				longest = max(longest, floats.Dot(u, u))
			}
			longest = math.Sqrt(longest)
		}
		if w.Rank == 0 {
			gemv(blas.NoTrans, s.DOut, s.DIn, unit.Parameters, key, value)
		} else {
			q, r := unit.Factors()
			gemv(blas.Trans, s.DIn, w.Rank, r, key, hidden)
			gemv(blas.NoTrans, s.DOut, w.Rank, q, hidden, value)
		}
		gemv(blas.NoTrans, s.N, s.DOut, pool, value, scores)
		least := math.Inf(1)
		for row, score := range scores {
			if difference := scores[target] - score; row != target && !(difference >= least) {
				least = difference // a NaN replaces everything and stays
			}
		}
		bound := 2 * longest * size * norm(key)
		switch {
		case least > bound:
			v.Recalled++
		case !(least < -bound):
			v.Doubtful++
		}
		if !(least >= v.Margin) {
			v.Margin = least
		}
	}
	v.Margin /= unit.Norm()
	return v
}

// normalise returns the weights times a power of 2 (each factor times its own)
// that brings the largest entry into [½, 1), and false if they are 0 or not
// finite.
func normalise(w *Weights) (*Weights, bool) {
	unit := w.Clone()
	parts := [][]float64{unit.Parameters}
	if w.Rank > 0 {
		q, r := unit.Factors()
		parts = [][]float64{q, r}
	}
	for _, part := range parts {
		largest := 0.0
		for _, x := range part {
			if largest = max(largest, math.Abs(x)); math.IsNaN(largest) {
				return nil, false
			}
		}
		if largest == 0 || math.IsInf(largest, 0) {
			return nil, false
		}
		_, exponent := math.Frexp(largest)
		for i, x := range part {
			part[i] = math.Ldexp(x, -exponent)
		}
	}
	return unit, true
}
