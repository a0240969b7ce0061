package learn

import (
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"

	"lamcap/harness/pattern"
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
	// [Verify] counts with an error bound.
	Recalled int
	// Competition is Σ λ, the softmax weight of the wrong candidates summed
	// over the inputs; its ratio to p is the mean probability of a wrong answer.
	Competition float64
	// Bound is the duality bound ‖Σ λ X‖_F/Σ λ on the normalised margin of all
	// weights, of any rank, enlarged by the round-off that may be in it: +Inf
	// when λ = 0, NaN if it was not computed.
	Bound float64
}

// Objective evaluates the cross-entropy of an instance and its gradient. It
// allocates nothing after set-up, unless the instance generates its pools. It
// may not be used from several goroutines at once.
type Objective struct {
	in   *pattern.Instance
	spec pattern.Spec
	exp  *expTable

	value    []float64 // W e_μ, DOut
	lambda   []float64 // one row of λ, N; the target's entry is −Σ of the others
	force    []float64 // Σ_ρ λ_μρ (u_ρ − u_μ), DOut
	pool     []float64 // N×DOut, for instances that generate their pools
	matrix   []float64 // W, DOut×DIn, of weights in factors
	full     []float64 // ∂L/∂W, DOut×DIn, of weights in factors
	roundoff float64   // bound on the round-off in ‖Σ λ X‖/Σ λ
}

// NewObjective prepares the evaluation of in.
func NewObjective(in *pattern.Instance) *Objective {
	s := in.Spec()
	o := &Objective{
		in: in, spec: s, exp: newExpTable(),
		value: make([]float64, s.DOut), lambda: make([]float64, s.N), force: make([]float64, s.DOut),
		matrix: make([]float64, s.DOut*s.DIn), full: make([]float64, s.DOut*s.DIn),
	}
	if !in.Stored() {
		o.pool = make([]float64, s.N*s.DOut)
	}
	// A sum of products with k roundings is off by at most γ_k times the sum of
	// their sizes ([Higham02], (3.5)). Here k ≤ 2N + P + 8 (N of
	// them since λ's entry at the target is −Σ λ only to round-off), and each λ
	// comes with ‖u_μ − u_ρ‖‖e_μ‖ ≤ 2 max‖u‖ max‖e‖.
	largest := 0.0
	for mu := range s.P {
		pool := in.Pool(mu, o.pool)
		if s.Model == pattern.DP || mu == 0 {
			for ; len(pool) > 0; pool = pool[s.DOut:] {
				largest = max(largest, floats.Dot(pool[:s.DOut], pool[:s.DOut]))
			}
		}
	}
	key := 0.0
	for mu := range s.P {
		key = max(key, floats.Dot(in.Key(mu), in.Key(mu)))
	}
	o.roundoff = 2 * math.Sqrt(largest) * math.Sqrt(key) * gamma(2*s.N+s.P+8)
	return o
}

// gamma is γ_k = k u/(1 − k u), u = 2^−53, the relative error of k roundings.
func gamma(k int) float64 {
	ku := float64(k) * 0x1p-53
	return ku / (1 - ku)
}

// Instance returns the instance that is evaluated.
func (o *Objective) Instance() *pattern.Instance { return o.in }

// Evaluate returns the loss of w with everything that the same pass gives. If
// gradient is not nil, it has the length of w.Parameters and receives the
// gradient with respect to them. If scores is not nil, it receives S, P×N
// row-major in the order of the pools.
func (o *Objective) Evaluate(w *Weights, gradient, scores []float64) Evaluation {
	m := w.Matrix(o.matrix)
	if w.Rank == 0 {
		return o.evaluate(m, gradient, scores)
	}
	if gradient == nil {
		return o.evaluate(m, nil, scores)
	}
	e := o.evaluate(m, o.full, scores)
	o.factorGradient(w, gradient)
	return e
}

// factorGradient turns G = ∂L/∂W in o.full into ∂L/∂Q = G R, ∂L/∂R = Gᵀ Q.
func (o *Objective) factorGradient(w *Weights, gradient []float64) {
	q, r := w.Factors()
	gq, gr := gradient[:len(q)], gradient[len(q):]
	k := w.Rank
	for i := range w.DOut { // row i of G R is Rᵀ times row i of G
		gemv(blas.Trans, w.DIn, k, r, o.full[i*w.DIn:(i+1)*w.DIn], gq[i*k:(i+1)*k])
	}
	clear(gr)
	for i := range w.DOut {
		blas64.Implementation().Dger(w.DIn, k, 1, o.full[i*w.DIn:(i+1)*w.DIn], 1, q[i*k:(i+1)*k], 1, gr, k)
	}
}

// evaluate works input by input, so that a pool is read once from memory for
// its scores and its share of the gradient.
func (o *Objective) evaluate(w, gradient, scores []float64) Evaluation {
	s := o.spec
	clear(gradient)
	e := Evaluation{Margin: math.Inf(1), Bound: math.NaN()}
	for mu := range s.P {
		key, target, pool := o.in.Key(mu), o.in.Target(mu), o.in.Pool(mu, o.pool)
		row := o.lambda
		if scores != nil {
			row = scores[mu*s.N : (mu+1)*s.N]
		}
		gemv(blas.NoTrans, s.DOut, s.DIn, w, key, o.value)
		gemv(blas.NoTrans, s.N, s.DOut, pool, o.value, row)
		o.softmax(row, target, &e)
		if gradient != nil {
			o.backward(mu, target, pool, gradient)
		}
	}
	if gradient != nil {
		e.Bound = o.bound(gradient, e.Competition)
	}
	return e
}

// softmax adds the input with the given scores to e and fills o.lambda, which
// may be scores itself. All is computed from z, the log-odds of the target:
//
//	z = S_μμ − log Σ_{ρ≠μ} exp S_μρ,   loss = log(1 + e^{−z}),   Σ_ρ λ = 1/(1 + e^z),
//
// where nothing overflows and a loss near 0 keeps its relative accuracy.
func (o *Objective) softmax(scores []float64, target int, e *Evaluation) {
	lambda := o.lambda[:len(scores)]
	s0 := scores[target]
	best := math.Inf(-1)
	for _, s := range scores[:target] {
		if s > best {
			best = s
		}
	}
	for _, s := range scores[target+1:] {
		if s > best {
			best = s
		}
	}
	if len(scores) == 1 {
		e.Recalled++
		lambda[0] = 0
		return
	}
	// Terms are dropped relative to the best competitor and not to the target,
	// so that the weights of the wrong candidates keep their relative accuracy.
	sum := o.exp.shifted(lambda[:target], scores[:target], best) +
		o.exp.shifted(lambda[target+1:], scores[target+1:], best)
	margin := s0 - best
	z := margin - math.Log(sum)
	if math.IsNaN(z) || math.IsInf(z, 0) { // a score is NaN or out of range
		e.Loss, e.Margin, e.Competition = math.NaN(), math.NaN(), math.NaN()
		return
	}
	wrong := 1 / (1 + math.Exp(z))
	if z > 0 {
		e.Loss += math.Log1p(math.Exp(-z))
	} else {
		e.Loss += math.Log1p(math.Exp(z)) - z
	}
	e.Competition += wrong
	if margin < e.Margin {
		e.Margin = margin
	}
	if margin > 0 {
		e.Recalled++
	}
	scale := wrong / sum
	for i := range lambda {
		lambda[i] *= scale
	}
	lambda[target] = -wrong
}

// backward adds Σ_ρ λ_μρ (u_ρ − u_μ) e_μᵀ to the gradient.
func (o *Objective) backward(mu, target int, pool, gradient []float64) {
	s := o.spec
	gemv(blas.Trans, s.N, s.DOut, pool, o.lambda, o.force)
	blas64.Implementation().Dger(s.DOut, s.DIn, 1, o.force, 1, o.in.Key(mu), 1, gradient, s.DIn)
}

func (o *Objective) bound(gradient []float64, competition float64) float64 {
	if competition == 0 {
		return math.Inf(1)
	}
	return floats.Norm(gradient, 2)/competition*(1+gamma(len(gradient)+2*o.spec.P+8)) + o.roundoff
}
