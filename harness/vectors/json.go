package vectors

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
)

// stored is the JSON of a [Transform].
type stored struct {
	Columns int      `json:"columns"`
	Steps   []fitted `json:"steps"`
}

// MarshalJSON writes every number with the digits that read back to it.
func (t *Transform) MarshalJSON() ([]byte, error) {
	return json.Marshal(stored{Columns: t.columns, Steps: append([]fitted{}, t.steps...)})
}

// UnmarshalJSON is the inverse of [Transform.MarshalJSON]. It returns an error,
// and leaves t as it was, for what cannot have been written by it.
func (t *Transform) UnmarshalJSON(text []byte) error {
	// Which would be taken for 0.
	if bytes.Contains(text, []byte("null")) {
		return errors.New("preprocessing: null: want numbers")
	}
	var s stored
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&s); err != nil {
		return fmt.Errorf("preprocessing: %w", err)
	}
	if s.Columns < 1 || s.Columns > MaxNumbers {
		return fmt.Errorf("preprocessing: columns = %d: want 1 to %d", s.Columns, MaxNumbers)
	}
	if len(s.Steps) > maxSteps {
		return fmt.Errorf("preprocessing: %d steps: want at most %d", len(s.Steps), maxSteps)
	}
	for i, f := range s.Steps {
		if err := f.validate(s.Columns); err != nil {
			return fmt.Errorf("preprocessing: steps[%d], %s: %w", i, f.Step, err)
		}
	}
	*t = Transform{columns: s.Columns, steps: s.Steps}
	return nil
}

// validate checks that a step has what its kind has. Its numbers are finite:
// JSON has no others.
func (f *fitted) validate(d int) error {
	mean := d
	if f.Step == UnitNorm {
		mean = 0
	}
	if len(f.Mean) != mean {
		return fmt.Errorf("a mean of %d numbers: want %d", len(f.Mean), mean)
	}
	if f.Step != Whiten {
		if len(f.Matrix) != 0 || f.Rank != 0 || f.Largest != 0 || f.Smallest != 0 {
			return errors.New("a matrix, rank or eigenvalue: want none")
		}
		return nil
	}
	if len(f.Matrix)%d != 0 || len(f.Matrix)/d != d {
		return fmt.Errorf("a matrix of %d numbers: want %d²", len(f.Matrix), d)
	}
	for i := range d {
		for j := range i {
			if f.Matrix[i*d+j] != f.Matrix[j*d+i] {
				return fmt.Errorf("matrix: entries (%d, %d) and (%d, %d) differ: want it symmetric", i, j, j, i)
			}
		}
	}
	if f.Rank < 1 || f.Rank > d {
		return fmt.Errorf("rank = %d: want 1 to %d", f.Rank, d)
	}
	if !(0 < f.Smallest && f.Smallest <= f.Largest) {
		return fmt.Errorf("eigenvalues from %g to %g: want 0 < smallest ≤ largest", f.Smallest, f.Largest)
	}
	return nil
}
