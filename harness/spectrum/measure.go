package spectrum

import (
	"context"
	"math"

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

func (o Options) experiment() measure.Experiment {
	return measure.Experiment{Trials: o.Trials, Seed: o.Seed, Training: o.Training, Tick: o.Tick}
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
	measure.Summary
	// Capacity compares with the law at capacity and truncated Gaussian matrices;
	// Initial with the law of Q Rᵀ and such products, the same at full rank but for
	// the cut.
	Capacity, Initial Comparison
	// Whole are distances from the law without its cut.
	WholeKS, WholeW1 stats.Sample
	FourthMoment     stats.Sample
	// Spectra are the rescaled values of each trained instance in ascending order;
	// Values and Deviations their means and standard deviations over instances.
	Spectra            [][]float64
	Values, Deviations []float64
}

// Run trains the memories of all cells and compares their spectra. Results do
// not depend on the number of threads.
func Run(ctx context.Context, cells []measure.Cell, o Options) ([]Measurement, error) {
	if err := o.experiment().Validate(); err != nil {
		return nil, err
	}
	known := NewReferences(o.References, o.Seed)
	out := make([]Measurement, 0, len(cells))
	for _, c := range cells {
		if err := known.prepare(ctx, shapeOf(c)); err != nil { // before what takes longer
			return nil, err
		}
		summary, values, err := measure.Observe(ctx, c, "spectrum", o.experiment(), measure.Memory.SingularValues)
		if err != nil {
			return nil, err
		}
		m, err := Of(ctx, summary, values, known)
		if err != nil {
			return nil, err
		}
		out = append(out, m)
	}
	return out, nil
}

// Of compares the spectra of a cell: the singular values of each trained instance, in
// any order and of any scale.
func Of(ctx context.Context, s measure.Summary, singular [][]float64, known *References) (Measurement, error) {
	m := Measurement{Summary: s}
	shape := shapeOf(s.Cell)
	whole, err := shape.Whole()
	if err != nil {
		return m, err
	}
	if m.Capacity, m.Initial, err = known.comparisons(ctx, shape); err != nil {
		return m, err
	}
	type one struct {
		values                   []float64
		capacity, initial, whole Distances
	}
	seen := make([]one, len(singular))
	for i, sigma := range singular {
		values, err := shape.Rescale(sigma)
		if err != nil {
			return m, err
		}
		seen[i] = one{values, Measure(values, m.Capacity.Law), Measure(values, m.Initial.Law), Measure(values, whole)}
	}
	for _, of := range []struct {
		ks, w1 *stats.Sample
		of     func(s one) Distances
	}{
		{&m.Capacity.KS, &m.Capacity.W1, func(s one) Distances { return s.capacity }},
		{&m.Initial.KS, &m.Initial.W1, func(s one) Distances { return s.initial }},
		{&m.WholeKS, &m.WholeW1, func(s one) Distances { return s.whole }},
	} {
		*of.ks = measure.SampleOf(seen, func(s one) float64 { return of.of(s).KS })
		*of.w1 = measure.SampleOf(seen, func(s one) float64 { return of.of(s).W1 })
	}
	m.FourthMoment = measure.SampleOf(seen, func(s one) float64 { return FourthMoment(s.values) })
	m.Spectra = make([][]float64, len(seen))
	for i, s := range seen {
		m.Spectra[i] = s.values
	}
	m.Values, m.Deviations = profile(m.Spectra)
	return m, nil
}

// prepare simulates the references of a shape.
func (r *References) prepare(ctx context.Context, s Shape) error {
	_, _, err := r.comparisons(ctx, s)
	return err
}

// comparisons returns the laws of a shape with their references, without distances.
func (r *References) comparisons(ctx context.Context, s Shape) (capacity, initial Comparison, err error) {
	for _, of := range []struct {
		to       *Comparison
		law      func() (Law, error)
		name     string
		ensemble Ensemble
	}{{&capacity, s.Capacity, "capacity", GaussianMatrix}, {&initial, s.Initial, "initial", GaussianFactors}} {
		if of.to.Law, err = of.law(); err != nil {
			return capacity, initial, err
		}
		if of.to.Reference, err = r.get(ctx, of.ensemble, s, of.name, of.to.Law); err != nil {
			return capacity, initial, err
		}
	}
	return capacity, initial, nil
}
