package proof

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"lamcap/harness/constraint"
	"lamcap/harness/learn"
	"lamcap/harness/pattern"
	"lamcap/internal/roundoff"
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
	// Certified is a lower bound on the exact value of Margin: what is left of
	// it after the round-off of every input. It is NaN where Margin is.
	Certified float64
	// Norm is ‖W‖_F.
	Norm float64
}

// Verify recomputes the scores of all inputs. If Recalled is the number of
// inputs, the weights are a witness that the instance is storable. It panics
// if weights and instance have different dimensions.
//
// The bound: u·(W e) takes d_in + d_out roundings, so that its error is at most
// γ_k ‖u‖‖W‖_F‖e‖ with k = d_in + d_out ([Higham02], (3.5), for any order of
// summation), or γ_k ‖u‖‖Q‖_F‖R‖_F‖e‖ with k = d_in + m + d_out for factors;
// twice that, with the longest u of the pool, for a difference. The weights are
// first multiplied by a power of 2, which is exact and changes no answer, so
// that nothing overflows or underflows.
//
// Large instances are read by as many goroutines as GOMAXPROCS; results do not
// depend on their number. Each holds the scores of a few inputs, and a pool if
// the instance generates its pools.
func Verify(in *pattern.Instance, w *learn.Weights) Verification {
	s := in.Spec()
	if w.DIn != s.DIn || w.DOut != s.DOut {
		panic("proof: weights and instance have different dimensions")
	}
	v := Verification{Margin: math.Inf(1), Certified: math.Inf(1), Norm: w.Norm()}
	if s.N == 1 {
		v.Recalled = s.P
		return v
	}
	rounding, ok := NewRounding(w)
	if !ok {
		v.Margin, v.Certified = math.NaN(), math.NaN()
		if v.Norm == 0 {
			v.Doubtful = s.P // every score is 0: ties
		}
		return v
	}
	shared := 0.0
	if s.Model.SharedPool() {
		shared = longest(in.Pool(0, nil), s.DOut)
	}
	differences, bounds := make([]float64, s.P), make([]float64, s.P)
	constraint.NewScanner(in).Scan(rounding.Matrix, func(mu int, scores []float64, target int, pool []float64) {
		length := shared
		if !s.Model.SharedPool() {
			length = longest(pool, s.DOut)
		}
		differences[mu] = scores[target] - greatest(scores, target)
		bounds[mu] = rounding.Difference(length, floats.Norm(in.Key(mu), 2))
	})
	for mu, difference := range differences {
		switch {
		case difference > bounds[mu]:
			v.Recalled++
		case !(difference < -bounds[mu]):
			v.Doubtful++
		}
		v.Margin = lesser(v.Margin, difference)
		v.Certified = lesser(v.Certified, difference-bounds[mu])
	}
	v.Margin /= rounding.norm
	v.Certified = lowerQuotient(v.Certified, rounding.norm, rounding.high)
	return v
}

// Rounding says how far off computed scores of weights may be.
type Rounding struct {
	// Matrix is W times a power of 2 that brings the largest entry (of each factor)
	// into [½, 1), DOut×DIn row-major.
	Matrix []float64
	// Exponent is that of the power of 2: W = Matrix·2^Exponent.
	Exponent int

	norm, high float64 // ‖Matrix‖_F, computed, and an upper bound
	unit       float64 // of a score for ‖u‖ = ‖e‖ = 1
}

// NewRounding prepares weights; false if they are 0 or not finite.
func NewRounding(w *learn.Weights) (r Rounding, ok bool) {
	scaled, exponent, ok := normalise(w)
	if !ok {
		return r, false
	}
	r = Rounding{Matrix: scaled.Matrix(make([]float64, w.DOut*w.DIn)), Exponent: exponent}
	if w.Rank == 0 {
		r.Matrix = scaled.Parameters
	}
	r.norm, r.high = floats.Norm(r.Matrix, 2), normUpper(r.Matrix)
	// Norms and bounds are rounded themselves, by far less than inflate.
	size, roundings := r.norm*inflate, w.DIn+w.DOut
	if w.Rank > 0 {
		left, right := scaled.Factors()
		size, roundings = floats.Norm(left, 2)*floats.Norm(right, 2)*inflate, roundings+w.Rank
		r.high += roundoff.Gamma(w.Rank+4) * size
	}
	r.unit = size * roundoff.Gamma(roundings+4)
	return r, true
}

// Difference bounds the error of a difference of two scores uᵀ W e computed with
// Matrix, for values of a length up to value and a key of length key.
func (r *Rounding) Difference(value, key float64) float64 { return 2 * value * r.unit * key }

// lesser is the minimum; a NaN replaces everything and stays.
func lesser(a, b float64) float64 {
	if a < b || math.IsNaN(a) {
		return a
	}
	return b
}

// lowerQuotient bounds x/norm from below, for a norm known to be at most high
// and off by no more than high − norm either way.
func lowerQuotient(x, norm, high float64) float64 {
	if x > 0 {
		return x / high * (1 - 4*unit)
	}
	low := 2*norm - high
	if !(low > 0) {
		return math.Inf(-1)
	}
	return x / low * (1 + 4*unit)
}

// greatest returns the largest of the scores but the target's, −Inf if there is
// no other; a NaN replaces everything and stays.
func greatest(scores []float64, target int) float64 {
	return greatestOf(scores[target+1:], greatestOf(scores[:target], math.Inf(-1)))
}

func greatestOf(scores []float64, best float64) float64 {
	for _, s := range scores {
		if !(s <= best) { // larger, or one of them is NaN
			if math.IsNaN(best) {
				return best
			}
			best = s
		}
	}
	return best
}

// longest returns the length of the longest row.
func longest(rows []float64, d int) float64 {
	square := 0.0
	for ; len(rows) > 0; rows = rows[d:] {
		square = max(square, floats.Dot(rows[:d], rows[:d]))
	}
	return math.Sqrt(square)
}

// normalise returns the weights times a power of 2 (each factor times its own)
// that brings the largest entry into [½, 1), the exponent of its inverse (of all
// factors together), and false if they are 0 or not finite.
func normalise(w *learn.Weights) (scaled *learn.Weights, total int, ok bool) {
	scaled = w.Clone()
	parts := [][]float64{scaled.Parameters}
	if w.Rank > 0 {
		q, r := scaled.Factors()
		parts = [][]float64{q, r}
	}
	for _, part := range parts {
		largest := 0.0
		for _, x := range part {
			if largest = max(largest, math.Abs(x)); math.IsNaN(largest) {
				return nil, 0, false
			}
		}
		if largest == 0 || math.IsInf(largest, 0) {
			return nil, 0, false
		}
		_, exponent := math.Frexp(largest)
		total += exponent
		for i, x := range part {
			part[i] = math.Ldexp(x, -exponent)
		}
	}
	return scaled, total, true
}
