package pairings

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"lamcap/harness/vectors"
)

// Leading returns the coordinates of the vectors, mean included, along the k directions in which
// they vary most, the most first. k = Columns rotates them, which changes no recall.
func Leading(s *vectors.Set, k int) (*vectors.Set, error) {
	if k < 1 || k > s.Columns {
		return nil, fmt.Errorf("components = %d: want 1 to %d", k, s.Columns)
	}
	x := mat.NewDense(s.Rows, s.Columns, s.Data)
	var covariance mat.SymDense
	stat.CovarianceMatrix(&covariance, x, nil)
	var eigen mat.EigenSym
	if !eigen.Factorize(&covariance, true) {
		return nil, fmt.Errorf("components of %d vectors: the eigenvectors of their covariance did not converge", s.Rows)
	}
	var all mat.Dense
	eigen.VectorsTo(&all) // ascending
	directions := mat.NewDense(s.Columns, k, nil)
	for j := range k {
		v := mat.Col(nil, s.Columns-1-j, &all)
		directions.SetCol(j, upright(v))
	}
	var y mat.Dense
	y.Mul(x, directions)
	out, err := vectors.NewSet(s.Rows, k, y.RawMatrix().Data)
	if err != nil {
		return nil, err
	}
	out.Names, out.Source = s.Names, s.Source
	return out, nil
}

// upright turns v so that its largest entry is positive, since an eigenvector's sign is arbitrary.
func upright(v []float64) []float64 {
	largest := 0.0
	for _, x := range v {
		if math.Abs(x) > math.Abs(largest) {
			largest = x
		}
	}
	if largest < 0 {
		for i := range v {
			v[i] = -v[i]
		}
	}
	return v
}
