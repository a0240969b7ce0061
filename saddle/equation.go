package saddle

import (
	"fmt"
	"math"

	"lamcap/extremes"
	"lamcap/internal/root"
	"lamcap/internal/status"
)

// factsEquation is p·D(p) = weights with as many candidates as facts, n = p, for
// the weights D(p) that one fact uses up by some criterion. Its unknown is log p,
// in which it is almost straight.
type factsEquation struct {
	weights float64
	least   float64 // the smallest p
	used    func(p float64) extremes.Value

	last   extremes.Value // D at the p last looked at
	failed status.Status  // of the last D that was not computed
}

func (e *factsEquation) facts(logP float64) float64 {
	return math.Min(math.Max(e.least, math.Exp(logP)), extremes.MaxSize)
}

// excess is log(p·D/weights), NaN where D fails.
func (e *factsEquation) excess(logP float64) float64 {
	p := e.facts(logP)
	if e.last = e.used(p); !e.last.Status.OK() {
		e.failed = e.last.Status
		return math.NaN()
	}
	return math.Log(p) + math.Log(e.last.Value) - math.Log(e.weights)
}

// solve returns the solution between two log p; given names the arguments in
// the error.
func (e *factsEquation) solve(lo, hi float64, given string) (Critical, error) {
	f := root.Find(e.excess, lo, hi, root.Options{AbsX: 1e-13, RelX: 1e-15})
	if !f.Status.OK() {
		none := noCritical()
		none.Status = f.Status
		if math.IsNaN(f.F) {
			return none, fmt.Errorf("%s: p·D = weights was not solved: D %v", given, e.failed)
		}
		return none, fmt.Errorf("%s: no p up to 1e300 with p·D = weights was found (%v)", given, f.Status)
	}
	p := e.facts(f.X)
	residual := e.excess(f.X)
	d := e.last
	st := f.Status
	if !(math.Abs(residual) < 1e-6) { // the solution lies between two float64
		st = status.Roundoff
	}
	return Critical{
		Facts:     p,
		Weights:   e.weights,
		Dimension: d,
		Residual:  math.Expm1(residual),
		// D grows with p, d log(p D)/d log p ≥ 1: an error of p·D moves p by no more.
		Error:  p * (math.Abs(residual) + d.Error/d.Value + math.Abs(f.Hi-f.Lo)),
		Status: st,
	}, nil
}

// criticalAmong is p = weights/D for a fixed number of candidates.
func criticalAmong(weights float64, used extremes.Value) Critical {
	p := weights / used.Value
	return Critical{
		Facts:     p,
		Weights:   weights,
		Dimension: used,
		Residual:  p*used.Value/weights - 1,
		Error:     p * (used.Error/used.Value + 0x1p-52),
		Status:    used.Status,
	}
}

func noCritical() Critical {
	return Critical{Facts: math.NaN(), Error: math.Inf(1), Residual: math.NaN()}
}

// remembered keeps the values of a function of n: a solver between small integers
// asks for the same four again and again. An error leaves status Unknown.
func remembered(f func(n float64) (extremes.Value, error)) func(n float64) extremes.Value {
	known := make(map[float64]extremes.Value)
	return func(n float64) extremes.Value {
		v, ok := known[n]
		if !ok {
			v, _ = f(n)
			known[n] = v
		}
		return v
	}
}
