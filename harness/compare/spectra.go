package compare

import (
	"context"
	"fmt"
	"math"

	"lamcap/harness/learn"
	"lamcap/harness/measure"
	"lamcap/harness/pattern"
	"lamcap/harness/spectrum"
	"lamcap/harness/stats"
)

// spectraPlan says how many instances section (j) takes.
type spectraPlan struct {
	hebb       int   // at d = 24, p = 60
	dimensions []int // of the trained memories
	trials     []int // at each
	load       float64
	references int
	low        int // which of the dimensions is trained at half the rank, too
}

func (o *Options) spectraPlan() spectraPlan {
	switch {
	case o.quick:
		return spectraPlan{hebb: 60, dimensions: []int{8, 10, 12}, trials: []int{12, 10, 8}, load: 2, references: 100, low: 2}
	case o.Full:
		return spectraPlan{hebb: 1000, dimensions: []int{12, 16, 24, 32, 48}, trials: []int{200, 200, 150, 100, 40}, load: 2, references: 1000, low: 2}
	}
	return spectraPlan{hebb: 200, dimensions: []int{12, 16, 24}, trials: []int{80, 50, 30}, load: 2, references: 300, low: 1}
}

// spectraSection is (j).
func (o *Options) spectraSection() section {
	plan := o.spectraPlan()
	instances := 2 * plan.hebb
	for i, t := range plan.trials {
		instances += 2 * t
		if i == plan.low {
			instances += t
		}
	}
	return section{instances, func(ctx context.Context) ([]Section, error) {
		s := Section{
			Name:   "spectra",
			Letter: "j",
			Title:  "Spectra: Σσ⁴ = m Σσ⁴/(Σσ²)² of W, and its distance from the law at capacity",
			Notes: []string{
				"Hebb's W is a product of Gaussian matrices with p rows: exact by moments of Wishart matrices; the limit is 2, the quarter circle's.",
				fmt.Sprintf("Trained: L-BFGS to the minimum of the cross-entropy at p/p_c = %g, extrapolated to d → ∞ in d/p (%v), against", plan.load, plan.powers()),
				"the law at capacity, the quarter circle, cut below its top κ. KS is the distance from it, predicted that of Gaussian matrices",
				"of the same size, cut likewise: at finite d trained memories are farther from the law than these, so it is shown, not judged.",
			},
		}
		for _, model := range []pattern.Model{pattern.DP, pattern.OP} {
			if err := o.hebbSpectrum(ctx, model, plan.hebb, &s); err != nil {
				return nil, err
			}
		}
		for _, model := range []pattern.Model{pattern.DP, pattern.OP} {
			if err := o.trainedSpectra(ctx, model, plan, &s); err != nil {
				return nil, err
			}
		}
		if err := o.lowRankSpectra(ctx, plan, &s); err != nil {
			return nil, err
		}
		return []Section{s}, nil
	}}
}

// hebbSpectrum compares Σσ⁴ of W = UᵀE. With E AXA = (d² + d)X + d tr X for a Wishart
// matrix A of d degrees of freedom,
//
//	E Σσ⁴ = (d² + d) E tr B² + d E(tr B)²,   E(Σσ²)² = d² E(tr B)² + 2d E tr B²,
//	E tr B² = p d(p + d + 1),   E(tr B)² = (p d)² + 2p d,
//
// for B = EEᵀ of order p.
func (o *Options) hebbSpectrum(ctx context.Context, model pattern.Model, instances int, s *Section) error {
	const dimension, facts = 24, 60
	const d, p = float64(dimension), float64(facts)
	square, trace := p*d*(p+d+1), p*d*p*d+2*p*d
	fourth, second := (d*d+d)*square+d*trace, d*d*trace+2*d*square
	values := make([]float64, instances)
	problem := measure.Problem{
		Spec: pattern.Spec{Model: model, DIn: dimension, DOut: dimension, P: facts, N: facts},
		Rule: learn.Hebb, Seed: o.Seed, Experiment: "hebb spectrum",
	}
	err := measure.Many(ctx, problem, instances, func(t int, m measure.Memory) {
		for _, x := range m.SingularValues() {
			values[t] += x * x * x * x * d / second
		}
		o.tick()
	})
	if err != nil {
		return err
	}
	sample := stats.NewSample(values)
	name := fmt.Sprintf("Hebb %s d=%d p=%d", upper(model), dimension, facts)
	s.Rows = append(s.Rows, meanRow(name+" Σσ⁴", d*fourth/second, 2, sample))
	s.Rejections = append(s.Rejections, sample.Rejects("a Gaussian matrix of the same norm for "+name, stats.Prediction{Value: d * (2*d + 1) / (d*d + 2)}))
	return nil
}

// powers are those of d/p that Σσ⁴ is extrapolated with, as many as there are sizes for.
func (p spectraPlan) powers() []float64 {
	if len(p.dimensions) < 4 {
		return []float64{1}
	}
	return []float64{1, 2}
}

// spectrum trains memories of one dimension and rank beyond capacity.
func (o *Options) spectrum(ctx context.Context, model pattern.Model, i, rank int, plan spectraPlan) (spectrum.Measurement, error) {
	d := plan.dimensions[i]
	grid := measure.Grid{
		Shapes: []measure.Shape{{DOut: d, DIn: d, Rank: rank}}, Models: []pattern.Model{model},
		Rules: []learn.Rule{learn.LBFGS}, Loads: []float64{plan.load},
	}
	cells, err := grid.Cells(o.spectra)
	if err != nil {
		return spectrum.Measurement{}, err
	}
	ms, err := spectrum.Run(ctx, cells, spectrum.Options{
		Trials: plan.trials[i], References: plan.references, Seed: o.Seed, Training: measure.Options{Restarts: 1}, Tick: o.tick,
	})
	if err != nil {
		return spectrum.Measurement{}, err
	}
	return ms[0], nil
}

// trainedSpectra extrapolates Σσ⁴ at full rank, and shows KS at the largest dimension.
func (o *Options) trainedSpectra(ctx context.Context, model pattern.Model, plan spectraPlan, s *Section) error {
	var scaling stats.Scaling
	var m spectrum.Measurement
	instances := 0
	for i, d := range plan.dimensions {
		var err error
		if m, err = o.spectrum(ctx, model, i, d, plan); err != nil {
			return err
		}
		scaling = append(scaling, m.FourthMoment.At(float64(m.Spec.P)/float64(d)))
		instances += m.Trained
	}
	limit := scaling.Extrapolate(level, plan.powers()...)
	predicted, err := spectrum.FourthMomentOf(m.Capacity.Law)
	if err != nil {
		return err
	}
	name := fmt.Sprintf("%s p/p_c=%g", upper(model), plan.load)
	s.Rows = append(s.Rows, Row{
		Quantity: name + " Σσ⁴, d → ∞", Predicted: predicted, Limit: math.NaN(), Measured: limit.Value, Interval: limit.Interval,
		Z: limit.Z(predicted), P: limit.PValue(predicted), Trials: instances,
	})
	at := showDistance(name, m, s)
	s.Rejections = append(s.Rejections,
		limit.Rejects("a product of two Gaussian matrices, Σσ⁴ = 3, for "+name+", d → ∞", 3),
		m.FourthMoment.Rejects("a Gaussian matrix at finite d for "+at+" Σσ⁴", m.Capacity.Reference.FourthMoment.Prediction()))
	return nil
}

// showDistance adds a row with the distance from the law at capacity, without a test,
// and returns what it is about.
func showDistance(name string, m spectrum.Measurement, s *Section) string {
	z, p := untested()
	at := fmt.Sprintf("%s d=%d", name, m.Spec.DIn)
	s.Rows = append(s.Rows, Row{
		Quantity: at + " KS", Predicted: m.Capacity.Reference.KS.Sample.Mean, Limit: math.NaN(),
		Measured: m.Capacity.KS.Mean, Interval: m.Capacity.KS.Interval(level), Z: z, P: p, Trials: m.Trained,
	})
	return at
}

// lowRankSpectra shows DP at half the rank, where the law at capacity has a cut and
// training begins elsewhere.
func (o *Options) lowRankSpectra(ctx context.Context, plan spectraPlan, s *Section) error {
	m, err := o.spectrum(ctx, pattern.DP, plan.low, plan.dimensions[plan.low]/2, plan)
	if err != nil {
		return err
	}
	at := showDistance(fmt.Sprintf("DP κ=0.5 p/p_c=%g", plan.load), m, s)
	initial := m.Initial.Reference
	uncut, err := m.Shape().Whole()
	if err != nil {
		return err
	}
	whole, err := spectrum.FourthMomentOf(uncut)
	if err != nil {
		return err
	}
	s.Rejections = append(s.Rejections,
		m.Initial.KS.Rejects("the law at initialisation, a product of Gaussian factors, for "+at+" KS", initial.KS.Prediction()),
		m.FourthMoment.Rejects("the law at initialisation for "+at+" Σσ⁴", initial.FourthMoment.Prediction()),
		m.FourthMoment.Rejects("the quarter circle without its cut, Σσ⁴ = 2, for "+at, stats.Prediction{Value: whole}))
	return nil
}
