package anisotropy

import (
	"fmt"
	"math"

	"lamcap/extremes"
	"lamcap/internal/root"
	"lamcap/internal/status"
	"lamcap/saddle"
)

// TrainingSolution is the minimum of a training loss for vectors with given spectra, at
// score level.
type TrainingSolution struct {
	// Scores is the isotropic training with the same scores, of Dimension weights and
	// the ridge Ridge: its losses, accuracy and laws of scores are those sought. Its Norm
	// is the standard deviation of the scores of an input that is not stored.
	Scores saddle.Trained
	// Dimension is N_eff(ν/λ), as for margins: Weights without a ridge.
	Dimension, Weights float64
	// Ridge is that of the isotropic training, N_eff/Σf − ν.
	Ridge float64
	// Filter is λ/ν in the units of λ_K λ_V; 0 without a ridge.
	Filter float64
	// Norm is ‖W‖_F.
	Norm extremes.Value
	// Residual is log Σf − log χ.
	Residual float64
	Status   status.Status
}

// SolveTraining returns the minimum of Σ_μ ℓ_μ + (λ/2)‖W‖² for Gaussian keys and values of the
// given spectra, at score level. With f = σ²/(λ + νσ²), sums over all σ² = λ_K λ_V,
//
//	p E‖r g − s‖² = r² (Σ f)²/Σ f²,   p E[g·(r g − s)] = r ν Σ f,   χ = Σ f,
//	‖W‖² = r² Σ [σ²/(λ + νσ²)²]/Σ f²,
//
// s = prox_{χℓ}(r g). These are the equations of saddle.SolveTraining with N_eff = (Σ f)²/Σ f²
// weights and the ridge N_eff/Σ f − ν, so scores are those of an isotropic training. Without
// ridge N_eff = N, and the spectra do not matter but to ‖W‖² = r² ⟨1/σ²⟩.
//
// The training's Weights are ignored: they are those of the spectra. The error bounds are
// those of saddle.SolveTraining, whose restrictions hold, for the ν found, which is good to
// about 1e-8; Residual is that of its equation. With a ridge it takes some ten times as
// long, from seconds to a minute.
func SolveTraining(s Spectra, t saddle.Training) (TrainingSolution, error) {
	none := TrainingSolution{Norm: extremes.Value{Value: math.NaN(), Error: math.Inf(1)}, Residual: math.NaN()}
	if err := s.check(); err != nil {
		return none, err
	}
	law := newProducts(s)
	// In units of the largest σ, weights are σ W.
	ridge := t.Ridge / law.unit
	solve := func(dimension, ridge float64) (saddle.Trained, error) {
		t := t
		t.Weights, t.Ridge = dimension, ridge
		return saddle.SolveTraining(t)
	}
	if ridge == 0 {
		trained, err := solve(law.count, 0)
		if err != nil {
			return none, err
		}
		inverse := 0.0
		for _, a := range law.nodes {
			inverse += a.weight / a.x
		}
		return TrainingSolution{Scores: trained, Dimension: law.count, Weights: law.count, Status: trained.Status,
			Norm: scaledValue(trained.Norm, math.Sqrt(inverse/law.count/law.unit))}, nil
	}
	if !(ridge > 0 && !math.IsInf(ridge, 1)) {
		return none, fmt.Errorf("ridge = %v for σ² = %v: want 0 ≤ ridge", t.Ridge, law.unit)
	}
	tried := map[float64]TrainingSolution{}
	var failure error
	at := func(x float64) float64 { // at ν/λ = e^x
		if out, ok := tried[x]; ok {
			return out.Residual
		}
		f := law.filter(math.Exp(x))
		out := TrainingSolution{Weights: law.count, Dimension: f.dimension(law.count), Filter: law.unit * math.Exp(-x)}
		// N_eff/Σf − ν = λ Σ f(1 − νf)/Σ f², which does not cancel.
		out.Ridge = ridge * f.rest / f.square
		if out.Scores, failure = solve(out.Dimension, out.Ridge); failure != nil {
			return math.NaN()
		}
		out.Residual = math.Log(f.sum/ridge) - math.Log(out.Scores.Chi.Value)
		tried[x] = out
		return out.Residual
	}
	// The difference decreases from + to −. ν varies little with the ridge: it is N/χ, and χ
	// of the order of a score squared.
	lo := 3.5 - math.Log(ridge)
	hi, step := lo, math.Copysign(1, at(lo))
	for failure == nil && at(hi)*step > 0 {
		lo, hi = hi, hi+step
		step *= 2
		if math.Abs(hi) > mostLogNu {
			none.Status = status.NoBracket
			return none, fmt.Errorf("ridge = %v: no solution was found (%v): want a ridge of the order of σ²", t.Ridge, none.Status)
		}
	}
	if failure != nil {
		return none, failure
	}
	r := root.Find(at, lo, hi, root.Options{AbsX: 1e-7, AbsF: 1e-8})
	if failure != nil {
		return none, failure
	}
	out := tried[r.X]
	f := law.filter(math.Exp(r.X))
	out.Norm = scaledValue(out.Scores.Norm, math.Sqrt(f.rest/f.square/law.unit))
	out.Status = worse(r.Status, out.Scores.Status)
	return out, nil
}

func scaledValue(v extremes.Value, factor float64) extremes.Value {
	v.Value *= factor
	v.Error *= factor
	return v
}
