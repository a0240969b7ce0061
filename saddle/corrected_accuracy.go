package saddle

import (
	"fmt"
	"math"
	"math/cmplx"

	"lamcap/extremes"
	"lamcap/internal/sum"
)

// The target's score is the largest iff r t_0 + χ > r t_ρ for all ρ, as s + χπ and s + χ(π
// − 1) rise with s. At score level the accuracy is that of one normal among others,
//
//	A(κ) = ∫ φ(x) Φ(x + κ)^{n−1} dx,   κ = χ/r.

// normalAccuracy returns A with two derivatives in κ, by the trapezoidal rule.
func normalAccuracy(n, kappa float64) (value, slope, bend float64) {
	const h = 0.04
	for i := -300; i <= 300; i++ {
		x := h * float64(i)
		y := x + kappa
		front := h * math.Exp(extremes.LogDensity(x)+(n-1)*extremes.LogCDF(y))
		if front < 1e-30 {
			continue
		}
		g := extremes.Hazard(-y) // φ/Φ
		value += front
		slope += front * (n - 1) * g
		bend += front * (n - 1) * (-g*(y+g) + (n-1)*g*g)
	}
	return value, slope, bend
}

// accuracyChanges are first-order changes of the accuracy at fixed (r, χ), times d_out
// for values with normal entries and of norm √d_out, and times d_in for keys with normal
// entries.
type accuracyChanges struct{ gauss, sphere, keys float64 }

// accuracyChange is the length of v⁰, ¼ (r² ∂_r² − r ∂_r) A = ¼ (κ² A″ + 3κ A′), and the flow V
// of the scores without push through the surface where the target meets the largest
// competitor, 1 say:
//
//	(n − 1) E[(V_0 − V_1) δ(r t_0 + χ − r t_1); t_ρ < t_1 for the others],
//	V_0 − V_1 = −χ + χ²/(2r) z·t + (χ²/2)(a − tr J) − χ³/(2r²) ‖z‖²,
//
// a = π/(1 + χπ) of the two, whose weights agree there. The length of a key scales κ:
// ¼ (κ² A″ − κ A′).
func (e *ensemble) accuracyChange(o resolution) (accuracyChanges, error) {
	kappa := e.chi / e.r
	_, slope, bend := normalAccuracy(e.n, kappa)
	out := accuracyChanges{keys: (kappa*kappa*bend - kappa*slope) / 4}
	flow, err := e.surfaceFlow(o)
	if err != nil {
		return out, err
	}
	length := (kappa*kappa*bend + 3*kappa*slope) / 4
	out.gauss = length + flow[surfaceGauss]
	out.sphere = out.gauss - flow[surfaceSphere]
	return out, nil
}

// Statistics on the surface: of a competitor, or of the two that meet.
const (
	surfA      = iota // a
	surfASq           // a²
	surfZT            // z t
	surfZSq           // z²
	surfOwn           // a of one of the two
	surfSphere        // V_0 − V_1 of the diagonal of G
	surfStats
)

// Functionals on the surface, times S = Σa.
const (
	surfaceMass   = iota // 1: A′(κ)/r
	surfaceGauss         // V_0 − V_1
	surfaceSphere        // that of the diagonal
	surfaceTotals
)

func (e *ensemble) surfacePlan() *additivePlan {
	of := func(coefficient float64, stats ...int) monomial { return monomial{coefficient, stats} }
	r, chi := e.r, e.chi
	f := make([]functional, surfaceTotals)
	f[surfaceMass] = functional{of(1, surfA)}
	f[surfaceGauss] = functional{of(-chi, surfA), of(chi*chi/(2*r), surfA, surfZT),
		of(chi*chi/2, surfA, surfOwn), of(-chi*chi/2, surfA, surfA), of(chi*chi/2, surfASq),
		of(-chi*chi*chi/(2*r*r), surfA, surfZSq)}
	f[surfaceSphere] = functional{of(1, surfA, surfSphere)}
	return newPlan(f)
}

// surfaceFlow integrates over the surface, with the level's law and the competitors'
// transforms cut off at the log weight u of the two.
func (e *ensemble) surfaceFlow(o resolution) (flow [surfaceTotals]float64, err error) {
	panel := newGaussPanel()
	w := e.window(panel, o, 0)
	if !w.ok {
		return flow, fmt.Errorf("r = %v, χ = %v: no window of the level", e.r, e.chi)
	}
	plan := e.surfacePlan()
	values, _, weights := e.sweep(panel, o, w, surfaceTotals, func(l *level, t *transforms, n *nodes, exponent complex128, out []complex128) {
		l.surface(plan, t, n, exponent, out)
	})
	for k := range flow {
		var s sum.Neumaier
		for i := range values {
			s.Add(onLine(values[i][k]) * weights[i])
		}
		flow[k] = s.Sum() * e.chi
	}
	return flow, nil
}

// surface evaluates its functionals at a point of the contour.
func (l *level) surface(p *additivePlan, t *transforms, n *nodes, exponent complex128, out []complex128) {
	e := l.e
	if l.far {
		return // the target's weight is above ½ there: no competitor's is
	}
	count := len(p.products)
	if n.products == nil {
		n.products, n.products0 = l.surfaceProducts(p, n)
	}
	tails := l.cutOffAll(count, n)
	whole := planSums(count, n.products, n.e, 1)
	others := e.n - 2
	below := make([]complex128, count)
	l.below(t, n, exponent, func(j int, power, phi, _, _ complex128) {
		// The target's density at the same log weight, per unit of r t_0.
		front := power * n.f[j] * n.e[j] * n.e[j] * complex((e.n-1)/e.r, 0) *
			density((complex(l.x-e.chi, 0)+n.u[j]+n.omega[j])/complex(e.r, 0))
		if front == 0 || cmplx.IsNaN(front) {
			return
		}
		for k := range below {
			below[k] = (whole[k] - tails[j*count+k]) / phi * complex(others, 0)
		}
		pair := n.products0[j*count : (j+1)*count]
		for i, terms := range p.terms {
			for _, term := range terms {
				y := complex(term.coefficient, 0)
				if term.target >= 0 {
					y *= pair[term.target]
				}
				for k, m := range term.competitors {
					if others > 0 {
						y *= below[m] * complex(1-float64(k)/others, 0)
					} else {
						y = 0
					}
				}
				out[i] += front * y
			}
		}
	})
}

// surfaceProducts returns products of statistics at the nodes: of a competitor, with its
// density, and of the two that meet, without.
func (l *level) surfaceProducts(p *additivePlan, n *nodes) (theirs, pair []complex128) {
	e := l.e
	x, chi, r := complex(l.x, 0), complex(e.chi, 0), complex(e.r, 0)
	cube := func(t complex128) complex128 { return t * (t*t - 3) }
	for j, u := range n.u {
		w := n.omega[j]
		z := w / chi
		a := z / (1 + w)
		t := (x + u + w) / r
		z0, t0 := z-1, t-chi/r
		one := [surfStats]complex128{surfA: a, surfASq: a * a, surfZT: z * t, surfZSq: z * z}
		two := [surfStats]complex128{surfA: 2 * a, surfASq: 2 * a * a, surfZT: z*t + z0*t0, surfZSq: z*z + z0*z0, surfOwn: a,
			surfSphere: r/4*(cube(t0)-cube(t)) - chi*((t0*t0-1)*z0-(t*t-1)*z) + chi*chi/r*(z0*z0*t0-z*z*t)}
		for _, product := range p.products {
			v, v2 := n.f[j], complex(1, 0)
			for _, s := range product {
				v *= one[s]
				v2 *= two[s]
			}
			theirs, pair = append(theirs, v), append(pair, v2)
		}
	}
	return theirs, pair
}

// cutOffAll is [level.cutOff] of the competitor's products, node by node.
func (l *level) cutOffAll(count int, n *nodes) []complex128 {
	tails := make([]complex128, count*len(n.u))
	above := make([]complex128, count)
	for p, half := range l.half {
		first := p * panelOrder
		if l.empty(n, first) {
			for j := first; j < first+panelOrder; j++ {
				copy(tails[j*count:(j+1)*count], above)
			}
			continue
		}
		for i := range panelOrder {
			tail := tails[(first+panelOrder-1-i)*count:][:count]
			copy(tail, above)
			for k, a := range l.panel.above[i] {
				j := first + panelOrder - 1 - k
				scale := complex(half*a/l.du[j], 0) * n.e[j]
				for m, f := range n.products[j*count : (j+1)*count] {
					tail[m] += scale * f
				}
			}
		}
		for i := range panelOrder {
			j := first + i
			for m, f := range n.products[j*count : (j+1)*count] {
				above[m] += n.e[j] * f
			}
		}
	}
	return tails
}
