package constraint

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"

	"lamcap/harness/pattern"
	"lamcap/internal/roundoff"
	"lamcap/internal/team"
	"lamcap/internal/vecmath"
)

const (
	// strip is the number of inputs of one job.
	strip = 96
	// block is the number of rows of G of one job.
	block = 48
)

// Set is a list of pairs (input μ, candidate ρ ≠ the target of μ), sorted by
// input, each standing for X_μρ = (u_μ − u_ρ) e_μᵀ. The list is immutable; the
// methods Forward and Backward share scratch space, so a set may not be used
// from several goroutines at once.
type Set = SetOf[float64]

// SetOf is a [Set] whose passes are in arithmetic of type T.
type SetOf[T vecmath.Float] struct {
	// Threads is the most goroutines that Forward and Backward use; 0 means
	// GOMAXPROCS. Small sets use one in any case. It changes no result.
	Threads int

	in        *pattern.Instance
	spec      pattern.Spec
	start     []int
	candidate []int32
	// rows holds values: the pool if it is shared, in DP those of the target and of the
	// candidates of each input, one after the other, from row start[μ] + μ.
	rows []T
	keys []T

	largest float64 // max (‖u_μ‖ + ‖u_ρ‖)‖e_μ‖
	longest int     // the most pairs of an input

	team                         *team.Team
	workers                      []*algebra[T]
	vectors                      []T // V or F, P×DOut
	pairs, weights, result       []T // arguments of the pass that runs
	factors                      []T // of ForwardScaled, nil for ones
	forwardJob, forceJob, sumJob func(job, worker int)
}

// New lists the pairs (μ, candidate[i]) for i from start[μ] to start[μ+1]−1,
// candidate being a row of the pool of input μ. It keeps both slices, which may
// not be changed afterwards. It panics if start is not an increasing sequence
// of P+1 numbers from 0 to the length of candidate, or if a candidate is the
// target or no row of the pool. Of an instance of DP it copies the values
// listed, and those of the targets, once: memory is O((pairs + P)·DOut).
func New(in *pattern.Instance, start []int, candidate []int32) *Set {
	s := newSet(in, start, candidate)
	if s.spec.Model == pattern.DP {
		d := s.spec.DOut
		s.rows = make([]float64, (len(candidate)+s.spec.P)*d)
		buffer := make([]float64, d)
		for mu := range s.spec.P {
			if start[mu] == start[mu+1] {
				continue // the row of the target is never read
			}
			copy(s.target(mu), in.TargetValue(mu, buffer))
			for i := start[mu]; i < start[mu+1]; i++ {
				copy(s.value(mu, i), in.PoolRows(mu, int(candidate[i]), 1, buffer))
			}
		}
	}
	measure(s)
	return s
}

// newSet checks the list and prepares all but the rows of DP.
func newSet(in *pattern.Instance, start []int, candidate []int32) *Set {
	spec := in.Spec()
	if len(start) != spec.P+1 || start[0] != 0 || start[spec.P] != len(candidate) {
		panic(fmt.Sprintf("constraint: want %d starts from 0 to the number of candidates", spec.P+1))
	}
	for mu := range spec.P {
		if start[mu] > start[mu+1] {
			panic(fmt.Sprintf("constraint: the list of input %d has a negative length", mu))
		}
		for _, c := range candidate[start[mu]:start[mu+1]] {
			if c < 0 || int(c) >= spec.N || int(c) == in.Target(mu) {
				panic(fmt.Sprintf("constraint: candidate %d of input %d: want a row from 0 to %d, not the target", c, mu, spec.N-1))
			}
		}
	}
	s := &Set{in: in, spec: spec, start: start, candidate: candidate, team: team.New(), keys: in.Keys(), vectors: make([]float64, spec.P*spec.DOut)}
	s.forwardJob, s.forceJob, s.sumJob = s.forward, s.force, s.sum
	if s.spec.Model.SharedPool() {
		s.rows = in.Pool(0, nil)
	}
	return s
}

// measure fills what the round-off bounds need.
func measure(s *Set) {
	for mu := range s.spec.P {
		from, to := s.start[mu], s.start[mu+1]
		if from == to {
			continue
		}
		s.longest = max(s.longest, to-from)
		key, target, other := floats.Norm(s.in.Key(mu), 2), floats.Norm(s.target(mu), 2), 0.0
		for i := from; i < to; i++ {
			u := s.value(mu, i)
			other = max(other, floats.Dot(u, u))
		}
		s.largest = max(s.largest, (target+math.Sqrt(other))*key)
	}
}

// target returns u_μ and value the candidate of pair i of input μ.
func (s *SetOf[T]) target(mu int) []T {
	if s.spec.Model.SharedPool() {
		return s.row(s.in.Target(mu))
	}
	return s.row(s.start[mu] + mu)
}

func (s *SetOf[T]) value(mu, i int) []T {
	if s.spec.Model.SharedPool() {
		return s.row(int(s.candidate[i]))
	}
	return s.row(i + mu + 1)
}

func (s *SetOf[T]) row(i int) []T {
	d := s.spec.DOut
	return s.rows[i*d : (i+1)*d : (i+1)*d]
}

// Len returns the number of pairs.
func (s *SetOf[T]) Len() int { return len(s.candidate) }

// Instance returns the instance whose pairs are listed.
func (s *SetOf[T]) Instance() *pattern.Instance { return s.in }

// Start returns P+1 offsets: the pairs of input μ are Start()[μ] … Start()[μ+1]−1.
// The caller must not change it.
func (s *SetOf[T]) Start() []int { return s.start }

// Candidate returns for every pair the row of its candidate in the pool of its
// input. The caller must not change it.
func (s *SetOf[T]) Candidate() []int32 { return s.candidate }

// Forward writes ⟨W, X_i⟩ = S_μμ − S_μρ of every pair to dst, of length Len; w
// is DOut×DIn row-major. A score takes DIn + DOut roundings and a difference one
// more, so each is off by at most γ_k (‖u_μ‖ + ‖u_ρ‖)‖e_μ‖‖W‖_F with
// k = DIn + DOut + 8 ([Higham02], (3.5)), barring underflow.
func (s *SetOf[T]) Forward(dst, w []T) {
	if len(dst) != s.Len() || len(w) != s.spec.DOut*s.spec.DIn {
		panic("constraint: Forward: want a number for each pair, and DOut·DIn weights")
	}
	s.pairs, s.weights = dst, w
	s.team.Run(s.threads(), s.strips(), s.forwardJob)
	s.pairs, s.weights = nil, nil
}

// ForwardScaled writes c_i⟨W, X_i⟩ of every pair to dst, and 0 without work for
// a pair with c_i = 0: a Hessian Σ c x xᵀ takes W to Backward of ForwardScaled.
// dst and c may not be the same.
func (s *SetOf[T]) ForwardScaled(dst, w, c []T) {
	if len(c) != s.Len() {
		panic("constraint: ForwardScaled: want a number for each pair")
	}
	s.factors = c
	s.Forward(dst, w)
	s.factors = nil
}

// Backward writes G = Σ_i c_i X_i to g, DOut×DIn row-major; c has length Len.
// The Frobenius norm of its error is at most BackwardError()·Σ|c_i|.
func (s *SetOf[T]) Backward(g, c []T) {
	if len(c) != s.Len() || len(g) != s.spec.DOut*s.spec.DIn {
		panic("constraint: Backward: want a number for each pair, and DOut·DIn weights")
	}
	s.pairs, s.result = c, g
	threads := s.threads()
	s.team.Run(threads, s.strips(), s.forceJob)
	s.team.Run(threads, (s.spec.DOut+block-1)/block, s.sumJob)
	s.pairs, s.result = nil, nil
}

// Size returns max (‖u_μ‖ + ‖u_ρ‖)‖e_μ‖ over the pairs, which no ‖X_i‖_F exceeds.
func (s *SetOf[T]) Size() float64 { return s.largest }

// BackwardError bounds the round-off of [Set.Backward] for Σ|c_i| = 1: at most
// as many roundings as there are pairs of one input, inputs, and a few more,
// each relative to c_i (‖u_μ‖ + ‖u_ρ‖)‖e_μ‖. In float32 there are four more for
// data rounded to that.
func (s *SetOf[T]) BackwardError() float64 {
	roundings := s.longest + s.spec.P + 8
	if _, single := any(T(0)).(float32); single {
		return roundoff.GammaSingle(roundings+4) * s.largest
	}
	return roundoff.Gamma(roundings) * s.largest
}

// Single returns the same pairs with passes in float32, in half the time.
func (s *SetOf[T]) Single() *SetOf[float32] {
	single := &SetOf[float32]{
		Threads: s.Threads, in: s.in, spec: s.spec, start: s.start, candidate: s.candidate,
		rows: convert(s.rows), keys: convert(s.keys), largest: s.largest, longest: s.longest,
		team: team.New(), vectors: make([]float32, len(s.vectors)),
	}
	single.forwardJob, single.forceJob, single.sumJob = single.forward, single.force, single.sum
	return single
}

func convert[T vecmath.Float](x []T) []float32 {
	y := make([]float32, len(x))
	for i, v := range x {
		y[i] = float32(v)
	}
	return y
}

// threads returns how many threads share a pass, each with its algebra.
func (s *SetOf[T]) threads() int {
	threads := team.Threads(s.Threads, s.work())
	for len(s.workers) < threads {
		s.workers = append(s.workers, newAlgebra[T]())
	}
	return threads
}

func (s *SetOf[T]) strips() int { return (s.spec.P + strip - 1) / strip }

// work is the number of multiplications of a pass.
func (s *SetOf[T]) work() float64 {
	return float64(s.spec.DOut) * (float64(s.spec.P)*float64(s.spec.DIn) + float64(s.Len()))
}

// inputs returns the inputs of a job.
func (s *SetOf[T]) inputs(job int) (from, to int) {
	return job * strip, min((job+1)*strip, s.spec.P)
}

func (s *SetOf[T]) forward(job, worker int) {
	x := s.workers[worker]
	from, to := s.inputs(job)
	if s.start[from] == s.start[to] {
		return
	}
	in, out := s.spec.DIn, s.spec.DOut
	x.multiply(s.vectors[from*out:to*out], s.keys[from*in:to*in], s.weights, to-from, out, in)
	for mu := from; mu < to; mu++ {
		first, last := s.start[mu], s.start[mu+1]
		if first == last {
			continue
		}
		v := s.vectors[mu*out : (mu+1)*out]
		correct := x.Dot(s.target(mu), v)
		if s.factors == nil {
			for i := first; i < last; i++ {
				s.pairs[i] = correct - x.Dot(s.value(mu, i), v)
			}
			continue
		}
		for i := first; i < last; i++ {
			if c := s.factors[i]; c != 0 {
				s.pairs[i] = c * (correct - x.Dot(s.value(mu, i), v))
			} else {
				s.pairs[i] = 0
			}
		}
	}
}

// force computes the f_μ of a strip.
func (s *SetOf[T]) force(job, worker int) {
	x := s.workers[worker]
	from, to := s.inputs(job)
	out := s.spec.DOut
	for mu := from; mu < to; mu++ {
		f := s.vectors[mu*out : (mu+1)*out]
		clear(f)
		sum := T(0)
		for i := s.start[mu]; i < s.start[mu+1]; i++ {
			if c := s.pairs[i]; c != 0 {
				sum += c
				x.AddScaled(f, -c, s.value(mu, i))
			}
		}
		if s.start[mu] < s.start[mu+1] {
			x.AddScaled(f, sum, s.target(mu))
		}
	}
}

// sum computes a block of rows of G = Fᵀ E.
func (s *SetOf[T]) sum(job, worker int) {
	from, to := job*block, min((job+1)*block, s.spec.DOut)
	s.workers[worker].multiplyTransposed(s.result, s.vectors, s.keys, s.spec.DOut, s.spec.DIn, s.spec.P, from, to)
}
