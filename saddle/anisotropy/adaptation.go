package anisotropy

// adaptation collects Σ_μ J_A and Σ_μ J_B of the facts of a part, and what terms of one fact alone add to the
// squares of these sums.
type adaptation struct {
	a, b   []float64 // sums over facts, d×d
	fa, fb []float64 // of the fact at hand
	own    float64   // Σ_μ Tr[J_A² + 2 J_A J_B]
	free   float64   // Σ_μ E k (d − k)
	draws  float64
	d      int
}

func newAdaptation(d, draws int) adaptation {
	m := func() []float64 { return make([]float64, d*d) }
	return adaptation{a: m(), b: m(), fa: m(), fb: m(), draws: float64(draws), d: d}
}

// add takes a draw of the fact at hand.
func (s *adaptation) add(p projection) {
	d := s.d
	delta := make([]float64, d)
	for i, v := range p.w.field {
		delta[i] = v - p.w.point[i]
	}
	for i, x := range delta {
		y := p.w.point[i]
		axpy(s.fa[i*d:(i+1)*d], x/s.draws, p.w.point)
		axpy(s.fa[i*d:(i+1)*d], y/s.draws, delta)
		axpy(s.fb[i*d:(i+1)*d], x/s.draws, delta)
	}
	k := float64(len(p.Active))
	s.free += k * (float64(d) - k) / s.draws
}

// finish ends a fact.
func (s *adaptation) finish() {
	traceless(s.fa, s.d)
	traceless(s.fb, s.d)
	s.own += dot(s.fa, s.fa) + 2*dot(s.fa, s.fb)
	axpy(s.a, 1, s.fa)
	axpy(s.b, 1, s.fb)
	clear(s.fa)
	clear(s.fb)
}

func traceless(m []float64, d int) {
	trace := 0.0
	for i := range d {
		trace += m[i*d+i]
	}
	for i := range d {
		m[i*d+i] -= trace / float64(d)
	}
}

// join adds the sums of another part.
func (s *adaptation) join(o adaptation) {
	axpy(s.a, 1, o.a)
	axpy(s.b, 1, o.b)
	s.own += o.own
	s.free += o.free
}

// weights is (1/2pf) Σ_{μ≠ν} Tr[J_Aμ J_Aν + 2 J_Aμ J_Bν].
func (s *adaptation) weights() float64 {
	components := float64(s.d+2) * float64(s.d-1) / 2
	if s.free == 0 || components == 0 {
		return 0
	}
	pairs := dot(s.a, s.a) + 2*dot(s.a, s.b) - s.own
	return pairs * components / (2 * s.free)
}
