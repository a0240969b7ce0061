package sweep

import (
	"fmt"
	"math"
	"strings"

	"lamcap/harness/learn"
	"lamcap/harness/measure"
	"lamcap/harness/pattern"
	"lamcap/harness/trial"
)

// Measure says what a trial does.
type Measure int

const (
	// Storage decides whether the instance can be stored.
	Storage Measure = iota
	// Training trains a memory to the minimum and measures it.
	Training
)

var measureNames = [...]string{"storage", "training"}

// String returns "storage" or "training".
func (m Measure) String() string {
	if m < 0 || int(m) >= len(measureNames) {
		return fmt.Sprintf("measure(%d)", int(m))
	}
	return measureNames[m]
}

// ParseMeasure is the inverse of [Measure.String]; it ignores case.
func ParseMeasure(s string) (Measure, error) {
	for i, n := range measureNames {
		if strings.EqualFold(s, n) {
			return Measure(i), nil
		}
	}
	return 0, fmt.Errorf("measure = %s: want storage or training", s)
}

// Address says which instances a cell draws and what is done with them. Two cells of
// one address must have the same [Options]: their records would be mistaken for each
// other.
type Address struct {
	Experiment string
	Measure    Measure
	Spec       pattern.Spec
	Rank       int // m, never 0
	Rule       learn.Rule
	Seed       uint64 // master seed
}

// Options are those of the rule and of what is observed. 0 means the defaults of
// [trial.Options] and [measure.Options].
type Options struct {
	MaxEvaluations int
	Restarts       int
	LearningRate   float64
	// GradientTolerance and LossTolerance end a training; of Training alone.
	GradientTolerance, LossTolerance float64
	// Spectrum and Scores keep the singular values and the scores of the trained
	// memory; of Training alone.
	Spectrum, Scores bool
}

// Cell is an address with its options.
type Cell struct {
	Address
	Options Options
	// Critical is p_c by N_eff of rank m among n = p candidates, a prediction that
	// goes along with the cell.
	Critical float64
}

// Load returns p/p_c.
func (c Cell) Load() float64 { return float64(c.Spec.P) / c.Critical }

// Alpha returns p log p/(d_in d_out).
func (a Address) Alpha() float64 {
	p := float64(a.Spec.P)
	return p * math.Log(p) / (float64(a.Spec.DIn) * float64(a.Spec.DOut))
}

// Kappa returns m/min(d_in, d_out).
func (a Address) Kappa() float64 { return float64(a.Rank) / float64(a.smaller()) }

func (a Address) smaller() int { return min(a.Spec.DIn, a.Spec.DOut) }

// Full reports whether all weights are free.
func (a Address) Full() bool { return a.Rank == a.smaller() }

// String names the cell for people.
func (a Address) String() string {
	s := a.Spec
	d := fmt.Sprintf("d=%d", s.DOut)
	if s.DIn != s.DOut {
		d = fmt.Sprintf("d_in=%d d_out=%d", s.DIn, s.DOut)
	}
	text := fmt.Sprintf("%s %v %v %v %s m=%d p=%d", a.Experiment, a.Measure, s.Model, a.Rule, d, a.Rank, s.P)
	if s.N != s.P {
		text += fmt.Sprintf(" n=%d", s.N)
	}
	if s.Keys != pattern.Gaussian || s.Values != pattern.Gaussian {
		text += fmt.Sprintf(" keys=%v values=%v", s.Keys, s.Values)
	}
	return text + fmt.Sprintf(" seed=%d", a.Seed)
}

// Validate reports the first field outside its range, or an instance too large for
// the rule.
func (c Cell) Validate() error {
	if c.Experiment == "" {
		return fmt.Errorf("experiment without a name: want one, which its random streams have")
	}
	if c.Rank < 1 || c.Rank > c.smaller() {
		return fmt.Errorf("rank = %d: want 1 ≤ rank ≤ min(d_in, d_out) = %d", c.Rank, c.smaller())
	}
	switch c.Measure {
	case Storage:
		if o := c.Options; o.GradientTolerance != 0 || o.LossTolerance != 0 || o.Spectrum || o.Scores {
			return fmt.Errorf("tolerances, spectrum or scores of measure storage: want measure training for them")
		}
		return c.decision().Validate(c.Spec)
	case Training:
		return c.problem(0).Validate()
	}
	return fmt.Errorf("measure = %v: want storage or training", c.Measure)
}

// decision is what package trial is told. One thread for each instance: trials run
// side by side.
func (c Cell) decision() trial.Options {
	return trial.Options{
		Rule: c.Rule, Rank: c.Rank, MaxEvaluations: c.Options.MaxEvaluations, Restarts: c.Options.Restarts,
		LearningRate: c.Options.LearningRate, Threads: 1,
	}
}

// problem is what package measure is told.
func (c Cell) problem(t uint64) measure.Problem {
	return measure.Problem{
		Spec: c.Spec, Rule: c.Rule, Rank: c.Rank, Seed: c.Seed, Experiment: c.Experiment, Cell: c.stream(), Trial: t,
		Options: measure.Options{
			MaxEvaluations: c.Options.MaxEvaluations, Restarts: c.Options.Restarts, LearningRate: c.Options.LearningRate,
			GradientTolerance: c.Options.GradientTolerance, LossTolerance: c.Options.LossTolerance,
		},
	}
}

// stream is the cell in the address of its random streams.
func (a Address) stream() string { return measure.StreamCell(a.Spec, a.Rank) }
