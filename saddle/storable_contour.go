package saddle

import "math"

// contour is the circle |z| = e^s through the saddle point of
//
//	F(s) = p log g(e^s) − (N − 1)s − log|1 − e^{2s}|.
type contour struct {
	law     *law
	p       float64
	weights float64 // N
	offset  float64 // p D − N
	at      tilted
}

// linear returns p·mean − (N − 1) for the tilted law, the slope of F but for the
// pole.
func (c *contour) linear(at tilted) float64 { return c.offset + 1 + c.p*at.shift }

func (c *contour) slope(at tilted) float64 { return c.linear(at) + 2/math.Expm1(-2*at.s) }

// curvature is F”(s).
func (c *contour) curvature(at tilted) float64 {
	sinh := math.Sinh(at.s)
	return c.p*at.variance + 1/(sinh*sinh)
}

// exponent is F at a tilted law.
func (c *contour) exponent(at tilted) float64 {
	return c.p*at.logRatio + (c.offset+1)*at.s - math.Log(math.Abs(math.Expm1(2*at.s)))
}

// logScale is F at the saddle point.
func (c *contour) logScale() float64 { return c.exponent(c.at) }

// logPrefactor returns p log g(e^s) − (N − 1)s, and the size of the terms whose
// rounding it carries: relative to the mean, or as it stands if those are smaller,
// as for few facts and weights.
func (c *contour) logPrefactor() (value, terms float64) {
	a, b := c.p*c.at.logRatio, (c.offset+1)*c.at.s
	value, terms = a+b, math.Abs(a)+math.Abs(b)
	logG := c.law.logGenerating(c.at.s)
	a, b = c.p*logG, -(c.weights-1)*c.at.s
	if direct := math.Abs(a) + math.Abs(b); direct < terms {
		return a + b, direct
	}
	return value, terms
}

// logGenerating returns log g(e^s).
func (l *law) logGenerating(s float64) float64 {
	largest := math.Inf(-1)
	for k, v := range l.logMass {
		largest = math.Max(largest, v+float64(k)*s)
	}
	g := 0.0
	for k, v := range l.logMass {
		g += math.Exp(v + float64(k)*s - largest)
	}
	return largest + math.Log(g)
}

// maxTilt bounds |s|: from there on the law is one atom, whatever n.
const maxTilt = 1500

// findSaddle puts the circle through the real saddle point on one side of the
// pole, to a twentieth of the width of the integrand. F is convex there. If it has
// no minimum (a single c_j) any far circle does.
func (c *contour) findSaddle(below bool) {
	sign := 1.0
	if below {
		sign = -1
	}
	// The normal law: p V s² + offset s = 1.
	pv := c.p * c.law.variance
	half := math.Abs(c.offset) / 2
	guess := (half + math.Hypot(half, math.Sqrt(pv))) / pv
	lo, hi := 0.0, float64(maxTilt) // of |s|
	size := math.Min(guess, maxTilt/2)
	for range 200 {
		c.at = c.law.tilt(sign * size)
		// Seen from the pole the slope of F falls to −∞ at |s| → 0.
		slope := sign * c.slope(c.at)
		curvature := c.curvature(c.at)
		if math.Abs(slope) < 0.05*math.Sqrt(curvature) {
			return
		}
		if slope > 0 {
			hi = size
		} else {
			lo = size
		}
		// Newton for |s|·slope would be straight near the pole; the safeguard is
		// bisection of the logarithm.
		next := size - slope/curvature
		if !(next > lo && next < hi) {
			if lo == 0 {
				next = size / 2
			} else {
				next = math.Sqrt(lo * hi)
			}
		}
		if hi-lo < 1e-3*lo {
			return
		}
		size = next
	}
}

// truncation bounds the relative contribution of the missing end of the law. The
// ratios v_{k+1}/v_k fall with k.
func (c *contour) truncation() float64 {
	l := c.law
	if !l.cut() {
		return 0
	}
	k := len(l.mass) - 1
	d := float64(k) - l.mean
	weight := math.Exp(l.logMass[k] + d*c.at.s - c.at.logRatio)
	ratio := math.Exp(l.logMass[k] - l.logMass[k-1] + c.at.s)
	if ratio >= 1 {
		return math.Inf(1)
	}
	return c.p * weight * ratio / (1 - ratio)
}

// massEffect bounds how errors of the masses, beyond those of total and mean,
// change log g at the saddle point: massError · Σ v_k |e^{x_k}/E e^x − 1 − x_k|.
func (c *contour) massEffect() float64 {
	l := c.law
	total := 0.0
	if !c.at.smallShift {
		return 2 * l.massError
	}
	g := math.Exp(c.at.logRatio)
	for k, v := range l.mass {
		x := (float64(k) - l.mean) * c.at.s
		m := math.Expm1(x)
		total += v * math.Abs(expm1MinusX(x, m)-(1+x)*(g-1))
	}
	return l.massError * total / g
}

// nodes returns the number of equidistant θ on the whole circle for which
// aliasing is below e^{−38}. The rule sums c_{j+lM} e^{slM} over l; each tail sum
// of c is at most e^{F(s±δ)} (Chernoff), so that the terms are below
// e^{F(s±δ) − F(s) − Mδ}.
func (c *contour) nodes() (count, bound float64) {
	const target = 38
	base := c.logScale()
	width := 1 / math.Sqrt(c.curvature(c.at))
	needed := 0.0
	for _, direction := range []float64{-1, 1} {
		best := math.Inf(1)
		for _, delta := range []float64{9 * width, 0.9 * math.Abs(c.at.s), 0.6 * math.Abs(c.at.s)} {
			s := c.at.s + direction*delta
			if direction*c.at.s < 0 && delta > 0.95*math.Abs(c.at.s) {
				continue // beyond the pole
			}
			rise := c.exponent(c.law.tilt(s)) - base
			best = math.Min(best, (target+math.Max(rise, 0))/delta)
		}
		needed = math.Max(needed, best)
	}
	return math.Ceil(needed) + 1, 2 * math.Exp(-target)
}

// integrate returns the probability and a bound on the relative error of the
// integration.
func (c *contour) integrate() (value, err float64) {
	l := c.law
	s := c.at.s
	// The weights of the tilted law around its mean.
	center := l.mean + c.at.shift
	type atom struct{ offset, weight float64 }
	atoms := make([]atom, 0, len(l.mass))
	largest := 0.0
	const negligible = 1e-19
	for k, v := range l.logMass {
		w := math.Exp(v + (float64(k)-l.mean)*s - c.at.logRatio)
		atoms = append(atoms, atom{float64(k) - center, w})
		largest = math.Max(largest, w)
	}
	first, end := 0, len(atoms)
	for atoms[first].weight < negligible*largest {
		first++
	}
	for atoms[end-1].weight < negligible*largest {
		end--
	}
	atoms = atoms[first:end]

	count, alias := c.nodes()
	linear := c.linear(c.at)
	step := 2 * math.Pi / count
	square := math.Exp(2 * s)
	minus := -math.Expm1(2 * s) // 1 − e^{2s}
	sign := 1.0
	if s > 0 {
		sign = -1
	}
	at := func(theta float64) (re, modulus float64) {
		var y, z float64
		for _, a := range atoms {
			x := a.offset * theta
			sin, cos := math.Sincos(x / 2)
			y -= a.weight * 2 * sin * sin
			z += a.weight * sinMinusX(x, 2*sin*cos)
		}
		// log of 1 + y + iz.
		logModulus := math.Log1p(y*(2+y)+z*z) / 2
		if y < -0.5 {
			logModulus = math.Log(math.Hypot(1+y, z))
		}
		size := math.Exp(c.p * logModulus)
		phase := c.p*math.Atan2(z, 1+y) + linear*theta
		// 1 − e^{2s+2iθ} = (1 − e^{2s}) + 2 e^{2s} sin²θ − i e^{2s} sin 2θ.
		sin, cos := math.Sincos(theta)
		a, b := minus+2*square*sin*sin, -2*square*sin*cos
		sinPhase, cosPhase := math.Sincos(phase)
		norm := a*a + b*b
		return sign * size * (cosPhase*a + sinPhase*b) / norm, size / math.Sqrt(norm)
	}
	re, modulus := at(0)
	total, moduli := re, modulus
	// The modulus |χ| of the characteristic function of a tilted law falls with θ to
	// about 1/500, and where it has a zero it rises again to no more: its p-th power
	// is negligible from p = 8 on; below, short sums go all the way round.
	enough := 3
	if c.p <= 8 && count <= 1024 {
		enough = int(count)
	}
	quiet, j := 0, 1.0
	for ; 2*j <= count; j++ {
		re, modulus = at(j * step)
		double := 2.0
		if 2*j == count {
			double = 1
		}
		total += double * re
		moduli += double * modulus
		if modulus < 1e-18*moduli {
			if quiet++; quiet == enough {
				break
			}
		} else {
			quiet = 0
		}
	}
	// A few points beyond, if any, say what was left out.
	rest := 0.0
	for theta := 1.5 * j * step; theta < math.Pi; theta *= 1.5 {
		_, modulus = at(theta)
		rest = math.Max(rest, modulus*theta/step)
	}
	base, terms := c.logPrefactor()
	value = math.Exp(base + math.Log(total/count*2))
	// p log χ is at most 42 where it counts.
	rounding := 0x1p-53 * (100*moduli/total + 8*terms + 16)
	return value, alias + rest/total + rounding
}

// sinMinusX returns sin x − x, given sin x.
func sinMinusX(x, sin float64) float64 {
	if math.Abs(x) > 0.7 {
		return sin - x
	}
	square := x * x
	term := -x * square / 6
	total := term
	for j := 4.0; j <= 18; j += 2 {
		term *= -square / (j * (j + 1))
		total += term
		if math.Abs(term) < 0x1p-55*math.Abs(total) {
			break
		}
	}
	return total
}
