package equivalence

import (
	"context"
	"fmt"
	"math"

	"lamcap/harness/pattern"
	"lamcap/harness/progress"
)

// Level is the confidence of all intervals, unless the options say otherwise.
const Level = 0.95

// Options say what to measure.
type Options struct {
	// Seed is the master seed: same seed, same report.
	Seed uint64
	// Keys and Values are the embeddings of both problems.
	Keys, Values pattern.Embedding
	// Storages are the shapes whose transitions are measured, Trainings those that are
	// trained beyond capacity.
	Storages  []Storage
	Trainings []Training
	// Confidence of the intervals; 0 means [Level].
	Confidence float64
	// Progress, if not nil, is told of each instance that is done out of
	// [Options.Instances].
	Progress progress.Reporter
}

func (o *Options) level() float64 {
	if o.Confidence == 0 {
		return Level
	}
	return o.Confidence
}

func (o *Options) tick() {
	if o.Progress != nil {
		o.Progress.Add(1)
	}
}

// spec is n = p.
func (o *Options) spec(m pattern.Model, s Shape, p int) pattern.Spec {
	return pattern.Spec{Model: m, DIn: s.DIn, DOut: s.DOut, P: p, N: p, Keys: o.Keys, Values: o.Values}
}

// Validate reports the first option outside its range.
func (o *Options) Validate() error {
	if !(o.Confidence >= 0 && o.Confidence < 1) {
		return fmt.Errorf("confidence = %v: want 0 < confidence < 1, or 0 for %v", o.Confidence, Level)
	}
	for _, s := range o.Storages {
		if s.Trials < 0 || s.DPTrials < 0 || s.NearTrials < 0 {
			return fmt.Errorf("d = %v: %d, %d and %d trials: want ≥ 0", s.Shape, s.Trials, s.DPTrials, s.NearTrials)
		}
		if err := s.Shape.validate(); err != nil {
			return err
		}
	}
	for _, t := range o.Trainings {
		if !(t.Load > 0) || math.IsInf(t.Load, 1) {
			return fmt.Errorf("load = %v: want a finite multiple of p_c above 0", t.Load)
		}
		if t.Trials < 2 {
			return fmt.Errorf("d = %v: %d pairs: want ≥ 2, to see how much they differ", t.Shape, t.Trials)
		}
		if err := t.Shape.validate(); err != nil {
			return err
		}
	}
	return nil
}

// leastDimension is the least for which the transition has a width to speak of.
const leastDimension = 4

func (s Shape) validate() error {
	if s.DIn < leastDimension || s.DOut < leastDimension {
		return fmt.Errorf("d = %v: want d ≥ %d", s, leastDimension)
	}
	return nil
}

// Report is what came out.
type Report struct {
	Seed  uint64
	Level float64
	// Keys and Values are the embeddings of the trained memories.
	Keys, Values pattern.Embedding
	Transitions  []Transition
	Trainings    []Trained
}

// Instances returns how many instances [Measure] will run.
func Instances(o Options) (int, error) {
	if err := o.Validate(); err != nil {
		return 0, err
	}
	total := 0
	for _, s := range o.Storages {
		p, err := s.place()
		if err != nil {
			return 0, err
		}
		total += p.instances()
	}
	for _, t := range o.Trainings {
		total += 2 * t.Trials
	}
	return total, nil
}

// Measure runs all experiments, each on as many goroutines as GOMAXPROCS; the result
// does not depend on their number. When ctx ends it returns its error.
func Measure(ctx context.Context, o Options) (*Report, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	r := &Report{Seed: o.Seed, Level: o.level(), Keys: o.Keys, Values: o.Values}
	for _, s := range o.Storages {
		p, err := s.place()
		if err != nil {
			return nil, err
		}
		t, err := p.run(ctx, &o)
		if err != nil {
			return nil, err
		}
		r.Transitions = append(r.Transitions, t)
	}
	for _, t := range o.Trainings {
		trained, err := t.run(ctx, &o)
		if err != nil {
			return nil, err
		}
		r.Trainings = append(r.Trainings, trained)
	}
	return r, nil
}
