package vectors

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"lamcap/internal/sum"
)

// Spectrum tells how vectors are spread about their mean.
type Spectrum struct {
	Vectors, Columns int
	// Eigenvalues of the covariance C = (1/n) Σ_i (x_i − μ)(x_i − μ)ᵀ, d of them,
	// descending. Those after the first Rank are 0 up to round-off.
	Eigenvalues []float64
	Rank        int
	Mean        []float64 // μ
}

// Spectrum returns the spectrum of the covariance, computed from the singular
// values of the vectors, so that small eigenvalues have digits too. It returns
// an error if entries are beyond 1e-75 to 1e75 in size, or the singular values
// do not converge.
func (s *Set) Spectrum() (*Spectrum, error) { return s.spectrum(s.mean()) }

// SecondMoments returns the same of E x xᵀ, about the origin and with Mean 0: its rank is
// the dimension of the vectors' span.
func (s *Set) SecondMoments() (*Spectrum, error) {
	return s.spectrum(make([]float64, s.Columns))
}

func (s *Set) spectrum(about []float64) (*Spectrum, error) {
	p, err := s.decompose("spectrum", about, false)
	if err != nil {
		return nil, err
	}
	sp := &Spectrum{Vectors: s.Rows, Columns: s.Columns, Rank: p.rank, Mean: p.mean, Eigenvalues: make([]float64, s.Columns)}
	for i, v := range p.singular {
		sp.Eigenvalues[i] = v * v / float64(s.Rows)
	}
	return sp, nil
}

// Trace returns tr C, the mean square distance of the vectors from their mean.
func (sp *Spectrum) Trace() float64 { return sum.Pairwise(sp.Eigenvalues) }

// ParticipationRatio returns (tr C)²/tr C², from 1 to d: d for equal
// eigenvalues, near the number of large ones otherwise. It is NaN if C = 0.
func (sp *Spectrum) ParticipationRatio() float64 {
	// Relative to the largest, so that squares stay in range.
	var first, second float64
	for _, v := range sp.Eigenvalues {
		r := v / sp.Eigenvalues[0]
		first += r
		second += r * r
	}
	return first * first / second
}

// MeanNorm returns ‖μ‖.
func (sp *Spectrum) MeanNorm() float64 { return floats.Norm(sp.Mean, 2) }

// MeanShare returns ‖μ‖/√(tr C), how far off the origin the vectors lie as seen
// from their spread: 0 for centred ones, ∞ if they are all the same.
func (sp *Spectrum) MeanShare() float64 { return sp.MeanNorm() / math.Sqrt(sp.Trace()) }
