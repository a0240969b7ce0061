package metric

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// ridge is the share of the mean eigenvalue that is added to the diagonal.
const ridge = 0.01

// Inverse returns the inverse, d×d row-major, of a symmetric matrix with a
// share of its trace added to the diagonal; nil if there is none, as for the
// matrix 0 and for numbers that are not finite. It reads the upper triangle of
// square, d×d row-major, and overwrites it. It panics if the length is not d².
func Inverse(square []float64, d int) []float64 {
	if d < 1 || len(square) != d*d {
		panic("metric: Inverse: want d·d numbers")
	}
	m := mat.NewSymDense(d, square)
	add := ridge * mat.Trace(m) / float64(d)
	for i := range d {
		m.SetSym(i, i, m.At(i, i)+add)
	}
	var c mat.Cholesky
	if !(add > 0) || math.IsInf(add, 0) || !c.Factorize(m) {
		return nil
	}
	var inverse mat.SymDense
	if c.InverseTo(&inverse) != nil {
		return nil
	}
	return mat.DenseCopyOf(&inverse).RawMatrix().Data
}
