package learn

import (
	"math"

	"lamcap/internal/vecmath"
)

// sharedPool scores the one pool that inputs share, in blocks of candidates that stay in
// the cache while a group of panels passes over them, with forces summed as
// the blocks come: nothing of size P×N is kept.
//
// Exponents are taken relative to the score of the target, which is known
// beforehand. Where that overflows (a competitor ahead by 80 nats) the panel is
// done again relative to its best competitor, which the first pass found.
type sharedPool[T vecmath.Float] struct {
	block  int // candidates in a block, a multiple of MR
	values []T // U, row-major
	left   []T // U as packed left operand, [candidates/MR][DOut][MR]
	// transposed is Uᵀ as packed left operand, block by block:
	// [block][rows/MR][candidates][MR].
	transposed     []T
	floor, relaxed T       // exponents below it are dropped; relaxed while some input is not recalled
	overflow       float64 // a sum of exponentials beyond it is not used
}

// scratch is what a thread needs to score a group of panels of queries.
type scratch[T vecmath.Float] struct {
	scores    []T // a block of candidates × NR
	dense     []T // forces by columns, [group][rows][NR]
	sparse    []T // forces by rows, [group][NR][DOut], added to those
	hasDense  []bool
	hasSparse []bool
	target    []T // the rest: [group][NR]
	shift     []T
	best      []T
	blockSum  []T
	sum       []float64
	// of one input, DOut
	query, force, row []T
}

func (p *sharedPool[T]) scratch(e *engine[T], group int) scratch[T] {
	nr, s := e.kernel.NR, e.spec
	c := scratch[T]{
		scores: make([]T, p.block*nr),
		dense:  make([]T, group*e.rows*nr), sparse: make([]T, group*nr*s.DOut),
		hasDense: make([]bool, group), hasSparse: make([]bool, group),
		target: make([]T, group*nr), shift: make([]T, group*nr), best: make([]T, group*nr),
		blockSum: make([]T, nr), sum: make([]float64, group*nr),
	}
	return c
}

// Softmax terms below e^floor of the target's are dropped. While an input is not
// recalled, Σ λ ≥ ½, and all P·N of them together are less than 2 P N e^floor
// of it: below the round-off of T for any P N up to 10^10. If all inputs are
// recalled there is nothing of that size to compare with: the pass is made again
// with the least exponents of T. Below relaxedFacts that is done at once.
const (
	singleFloor, singleLeast, singleOverflow = -41, -87, 1e30
	doubleFloor, doubleLeast, doubleOverflow = -62, -708, 1e290

	relaxedFacts = 256
)

// sparseShare is the share of entries of a block of exponentials, not dropped,
// below which forces are summed entry by entry. An entry costs about twice as
// much there as in a product of tiles.
const sparseShare = 0.2

func newSharedPool[T vecmath.Float](e *engine[T]) *sharedPool[T] {
	k, s := e.kernel, e.spec
	p := &sharedPool[T]{values: convert[T](e.in.Pool(0, nil)), floor: doubleLeast, relaxed: doubleFloor, overflow: doubleOverflow}
	if sizeOf[T]() == 4 {
		p.floor, p.relaxed, p.overflow = singleLeast, singleFloor, singleOverflow
	}
	p.block = blockLength(s.N, s.DOut, k.MR, sizeOf[T]())
	p.left = make([]T, k.SizeA(s.N, s.DOut))
	k.PackA(p.left, s.N, s.DOut, p.values, s.DOut, 1)
	p.transposed = make([]T, e.rows*s.N)
	for start := 0; start < s.N; start += p.block {
		k.PackA(p.transposed[start*e.rows:], s.DOut, min(p.block, s.N-start), p.values[start*s.DOut:], 1, s.DOut)
	}
	return p
}

// blockLength is the number of candidates whose values, in both layouts, fill
// half of a small second-level cache.
func blockLength(n, dOut, unit, size int) int {
	const bytes = 256 << 10
	length := bytes / (2 * size * dOut)
	return ceil(min(max(length, 32), 512, n), unit) * unit
}

func (p *sharedPool[T]) score(e *engine[T], w *worker[T], first, count int, withForces bool) {
	nr := e.kernel.NR
	for j := range count {
		p.start(e, w, first, j)
	}
	p.pass(e, w, first, 0, count, withForces)
	for j := range count {
		again := false
		for c := j * nr; c < (j+1)*nr; c++ {
			if w.sum[c] > p.overflow { // also +Inf
				w.shift[c], again = w.best[c], true
			}
		}
		if again {
			p.reset(e, w, j)
			p.pass(e, w, first, j, 1, withForces)
		}
		p.finish(e, w, first, j, withForces)
	}
}

// start prepares panel first+j: the scores of its targets.
func (p *sharedPool[T]) start(e *engine[T], w *worker[T], first, j int) {
	nr, d := e.kernel.NR, e.spec.DOut
	hidden := w.hidden[j*e.rows*nr:]
	for c := range nr {
		i := j*nr + c
		w.best[i], w.target[i] = T(math.Inf(-1)), 0
		mu := (first+j)*nr + c
		if mu >= e.spec.P {
			w.shift[i] = 0
			continue
		}
		sum := T(0)
		for k, u := range p.values[e.in.Target(mu)*d:][:d] {
			sum += u * hidden[k*nr+c]
		}
		w.target[i], w.shift[i] = sum, sum
	}
	p.reset(e, w, j)
}

func (p *sharedPool[T]) reset(e *engine[T], w *worker[T], j int) {
	nr := e.kernel.NR
	clear(w.sum[j*nr : (j+1)*nr])
	w.hasDense[j], w.hasSparse[j] = false, false
}

// pass takes panels j … j+count−1 of the group over all candidates.
func (p *sharedPool[T]) pass(e *engine[T], w *worker[T], first, j0, count int, withForces bool) {
	k, s := e.kernel, e.spec
	nr := k.NR
	floor := p.floor
	if e.relaxed {
		floor = p.relaxed
	}
	for start := 0; start < s.N; start += p.block {
		rows := min(p.block, s.N-start)
		left := p.left[start*s.DOut:]
		transposed := p.transposed[start*e.rows:]
		for j := j0; j < j0+count; j++ {
			k.Panels(ceil(rows, k.MR), s.DOut, left, w.hidden[j*e.rows*nr:], w.scores, nr, false)
			// Targets are no competitors: exp(−Inf) = 0.
			for c := range min(nr, s.P-(first+j)*nr) {
				if row := e.in.Target((first+j)*nr+c) - start; row >= 0 && row < rows {
					w.scores[row*nr+c] = T(math.Inf(-1))
				}
			}
			columns := j * nr
			clear(w.blockSum)
			nonzero := e.math.SoftmaxColumns(w.scores[:rows*nr], rows, nr, w.shift[columns:columns+nr], floor, w.best[columns:columns+nr], w.blockSum)
			for c, x := range w.blockSum {
				w.sum[columns+c] += float64(x)
			}
			switch {
			case !withForces || nonzero == 0:
			case float64(nonzero) < sparseShare*float64(rows*nr):
				p.addSparse(e, w, j, start, rows)
			default:
				k.Panels(e.rows/k.MR, rows, transposed, w.scores, w.dense[j*e.rows*nr:], nr, w.hasDense[j])
				w.hasDense[j] = true
			}
		}
	}
}

// addSparse adds the few entries of a block of exponentials, candidate by
// candidate, to the forces of their queries.
func (p *sharedPool[T]) addSparse(e *engine[T], w *worker[T], j, start, rows int) {
	nr, d := e.kernel.NR, e.spec.DOut
	sparse := w.sparse[j*nr*d : (j+1)*nr*d]
	if !w.hasSparse[j] {
		clear(sparse)
		w.hasSparse[j] = true
	}
	for i := range rows {
		for c, x := range w.scores[i*nr : (i+1)*nr] {
			if x != 0 {
				e.math.AddScaled(sparse[c*d:(c+1)*d], x, p.values[(start+i)*d:(start+i+1)*d])
			}
		}
	}
}

// finish turns sums into results and forces.
func (p *sharedPool[T]) finish(e *engine[T], w *worker[T], first, j int, withForces bool) {
	nr, mr, d := e.kernel.NR, e.kernel.MR, e.spec.DOut
	dense, sparse := w.dense[j*e.rows*nr:], w.sparse[j*nr*d:]
	for c := range nr {
		i, mu := j*nr+c, (first+j)*nr+c
		if mu >= e.spec.P {
			return
		}
		result, scale := answer(float64(w.target[i]), float64(w.best[i]), float64(w.shift[i]), w.sum[i])
		e.inputs[mu] = result
		if !withForces {
			continue
		}
		factor, wrong := T(scale), T(result.wrong)
		value := p.values[e.in.Target(mu)*d:][:d]
		dst, stride := e.force(mu)
		for k := 0; k < d; dst = dst[min(stride, len(dst)):] {
			for r := range min(mr, d-k) {
				sum := T(0)
				if w.hasDense[j] {
					sum = dense[k*nr+c]
				}
				if w.hasSparse[j] {
					sum += sparse[c*d+k]
				}
				dst[r] = factor*sum - wrong*value[k]
				k++
			}
		}
	}
}
