package vectors

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// fitWhitening computes C^(−1/2) on the span of the vectors about their mean.
func fitWhitening(s *Set) (fitted, error) {
	p, err := s.decompose("whiten", s.mean(), true)
	if err != nil {
		return fitted{}, err
	}
	if p.rank == 0 {
		return fitted{}, fmt.Errorf("whiten: the %d vectors are equal up to round-off: want vectors that differ", s.Rows)
	}
	d, n := s.Columns, math.Sqrt(float64(s.Rows))
	// √(C^(−1/2)) halves, so that the product is symmetric to the last bit.
	half := mat.NewDense(d, p.rank, nil)
	for k := range p.rank {
		f := math.Sqrt(n / p.singular[k])
		for j := range d {
			half.Set(j, k, f*p.directions.At(j, k))
		}
	}
	var root mat.SymDense
	root.SymOuterK(1, half)
	matrix := make([]float64, 0, d*d)
	for i := range d {
		for j := range d {
			matrix = append(matrix, root.At(i, j))
		}
	}
	return fitted{
		Step: Whiten, Mean: p.mean, Matrix: matrix, Rank: p.rank,
		Largest: square(p.singular[0] / n), Smallest: square(p.singular[p.rank-1] / n),
	}, nil
}

func square(x float64) float64 { return x * x }
