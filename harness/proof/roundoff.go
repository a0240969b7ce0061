package proof

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"lamcap/internal/roundoff"
)

const (
	// unit is u, the relative error of one rounding.
	unit = roundoff.Unit
	// tiny bounds the absolute error that underflow adds to a product.
	tiny = math.SmallestNonzeroFloat64
	// inflate makes an upper bound of an error bound that was computed with
	// few roundings.
	inflate = 1 + 1e-9
)

// twoSum returns a + b and the error of that sum, exactly ([Ogita05],
// algorithm 3.1). The conversions keep the compiler from fusing a product that a or b
// may be with the sum.
func twoSum(a, b float64) (sum, low float64) {
	a, b = float64(a), float64(b)
	sum = a + b
	z := sum - a
	return sum, (a - (sum - z)) + (b - z)
}

// twoProduct returns a·b and the error of that product, exactly unless it
// underflows ([Ogita05], algorithm 3.5). The conversion keeps the compiler from
// fusing the product with a later sum.
func twoProduct(a, b float64) (product, low float64) {
	product = float64(a * b)
	return product, math.FMA(a, b, -product)
}

// normUpper bounds the Euclidean norm of x from above. gonum's norm, scaled
// against overflow, takes four roundings for each entry at most.
func normUpper(x []float64) float64 {
	return floats.Norm(x, 2) * (1 + roundoff.Gamma(4*len(x)+16))
}

// sumLower bounds a sum of numbers that are not negative from below.
func sumLower(x []float64) float64 {
	return floats.Sum(x) * (1 - roundoff.Gamma(len(x)+4))
}
