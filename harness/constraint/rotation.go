package constraint

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"lamcap/harness/pattern"
	"lamcap/internal/team"
)

// Rotation is an orthogonal change of the coordinates of keys and of values. It
// turns W into W' = Q_Vᵀ W Q_K and leaves all scores and ‖W‖_F what they are, up to
// round-off.
type Rotation struct {
	in           *pattern.Instance
	values, keys []float64 // Q_V and Q_K, row-major
	pool, inputs []float64 // u Q_V of a shared pool, and e Q_K
	scratch      []float64
	x            *algebra[float64]
}

// PrincipalAxes returns the rotation to the principal axes of the pairs of s: of
// Σ (u_μ − u_ρ)(u_μ − u_ρ)ᵀ and of Σ e_μ e_μᵀ, so that Σ x xᵀ is nearly diagonal.
func PrincipalAxes(s *Set) *Rotation {
	in, out := s.spec.DIn, s.spec.DOut
	r := &Rotation{in: s.in, x: newAlgebra[float64](), scratch: make([]float64, out*in)}
	values, keys := s.moments(r.x)
	r.values, r.keys = axes(values, out), axes(keys, in)
	r.inputs = r.rotated(s.keys, r.keys, in)
	if s.spec.Model.SharedPool() {
		r.pool = r.rotated(s.rows, r.values, out)
	}
	return r
}

// moments returns the second moments of both sides of the pairs.
func (s *SetOf[T]) moments(x *algebra[T]) (values, keys []T) {
	in, out := s.spec.DIn, s.spec.DOut
	values, keys = make([]T, out*out), make([]T, in*in)
	var sides, weighted []T
	for job := range s.strips() {
		from, to := s.inputs(job)
		sides, weighted = sides[:0], weighted[:0]
		for mu := from; mu < to; mu++ {
			u := s.target(mu)
			for i := s.start[mu]; i < s.start[mu+1]; i++ {
				for j, v := range s.value(mu, i) {
					sides = append(sides, u[j]-v)
				}
			}
			for _, e := range s.keys[mu*in : (mu+1)*in] {
				weighted = append(weighted, T(s.start[mu+1]-s.start[mu])*e)
			}
		}
		if n := len(sides) / out; n > 0 {
			x.product.Multiply(out, out, n, sides, 1, out, sides, out, 1, values, out, true)
		}
		x.product.Multiply(in, in, to-from, weighted, 1, in, s.keys[from*in:], in, 1, keys, in, true)
	}
	return values, keys
}

// axes returns the eigenvectors of a symmetric matrix, as columns. A power of 2
// changes no bit of them.
func axes(moments []float64, d int) []float64 {
	largest := 0.0
	for i := range d {
		largest = max(largest, moments[i*d+i])
	}
	_, exponent := math.Frexp(largest)
	for i, m := range moments {
		moments[i] = math.Ldexp(m, -exponent)
	}
	var e mat.EigenSym
	if q := mat.NewDense(d, d, nil); largest > 0 && e.Factorize(mat.NewSymDense(d, moments), true) {
		e.VectorsTo(q)
		return q.RawMatrix().Data
	}
	q := make([]float64, d*d)
	for i := range d {
		q[i*d+i] = 1
	}
	return q
}

// rotated returns the rows of length d in new coordinates.
func (r *Rotation) rotated(rows, q []float64, d int) []float64 {
	c := make([]float64, len(rows))
	r.x.product.Multiply(len(rows)/d, d, d, rows, d, 1, q, d, 1, c, d, false)
	return c
}

// Set returns the pairs of s in new coordinates: its Forward takes W', its
// Backward gives Q_Vᵀ G Q_K. Its bounds on round-off are those of s, and do not
// hold for the rotation itself.
func (r *Rotation) Set(s *Set) *Set {
	if s.in != r.in {
		panic("constraint: Rotation: want a set of the same instance")
	}
	t := &Set{
		Threads: s.Threads, in: s.in, spec: s.spec, start: s.start, candidate: s.candidate,
		rows: r.pool, keys: r.inputs, largest: s.largest, longest: s.longest,
		team: team.New(), vectors: make([]float64, len(s.vectors)),
	}
	if t.rows == nil {
		t.rows = r.rotated(s.rows, r.values, s.spec.DOut)
	}
	t.forwardJob, t.forceJob, t.sumJob = t.forward, t.force, t.sum
	return t
}

// Back writes W = Q_V W' Q_Kᵀ to dst; w and dst may be the same.
func (r *Rotation) Back(dst, w []float64) {
	s := r.in.Spec()
	in, out := s.DIn, s.DOut
	r.x.product.Multiply(out, in, in, w, in, 1, r.keys, 1, in, r.scratch, in, false)
	r.x.product.Multiply(out, in, out, r.values, out, 1, r.scratch, in, 1, dst, in, false)
}

// Squares writes the second moments of the coordinates of both sides of the pairs
// with c > 0: Σ_i (u_μ − u_ρ)_a² to values, of length DOut, and Σ_i e_μb² to keys,
// of length DIn; and returns the number of these pairs.
func (s *SetOf[T]) Squares(values, keys, c []T) int {
	in, out := s.spec.DIn, s.spec.DOut
	if len(c) != s.Len() || len(values) != out || len(keys) != in {
		panic("constraint: Squares: want a number for each pair, DOut and DIn moments")
	}
	clear(values)
	clear(keys)
	all := 0
	for mu := range s.spec.P {
		active := 0
		for i := s.start[mu]; i < s.start[mu+1]; i++ {
			if !(c[i] > 0) {
				continue
			}
			active++
			u := s.target(mu)
			for j, v := range s.value(mu, i) {
				values[j] += (u[j] - v) * (u[j] - v)
			}
		}
		if active > 0 {
			for j, e := range s.keys[mu*in : (mu+1)*in] {
				keys[j] += T(active) * e * e
			}
		}
		all += active
	}
	return all
}
