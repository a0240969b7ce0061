package proof

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"lamcap/harness/constraint"
	"lamcap/harness/pattern"
	"lamcap/internal/roundoff"
	"lamcap/internal/team"
)

// Assessment is what multipliers prove about an instance.
type Assessment struct {
	// Bound is an upper bound on ‖Σ λ X‖_F/Σ λ, hence on the normalised margin
	// min ⟨W, X⟩/‖W‖_F of every W.
	Bound float64
	// Relative is an upper bound on ‖Σ λ X‖_F/Σ λ‖X‖_F, up to 1e-9 relative. It
	// says how well the pairs cancel whatever their sizes: rescaling a key or a
	// pool of DP, with λ to match, does not change it. For ordinary data it is
	// far below Bound; it is not where Bound is small because an X is.
	Relative float64
	// Exact says that multipliers with Σ λ X = 0 exist, so that no W has all
	// ⟨W, X⟩ > 0, whatever the margin.
	Exact bool
}

// Refutes reports whether it counts as a proof that the instance is not
// storable, for [Refute] and for [Check]: it is Exact, or Bound is at most
// [AcceptedBound] in units of constraint.MarginScale and Relative at most
// AcceptedBound itself.
func (a Assessment) Refutes(in *pattern.Instance) bool {
	return a.accepted(constraint.MarginScale(in))
}

func (a Assessment) accepted(scale float64) bool {
	return a.Exact || a.Bound <= AcceptedBound*scale && a.Relative <= AcceptedBound
}

// Assess evaluates multipliers with rigorous round-off. It panics if they are
// not valid for the instance (see [Multipliers.ValidateFor]).
//
// With f_μ = Σ_ρ λ_μρ (u_μ − u_ρ), Σ λ X = Σ_μ f_μ e_μᵀ. Both sums are compensated,
// in twice the working precision ([Ogita05], theorem 3.4 and its proof): for k
// competitors and P inputs
//
//	‖error of f_μ‖ ≤ γ²_{4k+16} Σ_ρ λ_μρ (‖u_μ‖ + ‖u_ρ‖),
//	‖error of Σ f eᵀ‖_F ≤ u ‖Σ f eᵀ‖_F + γ²_{4P+16} Σ_μ ‖f_μ‖‖e_μ‖,
//
// so that the bound is as good as the multipliers: γ² is below 1e-22 at
// P = 20,000. Products that underflow add less than 2^−1074 each.
//
// Exactness of a few pairs is that of their sum, in rational arithmetic: two
// facts with one key and each other's target cancel to the last bit. Otherwise
// it is shown by a lower bound h on the least eigenvalue of H = Σ λ x xᵀ, in one
// of two ways. Let A_μ = Σ_ρ λ_μρ (u_μ − u_ρ)(u_μ − u_ρ)ᵀ. With
// a_μ the least eigenvalue of A_μ,
//
//	H = Σ_μ A_μ ⊗ e_μ e_μᵀ ≥ 1 ⊗ Σ_μ a_μ e_μ e_μᵀ,
//
// so that matrices of sizes d_out and d_in are enough: this needs some d_in
// inputs with more than d_out competitors each, which [Refute] provides. If
// that fails and d_out·d_in is at most 1,024, H itself is factorised. Least
// eigenvalues come from a Cholesky factorisation of the matrix less a multiple
// of 1 ([Rump06]).
func Assess(in *pattern.Instance, m *Multipliers) Assessment {
	if err := m.ValidateFor(in); err != nil {
		panic("proof: " + err.Error())
	}
	e := newEvaluator(in, m)
	return e.assess(true)
}

func (e *evaluator) assess(exact bool) Assessment {
	a := Assessment{Bound: e.bound()}
	if e.residual > 0 {
		a.Relative = e.residual / floats.Sum(e.size)
	}
	if exact {
		a.Exact = e.exact(a.Bound)
	}
	return a
}

// evaluator holds the sums of an assessment: compensated loops, and norms and
// products by gonum. Their bounds hold for any order of summation.
type evaluator struct {
	in   *pattern.Instance
	spec pattern.Spec
	m    *Multipliers // scaled, none of them 0

	force, low []float64 // f = force + low, P×DOut each
	// Of each input: a bound on ‖error of f_μ‖, on ‖f_μ‖, on ‖e_μ‖, and on
	// ‖X‖ of its pairs; and Σ λ‖X‖.
	forceError, forceNorm, keyNorm, largest, size []float64

	zero     []bool // whether all X of the input are exactly 0
	residual float64
}

func newEvaluator(in *pattern.Instance, m *Multipliers) *evaluator {
	s := in.Spec()
	e := &evaluator{in: in, spec: s, m: m.scaled().compact(),
		force: make([]float64, s.P*s.DOut), low: make([]float64, s.P*s.DOut),
		forceError: make([]float64, s.P), forceNorm: make([]float64, s.P), keyNorm: make([]float64, s.P), largest: make([]float64, s.P),
		size: make([]float64, s.P), zero: make([]bool, s.P),
	}
	parallel(s.P, float64(e.m.Len())*float64(s.DOut), func() func(int) {
		values := newReader(in)
		return func(mu int) {
			if e.m.Start[mu] < e.m.Start[mu+1] {
				e.sumForce(mu, values)
			}
		}
	})
	return e
}

// reader reads values one by one, so that no pool need be in memory.
type reader struct {
	in             *pattern.Instance
	target, buffer []float64
}

func newReader(in *pattern.Instance) *reader {
	r := &reader{in: in}
	if !in.Stored() {
		d := in.Spec().DOut
		r.target, r.buffer = make([]float64, d), make([]float64, d)
	}
	return r
}

// correct returns u_μ, valid until the next call.
func (r *reader) correct(mu int) []float64 { return r.in.TargetValue(mu, r.target) }

// value returns the value of a candidate of input μ, valid until the next call.
func (r *reader) value(mu int, candidate int32) []float64 {
	return r.in.PoolRows(mu, int(candidate), 1, r.buffer)
}

// sumForce computes f_μ.
func (e *evaluator) sumForce(mu int, values *reader) {
	d := e.spec.DOut
	hi, lo := e.force[mu*d:(mu+1)*d], e.low[mu*d:(mu+1)*d]
	target := values.correct(mu)
	targetNorm := normUpper(target)
	e.keyNorm[mu] = normUpper(e.in.Key(mu))
	from, to := e.m.Start[mu], e.m.Start[mu+1]

	total, rest, absolute, longest, size := 0.0, 0.0, 0.0, 0.0, 0.0
	zero := true
	for i := from; i < to; i++ {
		lambda, u := e.m.Value[i], values.value(mu, e.m.Candidate[i])
		var t float64
		total, t = twoSum(total, lambda)
		rest += t
		for j, x := range u {
			p, q := twoProduct(-lambda, x)
			hi[j], t = twoSum(hi[j], p)
			lo[j] += q + t
			zero = zero && x == target[j]
		}
		n := normUpper(u)
		absolute += lambda * (targetNorm + n)
		longest = max(longest, targetNorm+n)
		size += lambda * floats.Distance(target, u, 2)
	}
	e.size[mu] = size * e.keyNorm[mu]
	total, rest = twoSum(total, rest)
	for j, x := range target {
		p, q := twoProduct(total, x)
		var t float64
		hi[j], t = twoSum(hi[j], p)
		lo[j] += q + t + float64(rest*x)
		hi[j], lo[j] = twoSum(hi[j], lo[j])
	}
	k := to - from
	g := roundoff.Gamma(4*k + 16)
	e.forceError[mu] = (g*g*absolute + tiny*float64(8*k+8)*float64(d)) * (inflate + roundoff.Gamma(k))
	e.forceNorm[mu] = normUpper(hi) * (1 + 4*unit)
	e.largest[mu] = longest * e.keyNorm[mu] * inflate
	e.zero[mu] = zero || e.keyNorm[mu] == 0
	if e.zero[mu] {
		clear(hi)
		clear(lo)
		e.forceError[mu], e.forceNorm[mu] = 0, 0
	}
}

// bound returns an upper bound on ‖Σ λ X‖_F/Σ λ and keeps one on ‖Σ λ X‖_F.
func (e *evaluator) bound() float64 {
	s := e.spec
	r := make([]float64, s.DOut*s.DIn)
	parallel(s.DOut, float64(s.P)*float64(len(r)), func() func(int) {
		low := make([]float64, s.DIn)
		return func(i int) {
			clear(low)
			e.sumRow(i, r[i*s.DIn:(i+1)*s.DIn], low)
		}
	})
	norm := normUpper(r)
	absolute, inherited, pairs := 0.0, 0.0, false
	for mu := range s.P {
		absolute += e.forceNorm[mu] * e.keyNorm[mu]
		inherited += e.forceError[mu] * e.keyNorm[mu]
		pairs = pairs || e.m.Start[mu] < e.m.Start[mu+1] && !e.zero[mu]
	}
	if !pairs {
		e.residual = 0 // every X is 0
		return 0
	}
	g := roundoff.Gamma(4*s.P + 16)
	e.residual = (norm*(1+2*unit) + inherited + g*g*absolute + tiny*float64(8*s.P)*float64(len(r))) * (inflate + roundoff.Gamma(s.P))
	return e.residual / sumLower(e.m.Value) * (1 + 4*unit)
}

// sumRow computes row i of Σ f eᵀ.
func (e *evaluator) sumRow(i int, dst, low []float64) {
	d := e.spec.DOut
	for mu := range e.spec.P {
		f, l := e.force[mu*d+i], e.low[mu*d+i]
		if f == 0 && l == 0 {
			continue
		}
		key := e.in.Key(mu)
		for j, x := range key {
			p, q := twoProduct(f, x)
			sum, t := twoSum(dst[j], p)
			dst[j] = sum
			low[j] += q + t + float64(l*x)
		}
	}
	floats.Add(dst, low)
}

// parallel calls, for every i < n, the function that start returned to a
// worker; start is called once by each worker with something to do. The work,
// in multiplications, says how many workers pay.
func parallel(n int, work float64, start func() func(i int)) {
	threads := min(team.Threads(0, work), n)
	workers := make([]func(int), max(threads, 1))
	team.New().Run(threads, n, func(i, worker int) {
		if workers[worker] == nil {
			workers[worker] = start()
		}
		workers[worker](i)
	})
}

// finite reports whether x is neither NaN nor infinite.
func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }
