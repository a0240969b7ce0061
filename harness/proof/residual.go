package proof

import (
	"math"
	"runtime"
	"sync"
	"sync/atomic"

	"gonum.org/v1/gonum/floats"

	"lamcap/harness/pattern"
)

// Assessment is what multipliers prove about an instance.
type Assessment struct {
	// Bound is an upper bound on ‖Σ λ X‖_F/Σ λ, hence on the normalised margin
	// min ⟨W, X⟩/‖W‖_F of every W.
	Bound float64
	// Exact says that multipliers with Σ λ X = 0 exist, so that no W has all
	// ⟨W, X⟩ > 0, whatever the margin.
	Exact bool
}

// Assess evaluates multipliers with rigorous round-off. It panics if they are
// not valid for the instance (see [Multipliers.Validate]).
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
// Exactness is shown by a lower bound h on the least eigenvalue of
// H = Σ λ x xᵀ, in one of two ways. Let A_μ = Σ_ρ λ_μρ (u_μ − u_ρ)(u_μ − u_ρ)ᵀ. With
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
	if err := m.Validate(in.Spec()); err != nil {
		panic("proof: " + err.Error())
	}
	e := newEvaluator(in, m)
	a := Assessment{Bound: e.bound()}
	a.Exact = e.exact(a.Bound)
	return a
}

// evaluator holds the sums of an assessment. It uses nothing but plain loops.
type evaluator struct {
	in   *pattern.Instance
	spec pattern.Spec
	m    *Multipliers // scaled, none of them 0

	force, low []float64 // f = force + low, P×DOut each
	// Of each input: a bound on ‖error of f_μ‖, on ‖f_μ‖, on ‖e_μ‖, and on
	// ‖X‖ of its pairs.
	forceError, forceNorm, keyNorm, largest []float64
	zero                                    []bool // whether all X of the input are exactly 0
	residual                                float64
}

func newEvaluator(in *pattern.Instance, m *Multipliers) *evaluator {
	s := in.Spec()
	e := &evaluator{in: in, spec: s, m: m.scaled().compact(),
		force: make([]float64, s.P*s.DOut), low: make([]float64, s.P*s.DOut),
		forceError: make([]float64, s.P), forceNorm: make([]float64, s.P), keyNorm: make([]float64, s.P), largest: make([]float64, s.P),
		zero: make([]bool, s.P),
	}
	e.each(func(mu int, pool []float64) { e.sumForce(mu, pool) })
	return e
}

// each calls visit for every input that has pairs, with its pool, from several
// goroutines.
func (e *evaluator) each(visit func(mu int, pool []float64)) {
	parallel(e.spec.P, float64(e.m.Len())*float64(e.spec.DOut), func() func(int) {
		var buffer []float64
		if !e.in.Stored() {
			buffer = make([]float64, e.spec.N*e.spec.DOut)
		}
		return func(mu int) {
			if e.m.Start[mu] < e.m.Start[mu+1] {
				visit(mu, e.in.Pool(mu, buffer))
			}
		}
	})
}

// sumForce computes f_μ.
func (e *evaluator) sumForce(mu int, pool []float64) {
	d := e.spec.DOut
	hi, lo := e.force[mu*d:(mu+1)*d], e.low[mu*d:(mu+1)*d]
	target := row(pool, e.in.Target(mu), d)
	targetNorm := normUpper(target)
	e.keyNorm[mu] = normUpper(e.in.Key(mu))
	from, to := e.m.Start[mu], e.m.Start[mu+1]

	total, rest, absolute, longest := 0.0, 0.0, 0.0, 0.0
	zero := true
	for i := from; i < to; i++ {
		lambda, u := e.m.Value[i], row(pool, int(e.m.Candidate[i]), d)
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
	}
	total, rest = twoSum(total, rest)
	for j, x := range target {
		p, q := twoProduct(total, x)
		var t float64
		hi[j], t = twoSum(hi[j], p)
		lo[j] += q + t + float64(rest*x)
		hi[j], lo[j] = twoSum(hi[j], lo[j])
	}
	k := to - from
	g := gamma(4*k + 16)
	e.forceError[mu] = (g*g*absolute + tiny*float64(8*k+8)*float64(d)) * (inflate + gamma(k))
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
	g := gamma(4*s.P + 16)
	e.residual = (norm*(1+2*unit) + inherited + g*g*absolute + tiny*float64(8*s.P)*float64(len(r))) * (inflate + gamma(s.P))
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

// row returns row i of a matrix with d columns.
func row(rows []float64, i, d int) []float64 { return rows[i*d : (i+1)*d : (i+1)*d] }

// serialWork is the number of multiplications below which more goroutines than
// one do not pay.
const serialWork = 1 << 19

// parallel calls, for every i < n, the function that start returned to a
// worker; start is called once by each of as many workers as GOMAXPROCS, or by
// one if the work, in multiplications, is small.
func parallel(n int, work float64, start func() func(i int)) {
	workers := 1
	if work > serialWork {
		workers = min(runtime.GOMAXPROCS(0), n)
	}
	if workers == 1 {
		f := start()
		for i := range n {
			f(i)
		}
		return
	}
	var next atomic.Int64
	var group sync.WaitGroup
	for range workers {
		group.Go(func() {
			f := start()
			for {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				f(i)
			}
		})
	}
	group.Wait()
}

// finite reports whether x is neither NaN nor infinite.
func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }
