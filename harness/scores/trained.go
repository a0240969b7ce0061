package scores

import (
	"math"
	"sync"

	"lamcap/extremes"
	"lamcap/harness/pattern"
	"lamcap/saddle"
	"lamcap/saddle/vector"
)

// CrossEntropy is the law at the minimum of the cross-entropy, beyond capacity, at
// score level: means and standard deviations by saddle.SolveTraining, divided by the
// norm of W, and its laws, which are computed when one is first asked for.
func CrossEntropy(weights, p, n float64) (Law, error) {
	t, err := saddle.SolveTraining(saddle.Training{Weights: weights, Facts: p, Candidates: n})
	if err != nil {
		return Law{}, err
	}
	laws := sync.OnceValues(t.ScoreLaws)
	marginal := func(mean, std extremes.Value, pick func(saddle.ScoreLaws) saddle.ScoreLaw) Marginal {
		cdf := func(x float64) (extremes.Value, error) {
			l, err := laws()
			if err != nil {
				return extremes.Value{}, err
			}
			law := pick(l)
			v := law.CDF(x * t.Norm.Value)
			if t.Norm.Error > 0 { // which moves x
				v.Error += math.Abs(law.CDF(x*(t.Norm.Value+t.Norm.Error)).Value - v.Value)
			}
			return v, nil
		}
		return Marginal{
			CDF: plain(cdf), Between: between(cdf),
			Mean: mean.Value / t.Norm.Value, Std: std.Value / t.Norm.Value,
			MeanError: relative(mean, t.Norm), StdError: relative(std, t.Norm),
		}
	}
	return Law{
		Name: "cross_entropy", Level: "score", Margin: math.NaN(),
		Correct: marginal(t.CorrectMean, t.CorrectStd, func(l saddle.ScoreLaws) saddle.ScoreLaw { return l.Correct }),
		Wrong:   marginal(t.LargestMean, t.LargestStd, func(l saddle.ScoreLaws) saddle.ScoreLaw { return l.Largest }),
	}, nil
}

// relative is the error of a quotient, errors taken to add.
func relative(x, norm extremes.Value) float64 {
	return (x.Error + math.Abs(x.Value/norm.Value)*norm.Error) / norm.Value
}

func ensemble(s pattern.Spec) vector.Ensemble {
	return vector.Ensemble{DOut: s.DOut, Values: s.Values, Keys: s.Keys, KeyDimension: s.DIn, Seed: 1}
}

// vectorMinimum is the law of CrossEntropy at vector level. Standard errors of scores
// and of the norm are taken to add: they are from the same draws.
func vectorMinimum(weights float64, s pattern.Spec) (Law, error) {
	draws, err := budget(s)
	if err != nil {
		return Law{}, err
	}
	t, err := vector.Solve(vector.Training{
		Training:  saddle.Training{Weights: weights, Facts: float64(s.P), Candidates: float64(s.N)},
		Ensemble:  ensemble(s),
		Precision: vector.Precision{MaxDraws: draws},
	})
	if err != nil {
		return Law{}, err
	}
	norm := t.Norm
	if t.Normalised {
		norm = extremes.Value{Value: 1}
	}
	marginal := func(d *vector.Distribution, mean, std extremes.Value) Marginal {
		return Marginal{
			CDF: tabulatedCDF(d, mean.Value, std.Value, norm.Value), Between: drawn(d, norm),
			Mean: mean.Value / norm.Value, Std: std.Value / norm.Value,
			MeanError: relative(mean, norm), StdError: relative(std, norm),
		}
	}
	return Law{
		Name: "cross_entropy", Level: "vector", Margin: math.NaN(),
		Correct: marginal(t.Correct, t.CorrectMean, t.CorrectStd), Wrong: marginal(t.Largest, t.LargestMean, t.LargestStd),
	}, nil
}

// drawnNodes is how many values of a distribution function of draws are tabulated, over
// ±6 standard deviations: its own error exceeds that of lines between them.
const drawnNodes = 256

// tabulatedCDF is that of a score divided by norm, computed when it is first asked for.
func tabulatedCDF(d *vector.Distribution, mean, std, norm float64) func(x float64) (float64, error) {
	lo, step := mean-6*std, 12*std/drawnNodes
	values := sync.OnceValue(func() []float64 {
		v := make([]float64, drawnNodes+1)
		for i := range v {
			v[i] = d.Between(math.Inf(-1), lo+float64(i)*step).Value
		}
		return v
	})
	return func(x float64) (float64, error) {
		at := (x*norm - lo) / step
		switch {
		case at <= 0:
			return 0, nil
		case at >= drawnNodes:
			return 1, nil
		}
		v, i := values(), int(at)
		return v[i] + (at-float64(i))*(v[i+1]-v[i]), nil
	}
}

// drawn is P(a < score/norm ≤ b), with the standard error of the draws and what that of
// the norm moves.
func drawn(d *vector.Distribution, norm extremes.Value) func(a, b float64) (extremes.Value, error) {
	return func(a, b float64) (extremes.Value, error) {
		v := d.Between(a*norm.Value, b*norm.Value)
		if norm.Error > 0 {
			other := norm.Value + norm.Error
			v.Error += math.Abs(d.Between(a*other, b*other).Value - v.Value)
		}
		v.Value = math.Max(0, v.Value)
		return v, nil
	}
}

// marginTarget is the standard error of the margin, relative, at which draws suffice. Densities are
// known less well from the same draws: at d = 48 to some 2% at their peaks, and to 10% at the
// usual target.
const marginTarget = 0.0025

// vectorMargin is the law of MaxMargin at vector level.
func vectorMargin(weights float64, s pattern.Spec) (Law, error) {
	draws, err := budget(s)
	if err != nil {
		return Law{}, err
	}
	k, err := vector.Margin(weights, float64(s.P), float64(s.N), ensemble(s), vector.Precision{Target: marginTarget, MaxDraws: draws})
	if err != nil {
		return Law{}, err
	}
	marginal := func(d *vector.Distribution, mean, std extremes.Value) Marginal {
		return Marginal{
			CDF: tabulatedCDF(d, mean.Value, std.Value, 1), Between: drawn(d, extremes.Value{Value: 1}),
			Mean: mean.Value, Std: std.Value, MeanError: mean.Error, StdError: std.Error,
		}
	}
	return Law{
		Name: "max_margin", Level: "vector", Margin: k.Margin.Value,
		Correct: marginal(k.Correct, k.CorrectMean, k.CorrectStd), Wrong: marginal(k.Largest, k.LargestMean, k.LargestStd),
	}, nil
}
