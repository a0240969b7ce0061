package stats

import (
	"fmt"
	"math"

	"lamcap/extremes"
	"lamcap/internal/status"
)

// Curve returns the predicted probabilities P(stored) = Φ((half − x)/width) at the loads.
// It panics unless width > 0; half may be ±Inf.
func (t Transition) Curve(half, width float64) []float64 {
	checkWidth("Curve", width)
	predicted := make([]float64, len(t.Loads))
	for i, x := range t.Loads {
		predicted[i] = math.Exp(extremes.LogCDF((half - x) / width))
	}
	return predicted
}

func checkWidth(name string, width float64) {
	if !(width > 0) || math.IsInf(width, 1) {
		panic(fmt.Sprintf("stats: %s: width = %v: want a finite width > 0", name, width))
	}
}

// PValueKnownWidth returns the exact p-value of a predicted half-point when theory gives the
// width too: CurvePValue of Curve(half, width). Its score statistic is the
// derivative of the log-likelihood ratio in the half-point, so the two tests agree at
// large counts; this one is valid at any. NaN for a NaN prediction.
func (t Transition) PValueKnownWidth(half, width float64) float64 {
	t.points() // validates
	return CurvePValue(t.Stored, t.Trials, t.Curve(half, width))
}

// ZKnownWidth returns the normal equivalent of PValueKnownWidth, positive when the data
// put the half-point above the prediction.
func (t Transition) ZKnownWidth(half, width float64) float64 {
	t.points()
	return CurveZ(t.Stored, t.Trials, t.Curve(half, width))
}

// RejectsKnownWidth returns how strongly the data speak against a named theory that
// predicts half-point and width.
func (t Transition) RejectsKnownWidth(theory string, half, width float64) Rejection {
	t.points()
	return CurveRejects(theory, t.Stored, t.Trials, t.Curve(half, width))
}

// FitKnownWidth returns the maximum-likelihood half-point of a transition whose width is
// given; the interval holds the half-points around it that PValueKnownWidth does not
// reject, so its coverage is at least the level at any counts if the width is right.
// With all or nothing stored X is NaN and the interval one-sided. It panics as
// Fit does, and unless width > 0.
func (t Transition) FitKnownWidth(width, level float64) HalfPoint {
	checkLevel("FitKnownWidth", level)
	checkWidth("FitKnownWidth", width)
	points := t.points()
	h := HalfPoint{X: math.NaN(), Width: width, Interval: everything(), Status: status.NoBracket}
	var stored, missed float64
	for _, p := range points {
		stored += p.stored
		missed += p.missed
	}
	lo, hi := math.Inf(-1), math.Inf(1)
	switch {
	case stored+missed == 0:
		h.warn(0)
		return h
	case missed == 0:
		lo = hi
	case stored == 0:
		hi = lo
	default:
		h.X, h.Status = maximiseKnownWidth(points, width)
		for _, p := range points {
			h.LogLikelihood += p.logLikelihood((h.X - p.x) / width)
		}
		lo, hi = h.X, h.X
	}
	outside := func(half float64) bool { return t.PValueKnownWidth(half, width) < 1-level }
	h.Interval = Interval{Lo: boundary(points, lo, -1, outside), Hi: boundary(points, hi, 1, outside)}
	h.warn(len(points))
	return h
}

// maximiseKnownWidth finds the zero of the score, which decreases in the half-point, by bisection
// between loads so far out that every log Φ is linear there.
func maximiseKnownWidth(points []point, width float64) (float64, status.Status) {
	score := func(half float64) float64 {
		sum := 0.0
		for _, p := range points {
			first, _ := p.slopes((half - p.x) / width)
			sum += first
		}
		return sum
	}
	lo, hi := points[0].x, points[len(points)-1].x
	for step := width; score(lo) < 0; step *= 2 {
		lo -= step
	}
	for step := width; score(hi) > 0; step *= 2 {
		hi += step
	}
	for range 200 {
		mid := lo + 0.5*(hi-lo)
		if mid <= lo || mid >= hi {
			break
		}
		if score(mid) > 0 {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo + 0.5*(hi-lo), status.Converged
}
