package sweep

import (
	"math"

	"lamcap/harness/learn"
	"lamcap/harness/pattern"
)

// Seconds estimates the time of one trial of a cell on one core.
func Seconds(c Cell) float64 {
	s := c.Spec
	p, n, dIn, dOut := float64(s.P), float64(s.N), float64(s.DIn), float64(s.DOut)
	pools := n * dOut
	if s.Model == pattern.DP {
		pools *= p
	}
	const (
		trial    = 1e-4 // whatever the size
		number   = 3e-9 // drawn
		pass     = 3e-6 // whatever the size
		score    = 1.5e-9
		multiply = 4e-11
		weight   = 2e-8 // of the directions of lbfgs
		proof    = 6e-6
		margin   = 2e-5
	)
	size := p * math.Sqrt(dIn*dOut)
	each := pass + score*p*n + 2*multiply*(p*n*dOut+p*dIn*dOut)
	if c.Rule == learn.LBFGS || c.Rule == learn.MaxMargin {
		each += weight * dIn * dOut
	}
	seconds := trial + number*(pools+p*(dIn+dOut)) + c.passes()*each
	if c.Rule != learn.Hebb && c.Load() >= 1 && (c.Measure == Storage || c.Rule == learn.MaxMargin) {
		seconds += proof * size
	}
	if c.Rule == learn.MaxMargin && c.Load() < 1 {
		seconds += margin * size
	}
	return seconds
}

// passes estimates how many passes over the instance a trial takes.
func (c Cell) passes() float64 {
	near := 1 / (math.Abs(1-c.Load()) + 0.03)
	switch {
	case c.Rule == learn.Hebb:
		return 0
	case c.Rule == learn.MaxMargin, c.Rule == learn.LBFGS && c.Full():
		if c.Measure == Storage {
			return 3 + 1.5*near
		}
		return 10 + 1.5*near
	}
	return 500
}
