package extremes

import (
	"math"
	"math/cmplx"

	"lamcap/internal/faddeeva"
)

// capped is the law of X = t_0 + Σ_{i≤rest} (x_i − t)_+ around t = y − width,
// with competitors x that are normal below y. With R(z) = √(π/2) erfcx(z/√2),
//
//	L(s) = E e^{−s(x−t)_+} = [Φ(t) + φ(t) I(s + t)]/Φ(y) = 1 + ψ(s),
//	I(z) = ∫_0^{y−t} e^{−zu − u²/2} du = R(z) − e^{−z(y−t) − (y−t)²/2} R(z + y − t).
//
// The mean excess over t comes from a line of the complex plane,
//
//	(1/2πi) ∫_{c−i∞}^{c+i∞} e^{st + s²/2} L(s)^rest ds/s² = E(t − X)_+  (c > 0),  E(X − t)_+  (c < 0).
type capped struct {
	y, width, t float64
	rest        float64
	scale       float64 // φ(t)/Φ(y)
	restScale   float64 // rest·φ(t)/Φ(y)
	below       float64 // Φ(t)/Φ(y)
	atT         float64 // I(t)
	small       bool    // below > 1/2, so that |ψ| is small: use log1p
	mean        float64 // E Σ (x_i − t)_+
}

func newCapped(y, width, rest float64) capped {
	t := y - width
	e := capped{y: y, width: width, t: t, rest: rest}
	logCDF := LogCDF(y)
	e.restScale = math.Exp(minusSquares(math.Log(rest)-logCDF-logSqrt2Pi, 1, t))
	e.scale = math.Exp(minusSquares(-logCDF-logSqrt2Pi, 1, t))
	e.below = math.Exp(LogCDF(t) - logCDF)
	e.small = e.below > 0.5
	zeroth, first, _ := e.moments(t)
	e.atT = zeroth
	e.mean = e.restScale * first
	return e
}

// millsReal returns R(z) = ∫_0^∞ e^{−zu − u²/2} du.
func millsReal(z float64) float64 {
	return math.Sqrt(math.Pi/2) * faddeeva.Erfcx(z/math.Sqrt2)
}

// shortWidth is where I(z) is summed in powers of the width: the terms grow to
// e² at most.
const shortWidth = 2

func (e *capped) short(modulus float64) bool {
	return modulus*e.width+e.width*e.width/2 < shortWidth
}

// seriesEnd ends a power series: every second term may vanish, so it takes two small
// ones in a row, of which the first two of the series do not count.
type seriesEnd struct{ terms, small int }

func (e *seriesEnd) reached(term, negligible float64) bool {
	e.terms++
	if term >= negligible {
		e.small = 0
		return false
	}
	e.small++
	return e.small >= 2 && e.terms > 4
}

// series returns I(s + t) − I(t) where both are summed in powers of the width,
// e^{−zu − u²/2} = Σ g_j u^j with (j+1) g_{j+1} = −z g_j − g_{j−1}, without cancellation.
func (e *capped) series(s complex128) complex128 {
	t, w := e.t, e.width
	z := s + complex(t, 0)
	// g belongs to t, d is the difference.
	g0, g1 := 1.0, -t
	d0, d1 := complex(0, 0), -s
	power := w * w / 2
	sum := d1 * complex(power, 0)
	var end seriesEnd
	for j := 1; j < 60; j++ {
		d0, d1 = d1, -(z*d1+s*complex(g1, 0)+d0)/complex(float64(j+1), 0)
		g0, g1 = g1, -(t*g1+g0)/float64(j+1)
		power *= w * float64(j+1) / float64(j+2)
		term := d1 * complex(power, 0)
		sum += term
		if end.reached(math.Abs(real(term))+math.Abs(imag(term)), 0x1p-56*(math.Abs(real(sum))+math.Abs(imag(sum)))) {
			break
		}
	}
	return sum
}

// seriesReal returns ∫_0^width u^j e^{−zu − u²/2} du for j = 0, 1, 2.
func (e *capped) seriesReal(z float64) (zeroth, first, second float64) {
	w := e.width
	g0, g1 := 0.0, 1.0
	power := w
	var end seriesEnd
	for j := 0; j < 60; j++ {
		term := g1 * power
		zeroth += term / float64(j+1)
		first += term * w / float64(j+2)
		second += term * w * w / float64(j+3)
		if end.reached(math.Abs(term), 0x1p-58*zeroth) {
			break
		}
		g0, g1 = g1, -(z*g1+g0)/float64(j+1)
		power *= w
	}
	return zeroth, first, second
}

// moments returns ∫_0^width u^j e^{−zu − u²/2} du for j = 0, 1, 2, the last for
// guidance only.
func (e *capped) moments(z float64) (zeroth, first, second float64) {
	w := e.width
	decay := math.Exp(-w * (z + w/2))
	end := z + w
	switch {
	case e.short(math.Abs(z)):
		return e.seriesReal(z)
	case z < -w/2:
		// The mass is at the far end: from there, u = w − v.
		i0, i1, i2 := e.moments(-end)
		return decay * i0, decay * (w*i0 - i1), decay * (w*w*i0 - 2*w*i1 + i2)
	}
	far := millsReal(end)
	zeroth = millsReal(z) - decay*far
	first = meanExcess(z) - decay*(meanExcess(end)+w*far)
	return zeroth, first, zeroth - w*decay - z*first
}

// meanExcess returns ∫_0^∞ u e^{−zu − u²/2} du = 1 − z R(z).
func meanExcess(z float64) float64 {
	if z < 3 {
		return 1 - z*millsReal(z)
	}
	// R(z) = 1/(z + 1/(z + 2/(z + …))): of 1 − z R(z) = R(z)/(z + 2/(z + …)) no
	// digits are lost. The error falls like e^{−1.5z√j}.
	start := 15 + math.Floor(700/(z*z))
	f := z/2 + math.Sqrt(z*z/4+start)
	for j := start; j >= 2; j-- {
		f = z + j/f
	}
	return millsReal(z) / f
}

// logIntegrand returns log of e^{st + s²/2} L(s)^rest.
func (e *capped) logIntegrand(s complex128) complex128 {
	t := complex(e.t, 0)
	v := s * (t + s/2)
	z := s + t
	if !e.small {
		return v + complex(e.rest, 0)*cmplx.Log(complex(e.below, 0)+complex(e.scale, 0)*e.excess(z))
	}
	var difference complex128
	if e.short(cmplx.Abs(s) + math.Abs(e.t)) {
		difference = e.series(s)
	} else {
		difference = e.excess(z) - complex(e.atT, 0)
	}
	psi := complex(e.scale, 0) * difference
	x, y := real(psi), imag(psi)
	if math.Abs(x)+math.Abs(y) < 1e-9 {
		return v + complex(e.restScale, 0)*difference*(1-psi/2)
	}
	return v + complex(e.rest*math.Log1p(x*(2+x)+y*y)/2, e.rest*math.Atan2(y, 1+x))
}

// excess returns I(z).
func (e *capped) excess(z complex128) complex128 {
	if e.short(cmplx.Abs(z)) {
		g0, g1 := complex(0, 0), complex(1, 0)
		power := e.width
		sum := complex(0, 0)
		var end seriesEnd
		for j := 0; j < 60; j++ {
			term := g1 * complex(power/float64(j+1), 0)
			sum += term
			if end.reached(math.Abs(real(term))+math.Abs(imag(term)), 0x1p-56*(math.Abs(real(sum))+math.Abs(imag(sum)))) {
				break
			}
			g0, g1 = g1, -(z*g1+g0)/complex(float64(j+1), 0)
			power *= e.width
		}
		return sum
	}
	w := complex(e.width, 0)
	decay := -w * (z + w/2)
	if real(z) < -e.width/2 {
		return cmplx.Exp(decay)*mills(-z-w) - mills(-z)
	}
	if real(decay) < -80 && real(z) > -8 {
		return mills(z)
	}
	return mills(z) - cmplx.Exp(decay)*mills(z+w)
}

// logReal returns log of e^{ct + c²/2} L(c)^rest at a real c with its first two
// derivatives; +Inf where it overflows.
func (e *capped) logReal(c float64) (value, slope, curvature float64) {
	z := c + e.t
	zeroth, first, second := e.moments(z)
	if math.IsInf(zeroth, 1) || math.IsNaN(zeroth) {
		return math.Inf(1), math.Copysign(math.Inf(1), c), math.Inf(1)
	}
	l := e.below + e.scale*zeroth
	value = c * (e.t + c/2)
	if e.small {
		difference := zeroth - e.atT
		if e.short(math.Abs(c) + math.Abs(e.t)) {
			difference = real(e.series(complex(c, 0)))
		}
		psi := e.scale * difference
		if math.Abs(psi) < 1e-9 {
			value += e.restScale * difference
		} else {
			value += e.rest * math.Log1p(psi)
		}
	} else {
		value += e.rest * math.Log(l)
	}
	mean := first / l
	return value, e.t + c - e.restScale*mean, 1 + e.restScale*(second/l-e.scale*mean*mean)
}

// saddle returns the real saddle point of the integrand on one side of the pole
// at 0, to a fifth of a width, with log of the integrand and its curvature there,
// those of 1/s² included. The value bounds log of the integral at any c (Chernoff),
// up to a factor c: the search ends as soon as it is below negligible.
func (e *capped) saddle(positive bool, negligible float64) (c, value, curvature float64) {
	// From the quadratic form of the exponent at 0.
	_, slope, curvature := e.logReal(0)
	root := math.Sqrt(slope*slope + 8*curvature)
	switch {
	case positive && slope < 0:
		c = (root - slope) / (2 * curvature)
	case positive:
		c = 4 / (root + slope)
	case slope > 0:
		c = -(root + slope) / (2 * curvature)
	default:
		c = -4 / (root - slope)
	}
	for range 200 {
		value, slope, curvature = e.logReal(c)
		value -= 2 * math.Log(math.Abs(c))
		slope -= 2 / c
		curvature += 2 / (c * c)
		if math.IsInf(curvature, 1) {
			c *= 0.7
			continue
		}
		step := -slope / curvature
		if math.Abs(step)*math.Sqrt(curvature) < 0.2 || value < negligible {
			break
		}
		bound := math.Abs(c)
		c += math.Max(-0.6*bound, math.Min(0.6*bound, step))
	}
	return c, value, curvature
}

// line integrates along Re s = c by the trapezoidal rule. The double pole at
// distance |c| puts the rule off by the residue of
//
//	g(s)/s² · 1/(e^{2π(c−s)/h} − 1),  g(0) = 1,  g'(0) = t − E X,
//
// (of −g(s)/s²/(e^{2π(s−c)/h} − 1) for c < 0), which is taken off. The error is
// estimated from every second point: the rule with the double step has at
// least the square root of its error.
func (e *capped) line(c, curvature float64) (value, err float64) {
	shift := real(e.logIntegrand(complex(c, 0)))
	// A Gaussian of this width leaves e^{−2π²/0.9²} = e^{−24} at the double step,
	// which passes the check below.
	h := 0.45 / math.Sqrt(math.Max(curvature, 1))
	sums := [2]float64{1 / (c * c) / 2, 0} // even and odd points
	modulus := sums[0]
	offset, step, reach := h, h, 0.0
	parity := 1
	for range 8 {
		omega := offset
		for small := 0; small < 2 || omega < reach; omega += step {
			v := e.logIntegrand(complex(c, omega))
			// 1/s² = (c − iω)²/|s|⁴.
			norm := c*c + omega*omega
			size := math.Exp(real(v)-shift) / norm
			sin, cos := math.Sincos(imag(v))
			sums[parity] += size * ((c*c-omega*omega)*cos + 2*c*omega*sin) / norm
			modulus += size
			small++
			if size >= 1e-17*modulus {
				small = 0
			}
			if step == h {
				parity ^= 1
			}
		}
		reach = omega
		factor := math.Exp(shift) / math.Pi
		value = factor*h*(sums[0]+sums[1]) - e.pole(c, h)
		coarse := factor*2*h*sums[0] - e.pole(c, 2*h)
		size := factor * h * modulus
		difference := math.Abs(value - coarse)
		err = 10*difference*(difference/size) + 0x1p-50*size
		if !(difference > 1e-8*size) {
			return value, err
		}
		// Halve the step: the points so far are the even ones.
		sums[0], sums[1] = sums[0]+sums[1], 0
		offset, step = h/2, h
		h /= 2
		parity = 1
	}
	return value, math.Inf(1)
}

// pole returns what the double pole adds to the rule of step h.
func (e *capped) pole(c, h float64) float64 {
	beyond := 1 / math.Expm1(2*math.Pi*math.Abs(c)/h)
	derivative := 2 * math.Pi / h * beyond * (1 + beyond)
	return derivative + math.Copysign(beyond, c)*(e.t-e.mean)
}
