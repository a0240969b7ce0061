package extremes

import (
	"math"

	"lamcap/internal/faddeeva"
)

// excess is the inversion of the law of t_0 + Σ_{i≤k} (t_i − t)_+ at t + K, for
// k competitors and margin K, along a vertical line of the complex s-plane.
//
// With L(s) = E e^{−s(x−t)_+} = 1 + ψ(s), x standard normal, and Mills' ratio
// R(z) = Q(z)/φ(z) = √(π/2) erfcx(z/√2), continued to complex z,
//
//	P(t_0 + Σ (t_i − t)_+ ≤ t + K) = (1/2πi) ∫_{c−i∞}^{c+i∞} e^{s(t+K) + s²/2} L(s)^k ds/s,  c > 0,
//	ψ(s) = φ(t) [R(t + s) − R(t)],
//
// which is the Gil-Pelaez integral (s = −iω) with the line moved off the
// origin. Through the saddle point of the integrand nothing oscillates or
// cancels: small probabilities keep their relative accuracy, and e^{s(t+K) +
// s²/2} L(s)^k at the real point s = c is itself Chernoff's bound.
type excess struct {
	t, margin float64
	k         float64 // competitors in the sum; real, and up to 10^300

	// pairs counts further competitors that are known to exceed t: each
	// multiplies the integrand by E[e^{−s(x−t)}; x > t] = φ(t) R(t + s). The
	// powers of φ(t) are left out of everything below.
	pairs int

	density  float64 // φ(t)
	kDensity float64 // k φ(t), which neither under- nor overflows with φ(t)
	ratio    float64 // R(t)

	// L(s) = e^{logScale} [below + above·R(t + s)], of use for t < 0: Φ(t) and φ(t),
	// or R(−t) and 1 where these underflow.
	below, above, logScale float64

	// R(t + s) = Σ_j (−s)^j moments[j], moments[j] = ∫_0^∞ y^j/j! e^{−ty − y²/2} dy,
	// good to rounding for |s| < radius. E(x−t)_+^j = j! φ(t) moments[j].
	moments [lastMoment + 1]float64
	radius  float64

	target  float64 // t + K less the mean of the sum without its pairs
	meanSum float64 // that mean
	residue float64 // R(t)^pairs, the integrand's residue at s = 0
}

// lastMoment terms of the Taylor series reach |s| = 0.4 at t = 0, t/9 far out.
const lastMoment = 20

const sqrtHalfPi = 1.25331413731550025120788264240552262650 // √(π/2)

func newExcess(t, margin, k float64, pairs int) excess {
	e := excess{t: t, margin: margin, k: k, pairs: pairs}
	// With the rounding of t² put back: k times that may be large.
	square := float64(t * t)
	e.density = math.Exp(-square/2) / math.Sqrt(2*math.Pi)
	e.density -= e.density * math.FMA(t, t, -square) / 2
	switch {
	case k > 0 && square < 1400:
		e.kDensity = k * e.density
	case k > 0:
		e.kDensity = math.Exp(minusSquares(math.Log(k), 1, t) - logSqrt2Pi)
	}
	e.setMoments()
	e.ratio = e.moments[0]
	switch e.above = e.density; {
	case t > 0:
		e.below = 1 - upperTail(t)
	case t > -18:
		e.below = upperTail(-t)
	default:
		e.logScale = LogDensity(t)
		e.below, e.above = sqrtHalfPi*faddeeva.Erfcx(-t/math.Sqrt2), 1
	}
	e.meanSum = e.kDensity * e.moments[1]
	e.target = t + margin - e.meanSum
	e.residue = power(e.ratio, pairs)
	return e
}

// setMoments fills moments by (j+1) m_{j+1} = m_{j−1} − t m_j, m_{−1} = 1: upwards
// for small t; for large t that is unstable, and the ratios
// m_j/m_{j−1} = 1/(t + (j+1) m_{j+1}/m_j) are taken downwards.
func (e *excess) setMoments() {
	t, m := e.t, &e.moments
	m[0] = sqrtHalfPi * faddeeva.Erfcx(t/math.Sqrt2)
	if t < 0 && t > -36 {
		m[0] = (1 - upperTail(-t)) / e.density
	}
	if t <= 1.5 {
		m[1] = 1 - t*m[0]
		for j := 1; j < lastMoment; j++ {
			m[j+1] = (m[j-1] - t*m[j]) / float64(j+1)
		}
	} else {
		// Started where the start is forgotten: on the way down from j its error
		// falls by about e^{−2t√(2j)}.
		root := 18/t + math.Sqrt(2*lastMoment)
		start := 1 + int(root*root/2)
		var ratios [lastMoment + 1]float64
		r := 1 / (t/2 + math.Sqrt(t*t/4+float64(start+1)))
		for j := start; j >= 1; j-- {
			r = 1 / (t + float64(j+1)*r)
			if j <= lastMoment {
				ratios[j] = r
			}
		}
		for j := 1; j <= lastMoment; j++ {
			m[j] = m[j-1] * ratios[j]
		}
	}
	// |s|^{last−1} m_last/m_1 < 1e-17.
	e.radius = math.Pow(1e-17*m[1]/m[lastMoment], 1.0/(lastMoment-1))
}

// minusSquares returns logA − m·t²/2. With log n = 690 and t = 37 the difference
// is small: the part of t² that its float64 leaves out would be noise in every
// integrand.
func minusSquares(logA float64, m int, t float64) float64 {
	square := float64(t * t)
	low := math.FMA(t, t, -square)
	half := float64(m) / 2
	return (logA - half*square) - half*low
}

// power returns x^m for a small m ≥ 0.
func power(x float64, m int) float64 {
	y := 1.0
	for range m {
		y *= x
	}
	return y
}

// mills continues R to complex arguments.
func mills(z complex128) complex128 {
	// erfcx(z/√2) = w(iz/√2)
	w := faddeeva.W(complex(-imag(z)/math.Sqrt2, real(z)/math.Sqrt2))
	return complex(sqrtHalfPi*real(w), sqrtHalfPi*imag(w))
}

// at returns the exponent s(t+K) + s²/2 + k log L(s), with R(t + s) and, if it is
// wanted, the share k φ(t) R(t + s)/L(s) that a density takes.
func (e *excess) at(s complex128, wantShare bool) (exponent, ratio, share complex128) {
	square := s * s
	half := complex(real(square)/2, imag(square)/2)
	if math.Abs(real(s))+math.Abs(imag(s)) < e.radius {
		// Σ_{j≥2}: what is left of ψ without its mean, which is large for large k
		// and is taken from the target instead.
		m := &e.moments
		sum := complex(m[lastMoment], 0)
		for j := lastMoment - 1; j >= 2; j-- {
			sum = complex(m[j], 0) - s*sum
		}
		sum *= square
		ratio = sum + complex(m[0]-real(s)*m[1], -imag(s)*m[1])
		if e.k == 0 {
			return scale(e.target, s) + half, ratio, 0
		}
		difference := ratio - complex(m[0], 0)
		psi := scale(e.density, difference)
		exponent = scale(e.target, s) + half + scale(e.kDensity, sum) +
			scale(e.kDensity, difference)*logRest(psi)
		if wantShare {
			share = scale(e.kDensity, ratio) / (1 + psi)
		}
		return exponent, ratio, share
	}
	ratio = mills(s + complex(e.t, 0))
	exponent = scale(e.t+e.margin, s) + half
	switch {
	case e.k == 0:
		return exponent, ratio, 0
	case e.t >= 0:
		difference := ratio - complex(e.ratio, 0)
		psi := scale(e.density, difference)
		if manhattan(psi) < smallPsi {
			exponent += scale(e.kDensity, difference) * (1 + logRest(psi))
		} else {
			exponent += scale(e.k, log1p(psi))
		}
		if wantShare {
			share = scale(e.kDensity, ratio) / (1 + psi)
		}
		return exponent, ratio, share
	}
	// L over the scale that keeps it within range.
	l := complex(e.below, 0) + scale(e.above, ratio)
	x, y := real(l), imag(l)
	exponent += complex(e.k*(e.logScale+math.Log(x*x+y*y)/2), e.k*math.Atan2(y, x))
	if wantShare {
		share = scale(e.k*e.above, ratio/l)
	}
	return exponent, ratio, share
}

func scale(a float64, z complex128) complex128 { return complex(a*real(z), a*imag(z)) }

func manhattan(z complex128) float64 { return math.Abs(real(z)) + math.Abs(imag(z)) }

func log1p(z complex128) complex128 {
	x, y := real(z), imag(z)
	return complex(math.Log1p(x*(2+x)+y*y)/2, math.Atan2(y, 1+x))
}

// smallPsi is where the series of log(1 + ψ) takes over.
const smallPsi = 0.01

// logRest returns log(1 + ψ)/ψ − 1.
func logRest(psi complex128) complex128 {
	switch a := manhattan(psi); {
	case a < 1e-9:
		return scale(-0.5, psi)
	case a < smallPsi: // the first term left out is 1e-18 of ψ
		sum := complex(1.0/9, 0)
		for j := 8; j >= 2; j-- {
			sum = complex(1/float64(j), 0) - psi*sum
		}
		return -psi * sum
	}
	return log1p(psi)/psi - 1
}

// realExponent returns log of the integrand at the real point s = c, without the
// pole, with slope and curvature there; +Inf where it overflows.
func (e *excess) realExponent(c float64) (value, slope, curvature float64) {
	var ratio, first, second float64 // R(t + c) and its derivatives
	slope, curvature = c, 1
	if math.Abs(c) < e.radius {
		m := &e.moments
		var sum, d1, d2 float64 // Σ_{j≥2} m_j (−c)^j, its derivatives in c
		for j := lastMoment; j >= 2; j-- {
			d2 = 2*d1 - c*d2
			d1 = sum - c*d1
			sum = m[j] - c*sum
		}
		// From Σ m_j (−c)^{j−2} with derivatives in −c to those of c² Σ in c.
		d1, d2 = 2*c*sum-c*c*d1, 2*sum-4*c*d1+c*c*d2
		sum *= c * c
		ratio, first, second = m[0]-c*m[1]+sum, -m[1]+d1, d2
		psi := e.density * (ratio - m[0])
		value = c*e.target + c*c/2
		slope += e.target
		if e.k > 0 {
			rest := real(logRest(complex(psi, 0)))
			value += e.kDensity*sum + e.kDensity*(ratio-m[0])*rest
			slope += (e.kDensity*d1 + e.meanSum*psi) / (1 + psi)
			log1 := e.density * first / (1 + psi)
			curvature += e.kDensity*second/(1+psi) - e.kDensity*first/(1+psi)*log1
		}
	} else {
		z := e.t + c
		ratio = sqrtHalfPi * faddeeva.Erfcx(z/math.Sqrt2)
		if math.IsInf(ratio, 1) {
			return ratio, math.Inf(-1), ratio
		}
		first = z*ratio - 1
		second = ratio + z*first
		value = c*(e.t+e.margin) + c*c/2
		slope += e.t + e.margin
		switch {
		case e.k == 0:
		case e.t >= 0:
			psi := e.density * (ratio - e.ratio)
			if math.Abs(psi) < smallPsi {
				value += e.kDensity * (ratio - e.ratio) * (1 + real(logRest(complex(psi, 0))))
			} else {
				value += e.k * math.Log1p(psi)
			}
			slope += e.kDensity * first / (1 + psi)
			log1 := e.density * first / (1 + psi)
			curvature += e.kDensity*second/(1+psi) - e.kDensity*first/(1+psi)*log1
		default:
			l := e.below + e.above*ratio
			value += e.k * (e.logScale + math.Log(l))
			slope += e.k * e.above * first / l
			curvature += e.k * e.above * (second - first*(e.above*first/l)) / l
		}
	}
	if e.pairs > 0 {
		pairs := float64(e.pairs)
		value += pairs * math.Log(ratio)
		slope += pairs * first / ratio
		curvature += pairs * (second - first*(first/ratio)) / ratio
	}
	return value, slope, curvature
}

// mean returns the mean of the sum with its pairs less t + K.
func (e *excess) mean() float64 {
	return float64(e.pairs)*e.moments[1]/e.moments[0] - e.target
}

// saddle returns the real saddle point of the integrand to a few hundredths,
// with the exponent and its curvature there: the integral does not depend on
// c, only the economy of its evaluation does. With the pole at 0 there
// is one on either side of it, and positive says which.
func (e *excess) saddle(pole, positive bool) (c, value, curvature float64) {
	const leftmost = -36 // R(−37) is the last that does not overflow
	least := leftmost - e.t
	// Start from the quadratic form of the exponent at 0.
	_, slope, curvature := e.realExponent(0)
	switch root := math.Hypot(slope, 2*math.Sqrt(curvature)); {
	case !pole:
		c = -slope / curvature
	case positive && slope < 0:
		c = (root - slope) / (2 * curvature)
	case positive:
		c = 2 / (root + slope)
	case slope > 0:
		c = -(root + slope) / (2 * curvature)
	default:
		c = -2 / (root - slope)
	}
	// The slope rises with c from one end of the bracket to the other.
	lo, hi := least, math.Inf(1)
	switch {
	case pole && positive:
		lo = 0
	case pole:
		hi = 0
	}
	c = math.Max(c, least)
	last := math.Inf(1)
	for range 100 {
		value, slope, curvature = e.realExponent(c)
		bend := curvature
		if pole {
			slope -= 1 / c
			bend += 1 / (c * c)
		}
		if slope > 0 {
			hi = c
		} else {
			lo = c
		}
		step := -slope / bend
		if math.Abs(step)*math.Sqrt(bend) < 0.1 || hi <= lo+1e-3*math.Abs(lo) {
			break
		}
		next := c + step
		// Newton's method may run to and fro between a steep and a flat part.
		if !(next > lo && next < hi) || math.Abs(step) > 0.7*last {
			switch {
			case math.IsInf(hi, 1):
				next = c + math.Max(2*math.Abs(c), 1/math.Sqrt(bend))
			case pole && lo == 0:
				next = hi / 3
			case pole && hi == 0:
				next = lo / 3
			default:
				next = (lo + hi) / 2
			}
		}
		last = math.Abs(next - c)
		c = next
	}
	return c, value, curvature
}

// probability is a probability as an integral gives it, less the powers of
// φ(t) that belong to the pairs.
type probability struct {
	value, complement float64 // complement: to what it is without the condition on the sum
	err               float64 // of the rule, without rounding
	// noise bounds the relative error of the smaller of the two that comes from
	// rounding in the exponent, whose terms grow with K and cancel.
	noise float64
}

// negligible is the log below which a probability is taken for 0.
const negligible = -800

// probability returns P(sum ≤ t + K, all pairs > t)/φ(t)^pairs.
func (e *excess) probability() probability { return e.probabilityOn(1, 1) }

// probabilityOn is probability with the line and the step multiplied: the value
// does not depend on them.
func (e *excess) probabilityOn(contour, refine float64) probability {
	positive := e.mean() > 0
	c, value, curvature := e.saddle(true, positive)
	p := probability{value: e.residue, complement: e.residue}
	total := 0.0
	if value > negligible {
		if contour != 1 {
			c *= contour
			value, _, curvature = e.realExponent(c)
		}
		total, p.err = e.line(c, value, curvature, refine, true)
		p.noise = e.noise(c, curvature)
	}
	if positive {
		p.value, p.complement = total, e.residue-total
	} else {
		p.value, p.complement = e.residue-total, total
	}
	return p
}

// noise is the relative rounding error of a line at c.
func (e *excess) noise(c, curvature float64) float64 {
	reach := math.Abs(c) + 1/math.Sqrt(curvature)
	return 0x1p-52 * (16 + 12*reach*(e.meanSum+math.Abs(e.t)+e.margin))
}

// derivative returns d/dt P(sum ≤ t + K, all pairs > t) plus what the pairs
// lose at t, over φ(t)^pairs: the density at t of the level at which the sum
// is t + K, with the pairs above it. By dL/dt = s φ(t) R(t + s) there is no pole,
//
//	(1/2πi) ∫ e^{s(t+K) + s²/2} L^k (φR)^pairs [1 + pairs + k φ(t) R(t + s)/L] ds.
func (e *excess) derivative() (value, err, noise float64) {
	c, exponent, curvature := e.saddle(false, false)
	if exponent > negligible {
		value, err = e.line(c, exponent, curvature, 1, false)
		noise = e.noise(c, curvature)
	}
	return value, err, noise
}

// line integrates along Re s = c with the trapezoidal rule, which converges
// exponentially for an integrand that is analytic around the line and decays
// like e^{−ω²/2}. Where the step is so long that the pole of 1/s at distance |c|
// counts, the rule is off by
//
//	residue/(e^{2π|c|/h} − 1) × sign c,
//
// which is put back. For c > 0 the result is the probability, for c < 0 the
// complement.
func (e *excess) line(c, value, curvature, refine float64, pole bool) (result, err float64) {
	h, pastPole := e.step(c, value, curvature, pole)
	h /= refine
	exponent, ratio, share := e.at(complex(c, 0), !pole)
	shift := real(exponent)
	sum, modulus := 0.0, 0.0
	weight := 0.5 // of the point at 0
	for omega := h; ; omega += h {
		factor := complex(weight, 0)
		for range e.pairs {
			factor *= ratio
		}
		if pole { // 1/s = (c − iω)/|s|²
			y := omega - h
			norm := 1 / (c*c + y*y)
			factor *= complex(c*norm, -y*norm)
		} else {
			factor *= share + complex(float64(1+e.pairs), 0)
		}
		size := math.Exp(real(exponent) - shift)
		sin, cos := math.Sincos(imag(exponent))
		sum += size * (cos*real(factor) - sin*imag(factor))
		size *= manhattan(factor)
		modulus += size
		if !(size >= 1e-18*modulus && omega < maxPoints*h) {
			break
		}
		exponent, ratio, share = e.at(complex(c, omega), !pole)
		weight = 1
	}
	height := math.Exp(shift) * h / math.Pi
	result = sum * height
	err = lineError * modulus * height
	if pole && c < 0 {
		result = -result
	}
	if pastPole {
		result -= e.residue / math.Expm1(2*math.Pi*math.Abs(c)/h)
	}
	return result, err
}

const (
	// Every line is evaluated with a step that leaves e^{−lineDigits} of it;
	// what a density has besides the exponent grows by less than e^5.
	lineDigits    = 38
	densityDigits = lineDigits + 5
	// lineError bounds that, with what lies beyond the last point.
	lineError = 1e-16
	// maxPoints is far above what any line takes, about 20.
	maxPoints = 10_000
)

// step returns a step for the trapezoidal rule. On the line through c + a the
// modulus is nowhere above that at the real point, so the rule is off by no more
// than about e^{K(c+a) − K(c) − 2π|a|/h} to either side, K the exponent, but for
// the residue of a pole between the lines: pastPole says that there is one.
func (e *excess) step(c, value, curvature float64, pole bool) (step float64, pastPole bool) {
	digits := float64(lineDigits)
	if !pole {
		digits = densityDigits
	}
	try := func(a float64) (h, growth float64) {
		v, _, _ := e.realExponent(c + a)
		growth = math.Max(v-value, 0)
		return 2 * math.Pi * math.Abs(a) / (digits + growth), growth
	}
	// A Gaussian gives most with a shift of √(2·digits) widths.
	a := math.Sqrt(2 * digits / curvature)
	right, _ := try(a)
	past := c < 0 && a > -c
	left := 0.0
	for range 16 {
		h, growth := try(-a)
		if h > left {
			left = h
			if c > 0 {
				past = a > c
			}
		}
		if growth < 1.5*digits {
			break
		}
		a *= math.Max(0.6, math.Sqrt(digits/growth))
	}
	return math.Min(left, right), pole && past
}
