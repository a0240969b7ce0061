package accuracy

import (
	"math"
	"math/big"
)

// precision in bits: 40 digits and some to spare.
const precision = 160

// Number is a reference value in extended precision.
type Number struct{ x *big.Float }

// Decimal reads a number as people write it. It panics if there is none.
func Decimal(text string) Number {
	x, _, err := big.ParseFloat(text, 10, precision, big.ToNearestEven)
	if err != nil {
		panic("accuracy: not a number: " + text)
	}
	return Number{x}
}

// Exact is the number that a float64 stands for.
func Exact(x float64) Number { return Number{new(big.Float).SetPrec(precision).SetFloat64(x)} }

// Float64 returns the nearest float64.
func (n Number) Float64() float64 {
	x, _ := n.x.Float64()
	return x
}

// At returns the reference n = f(input), given for a decimal input, moved to the
// nearest float64 by first order: n + slope · (float64(input) − input).
// What is left out is of the order of the square of 2⁻⁵³.
func (n Number) At(input Number, slope float64) Number {
	shift := new(big.Float).Sub(Exact(input.Float64()).x, input.x)
	shift.Mul(shift, Exact(slope).x)
	return Number{shift.Add(shift, n.x)}
}

// absolute returns |got − n|, relative |got − n|/|n|; +Inf unless got is finite. The
// quotient is taken before it is rounded: next to the smallest float64 the difference
// of a number from its reference is none.
func (n Number) absolute(got float64) float64 {
	if math.IsNaN(got) || math.IsInf(got, 0) {
		return math.Inf(1)
	}
	e, _ := n.difference(got).Float64()
	return e
}

func (n Number) relative(got float64) float64 {
	if math.IsNaN(got) || math.IsInf(got, 0) {
		return math.Inf(1)
	}
	e := n.difference(got)
	if e.Sign() == 0 {
		return 0
	}
	if n.x.Sign() == 0 {
		return math.Inf(1)
	}
	r, _ := e.Quo(e, new(big.Float).Abs(n.x)).Float64()
	return r
}

func (n Number) difference(got float64) *big.Float {
	difference := new(big.Float).SetPrec(precision).SetFloat64(got)
	difference.Sub(difference, n.x)
	return difference.Abs(difference)
}
