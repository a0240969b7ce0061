package learn

import (
	"math"
	"sync"

	"lamcap/harness/pattern"
	"lamcap/internal/gemm"
	"lamcap/internal/simd"
	"lamcap/internal/vecmath"
)

// engine evaluates loss and gradient in arithmetic of type T. Everything that
// is large is laid out once in the packed form that the products read:
// queries are columns, in panels of NR, so that a tile of scores is at once
// the packed right operand of the product with the values, and the softmax of
// a query runs down a column.
//
//	V = W Eᵀ           for a panel of NR queries, DOut×NR
//	S = U V            for a block of candidates, a tile of rows×NR
//	e = exp(S − shift) in place, with its sums and maxima by column
//	F += Uᵀ e          DOut×NR: the forces, scaled when Σ e is known
//	G = F Eᵀ           once the forces of all queries are there
//
// Each panel belongs to one thread and is summed in a fixed order, each column
// panel of G as well, so that no result depends on the number of threads.
type engine[T vecmath.Float] struct {
	in      *pattern.Instance
	spec    pattern.Spec
	kernel  *gemm.Kernel[T]
	math    *vecmath.Routines[T]
	threads int
	scorer  scorer[T]

	panels  int // of NR queries
	rows    int // DOut rounded up to whole tiles
	columns int // panels of NR columns of G

	matrix  []T // W
	weights []T // W as packed left operand
	keys    []T // Eᵀ as packed right operand, [panel][DIn][NR]
	moments []T // E as packed right operand, [DIn/NR][P][NR]
	// forces are the rows F_μ = Σ_ρ λ_μρ (u_ρ − u_μ) as packed left operand of
	// G, in chunks of forceChunk queries: [chunk][rows/MR][queries][MR].
	forces   []T
	inputs   []inputResult
	gradient []float64 // where it goes in this evaluation, or nil
	// relaxed drops more of the exponentials while some input is not recalled,
	// if mayRelax: see sharedPool.
	relaxed, mayRelax bool
	worker            []*worker[T]
}

// forceChunk is the number of queries that are summed in T before they are
// added to the gradient in float64; a multiple of every NR.
const forceChunk = 256

// scorer turns the hidden vectors of a panel of queries into results and
// forces: from the shared pool, in DP from a pool each.
type scorer[T vecmath.Float] interface {
	// score handles the panels first … first+count−1, whose hidden vectors V
	// are in w.hidden; count ≤ w.group.
	score(e *engine[T], w *worker[T], first, count int, withForces bool)
	scratch(e *engine[T], group int) scratch[T]
}

// worker is what one thread writes to.
type worker[T vecmath.Float] struct {
	group  int // panels handled at a time
	hidden []T // V, [group][rows][NR]
	tile   []T // a column panel of G, rows×NR
	scratch[T]
}

// inputResult is what an evaluation says about one input.
type inputResult struct {
	loss, margin, wrong float64
}

func newEngine[T vecmath.Float](in *pattern.Instance, level simd.Level, threads int) *engine[T] {
	s := in.Spec()
	k := gemm.NewKernel[T](level)
	e := &engine[T]{
		in: in, spec: s, kernel: k, math: vecmath.New[T](level), threads: max(threads, 1),
		panels: ceil(s.P, k.NR), rows: ceil(s.DOut, k.MR) * k.MR, columns: ceil(s.DIn, k.NR),
		matrix: make([]T, s.DOut*s.DIn), inputs: make([]inputResult, s.P),
	}
	e.weights = make([]T, k.SizeA(s.DOut, s.DIn))
	keys := convert[T](in.Keys())
	e.keys = make([]T, k.SizeB(s.DIn, s.P))
	k.PackB(e.keys, s.DIn, s.P, keys, 1, s.DIn)
	e.moments = make([]T, k.SizeB(s.P, s.DIn))
	k.PackB(e.moments, s.P, s.DIn, keys, s.DIn, 1)
	e.forces = make([]T, e.rows*s.P)
	if s.Model.SharedPool() {
		e.mayRelax = s.P >= relaxedFacts
		e.relaxed = e.mayRelax
		e.scorer = newSharedPool(e)
	} else {
		e.scorer = newOwnPools(e)
	}
	for range min(e.threads, e.panels) {
		e.worker = append(e.worker, e.newWorker())
	}
	return e
}

func (e *engine[T]) newWorker() *worker[T] {
	w := &worker[T]{group: 8}
	w.hidden = make([]T, w.group*e.rows*e.kernel.NR)
	w.tile = make([]T, e.rows*e.kernel.NR)
	w.scratch = e.scorer.scratch(e, w.group)
	return w
}

// evaluate computes loss and, unless it is nil, the gradient with respect to
// matrix (DOut×DIn).
func (e *engine[T]) evaluate(matrix, gradient []float64) Evaluation {
	for i, x := range matrix {
		e.matrix[i] = T(x)
	}
	e.kernel.PackA(e.weights, e.spec.DOut, e.spec.DIn, e.matrix, e.spec.DIn, 1)
	e.gradient = gradient
	e.parallel(e.panels, forwards)
	result := e.collect()
	// Whether it is relaxed is a function of the weights alone; the last pass
	// only says what to try first.
	if relax := e.mayRelax && result.Recalled < e.spec.P; relax != e.relaxed {
		e.relaxed = relax
		e.parallel(e.panels, forwards)
		result = e.collect()
	}
	if gradient != nil {
		e.parallel(e.columns, backwards)
	}
	return result
}

// parallel splits n pieces of equal size among the workers.
func (e *engine[T]) parallel(n int, p phase) {
	workers := min(len(e.worker), n)
	if workers == 1 { // allocates nothing
		e.run(p, e.worker[0], 0, n)
		return
	}
	var group sync.WaitGroup
	for i := range workers {
		first, end := i*n/workers, (i+1)*n/workers
		group.Go(func() { e.run(p, e.worker[i], first, end-first) })
	}
	group.Wait()
}

// phase is one of the two passes over an instance.
type phase int

const (
	forwards  phase = iota // panels of queries: scores and forces
	backwards              // column panels of the gradient
)

func (e *engine[T]) run(p phase, w *worker[T], first, count int) {
	if p == forwards {
		e.queries(w, first, count)
	} else {
		e.backward(w, first, count)
	}
}

// queries handles count panels of queries from first on.
func (e *engine[T]) queries(w *worker[T], first, count int) {
	k, s := e.kernel, e.spec
	for ; count > 0; first, count = first+w.group, count-w.group {
		n := min(count, w.group)
		for j := range n {
			k.Panels(e.rows/k.MR, s.DIn, e.weights, e.keys[(first+j)*s.DIn*k.NR:], w.hidden[j*e.rows*k.NR:], k.NR, false)
		}
		e.scorer.score(e, w, first, n, e.gradient != nil)
	}
}

// force returns where F_μ goes: its entry k to dst[k/MR·stride + k mod MR].
func (e *engine[T]) force(mu int) (dst []T, stride int) {
	chunk, q := mu/forceChunk, mu%forceChunk
	depth := min(forceChunk, e.spec.P-chunk*forceChunk)
	return e.forces[chunk*forceChunk*e.rows+q*e.kernel.MR:], depth * e.kernel.MR
}

// backward computes count column panels of G from first on.
func (e *engine[T]) backward(w *worker[T], first, count int) {
	k, s := e.kernel, e.spec
	for j := first; j < first+count; j++ {
		width := min(k.NR, s.DIn-j*k.NR)
		for start := 0; start < s.P; start += forceChunk {
			depth := min(forceChunk, s.P-start)
			k.Panels(e.rows/k.MR, depth, e.forces[start*e.rows:], e.moments[(j*s.P+start)*k.NR:], w.tile, k.NR, false)
			for i := range s.DOut {
				row := e.gradient[i*s.DIn+j*k.NR:][:width]
				for c, x := range w.tile[i*k.NR:][:width] {
					if start == 0 {
						row[c] = float64(x)
					} else {
						row[c] += float64(x)
					}
				}
			}
		}
	}
}

// collect sums what the inputs say, in their order.
func (e *engine[T]) collect() Evaluation {
	r := Evaluation{Margin: math.Inf(1), Bound: math.NaN()}
	for _, in := range e.inputs {
		r.Loss += in.loss
		r.Competition += in.wrong
		if !(in.margin >= r.Margin) { // a NaN replaces everything and stays
			r.Margin = in.margin
		}
		if in.margin > 0 {
			r.Recalled++
		}
	}
	return r
}

// answer computes the loss, the margin and Σ λ of an input from its target's
// score, the best other score, and sum = Σ_{ρ≠μ} exp(S_μρ − shift). All
// follows from the log-odds of the target,
//
//	z = S_μμ − log Σ_{ρ≠μ} exp S_μρ,   loss = log(1 + e^{−z}),   Σ_ρ λ = 1/(1 + e^z),
//
// where nothing overflows and a loss near 0 keeps its relative accuracy. The
// second result is the factor that takes exp(S − shift) to λ.
func answer(target, best, shift, sum float64) (inputResult, float64) {
	margin := target - best
	z := (target - shift) - math.Log(sum) // +Inf if every term was dropped
	if math.IsNaN(z) || math.IsInf(z, -1) || math.IsNaN(margin) || math.IsInf(target, 0) {
		return inputResult{math.NaN(), math.NaN(), math.NaN()}, math.NaN()
	}
	if sum == 0 {
		return inputResult{0, margin, 0}, 0
	}
	small := math.Exp(-math.Abs(z))
	r := inputResult{margin: margin, loss: math.Log1p(small)}
	if z > 0 {
		r.wrong = small / (1 + small)
	} else {
		r.loss -= z
		r.wrong = 1 / (1 + small)
	}
	return r, r.wrong / sum
}

func ceil(n, unit int) int { return (n + unit - 1) / unit }

func convert[T vecmath.Float](x []float64) []T {
	y := make([]T, len(x))
	for i, v := range x {
		y[i] = T(v)
	}
	return y
}
