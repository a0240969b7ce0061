package proof

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"lamcap/internal/roundoff"
)

// exact reports whether exact multipliers are shown to exist next to those
// given, whose bound was computed before.
func (e *evaluator) exact(bound float64) bool {
	if bound == 0 || e.cancels() {
		return true
	}
	largest := 0.0
	for _, x := range e.largest {
		largest = max(largest, x)
	}
	enough := e.residual * largest * inflate
	return e.leastByInputs() > enough || e.leastDense() > enough
}

// leastByInputs bounds the least eigenvalue of H from below by those of
// d_out×d_out matrices, one for each input with enough competitors. With one
// input alone, H is meant on the v eᵀ of its key, which hold Σ λ X.
func (e *evaluator) leastByInputs() float64 {
	s := e.spec
	if s.DOut > sideLimit {
		return 0
	}
	least, alone, single := make([]float64, s.P), 0, 0
	work := 0.0
	for mu := range s.P {
		k := e.m.Start[mu+1] - e.m.Start[mu]
		if k > 0 {
			alone++
			single = mu
		}
		if k >= s.DOut {
			work += float64(k) * float64(s.DOut*s.DOut)
		}
	}
	parallel(s.P, work, func() func(int) {
		var a, y []float64
		values := newReader(e.in)
		return func(mu int) {
			if e.m.Start[mu+1]-e.m.Start[mu] < s.DOut {
				return
			}
			if a == nil {
				a, y = make([]float64, 2*s.DOut*s.DOut), make([]float64, s.DOut)
			}
			k := e.moments(mu, values, a[:s.DOut*s.DOut], y)
			least[mu] = leastEigenvalue(a, s.DOut, k+8)
		}
	})
	if alone == 1 {
		n := floats.Norm(e.in.Key(single), 2) / inflate
		return least[single] * n * n * (1 - 8*unit)
	}
	positive := 0
	for _, a := range least {
		if a > 0 {
			positive++
		}
	}
	if positive < s.DIn || s.DIn > sideLimit {
		return 0 // of less than full rank, or too large
	}
	g := make([]float64, 2*s.DIn*s.DIn)
	for mu, a := range least {
		if a > 0 {
			addSquare(g[:s.DIn*s.DIn], e.in.Key(mu), a)
		}
	}
	return leastEigenvalue(g, s.DIn, s.P+8)
}

// moments writes the lower triangle of A_μ = Σ λ y yᵀ, y = u_μ − u_ρ, and returns the
// number of terms.
func (e *evaluator) moments(mu int, values *reader, a, y []float64) int {
	clear(a)
	target := values.correct(mu)
	for i := e.m.Start[mu]; i < e.m.Start[mu+1]; i++ {
		floats.SubTo(y, target, values.value(mu, e.m.Candidate[i]))
		addSquare(a, y, e.m.Value[i])
	}
	return e.m.Start[mu+1] - e.m.Start[mu]
}

// addSquare adds c x xᵀ to the lower triangle of a.
func addSquare(a, x []float64, c float64) {
	d := len(x)
	for i, v := range x {
		if t := c * v; t != 0 {
			floats.AddScaled(a[i*d:i*d+i+1], t, x[:i+1])
		}
	}
}

const (
	// denseLimit is the largest d_out·d_in whose H is factorised: 1e9/3
	// multiplications and 16 MB.
	denseLimit = 1024
	// sideLimit is the largest d_out or d_in of the matrices factorised
	// otherwise: 1e11 multiplications and 1 GiB.
	sideLimit = 8192
)

// leastDense bounds the least eigenvalue of H from below by a factorisation of
// H; 0 if it is too large or not positive definite.
func (e *evaluator) leastDense() float64 {
	s := e.spec
	n := s.DOut * s.DIn
	if float64(s.DOut)*float64(s.DIn) > denseLimit || e.m.Len() < n {
		return 0
	}
	h := make([]float64, 2*n*n)
	a, y := make([]float64, s.DOut*s.DOut), make([]float64, s.DOut)
	values := newReader(e.in)
	scaled := make([]float64, s.DIn)
	longest := 0
	for mu := range s.P {
		if e.m.Start[mu] == e.m.Start[mu+1] {
			continue
		}
		longest = max(longest, e.moments(mu, values, a, y))
		key := e.in.Key(mu)
		// Entry (i, k) of row (j, l) is A_ji e_l e_k.
		for j := range s.DOut {
			for l, x := range key {
				to := h[(j*s.DIn+l)*n:]
				floats.ScaleTo(scaled, x, key)
				for i := range j + 1 {
					if c := a[j*s.DOut+i]; c != 0 {
						floats.AddScaled(to[i*s.DIn:(i+1)*s.DIn], c, scaled)
					}
				}
			}
		}
	}
	return leastEigenvalue(h, n, longest+s.P+12)
}

// leastEigenvalue returns a lower bound on the least eigenvalue of the d×d
// symmetric matrix of whose rounding the lower triangle of a holds the first
// half of a; 0 if it finds none above 0. The matrix is a sum Σ c x xᵀ with c ≥ 0
// whose entries were computed with the given number of roundings, so that it
// is off by at most γ times its trace. The second half of a is scratch.
//
// If the factorisation of a matrix with trace T runs to its end, the matrix
// has no eigenvalue below −γ_{d+1}/(1 − γ_{d+1}) T ([Higham02], theorem 10.3
// and (10.7)); [Rump06] accounts for underflow. It is tried on A − τ for ever
// smaller τ.
func leastEigenvalue(a []float64, d, roundings int) float64 {
	trace := 0.0
	for i := range d {
		trace += a[i*d+i]
	}
	if !(trace > 0) || math.IsInf(trace, 0) {
		return 0
	}
	matrix, factor := a[:d*d], a[d*d:2*d*d]
	g := roundoff.Gamma(d + 1)
	slack := (g/(1-g) + roundoff.Gamma(roundings) + 4*unit) * trace * inflate
	slack = slack*(1+roundoff.Gamma(d+4)) + tiny*8*float64(d)*(float64(d)+2+trace)
	// The first is near the least eigenvalue of Σ x xᵀ over 2d Gaussian x.
	for tau := trace / float64(d) / 8; tau > 2*slack; tau /= 8 {
		if cholesky(factor, matrix, d, tau) {
			return (tau - slack) * (1 - 4*unit)
		}
	}
	return 0
}

// cholesky factorises A − τ into L Lᵀ, given the lower triangle of A, and
// reports whether it ran to its end.
func cholesky(l, a []float64, d int, tau float64) bool {
	for i := range d {
		li := l[i*d : i*d+i+1]
		for j := range i {
			lj := l[j*d : j*d+j+1]
			li[j] = (a[i*d+j] - floats.Dot(li[:j], lj[:j])) / lj[j]
		}
		pivot := (a[i*d+i] - tau) - floats.Dot(li[:i], li[:i])
		if !(pivot > 0) || math.IsInf(pivot, 0) {
			return false
		}
		li[i] = math.Sqrt(pivot)
	}
	return true
}
