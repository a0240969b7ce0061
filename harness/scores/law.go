package scores

import (
	"fmt"
	"math"

	"lamcap/extremes"
	"lamcap/harness/learn"
	"lamcap/harness/measure"
	"lamcap/internal/quad"
	"lamcap/internal/status"
	"lamcap/quartercircle"
	"lamcap/saddle"
)

// Marginal is the law of one kind of score; the zero value is none.
type Marginal struct {
	// CDF is nil where only the moments are known.
	CDF func(x float64) (float64, error)
	// Between is P(a < score ≤ b), never below 0, with a bound of its error, at vector
	// level a standard error (what a law neglects, as that Hebb's ‖W‖ fluctuates, is not
	// in it); nil where CDF is.
	Between   func(a, b float64) (extremes.Value, error)
	Mean, Std float64
	// MeanError and StdError bound the errors of Mean and Std; of Monte Carlo, at
	// vector level, they are standard errors.
	MeanError, StdError float64
}

// known reports whether there is a law.
func (m Marginal) known() bool { return m.Std > 0 }

// Law is what theory says of the scores of a memory.
type Law struct {
	// Name says whose: "hebb_limit", "hebb_vector", "max_margin", "cross_entropy".
	Name string
	// Level is "score" or "vector".
	Level          string
	Correct, Wrong Marginal
	// Margin is the largest margin K*; NaN where the law has none.
	Margin float64
}

// Extremes are the numbers that correct scores are told apart by.
type Extremes struct {
	Root    float64 // √(2 log p), the limit's threshold
	Maximum float64 // E max of n − 1 normals
	Level   float64 // E m* at K = 0: where scores end at capacity
}

// NewExtremes computes them for p inputs among n candidates.
func NewExtremes(p, n float64) (Extremes, error) {
	e := Extremes{Root: math.Sqrt(2 * math.Log(p))}
	maximum, err := extremes.MaximumMean(n - 1)
	if err != nil {
		return e, err
	}
	moments, err := extremes.MarginCone{N: n}.Moments()
	e.Maximum, e.Level = maximum.Value, moments.LevelMean.Value
	return e, err
}

// Laws returns those for a cell, the ones of its own rule, at score level and at vector
// level; none for max-margin beyond capacity. Below capacity a training of the
// cross-entropy goes towards the solution of largest margin, whose laws are given.
// Where a level has no answer, as vector level next to capacity or for a d_out of 1, it is left out
// and missing says why; err is that of a cell that has no laws at all.
func Laws(c measure.Cell, spectra *quartercircle.Spectra) (laws []Law, missing error, err error) {
	if c.Spec.N < 2 {
		return nil, nil, fmt.Errorf("n = %d: want n ≥ 2, an input without competitors has no wrong score", c.Spec.N)
	}
	if c.Rule == learn.Hebb {
		laws, missing = hebbLaws(c.Spec)
		return laws, missing, nil
	}
	weights, err := spectra.EffectiveDimension(c.Spec.DOut, c.Spec.DIn, c.Rank)
	if err != nil {
		return nil, nil, err
	}
	d, err := extremes.ConeDimension(float64(c.Spec.N))
	if err != nil {
		return nil, nil, err
	}
	level, vectors := MaxMargin, vectorMargin
	if float64(c.Spec.P)*d.Value >= weights.Value {
		if c.Rule == learn.MaxMargin {
			return nil, nil, nil
		}
		level, vectors = CrossEntropy, vectorMinimum
	}
	laws, missing = levels(
		func() (Law, error) { return level(weights.Value, float64(c.Spec.P), float64(c.Spec.N)) },
		func() (Law, error) { return vectors(weights.Value, c.Spec) })
	return laws, missing, nil
}

// levels are the laws at score level and at vector level that there are.
func levels(score, vector func() (Law, error)) (laws []Law, missing error) {
	for _, of := range []struct {
		level string
		law   func() (Law, error)
	}{{"score", score}, {"vector", vector}} {
		l, err := of.law()
		switch {
		case err == nil:
			laws = append(laws, l)
		case missing == nil:
			missing = fmt.Errorf("at %s level: %w", of.level, err)
		default:
			missing = fmt.Errorf("%w; at %s level: %w", missing, of.level, err)
		}
	}
	return laws, missing
}

// MaxMargin is the law at the largest margin, at score level. With m* from its
// definition even where no competitor is above it, the largest wrong score is m* or
// the largest competitor, if that is less,
//
//	P(largest ≤ x) = P(m* ≤ x) + Φ(x)^{n−1} Q(x + K),
//
// the second term that of a target that needs no push: t_0 > max t_ρ + K.
func MaxMargin(weights, p, n float64) (Law, error) {
	k, err := saddle.Margin(weights, p, n)
	if err != nil {
		return Law{}, err
	}
	wrong := func(x float64) (extremes.Value, error) {
		level, err := k.Cone.CorrectCDF(x + k.Margin)
		level.Value = math.Min(1, level.Value+math.Exp((n-1)*extremes.LogCDF(x)+extremes.LogSurvival(x+k.Margin)))
		level.Error += level.Value * logRoundoff((n-1)*extremes.LogCDF(x))
		return level, err
	}
	l := Law{
		Name: "max_margin", Level: "score", Margin: k.Margin,
		Correct: Marginal{CDF: plain(k.Cone.CorrectCDF), Between: between(k.Cone.CorrectCDF), Mean: k.CorrectMean, Std: k.CorrectStd, MeanError: k.CorrectMeanError, StdError: k.CorrectStdError},
	}
	level := k.CorrectMean - k.Margin
	l.Wrong, err = fromCDF(plain(wrong), level-12*k.CorrectStd, level+12*k.CorrectStd)
	l.Wrong.Between = between(wrong)
	return l, err
}

// plain leaves the error bound out.
func plain(cdf func(x float64) (extremes.Value, error)) func(x float64) (float64, error) {
	return func(x float64) (float64, error) {
		v, err := cdf(x)
		return v.Value, err
	}
}

// between is the difference of a distribution function at two points: errors add.
func between(cdf func(x float64) (extremes.Value, error)) func(a, b float64) (extremes.Value, error) {
	return func(a, b float64) (extremes.Value, error) {
		lower, err := cdf(a)
		if err != nil {
			return lower, err
		}
		upper, err := cdf(b)
		return extremes.Value{Value: math.Max(0, upper.Value-lower.Value), Error: lower.Error + upper.Error, Status: upper.Status}, err
	}
}

// logRoundoff bounds the relative round-off of exp(log).
func logRoundoff(log float64) float64 { return 0x1p-50 * (1 + math.Abs(log)) }

// fromCDF takes mean and standard deviation from a distribution between lo and hi,
// outside which it has next to nothing: with c in the middle,
//
//	E(X − c) = ∫_c^hi (1 − F) − ∫_lo^c F,   E(X − c)² = 2 ∫_c^hi (x − c)(1 − F) + 2 ∫_lo^c (c − x) F.
func fromCDF(cdf func(x float64) (float64, error), lo, hi float64) (Marginal, error) {
	m := Marginal{CDF: cdf}
	c := (lo + hi) / 2
	var failed error
	bound := 0.0
	integrate := func(a, b float64, f func(x, cdf float64) float64) float64 {
		r := quad.Integrate(func(x float64) float64 {
			v, err := cdf(x)
			if err != nil && failed == nil {
				failed = err
			}
			return f(x, v)
		}, a, b, quad.Options{Rel: 1e-8, Abs: 1e-10})
		bound += r.Error
		if !r.Status.OK() && failed == nil {
			failed = fmt.Errorf("moments of a law between %v and %v: %v", a, b, r.Status)
		}
		return r.Value
	}
	shift := integrate(c, hi, func(_, v float64) float64 { return 1 - v }) - integrate(lo, c, func(_, v float64) float64 { return v })
	second := 2 * (integrate(c, hi, func(x, v float64) float64 { return (x - c) * (1 - v) }) + integrate(lo, c, func(x, v float64) float64 { return (c - x) * v }))
	m.Mean, m.Std = c+shift, math.Sqrt(math.Max(0, second-shift*shift))
	m.MeanError, m.StdError = bound, bound*(1+math.Abs(shift))/m.Std
	return m, failed
}

// normal is a normal law.
func normal(mean, std float64) Marginal {
	cdf := exponential(func(x float64) float64 { return extremes.LogCDF((x - mean) / std) })
	return Marginal{Mean: mean, Std: std, CDF: plain(cdf), Between: between(cdf)}
}

// exponential is a distribution function known by its logarithm.
func exponential(log func(x float64) float64) func(x float64) (extremes.Value, error) {
	return func(x float64) (extremes.Value, error) {
		l := log(x)
		v := math.Exp(l)
		if v == 0 {
			return extremes.Value{Status: status.Converged}, nil
		}
		return extremes.Value{Value: v, Error: v * logRoundoff(l), Status: status.Converged}, nil
	}
}
