package accuracy

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"

	"lamcap/extremes"
	"lamcap/harness/learn"
	"lamcap/harness/measure"
	"lamcap/harness/pattern"
	"lamcap/harness/progress"
	"lamcap/harness/stats"
	"lamcap/harness/trial"
	"lamcap/internal/status"
	"lamcap/internal/stream"
	"lamcap/saddle"
	"lamcap/saddle/vector"
)

// Curve asks for the recall of square memories of one dimension.
type Curve struct {
	D int
	// Loads are the α = p log p/d²; p is rounded.
	Loads []float64
	// OP, DP and Hebb are the numbers of instances trained at each load; 0 for none.
	// Hebb's are run in both problems.
	OP, DP, Hebb int
	// Draws is the most Monte-Carlo draws at vector level; 0 leaves it out.
	Draws int
}

// Options say what to measure.
type Options struct {
	Seed         uint64
	Keys, Values pattern.Embedding // of the trained memories
	Curves       []Curve
	Confidence   float64           // of the intervals; 0 means 0.95
	Progress     progress.Reporter // told of each instance out of [Instances]; may be nil
}

func (o *Options) level() float64 {
	if o.Confidence == 0 {
		return 0.95
	}
	return o.Confidence
}

func (o *Options) tick() {
	if o.Progress != nil {
		o.Progress.Add(1)
	}
}

// Validate reports the first option outside its range.
func (o *Options) Validate() error {
	if !(o.Confidence >= 0 && o.Confidence < 1) {
		return fmt.Errorf("confidence = %v: want 0 < confidence < 1, or 0 for 0.95", o.Confidence)
	}
	for _, c := range o.Curves {
		if c.D < 4 {
			return fmt.Errorf("d = %d: want d ≥ 4", c.D)
		}
		if c.OP < 0 || c.DP < 0 || c.Hebb < 0 || c.Draws < 0 {
			return fmt.Errorf("d = %d: %d, %d and %d trials, %d draws: want ≥ 0", c.D, c.OP, c.DP, c.Hebb, c.Draws)
		}
		for _, alpha := range c.Loads {
			if !(alpha > 0) || math.IsInf(alpha, 1) {
				return fmt.Errorf("alpha = %v: want a finite load p log p/d² above 0", alpha)
			}
			if spec := o.spec(pattern.OP, c.D, Facts(alpha, c.D)); spec.Validate() != nil {
				return spec.Validate()
			}
		}
	}
	return nil
}

func (o *Options) spec(m pattern.Model, d, p int) pattern.Spec {
	return pattern.Spec{Model: m, DIn: d, DOut: d, P: p, N: p, Keys: o.Keys, Values: o.Values}
}

// Facts returns the number p ≥ 2 with p log p/d² nearest to α.
func Facts(alpha float64, d int) int {
	return measure.FactsAtAlpha(alpha, d, d)
}

// Load returns p log p/d².
func Load(p, d int) float64 { return float64(p) * math.Log(float64(p)) / (float64(d) * float64(d)) }

// Recall is what instances of one kind recalled.
type Recall struct {
	stats.Sample     // of the accuracies, one per instance
	Stored       int // instances with a witness
}

// Interval of the mean accuracy, within [0, 1]; where all instances recalled everything, Wilson's
// for the fraction of instances that do, which the mean accuracy is not below.
func (r Recall) Interval(level float64) stats.Interval {
	if r.N > 0 && r.Mean == 1 {
		return stats.Proportion{Successes: r.N, Trials: r.N}.Wilson(level)
	}
	i := r.Sample.Interval(level)
	return stats.Interval{Lo: math.Max(0, i.Lo), Hi: math.Min(1, i.Hi)}
}

// Test returns z and the p-value of a law of the accuracy: Student's t, with the spread of instances
// scaled up to the law's a(1 − a) where that of the mean is less. Where few inputs are missed, or few
// recalled, a sample with fewer of these than expected has less spread, too, and its own t is far
// too large.
func (r Recall) Test(law stats.Prediction) (z, p float64) {
	s := r.Sample
	if predicted, measured := law.Value*(1-law.Value), s.Mean*(1-s.Mean); predicted > measured {
		s.StandardDeviation *= math.Sqrt(predicted / measured)
	}
	return s.ZOf(law), s.PValueOf(law)
}

// Point is one load of a curve.
type Point struct {
	D, P                       int
	Alpha                      float64 // of P
	Critical                   float64 // p_c
	OP, DP                     Recall
	HebbOP, HebbDP             Recall
	HebbOPTheory, HebbDPTheory extremes.Value
	// Score is the accuracy at score level, with a bound on the error of its quadrature.
	Score extremes.Value
	// Vector is that at vector level, with its standard error; NaN where it was left out, or
	// so close to capacity that the draws do not tell the phase.
	Vector      extremes.Value
	VectorDraws int
	Limit       float64
}

// LimitAccuracy is the recall as d → ∞ at fixed α: a step at the capacity 1/2. Above it a
// convex loss treats all inputs alike, whose scores fluctuate less than the competitors' level
// grows, so that it recalls none of them.
func LimitAccuracy(alpha float64) float64 {
	if alpha < 0.5 {
		return 1
	}
	return 0
}

// Report is what came out.
type Report struct {
	Seed  uint64
	Level float64
	// Keys and Values are the embeddings of the trained memories.
	Keys, Values pattern.Embedding
	Points       []Point
}

// Instances returns how many instances [Measure] will run.
func Instances(o Options) (int, error) {
	if err := o.Validate(); err != nil {
		return 0, err
	}
	total := 0
	for _, c := range o.Curves {
		total += len(c.Loads) * (c.OP + c.DP + 2*c.Hebb)
	}
	return total, nil
}

// Measure runs all curves, on as many goroutines as GOMAXPROCS; the result does not depend
// on their number. When ctx ends it returns its error.
func Measure(ctx context.Context, o Options) (*Report, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	r := &Report{Seed: o.Seed, Level: o.level(), Keys: o.Keys, Values: o.Values}
	for _, c := range o.Curves {
		critical, err := saddle.CriticalFacts(float64(c.D) * float64(c.D))
		if err != nil {
			return nil, err
		}
		for _, alpha := range c.Loads {
			p := Facts(alpha, c.D)
			point := Point{D: c.D, P: p, Alpha: Load(p, c.D), Critical: critical.Facts}
			point.Limit = LimitAccuracy(point.Alpha)
			if err := c.simulate(ctx, &o, &point); err != nil {
				return nil, err
			}
			if err := c.predict(&o, &point); err != nil {
				return nil, err
			}
			r.Points = append(r.Points, point)
		}
	}
	return r, nil
}

func (c Curve) simulate(ctx context.Context, o *Options, point *Point) error {
	for _, part := range []struct {
		model  pattern.Model
		trials int
		to     *Recall
	}{{pattern.OP, c.OP, &point.OP}, {pattern.DP, c.DP, &point.DP}} {
		var err error
		if *part.to, err = trained(ctx, o, o.spec(part.model, c.D, point.P), point.Critical, part.trials); err != nil {
			return err
		}
	}
	for _, part := range []struct {
		model pattern.Model
		to    *Recall
	}{{pattern.OP, &point.HebbOP}, {pattern.DP, &point.HebbDP}} {
		spec := o.spec(part.model, c.D, point.P)
		spec.Keys, spec.Values = pattern.Sphere, pattern.Sphere
		results := trial.Many(ctx, spec, trial.Options{Rule: learn.Hebb}, o.Seed, "accuracy", cell("hebb", spec), c.Hebb, o.tick)
		if err := ctx.Err(); err != nil {
			return err
		}
		accuracies := make([]float64, len(results))
		for i, r := range results {
			accuracies[i] = r.Accuracy
			if r.Outcome == trial.Stored {
				part.to.Stored++
			}
		}
		part.to.Sample = stats.NewSample(accuracies)
	}
	return nil
}

// cell is the address of a load, without the model: both have the same keys.
func cell(what string, s pattern.Spec) string { return fmt.Sprintf("%s d=%d p=%d", what, s.DIn, s.P) }

// mayStore is the multiple of p_c up to which an instance is decided before it is trained to the
// minimum: beyond, it is not stored, with a probability that is 1e-3 at d = 12 and falls fast with d.
const mayStore = 1.2

// trained trains instances of one problem to the minimum, those that are not stored.
func trained(ctx context.Context, o *Options, s pattern.Spec, critical float64, trials int) (Recall, error) {
	var r Recall
	accuracies, stored, errs := make([]float64, trials), make([]bool, trials), make([]error, trials)
	problem := measure.Problem{Spec: s, Rule: learn.LBFGS, Seed: o.Seed, Experiment: "accuracy", Cell: cell("trained", s)}
	err := trial.Run(ctx, trials, runtime.GOMAXPROCS(0), func(t int) {
		defer o.tick()
		if float64(s.P) <= mayStore*critical {
			rng := stream.New(o.Seed, problem.Experiment, problem.Cell, uint64(t))
			decided := trial.Decide(rng, trial.Draw(rng, s, learn.LBFGS), trial.Options{Threads: 1})
			if decided.Outcome == trial.Stored {
				accuracies[t], stored[t] = 1, true
				return
			}
		}
		one := problem
		one.Trial = uint64(t)
		m, err := measure.Run(one)
		switch {
		case err != nil:
			errs[t] = err
		case !m.Result.Status.OK():
			errs[t] = fmt.Errorf("%v %s, seed %d, trial %d: no minimum was reached (%v)", s.Model, problem.Cell, o.Seed, t, m.Result.Status)
		}
		accuracies[t], stored[t] = m.Accuracy(), m.Accuracy() == 1
	})
	if err != nil {
		return r, err
	}
	for t, e := range errs {
		if e != nil {
			return r, e
		}
		if stored[t] {
			r.Stored++
		}
	}
	r.Sample = stats.NewSample(accuracies)
	return r, nil
}

// predict adds what theory says.
func (c Curve) predict(o *Options, point *Point) error {
	p := float64(point.P)
	trained, err := saddle.SolveTraining(saddle.Training{Weights: float64(c.D) * float64(c.D), Facts: p, Loss: saddle.CrossEntropy})
	if err != nil {
		return err
	}
	point.Score = trained.Accuracy
	if err := c.predictVector(o, point); err != nil {
		return err
	}
	if point.HebbDPTheory, err = saddle.HebbItemRecallDecoupledCorrected(c.D, p, p); err != nil {
		return err
	}
	if point.HebbOPTheory, err = saddle.HebbItemRecallOriginal(c.D, p); err != nil {
		return err
	}
	return nil
}

const (
	// vectorTarget is the standard error at which draws suffice, see [vector.Precision].
	vectorTarget = 0.005
	// nearCapacity is how close to p_c the vector level is left out.
	nearCapacity = 0.05
)

// predictVector computes the accuracy at vector level, with the lengths of the keys.
func (c Curve) predictVector(o *Options, point *Point) error {
	point.Vector = extremes.Value{Value: math.NaN(), Error: math.NaN()}
	load := float64(point.P) / point.Critical
	if c.Draws == 0 || math.Abs(load-1) < nearCapacity {
		return nil
	}
	if load < 1 { // the phase is that of the cone, which lengths do not change
		point.Vector = extremes.Value{Value: 1, Status: status.Converged}
		return nil
	}
	trained, err := vector.Solve(vector.Training{
		Training:  saddle.Training{Weights: float64(c.D) * float64(c.D), Facts: float64(point.P), Loss: saddle.CrossEntropy},
		Ensemble:  vector.Ensemble{DOut: c.D, Values: o.Values, Keys: o.Keys, KeyDimension: c.D, Seed: o.Seed},
		Precision: vector.Precision{Target: vectorTarget, MaxDraws: c.Draws},
	})
	switch {
	case errors.Is(err, vector.ErrAtCapacity):
		return nil
	case err != nil:
		return fmt.Errorf("vector level, d = %d, p = %d: %w", c.D, point.P, err)
	}
	point.Vector, point.VectorDraws = trained.Accuracy, trained.Draws
	return nil
}
