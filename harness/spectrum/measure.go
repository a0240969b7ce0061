package spectrum

import (
	"context"
	"fmt"
	"math"
	"slices"

	"lamcap/harness/measure"
	"lamcap/harness/stats"
)

// Options of an experiment.
type Options struct {
	Trials     int // instances of each cell
	References int // simulated random matrices of each shape
	Seed       uint64
	Training   measure.Options
	Tick       func() // called after each instance, if not nil
}

// Shape is that of the memories.
func (m Measurement) Shape() Shape { return shapeOf(m.Cell) }

func shapeOf(c measure.Cell) Shape { return Shape{DOut: c.Spec.DOut, DIn: c.Spec.DIn, Rank: c.Rank} }

// Comparison is the distance of a cell's spectra from one law, beside that of true
// random matrices whose law it is.
type Comparison struct {
	Law Law
	// KS and W1 are over instances.
	KS, W1    stats.Sample
	Reference Reference
}

// Z compares the means: of KS, or of W1. Positive when trained memories are farther
// from the law than random matrices are.
func (c Comparison) Z(s stats.Sample, reference stats.Simulated) (z, p float64) {
	if s.N == 1 { // by its rank among the references
		return math.NaN(), reference.PValue(s.Mean)
	}
	return s.ZOf(reference.Prediction()), s.PValueOf(reference.Prediction())
}

// Measurement is what the instances of a cell show.
type Measurement struct {
	measure.Cell
	Trials, Trained int // Trained less than Trials only for max-margin
	// Capacity compares with the law at capacity and truncated Gaussian matrices;
	// Initial with the law of Q Rᵀ and such products, the same at full rank but for
	// the cut.
	Capacity, Initial Comparison
	// Whole are distances from the law without its cut.
	WholeKS, WholeW1 stats.Sample
	FourthMoment     stats.Sample
	// Accuracy and Loss are means of the instances; Loss is NaN where there is none.
	// Gradient is the largest that was left.
	Accuracy, Loss stats.Sample
	Gradient       float64
	// Spectra are the rescaled values of each trained instance in ascending order;
	// Values and Deviations their means and standard deviations over instances.
	Spectra            [][]float64
	Values, Deviations []float64
}

// Run trains the memories of all cells and compares their spectra. Results do
// not depend on the number of threads.
func Run(ctx context.Context, cells []measure.Cell, o Options) ([]Measurement, error) {
	if o.Trials < 1 {
		return nil, fmt.Errorf("trials = %d: want trials ≥ 1", o.Trials)
	}
	known := references{draws: o.References, seed: o.Seed}
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

func run(ctx context.Context, c measure.Cell, o Options, known *references) (Measurement, error) {
	m := Measurement{Cell: c, Trials: o.Trials}
	shape := shapeOf(c)
	whole, err := shape.Whole()
	if err != nil {
		return m, err
	}
	for _, of := range []struct {
		to       *Comparison
		law      func() (Law, error)
		name     string
		ensemble Ensemble
	}{{&m.Capacity, shape.Capacity, "capacity", GaussianMatrix}, {&m.Initial, shape.Initial, "initial", GaussianFactors}} {
		if of.to.Law, err = of.law(); err != nil {
			return m, err
		}
		if of.to.Reference, err = known.get(ctx, of.ensemble, shape, of.name, of.to.Law); err != nil {
			return m, err
		}
	}
	type one struct {
		values                   []float64
		capacity, initial, whole Distances
		accuracy, loss, gradient float64
	}
	seen := make([]one, o.Trials)
	err = measure.Many(ctx, c.Problem(o.Seed, "spectrum", o.Training), o.Trials, func(t int, memory measure.Memory) {
		if o.Tick != nil {
			defer o.Tick()
		}
		if !memory.Trained() {
			return
		}
		values := rescale(memory.SingularValues(), m.Capacity.Law.SecondMoment())
		seen[t] = one{values, Measure(values, m.Capacity.Law), Measure(values, m.Initial.Law), Measure(values, whole),
			memory.Accuracy(), memory.Loss, memory.Gradient}
	})
	if err != nil {
		return m, err
	}
	seen = slices.DeleteFunc(seen, func(s one) bool { return s.values == nil })
	m.Trained = len(seen)
	sample := func(f func(s one) float64) stats.Sample {
		x := make([]float64, len(seen))
		for i, s := range seen {
			x[i] = f(s)
		}
		return stats.NewSample(x)
	}
	m.Capacity.KS, m.Capacity.W1 = sample(func(s one) float64 { return s.capacity.KS }), sample(func(s one) float64 { return s.capacity.W1 })
	m.Initial.KS, m.Initial.W1 = sample(func(s one) float64 { return s.initial.KS }), sample(func(s one) float64 { return s.initial.W1 })
	m.WholeKS, m.WholeW1 = sample(func(s one) float64 { return s.whole.KS }), sample(func(s one) float64 { return s.whole.W1 })
	m.FourthMoment = sample(func(s one) float64 { return FourthMoment(s.values) })
	m.Accuracy, m.Loss = sample(func(s one) float64 { return s.accuracy }), sample(func(s one) float64 { return s.loss })
	m.Gradient = math.NaN()
	m.Spectra = make([][]float64, len(seen))
	for i, s := range seen {
		m.Spectra[i] = s.values
		if !(s.gradient <= m.Gradient) {
			m.Gradient = s.gradient
		}
	}
	m.Values, m.Deviations = profile(m.Spectra)
	return m, nil
}
