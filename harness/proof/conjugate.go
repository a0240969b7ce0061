package proof

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"lamcap/harness/constraint"
	"lamcap/internal/gemm"
	"lamcap/internal/metric"
	"lamcap/internal/simd"
	"lamcap/internal/vecmath"
)

// normal solves H δ = R, H δ = Σ c ⟨δ, X⟩ X, by conjugate gradients ([NW06],
// algorithm 5.3) with the preconditioner
//
//	G → C⁻¹ G K⁻¹,   K = Σ_μ c_μ e_μ e_μᵀ,   C = Σ c y yᵀ/Σ c,   y = u_μ − u_ρ,
//
// c_μ = Σ_ρ c_μρ, which is H⁻¹ if the y of an input do not depend on its key.
//
// T is the arithmetic of the iteration. In float32 a step takes half the time,
// and a solution is good to singleTolerance: the caller corrects, computes what
// is left in float64, and solves again.
type normal[T vecmath.Float] struct {
	set       *constraint.SetOf[T]
	dOut, dIn int
	weights   []float64 // c

	product      *gemm.Multiplier[T]
	math         *vecmath.Routines[T]
	double       *gemm.Multiplier[float64]
	factors      []T // c
	values, keys []T // C⁻¹ and K⁻¹
	// Vectors of the iteration, DOut×DIn, and one number for each pair. The
	// system is solved for R/‖R‖.
	r, z, p, hp, half, delta []T
	pairs                    []T
	count                    int

	first, relative, rz float64 // ‖R‖, ‖R − H δ‖/‖R‖, r·z
}

// solver is a normal of either arithmetic.
type solver interface {
	prepare(weights []float64)
	begin(residual []float64)
	advance(delta []float64, tolerance float64, limit int)
	iterations() int
	reached() float64 // ‖R − H δ‖/‖R‖
}

// singleTolerance is how small a residual the recursion in float32 can be
// trusted with.
const singleTolerance = 3e-5

// singleFrom is the number of weights from which systems are solved in float32.
const singleFrom = 1 << 11

func newSolver(set *constraint.Set) solver {
	if s := set.Instance().Spec(); s.DOut*s.DIn >= singleFrom {
		return newNormal(set.Single())
	}
	return newNormal(set)
}

func newNormal[T vecmath.Float](set *constraint.SetOf[T]) *normal[T] {
	s := set.Instance().Spec()
	n := s.DOut * s.DIn
	vector := func() []T { return make([]T, n) }
	level := simd.Default()
	return &normal[T]{
		set: set, dOut: s.DOut, dIn: s.DIn,
		product: gemm.NewMultiplier(gemm.NewKernel[T](level), 1), math: vecmath.New[T](level),
		double: gemm.NewMultiplier(gemm.NewKernel[float64](level), 1),
		r:      vector(), z: vector(), p: vector(), hp: vector(), half: vector(), delta: vector(),
		pairs: make([]T, set.Len()), factors: make([]T, set.Len()),
		values: make([]T, s.DOut*s.DOut), keys: make([]T, s.DIn*s.DIn),
	}
}

func (n *normal[T]) iterations() int { return n.count }

func (n *normal[T]) reached() float64 { return n.relative }

// prepare sets the weights c, which it keeps, and computes the preconditioner.
func (n *normal[T]) prepare(weights []float64) {
	n.weights = weights
	assign(n.factors, weights, 1)
	in, start := n.set.Instance(), n.set.Start()
	var scaled []float64
	for mu := range in.Spec().P {
		if total := floats.Sum(weights[start[mu]:start[mu+1]]); total > 0 {
			scaled = appendScaled(scaled, math.Sqrt(total), in.Key(mu))
		}
	}
	assign(n.keys, inverse(n.square(scaled, n.dIn), n.dIn), 1)
	assign(n.values, inverse(n.square(n.differences(), n.dOut), n.dOut), 1)
}

// differences returns rows √c y of some 64 d_out pairs, evenly spread: the
// metric need not be exact. (16 d_out pairs of few inputs cost twice the steps.)
func (n *normal[T]) differences() (rows []float64) {
	in, start, candidates := n.set.Instance(), n.set.Start(), n.set.Candidate()
	s := in.Spec()
	y, target, value := make([]float64, n.dOut), make([]float64, n.dOut), make([]float64, n.dOut)
	step, next := max(1, n.set.Len()/(64*n.dOut)), 0
	for mu := range s.P {
		if next >= start[mu+1] {
			continue
		}
		u := in.TargetValue(mu, target)
		for ; next < start[mu+1]; next += step {
			floats.SubTo(y, u, in.PoolRows(mu, int(candidates[next]), 1, value))
			rows = appendScaled(rows, math.Sqrt(n.weights[next]), y)
		}
	}
	return rows
}

func appendScaled(rows []float64, c float64, x []float64) []float64 {
	for _, v := range x {
		rows = append(rows, c*v)
	}
	return rows
}

// square returns Σ x xᵀ over rows x of length d.
func (n *normal[T]) square(rows []float64, d int) []float64 {
	m := make([]float64, d*d)
	n.double.Multiply(d, d, len(rows)/d, rows, 1, d, rows, d, 1, m, d, false)
	return m
}

// inverse returns the inverse of second moments; 1 if there is none.
func inverse(square []float64, d int) []float64 {
	if m := metric.Inverse(square, d); m != nil {
		return m
	}
	one := make([]float64, d*d)
	for i := range d {
		one[i*d+i] = 1
	}
	return one
}

// precondition writes C⁻¹ G K⁻¹ to dst.
func (n *normal[T]) precondition(dst, g []T) {
	out, in := n.dOut, n.dIn
	n.product.Multiply(out, in, out, n.values, out, 1, g, in, 1, n.half, in, false)
	n.product.Multiply(out, in, in, n.half, in, 1, n.keys, in, 1, dst, in, false)
}

// assign writes factor·src to dst.
func assign[T vecmath.Float](dst []T, src []float64, factor float64) {
	for i, v := range src {
		dst[i] = T(factor * v)
	}
}

// begin prepares to solve H δ = R from δ = 0.
func (n *normal[T]) begin(residual []float64) {
	n.first, n.relative = floats.Norm(residual, 2), 1
	clear(n.delta)
	if n.rz = 0; n.first == 0 || !finite(n.first) {
		return
	}
	assign(n.r, residual, 1/n.first)
	n.precondition(n.z, n.r)
	copy(n.p, n.z)
	n.rz = float64(n.math.Dot(n.r, n.z))
}

// advance improves δ until ‖R − H δ‖ ≤ tolerance ‖R‖, as the recursion has it,
// until iterations reach the limit, or until no direction is left in which H
// is positive, and writes it to delta. It may be called again with a smaller
// tolerance.
func (n *normal[T]) advance(delta []float64, tolerance float64, limit int) {
	if _, single := any(n.r).([]float32); single {
		tolerance = max(tolerance, singleTolerance)
	}
	for n.relative > tolerance && n.count < limit && n.rz > 0 {
		n.set.ForwardScaled(n.pairs, n.p, n.factors)
		n.set.Backward(n.hp, n.pairs)
		n.count++
		php := float64(n.math.Dot(n.p, n.hp))
		if !(php > 0) {
			n.rz = 0
			break
		}
		alpha := T(n.rz / php)
		n.math.AddScaled(n.delta, alpha, n.p)
		n.math.AddScaled(n.r, -alpha, n.hp)
		n.relative = math.Sqrt(float64(n.math.Dot(n.r, n.r)))
		n.precondition(n.z, n.r)
		next := float64(n.math.Dot(n.r, n.z))
		beta := T(next / n.rz)
		for i, z := range n.z {
			n.p[i] = z + beta*n.p[i]
		}
		n.rz = next
	}
	for i, x := range n.delta {
		delta[i] = n.first * float64(x)
	}
}
