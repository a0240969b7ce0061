package saddle

import (
	"math"
	"math/cmplx"
)

// order fills in the integrands that need an order of the candidates.
//
// Cross-entropy: s_ρ = x + log w_ρ, so that the target is recalled if its push is
// the largest, and with the competitors' transforms cut off above u,
//
//	φ_<(u) = E[e^{−zω}; log ω < u],
//
// recalled are ∫ du f_0 e^{−zω} φ_<^{n−1} (J + (n−1) Ĵ_<), and the largest competitor
// has log weight u with (n−1) f e^{−zω} φ_<^{n−2} φ_0 (J + (n−2) Ĵ_< + Ĵ_0). They are
// taken along the same line, turned or not, as everything is analytic in u.
//
// Hinge: the target is recalled if r t_0 + χ > x.
func (l *level) order(t *transforms, n *nodes, exponent complex128, out []complex128) {
	e := l.e
	rest := complex(e.n-1, 0)
	if e.soft == 0 {
		above := complex(math.Erfc((l.x-e.chi)/(e.r*math.Sqrt2))/2, 0)
		recalled := (above + t.phi0 - 1) / t.phi0
		if l.far { // as good as all are
			recalled = 1
		}
		out[atAccuracy] = cmplx.Exp(exponent) * (recalled*rest*t.j + t.j0)
		return
	}
	if l.far { // w_0 is above χ/2
		out[atAccuracy] = out[atMass]
	} else {
		accuracy := complex(0, 0)
		n0 := t.target
		l.below(t, n0, exponent, func(j int, below, phi, jBelow, share complex128) {
			accuracy += n0.f0[j] * n0.e[j] * below * (share*phi + rest*jBelow)
		})
		out[atAccuracy] = accuracy
	}
	var top, topU, topU2 complex128
	l.largest(t, n, exponent, func(j int, g complex128) {
		top += g
		topU += g * n.u[j]
		topU2 += g * n.u[j] * n.u[j]
	})
	out[atTop], out[atTopU], out[atTopU2] = top, topU, topU2
}

// largest visits the nodes with the integrand of the largest competitor.
func (l *level) largest(t *transforms, n *nodes, exponent complex128, visit func(j int, g complex128)) {
	rest, others := complex(l.e.n-1, 0), complex(l.e.n-2, 0)
	l.below(t, n, exponent, func(j int, below, phi, jBelow, share complex128) {
		g := rest * n.f[j] * n.e[j] * t.phi0 * below
		if g == 0 {
			return
		}
		g *= share + t.j0 + others*jBelow/phi
		if !cmplx.IsNaN(g) {
			visit(j, g)
		}
	})
}

// below visits the nodes u_j from the top down with e^{zχ} φ_<^{n−2}, φ_<, E[J e^{−zω}] below
// u_j and J at it.
func (l *level) below(t *transforms, n *nodes, exponent complex128, visit func(j int, below, phi, jBelow, share complex128)) {
	e := l.e
	l.cutOff(n)
	base := t.z * complex(e.chi-l.offset, 0)
	whole := cmplx.Exp(t.log)
	total := t.j * whole // Σ fj e^{−zω}
	others := complex(e.n-2, 0)
	phase := imag(t.log)
	for j := range n.u {
		psi := t.psi - n.tail[j]
		var log complex128
		if math.Abs(real(psi))+math.Abs(imag(psi)) < 0.5 {
			log = log1pComplex(psi)
		} else {
			log = cmplx.Log(whole - n.tail[j])
		}
		// The branch that is continuous from u = ∞ down.
		log += complex(0, 2*math.Pi*math.Round((phase-imag(log))/(2*math.Pi)))
		phase = imag(log)
		if e.n > 2 && (e.n-2)*(real(log)-real(t.log)) < -90 {
			return // hardly ever are all competitors below
		}
		below := cmplx.Exp(base + others*log)
		if below == 0 || cmplx.IsNaN(below) || cmplx.IsInf(below) {
			continue
		}
		visit(j, below, cmplx.Exp(log), total-n.jTail[j], n.omega[j]/(complex(e.soft, 0)+n.omega[j]))
	}
}

// cutOff fills tail and jTail: ∫_{u_j}^∞ of f e^{−zω} and f J e^{−zω}.
func (l *level) cutOff(n *nodes) {
	var above, jAbove complex128 // of the panels above
	for p, half := range l.half {
		first := p * panelOrder
		if l.empty(n, first) {
			for j := first; j < first+panelOrder; j++ {
				n.tail[j], n.jTail[j] = above, jAbove
			}
			continue
		}
		// Nodes run downwards: node i of the rule is first + panelOrder − 1 − i.
		var f, fj [panelOrder]complex128
		for i := range panelOrder {
			j := first + panelOrder - 1 - i
			density := complex(1/l.du[j], 0) * n.e[j]
			f[i], fj[i] = n.f[j]*density, n.fj[j]*density
		}
		var sumF, sumJ complex128
		h := complex(half, 0)
		for i := range panelOrder {
			j := first + panelOrder - 1 - i
			var re, im, reJ, imJ float64
			for k, a := range l.panel.above[i] {
				re += a * real(f[k])
				im += a * imag(f[k])
				reJ += a * real(fj[k])
				imJ += a * imag(fj[k])
			}
			n.tail[j], n.jTail[j] = above+h*complex(re, im), jAbove+h*complex(reJ, imJ)
			w := complex(l.panel.w[i], 0)
			sumF += w * f[i]
			sumJ += w * fj[i]
		}
		above += h * sumF
		jAbove += h * sumJ
	}
}

// empty reports whether no competitor has a log weight in the panel from a node on.
func (l *level) empty(n *nodes, first int) bool {
	for j := first; j < first+panelOrder; j++ {
		if f := n.f[j] * n.e[j]; math.Abs(real(f))+math.Abs(imag(f)) > 1e-40 {
			return false
		}
	}
	return true
}
