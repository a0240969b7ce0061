package extremes

import (
	"fmt"
	"math"
	"math/cmplx"

	"lamcap/internal/faddeeva"
	"lamcap/internal/quad"
	"lamcap/internal/root"
	"lamcap/internal/sum"
)

// maxVolumesSize bounds n in [IntrinsicVolumes], where every k is computed.
const maxVolumesSize = 1e6

// LogSimplexAngle returns log a_k, a_k = P(k given ones of k+1 standard normals
// all exceed the mean of the k+1), an internal angle of a regular simplex:
// a_0 = 1, a_1 = 1/2, a_2 = 1/6. With m such that the saddle point of the
// inversion lies at ω = 0, k E[x − m | x > m] = m,
//
//	a_k N(m; 0, 1/(k+1)) = ((k+1)/π) ∫_0^∞ Re{ e^{−iωm − ω²/2} [½ e^{−m²/2} w((ω + im)/√2)]^k } dω.
//
// It panics for k < 0.
func LogSimplexAngle(k int) float64 {
	if k < 0 {
		panic(fmt.Sprintf("extremes: simplex angle of k = %d: want k ≥ 0", k))
	}
	if k == 0 {
		return 0
	}
	kf := float64(k)
	// The mean excess is below 1/m and falls with m: the root is below √k.
	at := root.Find(func(m float64) float64 { return kf*(Hazard(m)-m) - m }, 0, math.Sqrt(kf), root.Options{})
	m := at.X
	w0 := faddeeva.Erfcx(m / math.Sqrt2)
	excess := Hazard(m) - m
	// Var(x | x > m) = 1 + m h − h² = 1 − h·(h − m).
	curvature := 1 + kf*(1-Hazard(m)*excess)
	h := 0.5 / math.Sqrt(curvature)
	total := 0.5
	for j := 1; ; j++ {
		w := float64(j) * h
		ratio := faddeeva.W(complex(w/math.Sqrt2, m/math.Sqrt2)) / complex(w0, 0)
		f := cmplx.Exp(complex(-w*w/2, -w*m) + complex(kf, 0)*cmplx.Log(ratio))
		total += real(f)
		if cmplx.Abs(f) < 1e-19*total {
			break
		}
	}
	// Divided by N(m; 0, 1/(k+1)) = √((k+1)/2π) e^{−(k+1)m²/2}; of the power of
	// ½ e^{−m²/2} w₀ that leaves e^{m²/2} (½ w₀)^k.
	return math.Log(total*h/math.Pi) + (math.Log(kf+1)+log2Pi)/2 + kf*math.Log(w0/2) + m*m/2
}

// IntrinsicVolumes returns v_0 … v_K, the law of |A|, the number of competitors
// above m* in the projection of a standard normal vector of R^n onto the
// winner-take-all cone (the conic intrinsic volumes of its polar):
//
//	v_k(n) = C(n−1, k) · a_k · ∫ N(m; 0, 1/(k+1)) Φ(m)^{n−1−k} dm,
//
// for 2 ≤ n ≤ 10^6. K is n − 1, or the first k beyond the mode with v_k below
// 1e-60. Σ_k v_k = 1, v_0 = 1/n and Σ_k k v_k = D_n are checks, not used.
func IntrinsicVolumes(n int) ([]float64, error) {
	if n < 2 || n > maxVolumesSize {
		return nil, fmt.Errorf("n = %d: want 2 ≤ n ≤ 1e6 for the whole law of |A|", n)
	}
	var logChoose sum.Neumaier
	var v []float64
	for k := 0; k < n; k++ {
		if k > 0 {
			logChoose.Add(math.Log(float64(n-k) / float64(k)))
		}
		v = append(v, math.Exp(logChoose.Sum()+LogSimplexAngle(k)+logFaceProbability(n, k)))
		if k > 1 && v[k] < v[k-1] && v[k] < 1e-60 {
			break
		}
	}
	return v, nil
}

// logFaceProbability returns log ∫ N(m; 0, 1/(k+1)) Φ(m)^{n−1−k} dm. The log of
// the integrand is concave: the trapezoidal rule around its peak converges
// exponentially.
func logFaceProbability(n, k int) float64 {
	rest := float64(n - 1 - k)
	if rest == 0 {
		return 0
	}
	precision := float64(k + 1)
	slope := func(m float64) float64 { return rest*Hazard(-m) - precision*m }
	// The peak is at m ≥ 0, below the solution for a single factor.
	peak := root.Find(slope, 0, 1+math.Sqrt(2*math.Log(rest+1)), root.Options{RelX: 1e-6}).X
	g := func(m float64) float64 { return rest*LogCDF(m) - precision*m*m/2 }
	top := g(peak)
	h := Hazard(-peak)
	width := 1 / math.Sqrt(precision+rest*h*(h+peak))
	r := quad.Trapezoid(func(m float64) float64 { return math.Exp(g(m) - top) }, peak, width/2, quad.Options{Rel: 1e-14})
	return math.Log(r.Value) + top + (math.Log(precision)-log2Pi)/2
}
