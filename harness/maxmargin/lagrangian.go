package maxmargin

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"lamcap/harness/constraint"
)

// lagrangian is the augmented Lagrangian of a working set,
//
//	½‖W‖² + 1/(2σ) Σ_i (λ_i + σ(1 − ⟨W, x_i⟩))_+²,   x_i = X_i/unit,
//
// with its minimisation, in the coordinates of the set. The unit, a power of 2 near
// the largest ‖X‖_F, keeps all numbers of moderate size whatever the scale of the
// data.
type lagrangian struct {
	unit, sigma float64
	set         *constraint.Set
	lambda      []float64 // λ

	w, lead    []float64 // W and ⟨W, x⟩
	multiplier []float64 // (λ + σ(1 − ⟨W, x⟩))_+
	dual       []float64 // Σ multiplier·x
	gradient   []float64 // W − dual

	step, stepLead            []float64 // Newton step D and ⟨D, x⟩
	residual, search, hessian []float64 // of conjugate gradients
	scale, weighted           []float64 // σ/unit where active
	scaled                    []float64 // a residual or gradient, preconditioned
	*preconditioner

	iterations, newtonSteps int

	stop    func() bool // asked before each step of conjugate gradients; may be nil
	stopped bool        // whether it was ever true
}

func newLagrangian(dOut, dIn int, stop func() bool) *lagrangian {
	l := &lagrangian{stop: stop, preconditioner: newPreconditioner(dOut, dIn)}
	for _, x := range []*[]float64{&l.w, &l.dual, &l.gradient, &l.step, &l.residual, &l.search, &l.hessian, &l.scaled} {
		*x = make([]float64, dOut*dIn)
	}
	return l
}

// interrupted asks whether to end, until the answer is yes.
func (l *lagrangian) interrupted() bool {
	l.stopped = l.stopped || l.stop != nil && l.stop()
	return l.stopped
}

// use makes set the working set, with multipliers lambda.
func (l *lagrangian) use(set *constraint.Set, lambda []float64) {
	l.set, l.lambda = set, lambda
	for _, x := range []*[]float64{&l.lead, &l.multiplier, &l.stepLead, &l.scale, &l.weighted} {
		if n := set.Len(); cap(*x) < n {
			*x = make([]float64, n, n+n/4)
		} else {
			*x = (*x)[:n]
		}
	}
}

// refresh computes multipliers and gradient from W and ⟨W, x⟩.
func (l *lagrangian) refresh() {
	for i, a := range l.lead {
		l.multiplier[i] = max(0, l.lambda[i]+l.sigma*(1-a))
	}
	l.set.Backward(l.dual, l.multiplier)
	floats.Scale(1/l.unit, l.dual)
	floats.SubTo(l.gradient, l.w, l.dual)
}

const (
	// maxNewtonSteps ends a minimisation, maxGradients a Newton step; both may
	// end early without harm, since any step goes downhill.
	maxNewtonSteps = 30
	maxGradients   = 200
	// newtonReduction is the factor that the first Newton step of a minimisation
	// has to gain in the norm of its residual; the k-th one has to gain k times
	// more, since a stiff problem may cycle if flat directions are left out.
	newtonReduction = 0.3
)

// minimise moves W to a minimiser, until the gradient is small against the
// change of the multipliers ([Rockafellar76], criterion B'): of φ − min φ, about
// ½ ∇φ·H⁻¹∇φ, the proximal step may keep ½‖λ' − λ‖²/σ. Before each step
// it shows the point to visit and ends if the result is false. It returns false
// if it was ended, interrupted or gave up.
func (l *lagrangian) minimise(visit func() bool) (converged bool) {
	l.set.Forward(l.lead, l.w)
	floats.Scale(1/l.unit, l.lead)
	l.refresh()
	for steps := range maxNewtonSteps {
		if !visit() {
			return false
		}
		l.prepare(l.set, l.multiplier, l.unit, l.sigma)
		size := math.Sqrt(l.apply(l.scaled, l.gradient))
		if steps > 0 && size*math.Sqrt(l.sigma) <= floats.Distance(l.multiplier, l.lambda, 2) {
			return true
		}
		if size == 0 {
			return true
		}
		l.newton(size, newtonReduction/float64(1+steps))
		if l.stopped {
			return false
		}
		t := l.lineSearch()
		floats.AddScaled(l.w, t, l.step)
		floats.AddScaled(l.lead, t, l.stepLead)
		l.refresh()
	}
	visit()
	return false
}

// newton solves H D = −gradient, H = 1 + σ Σ_{active} x xᵀ, by preconditioned
// conjugate gradients, from a gradient of the given size in the norm of the
// preconditioner.
func (l *lagrangian) newton(size, reduction float64) {
	l.newtonSteps++
	for i, m := range l.multiplier {
		if l.scale[i] = 0; m > 0 {
			l.scale[i] = l.sigma / l.unit
		}
	}
	clear(l.step)
	floats.ScaleTo(l.residual, -1, l.gradient)
	floats.ScaleTo(l.search, -1, l.scaled)
	tolerance := reduction * size
	if norm := floats.Norm(l.w, 2); norm > 0 {
		tolerance = min(tolerance, size*math.Sqrt(size/norm))
	}
	square := size * size
	for range maxGradients {
		if l.interrupted() {
			return
		}
		l.iterations++
		l.set.ForwardScaled(l.weighted, l.search, l.scale)
		l.set.Backward(l.hessian, l.weighted)
		floats.AddScaledTo(l.hessian, l.search, 1/l.unit, l.hessian)
		alpha := square / floats.Dot(l.search, l.hessian)
		floats.AddScaled(l.step, alpha, l.search)
		floats.AddScaled(l.residual, -alpha, l.hessian)
		next := l.apply(l.scaled, l.residual)
		if !(math.Sqrt(next) > tolerance) {
			break
		}
		floats.AddScaledTo(l.search, l.scaled, next/square, l.search)
		square = next
	}
	l.set.Forward(l.stepLead, l.step)
	floats.Scale(1/l.unit, l.stepLead)
}

// lineSearch returns t > 0 near the minimum along W + t·step: the derivative,
// piecewise linear and increasing, is brought below a thousandth of what it is
// at 0.
func (l *lagrangian) lineSearch() float64 {
	linear, quadratic := floats.Dot(l.w, l.step), floats.Dot(l.step, l.step)
	low, high := 0.0, math.Inf(1)
	enough := 1e-3 * math.Abs(floats.Dot(l.gradient, l.step))
	t := 1.0
	for range 60 {
		slope, curvature := linear+t*quadratic, quadratic
		for i, a := range l.lead {
			s := l.stepLead[i]
			if m := l.lambda[i] + l.sigma*(1-a-t*s); m > 0 {
				slope -= m * s
				curvature += l.sigma * s * s
			}
		}
		if !(math.Abs(slope) > enough) {
			return t
		}
		if slope > 0 {
			high = t
		} else {
			low = t
		}
		if t -= slope / curvature; !(t > low && t < high) {
			if t = (low + high) / 2; math.IsInf(high, 0) {
				t = 2 * low
			}
		}
	}
	return t
}
