package pairings

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/mat"

	"lamcap/harness/vectors"
)

// KeyMean returns β = √(mᵀC⁻¹m), the length of the mean m of the vectors in coordinates in which their covariance
// C is 1: 0 for centred ones, ∞ for a mean outside the space in which they vary.
func KeyMean(s *vectors.Set) (float64, error) {
	sp, err := s.Spectrum()
	if err != nil {
		return math.NaN(), err
	}
	size := 0.0 // of the vectors
	centred := mat.NewDense(s.Rows, s.Columns, nil)
	for i := range s.Rows {
		for j, x := range s.Row(i) {
			size = math.Max(size, math.Abs(x))
			centred.Set(i, j, x-sp.Mean[j])
		}
	}
	mean := mat.NewVecDense(s.Columns, sp.Mean)
	length := mat.Norm(mean, 2)
	if length <= 1e-12*size*math.Sqrt(float64(s.Columns)) { // what round-off leaves of centred ones
		return 0, nil
	}
	var svd mat.SVD
	if !svd.Factorize(centred, mat.SVDThin) {
		return math.NaN(), errors.New("the singular values of the keys were not found")
	}
	var directions mat.Dense
	svd.VTo(&directions)
	singular := svd.Values(nil)
	square, within := 0.0, 0.0
	for k := range sp.Rank {
		c := mat.Dot(mean, directions.ColView(k))
		within += c * c
		square += c * c / (singular[k] * singular[k])
	}
	if length-math.Sqrt(within) > 1e-9*length {
		return math.Inf(1), nil
	}
	return math.Sqrt(square * float64(s.Rows)), nil
}
