package anisotropy

import (
	"gonum.org/v1/gonum/mat"

	"lamcap/internal/status"
)

const (
	biasSteps     = 40
	biasTolerance = 1e-7 // of what is minimised, that the next step would win
)

// bias minimises φ(s) = Σ_μ E dist²(v⁰ + t s, K_μ), convex in s, over the draws of the sweep.
//
// φ is piecewise quadratic, with gradient 2 Σ E t δ and curvature 2 Σ E t² P, δ = v − Π_K v and P on the span
// of the tight constraints: Newton's steps, halved until φ falls.
//
// The last result is Tr[(Σ_μ E t² P)⁻¹ Σ_μ Cov(t δ)], the weights that φ falls by when s is chosen for
// fields that are drawn once: those of the instance at hand.
func (s *sweep) bias() ([]float64, float64, status.Status) {
	const experiment = "pool bias"
	d := s.dimension
	shift, trial := make([]float64, d), make([]float64, d)
	at := s.slopes(experiment, shift)
	for range biasSteps {
		if !at.status.OK() {
			return shift, 0, at.status
		}
		step, decrement, fluctuations, ok := at.newton()
		if !ok {
			return shift, 0, status.Diverged
		}
		if decrement <= biasTolerance*at.value {
			return shift, fluctuations, status.Converged
		}
		size, next := 1.0, slopes{}
		for ; size > 1e-6; size /= 2 {
			for i := range trial {
				trial[i] = shift[i] + size*step[i]
			}
			if next = s.slopes(experiment, trial); next.value <= at.value-0.1*size*decrement {
				break
			}
		}
		if size <= 1e-6 {
			return shift, fluctuations, status.Roundoff
		}
		shift, trial = trial, shift
		at = next
	}
	return shift, 0, status.MaxIterations
}

// slopes are φ, half of its gradient and half of its curvature, each averaged over draws, and the covariance of
// half of the gradient of one draw.
type slopes struct {
	value                           float64
	gradient, curvature, covariance []float64
	status                          status.Status
}

func (s *sweep) slopes(experiment string, shift []float64) slopes {
	d := s.dimension
	parts := make([]slopes, s.parts())
	faces, means := make([]face, len(parts)), make([][]float64, len(parts))
	for i := range parts {
		parts[i] = slopes{gradient: make([]float64, d), curvature: make([]float64, d*d), covariance: make([]float64, d*d), status: status.Converged}
		means[i] = make([]float64, d)
	}
	draws := float64(s.draws)
	s.run(experiment, shift, func(p projection) {
		part, f := &parts[p.part], &faces[p.part]
		part.status = worse(part.status, p.Status)
		part.value += p.Distance2 / draws
		f.pull = f.pull[:0]
		for i, v := range p.w.field {
			f.pull = append(f.pull, p.t*(v-p.w.point[i]))
		}
		axpy(means[p.part], 1/draws, f.pull)
		outer(part.covariance, 1/(draws-1), f.pull)
		for k := range f.of(p) {
			outer(part.curvature, p.t*p.t/draws, f.basis[k*d:(k+1)*d])
		}
	}, func(part, _ int, _ *projector) {
		axpy(parts[part].gradient, 1, means[part])
		outer(parts[part].covariance, -draws/(draws-1), means[part])
		clear(means[part])
	})
	sum := parts[0]
	for _, part := range parts[1:] {
		sum.value += part.value
		axpy(sum.gradient, 1, part.gradient)
		axpy(sum.curvature, 1, part.curvature)
		axpy(sum.covariance, 1, part.covariance)
		sum.status = worse(sum.status, part.status)
	}
	return sum
}

// newton returns the step, by how much φ would fall if it were quadratic, and by how much it falls for one draw on average.
func (a slopes) newton() (step []float64, decrement, fluctuations float64, ok bool) {
	d := len(a.gradient)
	trace := 0.0
	for i := range d {
		trace += a.curvature[i*d+i]
	}
	if trace == 0 { // nothing is tight: φ is 0
		return make([]float64, d), 0, 0, true
	}
	for i := range d { // directions that no constraint has keep their place
		a.curvature[i*d+i] += 1e-10 * trace
	}
	var c mat.Cholesky
	if !c.Factorize(mat.NewSymDense(d, a.curvature)) {
		return nil, 0, 0, false
	}
	var x mat.VecDense
	if err := c.SolveVecTo(&x, mat.NewVecDense(d, a.gradient)); err != nil {
		return nil, 0, 0, false
	}
	step = make([]float64, d)
	for i := range step {
		step[i] = -x.AtVec(i)
		decrement -= step[i] * a.gradient[i]
	}
	var m mat.Dense
	if err := c.SolveTo(&m, mat.NewDense(d, d, a.covariance)); err != nil {
		return nil, 0, 0, false
	}
	return step, decrement, mat.Trace(&m), true
}
