package measure

import (
	"context"
	"fmt"
	"math"

	"lamcap/harness/stats"
	"lamcap/harness/trial"
)

// Experiment says how many instances of each cell are trained, and how.
type Experiment struct {
	Trials   int // instances of each cell
	Seed     uint64
	Training Options
	Tick     func() // called after each instance, if not nil
}

// Validate reports the first field outside its range.
func (e Experiment) Validate() error {
	if e.Trials < 1 {
		return fmt.Errorf("trials = %d: want trials ≥ 1", e.Trials)
	}
	return nil
}

// Summary is what the instances of a cell have in common, whatever is measured.
type Summary struct {
	Cell
	Seed            uint64
	Trials, Trained int // Trained less than Trials only for max-margin
	// Endless counts trained instances that the cross-entropy was minimised on and
	// that are stored: then it has no minimum, and training stopped at its loss
	// tolerance or its budget, short of the limit of largest margin.
	Endless int
	// Accuracy and Loss are means of the instances; Loss is NaN where there is none.
	Accuracy, Loss stats.Sample
	Gradient       float64 // the largest that was left
}

// Observation is what a [Summary] takes of one instance.
type Observation struct {
	Trained bool // there are weights: nothing else counts where there are none
	Stored  bool // every input is recalled
	// Accuracy is of the inputs; Loss and Gradient are those of [Memory], NaN where no
	// cross-entropy was minimised.
	Accuracy, Loss, Gradient float64
}

// Observation is that of the memory.
func (m Memory) Observation() Observation {
	return Observation{m.Trained(), m.Result.Outcome == trial.Stored, m.Accuracy(), m.Loss, m.Gradient}
}

// Summarise makes the summary of a cell of all its instances, those without weights
// among them.
func Summarise(c Cell, seed uint64, all []Observation) Summary {
	s := Summary{Cell: c, Seed: seed, Trials: len(all), Gradient: math.NaN()}
	var accuracy, loss []float64
	for _, o := range all {
		if !o.Trained {
			continue
		}
		s.Trained++
		if o.Stored && !math.IsNaN(o.Loss) {
			s.Endless++
		}
		if !(o.Gradient <= s.Gradient) {
			s.Gradient = o.Gradient
		}
		accuracy, loss = append(accuracy, o.Accuracy), append(loss, o.Loss)
	}
	s.Accuracy, s.Loss = stats.NewSample(accuracy), stats.NewSample(loss)
	return s
}

// Observe trains the memories of a cell and returns what of makes of each, in the order
// of trials, with those left out that have no weights. Results do not depend on the
// number of threads.
func Observe[T any](ctx context.Context, c Cell, name string, e Experiment, of func(m Memory) T) (Summary, []T, error) {
	if err := e.Validate(); err != nil {
		return Summary{Cell: c, Seed: e.Seed, Trials: e.Trials, Gradient: math.NaN()}, nil, err
	}
	all, made := make([]Observation, e.Trials), make([]T, e.Trials)
	err := Many(ctx, c.Problem(e.Seed, name, e.Training), e.Trials, func(t int, m Memory) {
		if e.Tick != nil {
			defer e.Tick()
		}
		if all[t] = m.Observation(); m.Trained() {
			made[t] = of(m)
		}
	})
	s := Summarise(c, e.Seed, all)
	if err != nil {
		return s, nil, err
	}
	seen := made[:0]
	for t, o := range all {
		if o.Trained {
			seen = append(seen, made[t])
		}
	}
	return s, seen, nil
}

// SampleOf summarises a number of each observation.
func SampleOf[T any](seen []T, f func(T) float64) stats.Sample {
	x := make([]float64, len(seen))
	for i, s := range seen {
		x[i] = f(s)
	}
	return stats.NewSample(x)
}
