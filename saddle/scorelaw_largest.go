package saddle

import (
	"math"
	"math/cmplx"

	"lamcap/extremes"
)

// largestJoint tabulates the joint density of the level x and of the largest push ω = e^u of
// a competitor,
//
//	(n−1) f(u) (1/2πi) ∫ dz e^{z(χ−ω)} [φ_0 (J + Ĵ_0) φ_<^{n−2} + (n−2) φ_0 Ĵ_< φ_<^{n−3}],
//
// φ_< = E[e^{−zω'}; ω' < ω], Ĵ_< = E[J e^{−zω'}; ω' < ω] and J = ω/(1 + ω), at real u, where the
// accuracy has a turned line.
//
// On a contour that leans left e^{−zω} grows, and φ_<^{n−2} with it. With T = φ − φ_<, of order
// e^{−zω}, its binomial terms φ^{n−2−k} (−T)^k e^{z(χ−ω)} decay as long as (k + 1) ω < χ, and are 0 from
// there on: k + 1 pushes above ω would exceed χ. So few terms are summed where ω is not
// far below χ; and where it is, φ_<^{n−2} e^{z(χ−ω)} is negligible before it grows.
func (e *ensemble) largestJoint(panel *gaussPanel, o lawResolution, g levelGrid) *jointTable {
	lowest, top := g.x[0], g.x[len(g.x)-1]
	const widest = 800
	theirs := math.Sqrt(2 * (40 + math.Log(e.n)))
	hi := logit(logPush(e.soft, theirs*e.r-lowest), e.chi, widest)
	// What the others leave: the target, and the largest of n − 2.
	left := e.lowestTarget(top, o.negligible)
	if e.n > 2 {
		rest := *e
		rest.n--
		left = math.Max(left, rest.lowestLargest(top, o.negligible))
	}
	hi = math.Min(hi, -logit(left, e.chi, widest))
	low := logit(e.lowestLargest(top, o.negligible), e.chi, widest)
	low = math.Min(low, hi-1)
	// φ_< has all pushes below.
	least := math.Exp(left)
	largest := math.Max(g.largest, 45/(math.Sin(0.5*o.bend)*least))
	bottom := math.Log(1e-16 / (e.n * largest))
	bottom = math.Max(bottom, logPush(e.soft, -e.r*(reach+tiltReach)-top))
	lo := low
	if e.n > 2 {
		lo = math.Min(low, logit(bottom, e.chi, widest))
	}
	rate := func(w, rest float64) float64 {
		step := e.smallStep(o.logStep, w)
		if w*largest < 1e-2 {
			step = math.Max(step, 0.3)
		}
		return 1/step + rest/e.chi*(e.soft+w)/(e.r*o.layerStep)
	}
	p := newPushGrid(panel, e.chi, lo, hi, int(math.Min(3, e.n-2)), rate)
	top0 := len(p.push)
	relevant := 0
	for relevant < top0 && p.logPush[relevant]-p.logRest[relevant] < low {
		relevant++
	}
	s := &layers{e: e, panel: panel, pushGrid: p, laguerre: newLaguerre(), relevant: relevant}
	for j, w := range p.push {
		s.resolved = append(s.resolved, 1.2*e.chi*rate(w, p.rest[j])/(p.rest[j]*w))
	}
	rows := make([][]float64, len(g.x))
	parallel(len(g.x), func(i int) { rows[i] = s.level(o, g, i, largest) })
	return newJointTable(g, p.logPush, rows)
}

// layers are nodes of the largest push.
type layers struct {
	e     *ensemble
	panel *gaussPanel
	*pushGrid
	laguerre laguerre
	relevant int       // the first node where the largest may be
	resolved []float64 // |z| up to which the panels resolve e^{−zω}
}

// mostTerms is how many binomial terms are summed; at smaller ω powers are taken as they
// are: e^{−z(χ−ω)} has fallen to e^{−36} before e^{−zω} is about 100.
const mostTerms = 8

// layer is one node at one level.
type layer struct {
	omega, rest float64
	terms       int     // k up to here, or −1: powers
	factor      float64 // log of (n−1) f and the weight
	share       complex128
	above       float64 // P(ω' > ω)
	sum         complex128
	greatest    float64
	least       float64
	quiet       int
}

// level integrates along the contour of one level.
func (s *layers) level(o lawResolution, g levelGrid, i int, largest float64) []float64 {
	e := s.e
	x := g.x[i]
	row := make([]float64, len(s.push))
	if e.n == 2 { // the competitor's push leaves the target's: no integral
		for j, w := range s.push {
			rest := s.rest[j]
			t0 := (x + e.soft*s.logRest[j] - w) / e.r
			t1 := (x + e.soft*s.logPush[j] + w) / e.r
			// dw/dq = w (χ − w)/χ; f(w) = φ(t) (soft + w)/(w r).
			density := math.Exp(extremes.LogDensity(t0)+extremes.LogDensity(t1)) * (e.soft + w) * (e.soft + rest) / (e.r * e.r * e.chi)
			row[j] = s.weight[j] * density * (w/(e.soft+w) + rest/(e.soft+rest))
		}
		return row
	}
	l := newLevel(e, s.panel, o.resolution, x, largest)
	c, t := l.saddleOf()
	if !(t.curvature > 0) || math.IsNaN(t.value) {
		return row
	}
	real := newNodes(len(s.push)) // on the real axis; f and fj are densities in q
	for j, w := range s.push {
		u := s.logPush[j]
		f := math.Exp(extremes.LogDensity((x+e.soft*u+w)/e.r)) * (e.soft + w) / e.r * s.rest[j] / e.chi
		real.omega[j] = complex(w, 0)
		real.f[j], real.fj[j] = complex(f, 0), complex(f*w/(e.soft+w), 0)
	}
	start, _ := l.transform(complex(c, 0), 0, nil)
	base := c*(e.chi-l.offset) + realPart(start.log0) + (e.n-2)*realPart(start.log)
	var layers []layer
	var index []int
	for j := len(s.push) - 1; j >= s.relevant; j-- {
		w := s.push[j]
		tail := (x + e.soft*s.logPush[j] + w) / e.r
		factor := extremes.LogDensity(tail) + math.Log((e.n-1)*(e.soft+w)/e.r*s.rest[j]/e.chi*s.weight[j])
		below := (e.n - 2) * extremes.LogCDF(tail)
		if factor+base-c*w < -50 || below < -90 {
			continue
		}
		y := layer{omega: w, rest: s.rest[j], factor: factor, share: complex(w/(e.soft+w), 0), above: math.Exp(extremes.LogSurvival(tail)), terms: -1, least: math.Inf(1)}
		if k := math.Ceil(s.rest[j]/w) - 1; !l.far && k <= mostTerms {
			y.terms = int(k)
		}
		layers = append(layers, y)
		index = append(index, j)
	}
	bend := math.Min(o.bend, 0.8*l.angle)
	if l.far { // the target's normal ends the contour
		bend = 0
	}
	h := hyperbola{c: c, a: 1 / math.Sqrt(t.curvature), sin: math.Sin(bend), cos: math.Cos(bend), step: o.lineStep}
	below, jBelow := make([]complex128, len(s.push)), make([]complex128, len(s.push))
	var now, last transforms
	var previous *transforms
	cumulative := e.n > 2
	for k := range 2000 {
		z, dz := h.at(float64(k) * h.step)
		now, _ = l.transform(z, l.turnFor(z), previous)
		if cmplx.IsNaN(now.log) || cmplx.IsInf(now.log) || cmplx.IsNaN(now.log0) {
			break
		}
		if cumulative {
			s.cumulate(real, z, below, jBelow)
		}
		weight := complex(h.step, 0) * dz
		if k == 0 {
			weight /= 2
		}
		alive := false
		cumulative = false
		phase := imag(now.log)
		for m := range layers {
			y := &layers[m]
			j := index[m]
			if y.quiet >= 3 {
				continue
			}
			v := s.integrand(y, &now, x, l.e.chi-l.offset, below[j], jBelow[j], math.Abs(imag(z)) <= s.resolved[j], &phase) * weight
			size := math.Abs(realPart(v)) + math.Abs(imag(v))
			if math.IsNaN(size) || math.IsInf(size, 0) || y.terms < 0 && y.least < 1e-11*y.greatest && size > 100*y.least {
				y.quiet = 3
				continue
			}
			y.sum += v
			y.greatest, y.least = math.Max(y.greatest, size), math.Min(y.least, size)
			y.quiet++
			if size > 1e-17*y.greatest && size > 1e-30 {
				y.quiet = 0
			}
			alive = true
			cumulative = cumulative || e.n > 2 && y.terms != 0 && math.Abs(imag(z)) <= s.resolved[j]
		}
		if !alive {
			break
		}
		last = now
		previous = &last
	}
	for m, j := range index {
		row[j] = imag(layers[m].sum) / math.Pi
	}
	return row
}

func realPart(z complex128) float64 { return real(z) }

// integrand is that of a layer at a point of the contour; chi is less the offset of the
// target. phase is that of log φ_< of the layer above.
func (s *layers) integrand(y *layer, t *transforms, x, chi float64, below, jBelow complex128, resolved bool, phase *float64) complex128 {
	m := s.e.n - 2
	others := complex(m, 0)
	zOmega := t.z * complex(y.omega, 0)
	base := t.z*complex(chi, 0) - zOmega + t.log0 + complex(y.factor, 0)
	if y.terms < 0 {
		phi := 1 + below - complex(y.above, 0)
		small := below - complex(y.above, 0)
		var log complex128
		if cmplx.Abs(small) < 0.5 {
			log = log1pComplex(small)
		} else {
			log = cmplx.Log(phi)
		}
		log += complex(0, 2*math.Pi*math.Round((*phase-imag(log))/(2*math.Pi)))
		*phase = imag(log)
		return cmplx.Exp(base+others*log) * (y.share + t.j0 + others*jBelow/phi)
	}
	var above, jAbove complex128 // T e^{zω} and the same with J
	phi := cmplx.Exp(t.log)
	if y.terms > 0 && m > 0 {
		if resolved {
			scale := cmplx.Exp(zOmega)
			above = (t.psi - below + complex(y.above, 0)) * scale
			jAbove = (t.j*phi - jBelow) * scale
		} else {
			above, jAbove = s.laguerre.tail(s.e, x, y.omega, t.z)
		}
	}
	total := complex(0, 0)
	binomial := 1.0
	power, before := complex(1, 0), complex(0, 0) // (−T)^k and the one before
	for k := 0; k <= y.terms && binomial != 0; k++ {
		exponent := base + complex(m, 0)*t.log - complex(float64(k), 0)*(zOmega+t.log)
		if realPart(exponent) > -100 {
			bracket := power*(y.share+t.j0+complex(m-float64(k), 0)*t.j) - complex(float64(k), 0)*before*jAbove
			total += complex(binomial, 0) * cmplx.Exp(exponent) * bracket
		}
		before = power
		power *= -above
		binomial *= (m - float64(k)) / float64(k+1)
	}
	return total
}

// cumulate fills in E[e^{−zω} − 1; ω < ω_j] and E[J e^{−zω}; ω < ω_j] of a competitor, where the
// panels resolve it.
func (s *layers) cumulate(n *nodes, z complex128, below, jBelow []complex128) {
	n.fillExponentials(z)
	var sum, sumJ complex128
	size := cmplx.Abs(z)
	for p, half := range s.half {
		first := p * panelOrder
		if size > 1.5*s.resolved[first] {
			return
		}
		var f, fj [panelOrder]complex128
		for k := range panelOrder {
			j := first + k
			f[k], fj[k] = n.f[j]*n.em[j], n.fj[j]*n.e[j]
		}
		h := complex(half, 0)
		var total, totalJ complex128
		for k, w := range s.panel.w {
			total += complex(w, 0) * f[k]
			totalJ += complex(w, 0) * fj[k]
		}
		for i := range panelOrder {
			var re, im, reJ, imJ float64
			for k, a := range s.panel.above[i] {
				re += a * realPart(f[k])
				im += a * imag(f[k])
				reJ += a * realPart(fj[k])
				imJ += a * imag(fj[k])
			}
			below[first+i] = sum + h*(total-complex(re, im))
			jBelow[first+i] = sumJ + h*(totalJ-complex(reJ, imJ))
		}
		sum += h * total
		sumJ += h * totalJ
	}
}

// laguerre is the Gauss-Laguerre rule ∫_0^∞ e^{−y} f(y) dy.
type laguerre struct{ y, w []float64 }

func newLaguerre() laguerre {
	const order = 24
	var g laguerre
	at := func(x float64) (p, slope float64) {
		a, b := 1.0, 0.0
		for k := range order {
			m := float64(k)
			a, b = ((2*m+1-x)*a-m*b)/(m+1), a
		}
		return a, order * (a - b) / x
	}
	x := 0.0
	for i := range order {
		switch i {
		case 0:
			x = 3.0 / (1 + 2.4*order)
		case 1:
			x += 15.0 / (1 + 2.5*order)
		default:
			m := float64(i - 1)
			x += (1 + 2.55*m) / (1.9 * m) * (x - g.y[i-2])
		}
		slope := 0.0
		for range 50 {
			var p float64
			p, slope = at(x)
			step := p / slope
			x -= step
			if math.Abs(step) < 1e-15*x {
				break
			}
		}
		_, slope = at(x)
		g.y = append(g.y, x)
		g.w = append(g.w, 1/(x*slope*slope))
	}
	return g
}

// tail returns e^{zω} ∫_ω^∞ f e^{−zω'} dω' and the same with J, by steepest descent: ω' = ω + y/z.
func (g laguerre) tail(e *ensemble, x, omega float64, z complex128) (f, fj complex128) {
	soft, r := complex(e.soft, 0), complex(e.r, 0)
	for k, y := range g.y {
		if g.w[k] < 1e-20 {
			break
		}
		w := complex(omega, 0) + complex(y, 0)/z
		d := density((complex(x, 0)+soft*cmplx.Log(w)+w)/r) * complex(g.w[k], 0) / r
		f += d * (1 + soft/w)
		fj += d
	}
	return f / z, fj / z
}
