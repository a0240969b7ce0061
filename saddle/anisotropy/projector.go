package anisotropy

import (
	"math"

	"lamcap/internal/nnls"
	"lamcap/internal/simd"
	"lamcap/internal/status"
	"lamcap/internal/vecmath"
)

// projector projects on the cones {v : (u_μ − u_ρ)ᵀv ≥ level for all ρ ≠ μ} of one pool. Few
// of the constraints decide, so it solves for a working set of competitors, extended by the
// worst that a scan of all scores finds violated, until there is none.
type projector struct {
	dimension, n int
	pool         []float64 // n×dimension
	norms        []float64 // of the values
	routines     *vecmath.Routines[float64]

	solver  *nnls.Solver
	room    int   // competitors that the solver takes
	working []int // the competitors in the set
	member  []bool
	worst   []int // the competitors to take in, worst first

	field, point, scores, normals, levels []float64
}

const (
	startSize = 16 // competitors of the first working set
	stepSize  = 12 // that a scan adds
	farOut    = 30
	// resolution is the length, in units of 1 over the size of the values, of a v that gives a
	// lead of that size: beyond it, values would differ by less than 1e-10 of it.
	resolution = 1e10
	slack      = 1e-11 // violation that is round-off, relative to the size of the scores
)

func newProjector(pool []float64, dimension int) *projector {
	n := len(pool) / dimension
	p := &projector{
		dimension: dimension, n: n, pool: pool, norms: make([]float64, n), routines: vecmath.New[float64](simd.Default()),
		member: make([]bool, n), field: make([]float64, dimension), point: make([]float64, dimension),
		scores: make([]float64, n),
	}
	for i := range p.norms {
		u := p.row(i)
		p.norms[i] = math.Sqrt(p.routines.Dot(u, u))
	}
	p.grow(min(n-1, 8*startSize))
	return p
}

func (p *projector) row(i int) []float64 { return p.pool[i*p.dimension : (i+1)*p.dimension] }

// grow makes room for more competitors.
func (p *projector) grow(room int) {
	p.room = room
	p.solver = nnls.New(p.dimension, room)
	normals := make([]float64, room*p.dimension)
	copy(normals, p.normals)
	p.normals = normals
	levels := make([]float64, room)
	copy(levels, p.levels)
	p.levels = levels
}

// project finds the point next to v0 where the target leads by level or more. Active of the
// result are places in the working set; the point is in p.point too.
func (p *projector) project(target int, v0 []float64, level float64) nnls.Result {
	for _, c := range p.working {
		p.member[c] = false
	}
	p.working = p.working[:0]
	copy(p.point, v0)
	r := p.solver.Project(v0, nil, nil)
	for size := startSize; p.extend(target, level, size); size = stepSize {
		count := len(p.working)
		r = p.solver.Project(v0, p.normals[:count*p.dimension], p.levels[:count])
		copy(p.point, r.Point)
		if !r.Status.OK() {
			break
		}
	}
	return r
}

// extend adds the competitors that are violated most at the point, and says whether there
// were any.
func (p *projector) extend(target int, level float64, size int) bool {
	p.routines.MatVec(p.scores, p.pool, p.dimension, p.n, p.dimension, p.point)
	length := math.Sqrt(p.routines.Dot(p.point, p.point))
	bar := p.scores[target] - level
	p.worst = p.worst[:0]
	for c, s := range p.scores {
		if !(s > bar) || c == target || p.member[c] {
			continue
		}
		if s-bar <= slack*(length*(p.norms[c]+p.norms[target])+level) {
			continue
		}
		// Insertion among the worst.
		at := len(p.worst)
		if at == size {
			if s <= p.scores[p.worst[at-1]] {
				continue
			}
			at--
		} else {
			p.worst = append(p.worst, c)
		}
		for at > 0 && p.scores[p.worst[at-1]] < s {
			p.worst[at] = p.worst[at-1]
			at--
		}
		p.worst[at] = c
	}
	if len(p.working)+len(p.worst) > p.room {
		p.grow(min(p.n-1, 2*(len(p.working)+len(p.worst))))
	}
	u := p.row(target)
	for _, c := range p.worst {
		k := len(p.working)
		a := p.normals[k*p.dimension : (k+1)*p.dimension]
		for i, x := range p.row(c) {
			a[i] = u[i] - x
		}
		p.levels[k] = level
		p.working = append(p.working, c)
		p.member[c] = true
	}
	return len(p.worst) > 0
}

// separable says whether some v gives the target the strictly largest score, by more than
// round-off in the coordinates may do. It looks far
// out on the ray of the last projection, where few competitors are near.
func (p *projector) separable(target int) bool {
	scale := 0.0 // of the differences of scores
	for _, x := range p.norms {
		scale = math.Max(scale, x)
	}
	for i, x := range p.point {
		p.field[i] = farOut * x
	}
	r := p.project(target, p.field, scale)
	return r.Status != status.NoBracket && math.Sqrt(p.routines.Dot(r.Point, r.Point)) < resolution
}
