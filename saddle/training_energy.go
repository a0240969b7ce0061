package saddle

import (
	"math"
	"math/cmplx"
	"sync"

	"lamcap/internal/root"
	"lamcap/internal/sum"
)

// expectations are expectations over an input at given (r, χ).
type expectations struct {
	mass     float64 // 1, up to the error of the quadrature
	square   float64 // E‖r g − s‖²
	cross    float64 // E[g·(r g − s)]
	left     float64 // E(s_0 − x − gap), minus the loss with the term in log χ
	level    float64 // E x
	correct  float64 // E s_0
	correct2 float64 // E (s_0 − center)²
	accuracy float64
	largest  float64 // E max_{ρ≠0} s_ρ
	largest2 float64 // E (max − center)²
	center   float64
	ok       bool
}

// indices of the integrands along a contour.
const (
	atMass = iota
	atSquare
	atCross
	atLeft
	atLeft2
	atAccuracy
	atTop
	atTopU
	atTopU2
	integrands
)

// window is where the level x has its mass: x = center + width sinh v for v from lo
// to hi. The density rises steeply around the center, where the competitors' pushes add
// up to χ, over their fluctuation; to the right it may be wide, where one candidate
// takes most of χ.
type window struct {
	center, width float64
	lo, hi        float64
	largest       float64 // bound on |z|
	ok            bool
}

// window finds it; near is a guess.
func (e *ensemble) window(panel *gaussPanel, o resolution, near float64) window {
	var w window
	deviation := 0.0
	largest := 1e3 * math.Sqrt(e.n) / (e.chi * math.Min(1, e.r))
	at := func(x float64) *level { return newLevel(e, panel, roughly, x, largest) }
	// With the target, and of the competitors alone.
	for _, target := range []float64{1, 0} {
		excess := func(x float64) float64 {
			t := at(x).tilted(0)
			return (target*t.slope + (1-target)*(e.chi-t.theirMean)) / e.chi
		}
		a, b, ok := root.Expand(excess, near, 0.5*e.r+0.1, -1e12, 1e12)
		if !ok {
			return window{}
		}
		f := root.Find(excess, a, b, root.Options{AbsX: 1e-15 * e.r, RelX: 1e-14, AbsF: 1e-13})
		if !f.Status.OK() {
			return window{}
		}
		l := at(f.X)
		t := l.tilted(0)
		n, n0 := l.at(0)
		j := 0.0
		for _, f := range n.fj {
			j += (e.n - 1) * real(f)
		}
		for _, f := range n0.f0j {
			j += real(f)
		}
		spread := math.Sqrt(target*t.curvature + (1-target)*t.theirSpread)
		if width := spread / j; target == 1 || width < 0.4*w.width {
			w.center, w.width, deviation = f.X, width, spread
		}
		near = f.X
	}
	w.largest = 3 * (45/(math.Sin(o.bend)*e.chi) + 15/deviation)
	w.lo = math.Asinh((e.edge(at, w.center, -w.width, o.negligible) - w.center) / w.width)
	w.hi = math.Asinh((e.edge(at, w.center, w.width, o.negligible) - w.center) / w.width)
	w.ok = w.hi > w.lo && w.hi-w.lo < 100
	return w
}

// edge walks from the middle until Chernoff's bound on the density is negligible.
func (e *ensemble) edge(at func(x float64) *level, middle, width, negligible float64) float64 {
	bound := func(x float64) float64 {
		_, t := at(x).saddle(negligible)
		return t.value
	}
	inside, step := middle, 3*width
	for range 100 {
		x := inside + step
		v := bound(x)
		if v < negligible {
			outside := x
			for range 4 {
				x = (inside + outside) / 2
				if v = bound(x); v < negligible {
					outside = x
				} else {
					inside = x
				}
			}
			return outside
		}
		inside = x
		step *= 1.5
	}
	return inside
}

// additive fills in the integrands of statistics that are sums over the candidates:
// with Z = w_0 + Σ w − χ at a level x and J = −∂Z/∂x = Σ w/(soft + w),
//
//	E F = ∫ dx E[F J δ(Z)],   E Σ_{i≠j} J_i J_j δ(Z) for the trace of 1 − ∂s/∂(r g).
func (e *ensemble) additive(t *transforms, exponent complex128, out []complex128) {
	scale := cmplx.Exp(exponent)
	rest := complex(e.n-1, 0)
	others := complex(e.n-2, 0)
	j := rest * t.j
	out[atMass] = scale * (t.j0 + j)
	out[atCross] = scale * (2*t.j0*j + rest*others*t.j*t.j)
	out[atSquare] = scale * (t.q0*j + t.qj0 + rest*(t.qj+t.q*(t.j0+others*t.j)))
	out[atLeft] = scale * (t.v*j + t.vj)
	out[atLeft2] = scale * (t.vv*j + t.vvj)
}

// expect returns the moments at (r, χ); the accuracy and the largest competitor
// only if they are asked for.
func (e *ensemble) expect(o resolution, near float64, ordered bool) expectations {
	panel := newGaussPanel()
	w := e.window(panel, o, near)
	if !w.ok {
		return expectations{}
	}
	values, xs, weights := e.sweep(panel, o, w, integrands, func(l *level, t *transforms, n *nodes, exponent complex128, out []complex128) {
		e.additive(t, exponent, out)
		if ordered {
			l.order(t, n, exponent, out)
		}
	})
	var sums [16]sum.Neumaier
	center := w.center + e.gap
	for i, x := range xs {
		add := func(k int, f float64) { sums[k].Add(f * weights[i]) }
		at := func(k int) float64 { return onLine(values[i][k]) }
		mass, left := at(atMass), at(atLeft)
		shift := x + e.gap - center
		add(0, mass)
		add(1, at(atSquare))
		add(2, at(atCross))
		add(3, left)
		add(4, x*mass)
		add(5, shift*mass+left)
		add(6, shift*shift*mass+2*shift*left+at(atLeft2))
		add(7, at(atAccuracy))
		if e.soft > 0 {
			y := x - center
			add(8, y*at(atTop)+at(atTopU))
			add(9, y*y*at(atTop)+2*y*at(atTopU)+at(atTopU2))
		} else {
			y := x - center
			add(8, y*mass)
			add(9, y*y*mass)
		}
	}
	get := func(i int) float64 { return sums[i].Sum() }
	m := expectations{mass: get(0), square: get(1), cross: e.r * get(2), left: get(3), level: get(4),
		correct: center + get(5), correct2: get(6), accuracy: get(7),
		largest: center + get(8), largest2: get(9), center: center, ok: true}
	if e.soft == 0 && ordered {
		e.hingeLargest(&m)
	}
	return m
}

// hingeLargest corrects the largest competitor of the hinge, which is the level x
// unless nothing is pushed.
func (e *ensemble) hingeLargest(m *expectations) {
	first, second, _ := unpushed{n: e.n, scale: e.r, gap: e.gap / e.r}.moments()
	m.largest -= first.Value
	// E[(x − c)² − (M − c)²] = E[x² − M²] − 2c E[x − M].
	m.largest2 -= second.Value - 2*m.center*first.Value
}

// sweep integrates along a contour at each level of a window, in parallel; the
// results do not depend on how. weights are those of the integral over x.
func (e *ensemble) sweep(panel *gaussPanel, o resolution, w window, count int, visit func(l *level, t *transforms, n *nodes, exponent complex128, out []complex128)) (values [][]complex128, xs, weights []float64) {
	levels := 2 + int((w.hi-w.lo)/o.levelStep)
	h := (w.hi - w.lo) / float64(levels-1)
	for i := range levels {
		v := w.lo + h*float64(i)
		xs = append(xs, w.center+w.width*math.Sinh(v))
		weights = append(weights, h*w.width*math.Cosh(v))
	}
	values = make([][]complex128, levels)
	parallel(levels, func(i int) {
		l := newLevel(e, panel, o, xs[i], w.largest)
		c, t := l.crossing()
		values[i] = make([]complex128, count)
		if !(t.curvature > 0) || math.IsNaN(t.value) {
			return
		}
		values[i] = l.line(o, c, t, count, func(t *transforms, n *nodes, exponent complex128, out []complex128) {
			visit(l, t, n, exponent, out)
		})
	})
	return values, xs, weights
}

// parallel calls f for 0 … n − 1 from a few goroutines.
func parallel(n int, f func(i int)) {
	const workers = 8
	var wait sync.WaitGroup
	next := make(chan int)
	for range min(workers, n) {
		wait.Add(1)
		go func() {
			defer wait.Done()
			for i := range next {
				f(i)
			}
		}()
	}
	for i := range n {
		next <- i
	}
	close(next)
	wait.Wait()
}
