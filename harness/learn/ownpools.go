package learn

import (
	"math"

	"lamcap/harness/pattern"
	"lamcap/internal/vecmath"
)

// ownPools scores the pools of DP, one for each input, in strips of candidates
// that stay in the cache from their scores to their share of the forces.
// Exponents are relative to the best competitor so far; when a strip brings a
// better one, what was summed is scaled down. Pools that are not in memory are
// generated strip by strip.
type ownPools[T vecmath.Float] struct {
	strip int // candidates
	rows  func(mu, first, count int, buffer []T) []T
	floor T // terms below e^floor of the best competitor's are dropped
}

// copiedPools is the size of pools, in numbers, of which a copy in T is kept when
// the instance holds them in another type.
const copiedPools = 1 << 23

func newOwnPools[T vecmath.Float](e *engine[T]) *ownPools[T] {
	s := e.spec
	p := &ownPools[T]{rows: poolRows[T](e.in), floor: doubleFloor}
	if sizeOf[T]() == 4 {
		p.floor = singleFloor
	}
	p.strip = min(s.N, max(stripBytes/(s.DOut*sizeOf[T]()), 16))
	if s.PoolNumbers() <= copiedPools {
		kept := make([]T, s.P*s.N*s.DOut)
		size := s.N * s.DOut
		for mu := range s.P {
			pool := kept[mu*size : (mu+1)*size]
			copy(pool, p.rows(mu, 0, s.N, pool))
		}
		d := s.DOut
		p.rows = func(mu, first, count int, _ []T) []T {
			return kept[mu*size+first*d : mu*size+(first+count)*d]
		}
	}
	return p
}

// stripBytes is the size of a strip of values: half of a first-level cache
// and some, what is left of it being in the second.
const stripBytes = 64 << 10

// poolRows reads rows of a pool in type T.
func poolRows[T vecmath.Float](in *pattern.Instance) func(mu, first, count int, buffer []T) []T {
	if f, ok := any(in.PoolRows32).(func(int, int, int, []T) []T); ok {
		return f
	}
	return any(in.PoolRows).(func(int, int, int, []T) []T)
}

func (p *ownPools[T]) scratch(e *engine[T], group int) scratch[T] {
	d := e.spec.DOut
	return scratch[T]{
		scores: make([]T, p.strip), dense: make([]T, p.strip*d), // the strip's values, if generated
		force: make([]T, d), row: make([]T, d), target: make([]T, d), query: make([]T, d),
	}
}

func (p *ownPools[T]) score(e *engine[T], w *worker[T], first, count int, withForces bool) {
	nr := e.kernel.NR
	for j := range count {
		for c := range nr {
			mu := (first+j)*nr + c
			if mu >= e.spec.P {
				return
			}
			for k := range w.query {
				w.query[k] = w.hidden[(j*e.rows+k)*nr+c]
			}
			p.input(e, w, mu, withForces)
		}
	}
}

// input handles input mu, whose hidden vector is in the scratch.
func (p *ownPools[T]) input(e *engine[T], w *worker[T], mu int, withForces bool) {
	n, d := e.spec.N, e.spec.DOut
	var score, sum float64
	best := T(math.Inf(-1))
	clear(w.force)
	for start := 0; start < n; start += p.strip {
		count := min(p.strip, n-start)
		values := p.rows(mu, start, count, w.dense)
		scores := w.scores[:count]
		e.math.MatVec(scores, values, d, count, d, w.query)
		if start == 0 { // row 0 is the target
			score = float64(scores[0])
			copy(w.target, values[:d])
			scores, values = scores[1:], values[d:]
		}
		if m := e.math.Max(scores); m > best || m != m {
			if start > 0 {
				down := math.Exp(float64(best - m))
				sum *= down
				for k := range w.force {
					w.force[k] *= T(down)
				}
			}
			best = m
		}
		part, nonzero := e.math.SoftmaxRow(scores, scores, best, p.floor)
		sum += float64(part)
		switch {
		case !withForces || nonzero == 0:
		case float64(nonzero) < sparseShare*float64(len(scores)):
			for i, x := range scores {
				if x != 0 {
					e.math.AddScaled(w.force, x, values[i*d:(i+1)*d])
				}
			}
		default:
			e.math.MatVecTrans(w.row, values, d, len(scores), d, scores)
			for k, x := range w.row {
				w.force[k] += x
			}
		}
	}
	result, scale := answer(score, float64(best), float64(best), sum)
	e.inputs[mu] = result
	if !withForces {
		return
	}
	factor, wrong := T(scale), T(result.wrong)
	dst, stride := e.force(mu)
	for k, mr := 0, e.kernel.MR; k < d; dst = dst[min(stride, len(dst)):] {
		for r := range min(mr, d-k) {
			dst[r] = factor*w.force[k] - wrong*w.target[k]
			k++
		}
	}
}
