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

// Observe trains the memories of a cell and returns what of makes of each, in the order
// of trials, with those left out that have no weights. Results do not depend on the
// number of threads.
func Observe[T any](ctx context.Context, c Cell, name string, e Experiment, of func(m Memory) T) (Summary, []T, error) {
	s := Summary{Cell: c, Seed: e.Seed, Trials: e.Trials, Gradient: math.NaN()}
	if err := e.Validate(); err != nil {
		return s, nil, err
	}
	type one struct {
		trained, endless         bool
		accuracy, loss, gradient float64
		of                       T
	}
	all := make([]one, e.Trials)
	err := Many(ctx, c.Problem(e.Seed, name, e.Training), e.Trials, func(t int, m Memory) {
		if e.Tick != nil {
			defer e.Tick()
		}
		if m.Trained() {
			minimised := !math.IsNaN(m.Loss)
			all[t] = one{true, minimised && m.Result.Outcome == trial.Stored, m.Accuracy(), m.Loss, m.Gradient, of(m)}
		}
	})
	if err != nil {
		return s, nil, err
	}
	var seen []T
	var accuracy, loss []float64
	for _, o := range all {
		if !o.trained {
			continue
		}
		s.Trained++
		if o.endless {
			s.Endless++
		}
		if !(o.gradient <= s.Gradient) {
			s.Gradient = o.gradient
		}
		seen, accuracy, loss = append(seen, o.of), append(accuracy, o.accuracy), append(loss, o.loss)
	}
	s.Accuracy, s.Loss = stats.NewSample(accuracy), stats.NewSample(loss)
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
