package anisotropy

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/mat"
)

// coordinatesOf returns the values with mean 0, row by row, their dimension, and the rank of
// their differences. Whitened ones have the covariance 1 in the space that they span.
func coordinatesOf(values []float64, n, dOut int, raw bool) (coordinates []float64, dimension, rank int, err error) {
	largest := 0.0
	for _, v := range values {
		largest = math.Max(largest, math.Abs(v))
	}
	if largest == 0 {
		return nil, 0, 0, errAllEqual
	}
	centred := make([]float64, len(values))
	for j := range dOut {
		mean := 0.0
		for i := range n {
			mean += values[i*dOut+j] / largest / float64(n)
		}
		for i := range n {
			centred[i*dOut+j] = values[i*dOut+j]/largest - mean
		}
	}
	var svd mat.SVD
	if !svd.Factorize(mat.NewDense(n, dOut, centred), mat.SVDThin) {
		return nil, 0, 0, errors.New("the singular values of the pool were not found")
	}
	singular := svd.Values(nil)
	// What round-off leaves of equal values is of the order of the values.
	floor := math.Max(singular[0], math.Sqrt(float64(n))) * float64(max(n, dOut)) * 0x1p-52
	for rank < len(singular) && singular[rank] > floor {
		rank++
	}
	if rank == 0 {
		return nil, 0, 0, errAllEqual
	}
	if raw {
		return centred, dOut, rank, nil
	}
	var left mat.Dense
	svd.UTo(&left)
	coordinates = make([]float64, n*rank)
	size := math.Sqrt(float64(n))
	for i := range n {
		for j := range rank {
			coordinates[i*rank+j] = left.At(i, j) * size
		}
	}
	return coordinates, rank, rank, nil
}

var errAllEqual = errors.New("all values of the pool are equal: want values that can be told apart")
