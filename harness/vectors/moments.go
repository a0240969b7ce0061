package vectors

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"lamcap/internal/sum"
)

// mean returns the mean of the vectors: compensated, so that a mean much larger
// than what varies about it costs no digits of that.
func (s *Set) mean() []float64 {
	sums := make([]sum.Neumaier, s.Columns)
	for i := range s.Rows {
		for j, v := range s.Row(i) {
			sums[j].Add(v)
		}
	}
	mean := make([]float64, s.Columns)
	for j := range mean {
		mean[j] = sums[j].Sum() / float64(s.Rows)
	}
	return mean
}

// size is the root mean square of the vectors' norms.
func (s *Set) size() float64 {
	return floats.Norm(s.Data, 2) / math.Sqrt(float64(s.Rows))
}

// error is the size of the vectors' errors: that of rounding their numbers, and
// what earlier steps made of it.
func (s *Set) error() float64 { return s.roundoff()*s.size() + s.noise }

// checkSize refuses numbers whose products may overflow or vanish.
func (s *Set) checkSize(step string) error {
	const least, greatest = 1e-75, 1e75
	largest, at := 0.0, 0
	for i, v := range s.Data {
		if a := math.Abs(v); a > largest {
			largest, at = a, i
		}
	}
	if largest != 0 && !(largest >= least && largest <= greatest) {
		return fmt.Errorf("%s: the largest entry is %g in size, in %s: want %g to %g, or all 0; rescale the vectors, which changes no recall", step, largest, s.Label(at/s.Columns), least, greatest)
	}
	return nil
}

// principal holds the singular values σ of the vectors less their mean (or the origin) and
// the directions they belong to: the covariance is C = V diag(σ²/n) Vᵀ.
type principal struct {
	mean       []float64
	singular   []float64 // descending, min(n, d) of them
	directions mat.Dense // V, d×min(n, d); only if asked for
	rank       int       // how many singular values rounding cannot account for
}

// decompose computes the singular values about a point from the vectors themselves: from
// those of the covariance, half the digits of small ones would be lost.
func (s *Set) decompose(name string, about []float64, directions bool) (*principal, error) {
	if err := s.checkSize(name); err != nil {
		return nil, err
	}
	p := &principal{mean: about}
	centred := mat.NewDense(s.Rows, s.Columns, nil)
	for i := range s.Rows {
		floats.SubTo(centred.RawRowView(i), s.Row(i), p.mean)
	}
	kind := mat.SVDNone
	if directions {
		kind = mat.SVDThinV
	}
	var svd mat.SVD
	if !svd.Factorize(centred, kind) {
		return nil, errors.New(name + ": the singular values of the vectors did not converge")
	}
	p.singular = svd.Values(nil)
	if directions {
		svd.VTo(&p.directions)
	}
	// Rounding the numbers has changed singular values by at most the Frobenius
	// norm of the changes (Weyl), computing them by some max(n, d) ε σ_1.
	level := math.Sqrt(float64(s.Rows))*s.error() + float64(max(s.Rows, s.Columns))*0x1p-52*p.singular[0]
	for p.rank < len(p.singular) && p.singular[p.rank] > level {
		p.rank++
	}
	return p, nil
}
