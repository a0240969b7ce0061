package extremes

import (
	"math"
	"math/cmplx"

	"lamcap/internal/faddeeva"
)

// excess is the inversion of the law of t_0 + Σ_{i≤k} (t_i − t)_+ at its own
// argument t, for k competitors, along vertical lines of the complex s-plane.
//
// With L(s) = E e^{−s(x−t)_+} = 1 + ψ(s), x standard normal,
//
//	P(t_0 + Σ (t_i − t)_+ ≤ t) = (1/2πi) ∫_{c−i∞}^{c+i∞} e^{st + s²/2} L(s)^k ds/s,  c > 0,
//	ψ(s) = ½ e^{−t²/2} [ erfcx((s + t)/√2) − erfcx(t/√2) ],
//
// which is the Gil-Pelaez integral (s = −iω, w(iz) = erfcx(z)) with the line
// moved off the origin. Through the saddle point of the integrand nothing
// oscillates or cancels: small probabilities keep their relative accuracy, and
// e^{st + s²/2} L(s)^k at the real point s = c is itself Chernoff's bound.
type excess struct {
	t    float64
	k    float64 // competitors in the sum; real, and up to 10^300
	logK float64

	// pairs counts further competitors that are known to exceed t: each
	// multiplies the integrand by ψ₁(s) = E[e^{−s(x−t)}; x > t].
	pairs int

	cdf   float64 // Φ(t)
	half  float64 // ½ e^{−t²/2}
	atT   float64 // erfcx(t/√2)
	small bool    // |ψ| ≪ 1: use log1p
	// logScale = log(k/2) − t²/2, so that kψ neither under- nor overflows.
	logScale float64
}

func newExcess(t, k float64, pairs int) excess {
	e := excess{t: t, k: k, logK: math.Log(k), pairs: pairs}
	e.half = math.Exp(-t*t/2) / 2
	e.atT = faddeeva.Erfcx(t / math.Sqrt2)
	e.cdf = math.Erfc(-t/math.Sqrt2) / 2
	e.small = t > 0
	e.logScale = minusSquares(e.logK-math.Ln2, 1, t)
	return e
}

// minusSquares returns logA − m·t²/2 for m = 1 or 2. With log n = 690 and t = 37
// the difference is small: the part of t² that its float64 leaves out would be
// noise in every integrand.
func minusSquares(logA float64, m int, t float64) float64 {
	square := t * t
	low := math.FMA(t, t, -square)
	half := float64(m) / 2
	return (logA - half*square) - half*low
}

// erfcx continues faddeeva.Erfcx to complex arguments.
func erfcx(z complex128) complex128 { return faddeeva.W(complex(-imag(z), real(z))) }

// logIntegrand returns log of e^{st + s²/2} L(s)^k ψ₁(s)^pairs, without 1/s.
func (e *excess) logIntegrand(s complex128) complex128 {
	t := complex(e.t, 0)
	w := erfcx((s + t) * complex(1/math.Sqrt2, 0))
	v := s*t + s*s/2 + e.logPower(s, w)
	if e.pairs > 0 {
		// log ψ₁ with the scale e^{−t²/2} left outside: see logPairScale.
		v += complex(float64(e.pairs), 0) * cmplx.Log(w/2)
	}
	return v
}

// logPairScale is the part of log ψ₁^pairs that does not depend on s.
func (e *excess) logPairScale() float64 { return -float64(e.pairs) * e.t * e.t / 2 }

// logPower returns k log L(s), given w = erfcx((s + t)/√2).
func (e *excess) logPower(s, w complex128) complex128 {
	if e.k == 0 {
		return 0
	}
	if !e.small {
		return complex(e.k, 0) * cmplx.Log(complex(e.cdf, 0)+complex(e.half, 0)*w)
	}
	difference := w - complex(e.atT, 0)
	if cmplx.Abs(s) < 1e-3 {
		difference = e.erfcxDifference(s)
	}
	psi := complex(e.half, 0) * difference
	if a := math.Abs(real(psi)) + math.Abs(imag(psi)); a < 1e-9 {
		// k log(1 + ψ) = kψ(1 − ψ/2 + …), with kψ formed from its log scale.
		return complex(math.Exp(e.logScale), 0) * difference * (1 - psi/2)
	}
	x, y := real(psi), imag(psi)
	return complex(e.k*math.Log1p(x*(2+x)+y*y)/2, e.k*math.Atan2(y, 1+x))
}

// erfcxDifference returns erfcx((s + t)/√2) − erfcx(t/√2) for small s by its
// Taylor series, whose coefficients follow from erfcx' = 2z erfcx − 2/√π.
func (e *excess) erfcxDifference(s complex128) complex128 {
	z := e.t / math.Sqrt2
	// f_0 = erfcx(z), f_1 = 2 z f_0 − 2/√π, (j+1) f_{j+1} = 2 z f_j + 2 f_{j−1},
	// with f_j the Taylor coefficients.
	const terms = 8
	h := s * complex(1/math.Sqrt2, 0)
	var f [terms + 1]float64
	f[0] = e.atT
	f[1] = 2*z*f[0] - 2/math.Sqrt(math.Pi)
	for j := 1; j < terms; j++ {
		f[j+1] = (2*z*f[j] + 2*f[j-1]) / float64(j+1)
	}
	sum := complex(0, 0)
	for j := terms; j >= 1; j-- {
		sum = (sum + complex(f[j], 0)) * h
	}
	return sum
}

// realExponent returns log of the integrand at the real point s = c, including
// 1/|s|, and its derivative.
func (e *excess) realExponent(c float64) (value, slope float64) {
	z := (c + e.t) / math.Sqrt2
	w := faddeeva.Erfcx(z)
	if math.IsInf(w, 1) {
		return math.Inf(1), math.Inf(-1) // far to the left, where it overflows
	}
	v := e.logIntegrandReal(c, w)
	dw := 2*z*w - 2/math.Sqrt(math.Pi) // erfcx'
	l := e.cdf + e.half*w
	dlog := e.half * dw / math.Sqrt2 / l
	slope = e.t + c - 1/c
	if e.small {
		slope += math.Exp(e.logScale) * dw / math.Sqrt2 / l
	} else {
		slope += e.k * dlog
	}
	if e.pairs > 0 {
		slope += float64(e.pairs) * dw / math.Sqrt2 / w
	}
	return v - math.Log(math.Abs(c)), slope
}

func (e *excess) logIntegrandReal(c, w float64) float64 {
	v := real(e.logPower(complex(c, 0), complex(w, 0))) + c*e.t + c*c/2
	if e.pairs > 0 {
		v += float64(e.pairs) * math.Log(w/2)
	}
	return v
}

// saddle finds the real saddle point on the positive or the negative side of
// the pole at 0, to a tenth: the integral does not depend on it, only the
// economy of its evaluation does. The exponent is convex on each side.
func (e *excess) saddle(positive bool) float64 {
	sign := 1.0
	if !positive {
		sign = -1
	}
	// The slope in c tends to −∞ at 0+ and to +∞ at 0−; bisect log|c|.
	lo, hi := math.Log(1e-6), math.Log(1e3)
	for hi-lo > 0.15 {
		mid := (lo + hi) / 2
		_, slope := e.realExponent(sign * math.Exp(mid))
		if slope*sign > 0 {
			hi = mid
		} else {
			lo = mid
		}
	}
	return sign * math.Exp((lo+hi)/2)
}

// line integrates along Re s = c with the trapezoidal rule, which converges
// exponentially for an integrand that is analytic around the line and decays
// like e^{−ω²/2}. refine multiplies the number of points. It returns the
// integral divided by e^{shift}, shift being the exponent at s = c.
func (e *excess) line(c, refine float64) (value, shift float64) {
	shift = real(e.logIntegrand(complex(c, 0)))
	// Curvature of the exponent: second difference of the slope.
	d := 0.05 * math.Abs(c)
	_, s1 := e.realExponent(c + d)
	_, s0 := e.realExponent(c - d)
	curvature := (s1 - s0) / (2 * d)
	width := 1 / math.Sqrt(math.Max(curvature, 1))
	// Gaussian of that width: step w/2 leaves e^{−2π²·4}; pole at distance |c|:
	// step |c|/6 leaves e^{−12π}.
	h := math.Min(width/2, math.Abs(c)/6) / refine
	value = 1 / c / 2
	modulus := math.Abs(value)
	small := 0
	for j := 1; j < 1_000_000; j++ {
		omega := float64(j) * h
		v := e.logIntegrand(complex(c, omega))
		// Re e^v/s, with 1/s = (c − iω)/|s|².
		size := math.Exp(real(v)-shift) / (c*c + omega*omega)
		sin, cos := math.Sincos(imag(v))
		value += size * (c*cos + omega*sin)
		a := size * (math.Abs(c) + omega)
		modulus += a
		if a < 1e-18*modulus {
			if small++; small >= 3 {
				break
			}
		} else {
			small = 0
		}
	}
	return value * h / math.Pi, shift
}
