package saddle

import (
	"fmt"
	"math"

	"lamcap/extremes"
	"lamcap/internal/quad"
)

// UnresponsiveTraining is the cross-entropy with competitors that training does not
// push and that do not fluctuate: their log Σ e^{s} is that of independent normal
// scores of variance r² (the random energy model),
//
//	θ(r) = log(n − 1) + r²/2,   r √(2 log(n − 1)) from r = √(2 log(n − 1)) on,
//
// and ℓ = log(1 + e^{θ − s_0}). It returns norm, mean loss and accuracy, P(s_0 > θ). It is
// the plain guess for what training reaches, as a fixed threshold is for the
// capacity ([Gardner]), and wrong at every finite n.
func UnresponsiveTraining(t Training) (norm, loss, accuracy float64, err error) {
	none := math.NaN()
	if t, err = t.checked(); err != nil {
		return none, none, none, err
	}
	load := t.Facts / t.Weights
	frozen := math.Sqrt(2 * math.Log(t.Candidates-1))
	threshold := func(r float64) (theta, slope float64) {
		if r < frozen {
			return math.Log(t.Candidates-1) + r*r/2, r
		}
		return r * frozen, frozen
	}
	// s_0 = r t_0 + w with w = χ(1 − π), log π/(1 − π) = s_0 − θ.
	push := func(r, chi, theta, g float64) float64 {
		lo, hi := 0.0, chi
		for range 60 {
			w := (lo + hi) / 2
			if w*(1+math.Exp(r*g-theta+w)) < chi {
				lo = w
			} else {
				hi = w
			}
		}
		return (lo + hi) / 2
	}
	mean := func(f func(g float64) float64) float64 {
		return quad.Trapezoid(func(g float64) float64 {
			return math.Exp(extremes.LogDensity(g)) * f(g)
		}, 0, 0.25, quad.Options{Abs: 1e-10}).Value
	}
	q := &equations{load: load, ridge: t.Ridge / t.Weights}
	q.expect = func(r, chi float64) (float64, float64, bool) {
		theta, slope := threshold(r)
		square := mean(func(g float64) float64 { w := push(r, chi, theta, g); return w * w })
		// χ ∂M/∂r, the share of θ included.
		cross := mean(func(g float64) float64 { return (slope - g) * push(r, chi, theta, g) })
		return square, cross, true
	}
	s := q.follow(t.linearResponse, 10*load, 1e-7)
	if !s.status.OK() {
		return none, none, none, fmt.Errorf("p = %v, weights = %v, n = %v: the saddle point was not found (%v)", t.Facts, t.Weights, t.Candidates, s.status)
	}
	r, chi := s.at.r(), s.at.chi()
	theta, _ := threshold(r)
	loss = mean(func(g float64) float64 { return math.Log1p(math.Exp(theta - r*g - push(r, chi, theta, g))) })
	// s_0 = θ where the push is χ/2.
	accuracy = math.Exp(extremes.LogSurvival((theta - chi/2) / r))
	return r, loss, accuracy, nil
}
