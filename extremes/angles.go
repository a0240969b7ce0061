package extremes

import (
	"fmt"
	"math"
	"sync"

	"lamcap/internal/faddeeva"
)

// LogSimplexAngle returns log a_k, the log of the solid angle at a vertex of the
// regular k-simplex as a fraction of the sphere, which is
//
//	a_k = P(k given ones of k+1 standard normals all exceed the mean of the k+1):
//
// the vector of deviations from the mean points in a uniform direction of a
// hyperplane, and the vertex cone, spanned by the e_i − e_0, is where k of them
// are positive. a_0 = 1, a_1 = 1/2, a_2 = 1/6 (60° of 360°), a_3 =
// (3 arccos(1/3) − π)/4π, and by the saddle point, for k → ∞,
//
//	a_k = √(k/2) e^{k/2−1} (2πk)^{−k/2} (1 + O(1/k)).
//
// Such angles count the faces of random projections of regular simplices, that
// is of Gaussian polytopes ([R], [VS], [BH], [KZ]). With m such that the saddle
// point of the inversion lies at ω = 0, k E[x − m | x > m] = m,
//
//	a_k N(m; 0, 1/(k+1)) = ((k+1)/π) ∫_0^∞ Re{ e^{−iωm − ω²/2} [½ e^{−m²/2} w((ω + im)/√2)]^k } dω,
//
// the density of the mean of the k+1 with k of them above it. It panics for
// k < 0.
func LogSimplexAngle(k int) float64 {
	if k < 0 {
		panic(fmt.Sprintf("extremes: simplex angle of k = %d: want k ≥ 0", k))
	}
	if k == 0 {
		return 0
	}
	kf := float64(k)
	m, excess := angleSaddle(kf)
	w0 := faddeeva.Erfcx(m / math.Sqrt2)
	// Var(x | x > m) = 1 + m h − h² = 1 − h·(h − m), h = m + excess.
	curvature := 1 + kf*(1-(m+excess)*excess)
	h := 0.5 / math.Sqrt(curvature)
	total := 0.5
	for j := 1; ; j++ {
		omega := float64(j) * h
		w := faddeeva.W(complex(omega/math.Sqrt2, m/math.Sqrt2))
		re, im := real(w)/w0, imag(w)/w0
		// |w/w₀|² near 1 through what it differs by.
		logModulus := math.Log1p((re-1)*(re+1)+im*im) / 2
		modulus := math.Exp(kf*logModulus - omega*omega/2)
		total += modulus * math.Cos(kf*math.Atan2(im, re)-omega*m)
		if modulus < 1e-18*total {
			break
		}
	}
	// Divided by N(m; 0, 1/(k+1)) = √((k+1)/2π) e^{−(k+1)m²/2}; of the power of
	// ½ e^{−m²/2} w₀ that leaves e^{m²/2} (½ w₀)^k.
	return math.Log(total*h/math.Pi) + (math.Log(kf+1)+log2Pi)/2 + kf*math.Log(w0/2) + m*m/2
}

// angleSaddle returns an m near the solution of k·excess = m, and the mean excess
// E[x − m | x > m] there. The excess is convex and falls, so Newton's method from
// the left rises onto the root; the angle does not depend on m, only the economy
// of its integral does.
func angleSaddle(k float64) (m, excess float64) {
	const close = 1e-4
	for range 50 {
		h := Hazard(m)
		excess = h - m
		step := (k*excess - m) / (k*(1-h*excess) + 1)
		if step <= close*(1+m) {
			break
		}
		m += step
	}
	return m, excess
}

// Simplex keeps the angles of regular simplices that it has computed, which do
// not depend on n: the laws of |A| for many n cost little more than one. It is
// safe for concurrent use. The zero value is ready.
type Simplex struct {
	mutex sync.Mutex
	log   []float64
}

// NewSimplex returns a Simplex without angles.
func NewSimplex() *Simplex { return new(Simplex) }

// LogAngle is [LogSimplexAngle]; it panics for k < 0.
func (s *Simplex) LogAngle(k int) float64 {
	if k < 0 {
		return LogSimplexAngle(k)
	}
	return s.logAngles(k + 1)[k]
}

// logAngles returns at least the first count logs. Entries once written do not
// change, so the slice may be read without the lock.
func (s *Simplex) logAngles(count int) []float64 {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	for len(s.log) < count {
		s.log = append(s.log, LogSimplexAngle(len(s.log)))
	}
	return s.log
}
