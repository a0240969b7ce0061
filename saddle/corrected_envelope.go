package saddle

import (
	"fmt"
	"math"
	"math/cmplx"

	"lamcap/internal/sum"
)

// Statistics of a candidate's score in the cross-entropy's correction, at a level. With
// D the diagonal part of the Hessian of ℓ, π but for a source on the target, a =
// π/(1 + χD), c = D/(1 + χD), σ = π (1 − χa) and S = Σσ, the Jacobian of z = (τ − s)/χ
// in τ is
//
//	J = diag c − a aᵀ/S,
//
// and χS is that of the level.
const (
	softSigma  = iota // σ
	softA             // a
	softC             // c
	softASq           // a²
	softZSq           // z²
	softZT            // z t
	softAZ            // a z
	softCZSq          // c z²
	softAT            // a t
	softCZT           // c z t
	softCTSq          // c t²
	softShapeC        // (t² − 1) c
	softShapeA        // (t² − 1) a²
	softShapeZ        // (t² − 1) z²
	softZSqASq        // z² a²
	softCost          // χz²/2, on the target with ℓ
	softStats
)

// The functionals, expectations times S.
const (
	softMass      = iota // 1
	softEnergy           // ℓ + χ‖z‖²/2
	softSlope            // z·t
	softTrace            // tr J
	softPush             // ‖z‖²
	softBend             // tᵀJt
	softPushAlong        // (z·t)²
	softPushTrace        // ‖z‖² tr J
	softPushBend         // zᵀJz
	softShapeBend        // Σ (t² − 1) J_ρρ
	softShapePush        // Σ (t² − 1) z²
	softDiagonal         // Σ z² J_ρρ
	softMixed            // zᵀJt
	softTotals
)

func envelopePlan() *additivePlan {
	of := func(coefficient float64, stats ...int) monomial { return monomial{coefficient, stats} }
	const s = softSigma
	f := make([]functional, softTotals)
	f[softMass] = functional{of(1, s)}
	f[softEnergy] = functional{of(1, s, softCost)}
	f[softSlope] = functional{of(1, s, softZT)}
	f[softTrace] = functional{of(1, s, softC), of(-1, softASq)}
	f[softPush] = functional{of(1, s, softZSq)}
	f[softBend] = functional{of(1, s, softCTSq), of(-1, softAT, softAT)}
	f[softPushAlong] = functional{of(1, s, softZT, softZT)}
	f[softPushTrace] = functional{of(1, s, softC, softZSq), of(-1, softASq, softZSq)}
	f[softPushBend] = functional{of(1, s, softCZSq), of(-1, softAZ, softAZ)}
	f[softShapeBend] = functional{of(1, s, softShapeC), of(-1, softShapeA)}
	f[softShapePush] = functional{of(1, s, softShapeZ)}
	f[softDiagonal] = functional{of(1, s, softCZSq), of(-1, softZSqASq)}
	f[softMixed] = functional{of(1, s, softCZT), of(-1, softAZ, softAT)}
	return newPlan(f)
}

// envelope is M(r, χ) of the cross-entropy with what its correction consists of.
type envelope struct {
	value float64 // M
	slope float64 // ∂M/∂r
	push  float64 // E‖z‖² = −2 ∂M/∂χ
	trace float64 // E tr J, which is ∂M/∂r over r
	mass  float64 // 1, up to the error of the quadrature
	bend  float64 // ∂²M/∂r²
	// gauss and sphere are δM for values with normal entries and of norm √d_out, per
	// 1/d_out, and keys for keys with normal entries, per 1/d_in.
	gauss, sphere, keys float64
}

// envelope integrates over the contours of the level's law.
func (e *ensemble) envelope(plan *additivePlan, o resolution) (envelope, error) {
	e.complete = true
	panel := newGaussPanel()
	w := e.window(panel, o, 0)
	if !w.ok {
		return envelope{}, fmt.Errorf("r = %v, χ = %v: no window of the level", e.r, e.chi)
	}
	values, _, weights := e.sweep(panel, o, w, softTotals, func(l *level, t *transforms, n *nodes, exponent complex128, out []complex128) {
		l.visitPlan(plan, t, n, exponent, out)
	})
	var v [softTotals]float64
	for k := range v {
		var s sum.Neumaier
		for i := range values {
			s.Add(onLine(values[i][k]) * weights[i])
		}
		v[k] = s.Sum() * e.chi
	}
	mass := v[softMass]
	if !(math.Abs(mass-1) < 1e-3) {
		return envelope{}, fmt.Errorf("r = %v, χ = %v: the law of the level has mass %v", e.r, e.chi, mass)
	}
	for k := range v {
		v[k] /= mass
	}
	r, chi := e.r, e.chi
	// Integration by parts gives E z·t = r E tr J (as ∂ℓ/∂τ is z, with sources too).
	if off := r*v[softTrace]/v[softSlope] - 1; !(math.Abs(off) < 1e-3) {
		return envelope{}, fmt.Errorf("r = %v, χ = %v: two forms of ∂M/∂r differ by %.1g", r, chi, off)
	}
	out := envelope{value: v[softEnergy], slope: v[softSlope], push: v[softPush], trace: v[softTrace], mass: mass, bend: v[softBend]}
	out.gauss = (r*r*v[softBend]-r*v[softSlope])/4 - chi/2*(v[softPushAlong]-v[softPush]) +
		chi*chi/2*(v[softPushTrace]+v[softPushBend])
	out.sphere = out.gauss - (r*r/4*v[softShapeBend] - chi/2*v[softShapePush] + chi*chi*v[softDiagonal])
	out.keys = (r*r*v[softBend]-4*r*chi*v[softMixed]+4*chi*chi*v[softPushBend])/4 - r*v[softSlope]/4
	return out, nil
}

// visitPlan evaluates the functionals of a plan at a point of the contour, n the
// competitors' nodes there.
func (l *level) visitPlan(p *additivePlan, t *transforms, n *nodes, exponent complex128, out []complex128) {
	if n.products == nil {
		n.products = l.planProducts(p, n, false)
	}
	if t.target.products0 == nil {
		t.target.products0 = l.planProducts(p, t.target, true)
	}
	rest := l.e.n - 1
	theirs := planSums(len(p.products), n.products, n.e, complex(rest, 0)/(1+t.psi))
	target := planSums(len(p.products), t.target.products0, t.target.e, 1/t.phi0)
	front := cmplx.Exp(exponent)
	for i, terms := range p.terms {
		var total complex128
		for _, term := range terms {
			y := complex(term.coefficient, 0)
			if term.target >= 0 {
				y *= target[term.target]
			}
			for j, m := range term.competitors {
				y *= theirs[m] * complex(1-float64(j)/rest, 0)
			}
			total += y
		}
		out[i] = front * total
	}
}

func planSums(count int, products, exponentials []complex128, scale complex128) []complex128 {
	out := make([]complex128, count)
	for j, e := range exponentials {
		if e == 0 {
			continue
		}
		row := products[j*count : (j+1)*count]
		for k, x := range row {
			out[k] += x * e
		}
	}
	for k := range out {
		out[k] *= scale
	}
	return out
}

// planProducts returns the density times products of statistics at the nodes.
func (l *level) planProducts(p *additivePlan, n *nodes, target bool) []complex128 {
	out := make([]complex128, 0, len(n.u)*len(p.products))
	weight := n.f
	if target {
		weight = n.f0
	}
	for j := range n.u {
		var stats [softStats]complex128
		if weight[j] != 0 {
			stats = l.softStats(n.u[j], n.omega[j], target)
		}
		for _, product := range p.products {
			v := weight[j]
			for _, s := range product {
				v *= stats[s]
			}
			out = append(out, v)
		}
	}
	return out
}

// softStats are the statistics of a score at log w = u.
func (l *level) softStats(u, omega complex128, target bool) [softStats]complex128 {
	e := l.e
	x, chi, r := complex(l.x, 0), complex(e.chi, 0), complex(e.r, 0)
	w := omega
	score := x + u
	var z, t, cost complex128
	stiff := complex(0, 0)
	if target {
		stiff = complex(e.stiff, 0)
		w += complex(l.offset, 0)
		push := omega + complex(l.offset-e.chi+e.gap, 0) + stiff*score // χz
		z = push / chi
		t = (score + push) / r
		// ℓ with its sources.
		cost = complex(l.x+math.Log(e.chi), 0) + score*(-1+complex(e.gap/e.chi, 0)+stiff*score/(2*chi))
	} else {
		z = w / chi
		t = (score + w) / r
	}
	weight := w / chi
	bottom := 1 + stiff + w
	a, c := weight/bottom, (w+stiff)/(chi*bottom)
	shape := t*t - 1
	var s [softStats]complex128
	s[softSigma] = weight * (1 + stiff) / bottom
	s[softA], s[softC], s[softASq] = a, c, a*a
	s[softZSq], s[softZT], s[softAZ], s[softCZSq] = z*z, z*t, a*z, c*z*z
	s[softAT], s[softCTSq], s[softCZT] = a*t, c*t*t, c*z*t
	s[softShapeC], s[softShapeA], s[softShapeZ] = shape*c, shape*a*a, shape*z*z
	s[softZSqASq] = z * z * a * a
	s[softCost] = cost + chi*z*z/2
	return s
}
