package anisotropy

import (
	"math"

	"lamcap/internal/nnls"
	"lamcap/internal/stream"
	"lamcap/internal/team"
)

// sweep projects draws of the fields of all targets, in a fixed order within each of its parts.
type sweep struct {
	coordinates []float64
	dimension   int
	targets     []int
	draws       int
	seed        uint64
	gain        gain
	threads     int
	workers     []*projector
}

// gain draws t of a field v⁰ + t s, t = (β + z)/√(1 + β²), z standard normal: the component of a key
// along the mean of the keys, β its length, scaled to E t² = 1.
type gain struct{ mean, spread float64 }

// newGain takes β, up to ∞.
func newGain(beta float64) gain {
	if math.IsInf(beta, 1) {
		return gain{mean: 1}
	}
	norm := math.Hypot(1, beta)
	return gain{mean: beta / norm, spread: 1 / norm}
}

// projection is one of them: w.field is v = v⁰ + t s, and w.point the point of the cone next to it.
type projection struct {
	part, target, draw int
	t                  float64
	w                  *projector
	nnls.Result
}

const (
	mostParts   = 64
	partNumbers = 1 << 22 // that square matrices of all parts may have
)

// parts is the number of parts, which have sums of their own: it depends on no number of threads.
func (s *sweep) parts() int {
	matrices := max(1, partNumbers/(s.dimension*s.dimension))
	return min(mostParts, len(s.targets), matrices)
}

// run visits all projections of fields displaced by shift (nil: not), and finished, if not nil, follows the last of
// each target. Parts are visited at the same time, the targets of one in order.
func (s *sweep) run(experiment string, shift []float64, visit func(projection), finished func(part, target int, w *projector)) {
	parts := s.parts()
	work := float64(len(s.targets)) * float64(s.draws) * float64(len(s.coordinates)) * 4
	threads := team.Threads(s.threads, work)
	for len(s.workers) < threads {
		s.workers = append(s.workers, nil)
	}
	team.New().Run(threads, parts, func(part, worker int) {
		if s.workers[worker] == nil {
			s.workers[worker] = newProjector(s.coordinates, s.dimension)
		}
		w := s.workers[worker]
		for job := part * len(s.targets) / parts; job < (part+1)*len(s.targets)/parts; job++ {
			rng := stream.New(s.seed, experiment, "", uint64(job))
			for draw := range s.draws {
				for i := range w.field {
					w.field[i] = rng.NormFloat64()
				}
				t := s.gain.mean
				if s.gain.spread > 0 {
					t += s.gain.spread * rng.NormFloat64()
				}
				for i, x := range shift {
					w.field[i] += t * x
				}
				r := w.project(s.targets[job], w.field, 0)
				visit(projection{part, job, draw, t, w, r})
			}
			if finished != nil {
				finished(part, job, w)
			}
		}
	})
}

// face holds an orthonormal basis of the normals of tight constraints, and t δ.
type face struct{ basis, pull []float64 }

// of spans the active constraints of p, and returns their number.
func (f *face) of(p projection) int {
	d := p.w.dimension
	f.basis = f.basis[:0]
	rank := 0
	for _, a := range p.Active {
		f.basis = append(f.basis, p.w.normals[a*d:(a+1)*d]...)
		v := f.basis[rank*d:]
		size := norm(v)
		for range 2 { // twice is enough
			for k := range rank {
				q := f.basis[k*d : (k+1)*d]
				axpy(v, -dot(q, v), q)
			}
		}
		left := norm(v)
		if !(left > 1e-12*size) {
			f.basis = f.basis[:rank*d]
			continue
		}
		for i := range v {
			v[i] /= left
		}
		rank++
	}
	return rank
}

func dot(a, b []float64) float64 {
	s := 0.0
	for i, x := range a {
		s += x * b[i]
	}
	return s
}

func norm(a []float64) float64 { return math.Sqrt(dot(a, a)) }

func axpy(y []float64, c float64, x []float64) {
	for i, v := range x {
		y[i] += c * v
	}
}

// outer adds c x xᵀ to the square matrix m.
func outer(m []float64, c float64, x []float64) {
	for i, v := range x {
		axpy(m[i*len(x):(i+1)*len(x)], c*v, x)
	}
}
