package pairings

import (
	"fmt"
	"math/rand/v2"

	"lamcap/harness/pattern"
	"lamcap/harness/vectors"
	"lamcap/internal/stream"
)

// Ensemble is the set of all random pairings of the rows of Keys with those of Values.
type Ensemble struct {
	// Name tells it from others in tables and figures.
	Name         string
	Keys, Values *vectors.Set
}

// experiment is that of the address of every instance.
const experiment = "pairings"

// draws returns the stream of a trial at p facts. Keys are drawn from it first, values next.
func draws(seed uint64, p, trial int) *rand.Rand {
	return stream.New(seed, experiment, fmt.Sprintf("p=%d", p), uint64(trial))
}

// check reports what forbids p facts.
func (e Ensemble) check(p int) error {
	if most := min(e.Keys.Rows, e.Values.Rows); p < 2 || p > most {
		return fmt.Errorf("p = %d: want 2 to %d, keys and values being drawn without replacement from %d and %d", p, most, e.Keys.Rows, e.Values.Rows)
	}
	return nil
}

// Rows returns which keys a trial pairs with which values.
func (e Ensemble) Rows(seed uint64, p, trial int) (keys, values []int) {
	rng := draws(seed, p, trial)
	return rng.Perm(e.Keys.Rows)[:p], rng.Perm(e.Values.Rows)[:p]
}

// Instance returns the instance of a trial at p facts, 2 to the number of keys and of values.
func (e Ensemble) Instance(seed uint64, p, trial int) (*pattern.Instance, error) {
	if err := e.check(p); err != nil {
		return nil, err
	}
	keys, values := e.Rows(seed, p, trial)
	spec := pattern.Spec{Model: pattern.OP, DIn: e.Keys.Columns, DOut: e.Values.Columns, P: p, N: p}
	return pattern.FromData(spec, e.Keys.Select(keys).Data, e.Values.Select(values).Data)
}

// Preprocess returns the ensemble of preprocessed keys and values, each fitted on all rows.
func (e Ensemble) Preprocess(keys, values vectors.Preprocessing) (Ensemble, error) {
	out := Ensemble{Name: fmt.Sprintf("keys %s, values %s", keys, values)}
	var err error
	if out.Keys, err = apply(keys, e.Keys); err != nil {
		return out, fmt.Errorf("keys: %w", err)
	}
	if out.Values, err = apply(values, e.Values); err != nil {
		return out, fmt.Errorf("values: %w", err)
	}
	return out, nil
}

func apply(p vectors.Preprocessing, s *vectors.Set) (*vectors.Set, error) {
	t, err := p.Fit(s)
	if err != nil {
		return nil, err
	}
	return t.Apply(s)
}
