package saddle

import (
	"fmt"
	"math"

	"lamcap/extremes"
	"lamcap/internal/quad"
)

// ThresholdTraining is the cross-entropy with all competitors replaced by one fixed
// score r·T, as [Gardner] replaces them below capacity: ℓ = log(1 + e^{rT − s_0}). It
// returns norm, mean loss and accuracy at score level. With T = E max of n − 1 normals
// it is the plain guess for what training reaches, and wrong at every finite n:
// competitors are pushed too, and their maximum fluctuates.
func ThresholdTraining(t Training, threshold float64) (norm, loss, accuracy float64, err error) {
	t, err = t.checked()
	if err != nil {
		return math.NaN(), math.NaN(), math.NaN(), err
	}
	if !(threshold >= 0 && threshold <= 40) {
		return math.NaN(), math.NaN(), math.NaN(), fmt.Errorf("threshold = %v: want 0 ≤ T ≤ 40", threshold)
	}
	load := t.Facts / t.Weights
	// s = r t + χ(1 − π), log π/(1 − π) = s − r T: with w = χ(1 − π) decreasing in t.
	rise := func(r, chi, g float64) float64 {
		lo, hi := 0.0, chi
		for range 60 {
			w := (lo + hi) / 2
			if w*(1+math.Exp(r*(g-threshold)+w)) < chi {
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
		square := mean(func(g float64) float64 { w := rise(r, chi, g); return w * w })
		// χ ∂M/∂r, the threshold's own share included.
		cross := mean(func(g float64) float64 { return (threshold - g) * rise(r, chi, g) })
		return square, cross, true
	}
	start := func(ridge float64) unknowns {
		chi := 1 / (ridge + load)
		return unknowns{math.Log(math.Sqrt(load) * chi), -math.Log(math.Sqrt(load))}
	}
	s := q.follow(start, 10*load, 1e-8)
	if !s.status.OK() {
		return math.NaN(), math.NaN(), math.NaN(), fmt.Errorf("threshold = %v: the saddle point was not found (%v)", threshold, s.status)
	}
	r, chi := s.at.r(), s.at.chi()
	loss = mean(func(g float64) float64 { return math.Log1p(math.Exp(r*(threshold-g) - rise(r, chi, g))) })
	// s = r T where the rise is χ/2.
	accuracy = math.Exp(extremes.LogSurvival(threshold - chi/(2*r)))
	return r, loss, accuracy, nil
}
