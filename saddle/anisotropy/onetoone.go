package anisotropy

import (
	"fmt"
	"math"

	"lamcap/extremes"
)

// Growth returns d(p D_p)/dp, by which the weights that p facts take grow with every fact
// that brings a candidate of its own, as a difference over one fact. p ≥ 2.
func Growth(p float64) (float64, error) {
	d, err := extremes.ConeDimension(p)
	if err != nil {
		return math.NaN(), err
	}
	next, err := extremes.ConeDimension(p + 1)
	return (p+1)*next.Value - p*d.Value, err
}

// CriticalOneToOne is [Pool.Critical] for facts that bring their candidates with them, n = p
// values each of which is the target of one fact: the solution of Σ D_μ = d_in Rank if Σ D_μ
// grows with p as for a Gaussian pool, p D_p. It is an error to ask for it of a pool in which
// n ≠ p.
func (p Pool) CriticalOneToOne(dIn float64) (extremes.Value, error) {
	if p.Facts != p.Candidates || p.Facts < 2 {
		return extremes.Value{}, fmt.Errorf("p = %d facts, n = %d candidates: want as many of both, 2 or more", p.Facts, p.Candidates)
	}
	fixed, err := p.Critical(dIn)
	if err != nil || math.IsInf(fixed.Value, 1) {
		return fixed, err
	}
	facts := float64(p.Facts)
	d, err := extremes.ConeDimension(facts)
	if err != nil {
		return extremes.Value{}, err
	}
	slope, err := Growth(facts)
	if err != nil {
		return extremes.Value{}, err
	}
	power := d.Value / slope // 1/(d log(p D)/d log p)
	value := facts * math.Pow(fixed.Value/facts, power)
	return extremes.Value{Value: value, Error: value * power * fixed.Error / fixed.Value, Status: fixed.Status}, nil
}
