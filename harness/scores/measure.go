package scores

import (
	"context"
	"math"
	"slices"

	"lamcap/harness/learn"
	"lamcap/harness/measure"
	"lamcap/harness/pattern"
	"lamcap/harness/stats"
	"lamcap/quartercircle"
)

// Options of an experiment.
type Options = measure.Experiment

// Kind is what is known of one kind of score, over instances.
type Kind struct {
	// Mean is of the means of instances, Variance of their mean squares about the
	// mean of all.
	Mean, Variance stats.Sample
	// Scores are those of each instance, in ascending order.
	Scores [][]float64
}

// Std is the standard deviation of all scores.
func (k Kind) Std() float64 { return math.Sqrt(k.Variance.Mean) }

// StdError is its standard error, from that of the variance.
func (k Kind) StdError() float64 { return k.Variance.StandardError() / (2 * k.Std()) }

// StdInterval is the interval of the standard deviation: roots of that of the variance,
// which is cut at 0.
func (k Kind) StdInterval(level float64) stats.Interval {
	v := k.Variance.Interval(level)
	return stats.Interval{Lo: math.Sqrt(math.Max(0, v.Lo)), Hi: math.Sqrt(v.Hi)}
}

// Measurement is what the instances of a cell show.
type Measurement struct {
	measure.Summary
	Correct, Wrong Kind
	Laws           []Law
	Missing        error // why there is no law at vector level, where one is missing
	Extremes       Extremes
	// Margin is the least correct score less the largest wrong one, of each instance.
	Margin stats.Sample
}

// Run trains the memories of all cells and takes their scores. Results do not depend
// on the number of threads.
func Run(ctx context.Context, cells []measure.Cell, o Options) ([]Measurement, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	known := lawCache{spectra: quartercircle.NewSpectra(), known: map[measure.Cell]cached{}}
	out := make([]Measurement, 0, len(cells))
	for _, c := range cells {
		m, err := run(ctx, c, o, &known)
		if err != nil {
			return nil, err
		}
		out = append(out, m)
	}
	return out, nil
}

// lawCache keeps laws: those of OP and of DP, and of all rules that minimise the
// cross-entropy, are the same, but for Hebb's rule.
type lawCache struct {
	spectra *quartercircle.Spectra
	known   map[measure.Cell]cached
}

type cached struct {
	laws    []Law
	missing error
}

func (l *lawCache) laws(c measure.Cell) ([]Law, error, error) {
	key := c
	if c.Rule != learn.Hebb {
		key.Spec.Model = pattern.DP
		if c.Rule != learn.MaxMargin || c.Load < 1 {
			key.Rule = learn.LBFGS
		}
	}
	if k, ok := l.known[key]; ok {
		return k.laws, k.missing, nil
	}
	laws, missing, err := Laws(c, l.spectra)
	if err == nil {
		l.known[key] = cached{laws, missing}
	}
	return laws, missing, err
}

func run(ctx context.Context, c measure.Cell, o Options, known *lawCache) (Measurement, error) {
	var m Measurement
	var err error
	if m.Laws, m.Missing, err = known.laws(c); err != nil {
		return m, err
	}
	if m.Extremes, err = NewExtremes(float64(c.Spec.P), float64(c.Spec.N)); err != nil {
		return m, err
	}
	type one struct {
		correct, wrong []float64
		margin         float64
	}
	var seen []one
	m.Summary, seen, err = measure.Observe(ctx, c, "scores", o, func(memory measure.Memory) one {
		correct, wrong := memory.Scores()
		slices.Sort(correct)
		slices.Sort(wrong)
		return one{correct, wrong, memory.Result.Margin}
	})
	if err != nil {
		return m, err
	}
	m.Margin = measure.SampleOf(seen, func(s one) float64 { return s.margin })
	for _, s := range seen {
		m.Correct.Scores = append(m.Correct.Scores, s.correct)
		m.Wrong.Scores = append(m.Wrong.Scores, s.wrong)
	}
	m.Correct.summarise()
	m.Wrong.summarise()
	return m, nil
}

func (k *Kind) summarise() {
	means, squares := make([]float64, len(k.Scores)), make([]float64, len(k.Scores))
	for i, x := range k.Scores {
		means[i] = stats.NewSample(x).Mean
	}
	k.Mean = stats.NewSample(means)
	for i, x := range k.Scores {
		for _, s := range x {
			squares[i] += (s - k.Mean.Mean) * (s - k.Mean.Mean) / float64(len(x))
		}
	}
	k.Variance = stats.NewSample(squares)
}

// Comparison is a kind of score beside its law.
type Comparison struct {
	// MeanZ and StdZ are those of mean and variance over instances, positive where
	// they are above the law's; P their p-values.
	MeanZ, MeanP, StdZ, StdP float64
	// KS is sup |F − F_law| of the scores of all instances together; NaN for a law
	// without distribution function.
	KS float64
}

// Compare puts scores beside a law; a bound or a standard error of it counts as the
// latter.
func (k Kind) Compare(l Marginal) (Comparison, error) {
	mean := stats.Prediction{Value: l.Mean, StandardError: l.MeanError}
	variance := stats.Prediction{Value: l.Std * l.Std, StandardError: 2 * l.Std * l.StdError}
	c := Comparison{MeanZ: k.Mean.ZOf(mean), MeanP: k.Mean.PValueOf(mean), StdZ: k.Variance.ZOf(variance), StdP: k.Variance.PValueOf(variance)}
	c.KS = math.NaN()
	if l.CDF == nil {
		return c, nil
	}
	var err error
	c.KS, err = distance(slices.Concat(k.Scores...), l.CDF)
	return c, err
}

// tabulated is the number of steps in which a law is tabulated between the least and
// the largest score: with 1024 over some six standard deviations, lines between them
// are off by 1e-5 at most.
const tabulated = 1024

// distance is the Kolmogorov-Smirnov distance of values from a law.
func distance(values []float64, cdf func(x float64) (float64, error)) (float64, error) {
	if len(values) == 0 {
		return math.NaN(), nil
	}
	slices.Sort(values)
	lo, hi := values[0], values[len(values)-1]
	var table [tabulated + 1]float64
	for i := range table {
		v, err := cdf(lo + (hi-lo)*float64(i)/tabulated)
		if err != nil {
			return math.NaN(), err
		}
		table[i] = v
	}
	n, largest := float64(len(values)), 0.0
	for i, x := range values {
		at := 0.0
		if hi > lo {
			at = (x - lo) / (hi - lo) * tabulated
		}
		k := min(int(at), tabulated-1)
		f := table[k] + (at-float64(k))*(table[k+1]-table[k])
		largest = max(largest, float64(i+1)/n-f, f-float64(i)/n)
	}
	return largest, nil
}
