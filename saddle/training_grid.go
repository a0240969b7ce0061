package saddle

import (
	"math"
	"math/cmplx"
	"sort"

	"lamcap/extremes"
)

// panelOrder is the number of Gauss-Legendre nodes of a panel.
const panelOrder = 16

// gaussPanel is the Gauss-Legendre rule on [−1, 1] with its integration matrix.
type gaussPanel struct {
	x, w [panelOrder]float64
	// above[i][k]: ∫_{x_i}^1 f = Σ_k above[i][k] f(x_k), exact for polynomials of
	// degree below panelOrder.
	above [panelOrder][panelOrder]float64
}

func newGaussPanel() *gaussPanel {
	g := new(gaussPanel)
	legendre := func(x float64) (p [panelOrder + 2]float64) {
		p[0], p[1] = 1, x
		for m := 1; m <= panelOrder; m++ {
			p[m+1] = (float64(2*m+1)*x*p[m] - float64(m)*p[m-1]) / float64(m+1)
		}
		return p
	}
	for i := range panelOrder {
		x := -math.Cos(math.Pi * (float64(i) + 0.75) / (panelOrder + 0.5))
		slope := 0.0
		for range 10 {
			p := legendre(x)
			slope = panelOrder * (x*p[panelOrder] - p[panelOrder-1]) / (x*x - 1)
			step := p[panelOrder] / slope
			x -= step
			if math.Abs(step) < 1e-16 {
				break
			}
		}
		g.x[i], g.w[i] = x, 2/((1-x*x)*slope*slope)
	}
	// f = Σ_m (m + ½) P_m Σ_k w_k P_m(x_k) f(x_k), and
	// (2m+1) ∫_x^1 P_m = P_{m−1}(x) − P_{m+1}(x).
	for i := range panelOrder {
		at := legendre(g.x[i])
		for k := range panelOrder {
			p := legendre(g.x[k])
			sum := (1 - g.x[i]) / 2
			for m := 1; m < panelOrder; m++ {
				sum += p[m] * (at[m-1] - at[m+1]) / 2
			}
			g.above[i][k] = g.w[k] * sum
		}
	}
	return g
}

// resolution says how finely to integrate.
type resolution struct {
	logStep    float64 // of a node in log w
	normStep   float64 // of a node in t
	lineStep   float64 // along the contour
	bend       float64 // angle of the contour's ends beyond the vertical
	turn       float64 // largest angle of w off the real axis
	levelStep  float64 // of a level, in v with x = center + width sinh v
	negligible float64 // log of the relative density at which x ends
}

var (
	roughly = resolution{logStep: 0.12, normStep: 0.45, lineStep: 0.16, bend: 0.35, turn: 0.55, levelStep: 0.4, negligible: -26}
	finely  = resolution{logStep: 0.065, normStep: 0.24, lineStep: 0.075, bend: 0.35, turn: 0.6, levelStep: 0.22, negligible: -36}
	control = resolution{logStep: 0.085, normStep: 0.32, lineStep: 0.1, bend: 0.32, turn: 0.56, levelStep: 0.28, negligible: -32}
)

// ensemble is an input's score problem: s = prox_{χℓ}(r g) in Rⁿ.
type ensemble struct {
	response
	n, r, chi float64
	// source adds stiff·s_0²/(2χ) to the cross-entropy (the gap adds gap·s_0/χ), for
	// derivatives in it: with κ = 1 + stiff, r t_0 = κ (x + log w_0) + w_0 + gap − χ.
	stiff float64
	// complete places nodes down to where no normal is left, however small w is there.
	complete bool
}

// turns is the number of angles by which the contour of w may be turned.
const turns = 5

// level holds the one-variable integrals at a level x. The log weight u = log w is
// the variable of integration: with ω = e^u,
//
//	t = (x + soft·u + ω)/r,   t_0 = t + (gap − χ)/r,   dt/du = (soft + ω)/r,
//
// are explicit and entire in u, so that no equation is solved and the line of
// integration may be shifted to u + iβ.
type level struct {
	e     *ensemble
	panel *gaussPanel
	x     float64
	u     []float64 // nodes
	du    []float64 // weights
	half  []float64 // half-widths of panels
	// The species' lower end: whether all of its mass lies above the first node.
	whole, whole0 bool
	// Nodes on lines turned by fractions of the largest angles, of competitors and
	// target. They differ where the target's pushes are much larger.
	turned, turned0 [turns]*nodes
	angle, angle0   float64
	scale           float64 // of ω where normals are not negligible
	// The first nodes, from above, of what is within reach of the species' normals.
	end, end0 int
	mean      targetMeans
	// far says that the target's push is of the order of χ, far above those of
	// competitors: it is then counted from offset = χ, with nodes of its own.
	far      bool
	offset   float64
	normStep float64
}

// targetMeans are means of the target's statistics that do not vanish with w.
type targetMeans struct{ square, left, leftSquare float64 }

// nodes are integrands at the nodes u + iβ, weights included: f is the density of
// a competitor's log weight and f0 the target's, fj = f·J with J = ω/(soft + ω).
type nodes struct {
	omega              []complex128
	f, fw, fj, fq, fqj []complex128
	f0, f0j, g0, g0j   []complex128
	v, vj, vv, vvj     []complex128
	u                  []complex128
	e, em              []complex128 // e^{−zω} and less 1
	tail, jTail        []complex128

	// Products of statistics of an [additivePlan] with f and f0, node by node.
	products, products0 []complex128
}

// Normals are followed to ±reach, and further down, where tilted measures with
// Re z > 0 go.
const (
	reach     = 9.2
	tiltReach = 8
)

// newLevel places nodes; largest bounds |z|.
func newLevel(e *ensemble, panel *gaussPanel, o resolution, x, largest float64) *level {
	l := &level{e: e, panel: panel, x: x, normStep: o.normStep}
	if math.Abs(l.lack())+20*e.r < 0.6*e.chi {
		l.far, l.offset = true, e.chi
	}
	// No normal is turned by more than about 3i, where its density grows by e^{9/2}.
	typical := math.Max(math.Min(e.chi, math.Abs(x)+e.gap+4*e.r), -x) + e.r
	typical0 := math.Max(e.chi, e.chi-e.gap-x) + e.r
	l.angle = math.Min(o.turn, 3*e.r/(e.soft+typical))
	l.angle0 = math.Min(o.turn, 3*e.r/(e.soft+typical0))
	if !l.far && (l.angle0 > 0.35 || l.angle0 > l.angle) {
		l.angle = math.Min(l.angle, l.angle0)
		l.angle0 = l.angle
	}
	// The largest ω: of a competitor, and of the target.
	theirs := math.Sqrt(2 * (40 + math.Log(e.n)))
	top := turnedTop(l.angle, x, theirs*e.r)
	if !l.far {
		top = math.Max(top, turnedTop(l.angle0, x+e.gap-e.chi, reach*e.r))
	}
	hi := logPush(e.soft, top)
	// The smallest: where nothing of a normal is left, or where ω no longer counts.
	lo := math.Log(1e-16 / (e.n * largest))
	if e.soft > 0 {
		bottom := math.Min(-e.r*(reach+tiltReach)-x, -e.r*(reach+tiltReach)+e.chi-e.gap-x)
		if last := logPush(e.soft, bottom); e.complete || last > lo {
			lo = last
		}
	}
	hi = math.Max(hi, lo+1)
	slow := math.Log(1e-2 / largest) // below, e^{−zω} is 1 − zω
	for end := hi; end > lo; {
		step := o.logStep
		if end <= slow {
			step = math.Max(step, 0.35)
		}
		width := panelOrder / (1/step + (e.soft+math.Exp(end))/(e.r*o.normStep))
		l.half = append(l.half, width/2)
		end -= width
	}
	// Panels from the top down, nodes too.
	end := hi
	for _, h := range l.half {
		for i := panelOrder - 1; i >= 0; i-- {
			l.u = append(l.u, end-h+h*panel.x[i])
			l.du = append(l.du, h*panel.w[i])
		}
		end -= 2 * h
	}
	bottom := x + e.soft*end + math.Exp(end)
	l.whole = e.soft > 0 && bottom/e.r < -reach
	l.whole0 = l.far || e.soft > 0 && (bottom+e.gap-e.chi)/e.r < -reach
	l.end = sort.Search(len(l.u), func(j int) bool {
		return x+e.soft*l.u[j]+math.Exp(l.u[j]) <= theirs*e.r
	})
	l.end0 = sort.Search(len(l.u), func(j int) bool {
		return x+e.gap-e.chi+e.soft*l.u[j]+math.Exp(l.u[j]) <= reach*e.r
	})
	if !l.far {
		l.setMeans()
	}
	l.setScale()
	return l
}

// turnedTop returns the y beyond which a normal's density is negligible on the line
// of ω turned by the largest angle β, ω cos β + x = reach being enough on the axis:
// there it falls with (x + ω cos β)² − (ω sin β)².
func turnedTop(angle, x, reach float64) float64 {
	sin, cos := math.Sincos(angle)
	twice := cos*cos - sin*sin
	return math.Max(reach-x, (-x*cos+math.Sqrt(x*x*sin*sin+reach*reach*twice))/twice)
}

// logPush returns log w for soft·log w + w = y, where there is one.
func logPush(soft, y float64) float64 {
	if soft == 0 {
		return math.Log(math.Max(y, 1e-300))
	}
	if y < -36 {
		return y
	}
	return math.Log(wrightOmega(y))
}

// at returns the nodes turned by the k-th angle, for competitors and for the target.
func (l *level) at(k int) (theirs, target *nodes) {
	fraction := float64(k) / (turns - 1)
	if l.turned[k] == nil {
		l.turned[k] = l.turn(-l.angle * fraction)
	}
	if l.turned0[k] == nil {
		l.turned0[k] = l.turned[k]
		switch {
		case l.far:
			l.turned0[k] = l.farNodes(3 * l.e.r * fraction)
		case l.angle0 != l.angle && k > 0:
			l.turned0[k] = l.turn(-l.angle0 * fraction)
		}
	}
	return l.turned[k], l.turned0[k]
}

func newNodes(count int) *nodes {
	block := make([]complex128, 19*count)
	n := &nodes{}
	for _, p := range []*[]complex128{&n.omega, &n.f, &n.fw, &n.fj, &n.fq, &n.fqj, &n.f0, &n.f0j, &n.g0, &n.g0j,
		&n.v, &n.vj, &n.vv, &n.vvj, &n.u, &n.e, &n.em, &n.tail, &n.jTail} {
		*p = block[:count:count]
		block = block[count:]
	}
	return n
}

// lack is d = χ − w_0 of a target with t_0 = 0, where d is small against χ.
func (l *level) lack() float64 { return l.x + l.e.gap + l.e.soft*math.Log(l.e.chi) }

// farNodes evaluates the target's integrands where w_0 is close to χ, in the variable
// d = χ − w_0, with t_0 = (x + gap − d + soft·log(χ − d))/r, on the line d + i shift.
func (l *level) farNodes(shift float64) *nodes {
	e := l.e
	lo, hi := l.lack()-(reach+3)*e.r, l.lack()+(reach+tiltReach)*e.r
	panels := int(math.Ceil((hi - lo) / (panelOrder * l.normStep * e.r)))
	half := (hi - lo) / float64(2*panels)
	n := newNodes(panels * panelOrder)
	for p := range panels {
		for i := range panelOrder {
			j := p*panelOrder + i
			d := complex(lo+half*(float64(2*p+1)+l.panel.x[i]), shift)
			w := complex(e.chi, 0) - d
			u := cmplx.Log(w)
			soft := complex(e.soft, 0)
			extra, stiff := e.source(l.x, u)
			f := density((complex(l.x+e.gap, 0)-d+soft*u+extra)/complex(e.r, 0)) * (1 + (soft+stiff)/w) * complex(half*l.panel.w[i]/e.r, 0)
			share := w / (soft + w)
			v := soft * u
			n.u[j], n.omega[j] = u, -d
			n.f0[j], n.f0j[j] = f, f*share
			n.g0[j], n.g0j[j] = f*d*d, f*share*d*d
			n.v[j], n.vj[j], n.vv[j], n.vvj[j] = f*v, f*share*v, f*v*v, f*share*v*v
		}
	}
	return n
}

// turn evaluates the integrands at the nodes u + iβ.
func (l *level) turn(beta float64) *nodes {
	e := l.e
	count := len(l.u)
	n := newNodes(count)
	turn := cmplx.Exp(complex(0, beta))
	soft, chi := complex(e.soft, 0), complex(e.chi, 0)
	for j, real := range l.u {
		u := complex(real, beta)
		w := complex(math.Exp(real), 0) * turn
		y := complex(l.x, 0) + soft*u + w
		jacobian := (soft + w) * complex(l.du[j]/e.r, 0)
		f := density(y/complex(e.r, 0)) * jacobian
		extra, stiff := e.source(l.x, u)
		jacobian0 := (soft + stiff + w) * complex(l.du[j]/e.r, 0)
		f0 := density((y+extra+complex(e.gap-e.chi, 0))/complex(e.r, 0)) * jacobian0
		share := w / (soft + w)
		n.u[j], n.omega[j] = u, w
		n.f[j], n.fw[j], n.fj[j], n.fq[j], n.fqj[j] = f, f*w, f*share, f*w*w, f*share*w*w
		n.f0[j], n.f0j[j] = f0, f0*share
		left := chi - w
		n.g0[j], n.g0j[j] = f0*left*left, f0*share*left*left
		v := soft * u
		n.v[j], n.vj[j], n.vv[j], n.vvj[j] = f0*v, f0*share*v, f0*v*v, f0*share*v*v
	}
	return n
}

// density is the standard normal density.
func density(t complex128) complex128 {
	return cmplx.Exp(-t*t/2) * complex(1/math.Sqrt(2*math.Pi), 0)
}

// source returns what κ adds to r t_0 at u = log w_0, and κ − 1.
func (e *ensemble) source(x float64, u complex128) (extra, stiff complex128) {
	stiff = complex(e.stiff, 0)
	if e.stiff != 0 {
		extra = stiff * (complex(x, 0) + u)
	}
	return extra, stiff
}

// setScale sets the size of z from which on e^{−zω} with Re z < 0 may outweigh the
// normal densities: 1/scale, scale the largest ω/(t²/2 + 2), with n competitors.
func (l *level) setScale() {
	e := l.e
	logN := math.Log(e.n)
	for j, u := range l.u {
		w := math.Exp(u)
		y := l.x + e.soft*u + w
		if j >= l.end {
			t := y / e.r
			l.scale = math.Max(l.scale, w/(math.Max(0, t*t/2-logN)+2))
		}
		if j >= l.end0 && !l.far {
			t := (y + e.gap - e.chi) / e.r
			l.scale = math.Max(l.scale, w/(t*t/2+2))
		}
	}
}

// setMeans integrates what of the target does not vanish with w: (χ − w)², and
// v = y_0 − w, which is soft·log w, with its square.
func (l *level) setMeans() {
	e := l.e
	mean := e.chi - e.gap - l.x // E y_0
	m := targetMeans{square: e.chi * e.chi, left: mean, leftSquare: e.r*e.r + mean*mean}
	for j, u := range l.u {
		w := math.Exp(u)
		y := e.soft*u + w
		t := (l.x + y + e.gap - e.chi) / e.r
		f := math.Exp(extremes.LogDensity(t)) * (e.soft + w) / e.r * l.du[j]
		m.square += f * w * (w - 2*e.chi)
		m.left -= f * w
		m.leftSquare += f * w * (w - 2*y)
	}
	l.mean = m
}

// chernoff is the logarithm of E e^{c(χ − Σ w)} for a real c, with its first two
// derivatives in c, and those of the competitors alone.
type chernoff struct {
	value, slope, curvature float64
	theirMean, theirSpread  float64 // Σ_ρ E w_ρ and Σ_ρ Var w_ρ, tilted
}

func (l *level) tilted(c float64) chernoff {
	e := l.e
	n, n0 := l.at(0)
	// The far upper tail, though its probability is nothing, would take over the
	// tilted measure: end leaves it out.
	end0 := l.end0
	if l.far {
		end0 = 0
	}
	m := tiltedMoments(n.omega[l.end:], n.f[l.end:], c, l.whole)
	m0 := tiltedMoments(n0.omega[end0:], n0.f0[end0:], c, l.whole0)
	log, phi := logOf(m[0], l.whole)
	log0, phi0 := logOf(m0[0], l.whole0)
	mean, mean0 := m[1]/phi, m0[1]/phi0
	return chernoff{
		value:     c*(e.chi-l.offset) + log0 + (e.n-1)*log,
		slope:     e.chi - l.offset - mean0 - (e.n-1)*mean,
		curvature: m0[2]/phi0 - mean0*mean0 + (e.n-1)*(m[2]/phi-mean*mean),

		theirMean:   (e.n - 1) * mean,
		theirSpread: (e.n - 1) * (m[2]/phi - mean*mean),
	}
}

// tiltedMoments are E e^{−cω} (less 1 unless whole), E ω e^{−cω} and E ω² e^{−cω}.
func tiltedMoments(omega, density []complex128, c float64, whole bool) (m [3]float64) {
	for j, o := range omega {
		f := real(density[j])
		if f == 0 {
			continue
		}
		w := real(o)
		em := math.Expm1(-c * w)
		ex := em + 1
		if whole {
			m[0] += f * ex
		} else {
			m[0] += f * em
		}
		m[1] += f * w * ex
		m[2] += f * w * w * ex
	}
	return m
}

// logOf returns log φ and φ from φ (whole) or φ − 1.
func logOf(m float64, whole bool) (log, phi float64) {
	if whole {
		return math.Log(m), m
	}
	return math.Log1p(m), 1 + m
}

// saddle returns the real saddle point, where the slope vanishes, or a point where
// the value is below enough.
func (l *level) saddle(enough float64) (float64, chernoff) {
	c, t := 0.0, l.tilted(0)
	if !(t.curvature > 0) {
		// Nothing is pushed at this level.
		return 0, chernoff{value: math.Inf(-1), slope: l.e.chi}
	}
	lo, hi := math.Inf(-1), math.Inf(1)
	bestC, best := c, t
	stride := 1 / math.Sqrt(t.curvature)
	last := math.Inf(1)
	for range 100 {
		if t.slope > 0 {
			hi = c
		} else {
			lo = c
		}
		step := -t.slope / t.curvature
		if math.Abs(step)*math.Sqrt(t.curvature) < 1e-2 || t.value < enough {
			return c, t
		}
		next := c + step
		slow := math.Abs(t.slope) > 0.5*last
		last = math.Abs(t.slope)
		switch {
		case math.IsInf(lo, -1) && math.IsInf(hi, 1): // cannot be
		case math.IsInf(lo, -1):
			next = math.Max(next, hi-2*stride)
			stride *= 2
		case math.IsInf(hi, 1):
			next = math.Min(next, lo+2*stride)
			stride *= 2
		case slow || next <= lo || next >= hi:
			next = (lo + hi) / 2
		}
		for range 60 { // back towards what is known where it overflows
			c = next
			t = l.tilted(c)
			if !math.IsNaN(t.value) && !math.IsInf(t.value, 0) && t.curvature > 0 {
				break
			}
			next = (next + bestC) / 2
			stride /= 2
		}
		if !(t.value > best.value) {
			bestC, best = c, t
		}
		if hi-lo < 1e-12*(math.Abs(lo)+math.Abs(hi)) {
			break
		}
	}
	return bestC, best
}

// crossing is where the line of integration passes the real axis: at the saddle
// point, if that is positive, else at 0, where no far tail counts. The curvature, which sets the scale of the
// line, is that of the saddle point.
func (l *level) crossing() (float64, chernoff) {
	c, t := l.saddle(-200)
	return math.Max(0, c), t
}
