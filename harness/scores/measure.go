package scores

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync"

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
	Missing        error // why a level has no law, where one is missing
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
	known := NewKnown()
	out := make([]Measurement, 0, len(cells))
	for _, c := range cells {
		if err := known.Prepare(c); err != nil { // before what takes longer
			return nil, err
		}
		summary, seen, err := measure.Observe(ctx, c, "scores", o, func(memory measure.Memory) Scores {
			correct, wrong := memory.Scores()
			return Scores{correct, wrong, memory.Result.Margin}
		})
		if err != nil {
			return nil, err
		}
		out = append(out, Of(summary, seen, known))
	}
	return out, nil
}

// Scores are those of one memory.
type Scores struct {
	// Correct and Wrong are over the inputs, in any order: of the targets, and the largest
	// of the others.
	Correct, Wrong []float64
	Margin         float64 // the least correct score less the largest wrong one of its input
}

// Of puts the scores of the trained instances of a cell beside their laws, as far as there are any:
// Missing says why not. It sorts them in place.
func Of(s measure.Summary, seen []Scores, known *Known) Measurement {
	m := Measurement{Summary: s}
	var err error
	if m.Laws, m.Missing, err = known.laws(s.Cell); err != nil {
		m.Missing = fmt.Errorf("at any level: %w", err)
	}
	if m.Extremes, err = NewExtremes(float64(s.Spec.P), float64(s.Spec.N)); err != nil {
		nan := math.NaN()
		m.Extremes = Extremes{nan, nan, nan}
	}
	m.Margin = measure.SampleOf(seen, func(s Scores) float64 { return s.Margin })
	for _, s := range seen {
		slices.Sort(s.Correct)
		slices.Sort(s.Wrong)
		m.Correct.Scores = append(m.Correct.Scores, s.Correct)
		m.Wrong.Scores = append(m.Wrong.Scores, s.Wrong)
	}
	m.Correct.summarise()
	m.Wrong.summarise()
	return m
}

// Known keeps laws: those of OP and of DP, and of all rules that minimise the
// cross-entropy, are the same, but for Hebb's rule. It is safe for concurrent use.
type Known struct {
	spectra *quartercircle.Spectra
	mu      sync.Mutex
	cells   map[measure.Cell]*known
}

// NewKnown returns an empty one.
func NewKnown() *Known {
	return &Known{spectra: quartercircle.NewSpectra(), cells: map[measure.Cell]*known{}}
}

type known struct {
	once         sync.Once
	laws         []Law
	missing, err error
}

// Prepare computes the laws of a cell, unless they are known.
func (k *Known) Prepare(c measure.Cell) error {
	_, _, err := k.laws(c)
	return err
}

func (k *Known) laws(c measure.Cell) (laws []Law, missing, err error) {
	key := c
	if c.Rule != learn.Hebb {
		key.Spec.Model = pattern.DP
		if c.Rule != learn.MaxMargin || c.Load < 1 {
			key.Rule = learn.LBFGS
		}
	}
	k.mu.Lock()
	of := k.cells[key]
	if of == nil {
		of = &known{}
		k.cells[key] = of
	}
	k.mu.Unlock()
	of.once.Do(func() { of.laws, of.missing, of.err = Laws(c, k.spectra) })
	return of.laws, of.missing, of.err
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
