package vectors

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Transform is a fitted [Preprocessing]. It is immutable, and JSON that reads
// back to the last bit.
type Transform struct {
	columns int
	steps   []fitted
}

// fitted is a step with what was determined from the vectors it was fitted on.
type fitted struct {
	Step     Step      `json:"step"`
	Mean     []float64 `json:"mean,omitempty"`                // Centre, Whiten
	Matrix   []float64 `json:"matrix,omitempty"`              // Whiten: C^(−1/2), d×d
	Rank     int       `json:"rank,omitempty"`                // Whiten: of C
	Largest  float64   `json:"largest_eigenvalue,omitempty"`  // Whiten: of C
	Smallest float64   `json:"smallest_eigenvalue,omitempty"` // Whiten: of C, but for those that are 0 up to round-off
}

// Columns returns the length of the vectors that t applies to.
func (t *Transform) Columns() int { return t.columns }

// Preprocessing returns the steps.
func (t *Transform) Preprocessing() Preprocessing {
	var p Preprocessing
	for _, f := range t.steps {
		p = append(p, f.Step)
	}
	return p
}

// Whitening tells of the last [Whiten] step: the rank of the covariance it was
// fitted on, and its largest eigenvalue over the smallest that round-off cannot
// account for. Both are 0 if there is no such step.
func (t *Transform) Whitening() (rank int, condition float64) {
	for _, f := range slices.Backward(t.steps) {
		if f.Step == Whiten {
			return f.Rank, f.Largest / f.Smallest
		}
	}
	return 0, 0
}

// Apply returns the transformed vectors, with their names: those t was fitted
// on, or others. Without steps it returns s. It returns an error if the vectors
// are of another length, one has no direction for [UnitNorm], or a result is
// not finite.
func (t *Transform) Apply(s *Set) (*Set, error) {
	if s.Columns != t.columns {
		return nil, fmt.Errorf("vectors of %d numbers: want %d, as those that the preprocessing was fitted on", s.Columns, t.columns)
	}
	for _, f := range t.steps {
		var err error
		if s, err = f.apply(s); err != nil {
			return nil, err
		}
	}
	return s, nil
}

func (f *fitted) apply(s *Set) (*Set, error) {
	t := *s
	t.Data = slices.Clone(s.Data)
	switch f.Step {
	case Centre:
		t.subtract(f.Mean)
		t.noise = s.error()
	case UnitNorm:
		if err := t.normalise(); err != nil {
			return nil, err
		}
	case Whiten:
		t.subtract(f.Mean)
		d := t.Columns
		matrix := mat.NewDense(d, d, f.Matrix)
		// Row by block, so that no second copy of the set is made.
		const block = 256
		scratch := make([]float64, block*d)
		for i := 0; i < t.Rows; i += block {
			rows := min(block, t.Rows-i)
			part := t.Data[i*d : (i+rows)*d]
			result := mat.NewDense(rows, d, scratch[:rows*d])
			result.Mul(mat.NewDense(rows, d, part), matrix)
			copy(part, scratch)
		}
		t.noise = s.error() / math.Sqrt(f.Smallest)
	}
	if err := t.checkFinite(); err != nil {
		return nil, fmt.Errorf("%s: %w", f.Step, err)
	}
	return &t, nil
}

func (s *Set) subtract(mean []float64) {
	for i := range s.Rows {
		floats.Sub(s.Row(i), mean)
	}
}

// normalise divides vectors by their norms, whatever their sizes.
func (s *Set) normalise() error {
	size := s.size()
	var zeros []int
	for i := range s.Rows {
		row := s.Row(i)
		if floats.Norm(row, 2) <= 4*s.noise { // what the mean is subtracted from is not 0 to the last bit
			zeros = append(zeros, i)
			continue
		}
		// A power of 2, which rounds nothing, keeps squares in range.
		_, exponent := math.Frexp(floats.Norm(row, math.Inf(1)))
		for j, v := range row {
			row[j] = math.Ldexp(v, -exponent)
		}
		floats.Scale(1/floats.Norm(row, 2), row)
	}
	if len(zeros) > 0 {
		what := "is 0"
		if s.noise > 0 {
			what = "is 0 up to round-off"
		}
		return fmt.Errorf("unit: %s %s and has no direction%s: remove it", s.Label(zeros[0]), what, others(len(zeros)-1, "such vector"))
	}
	if size > 0 {
		s.noise /= size
	}
	return nil
}
