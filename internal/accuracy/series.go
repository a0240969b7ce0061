package accuracy

import (
	"math"
	"math/big"
	"sync"
)

// What follows are elementary functions of a float64 in extended precision, by series
// that were chosen for being short. Each is good to some 35 digits.

// working is the precision of the sums.
const working = 2 * precision

func float(x float64) *big.Float { return new(big.Float).SetPrec(working).SetFloat64(x) }

func zero() *big.Float { return new(big.Float).SetPrec(working) }

// Exp returns e^x for |x| < 1e6, by the series of e^{x/2^k}, squared k times.
func Exp(x float64) Number { return Number{exponential(float(x))} }

// Log returns log x for x > 0, by Newton's method on the exponential.
func Log(x float64) Number { return Number{natural(float(x))} }

// LogOneMinusExp returns log(1 − e^z) for −1e6 < z < 0.
func LogOneMinusExp(z float64) Number {
	// z itself may be of the size of the smallest float64.
	return Number{log1p(new(big.Float).Neg(exponential(float(z))), float(z))}
}

// log1p returns log(1 + y), y = −e^z, where y may be near −1 or 0.
func log1p(y, z *big.Float) *big.Float {
	one := float(1)
	if y.Cmp(float(-0.5)) <= 0 {
		return natural(new(big.Float).Neg(expm1(z)))
	}
	if new(big.Float).Abs(y).Cmp(float(0x1p-60)) > 0 {
		return natural(zero().Add(one, y))
	}
	// y − y²/2 + y³/3 − …
	total, power := zero(), zero().Set(one)
	for k := 1.0; k < 8; k++ {
		power = zero().Mul(power, y)
		term := zero().Quo(power, float(k))
		if math.Mod(k, 2) == 0 {
			term.Neg(term)
		}
		total.Add(total, term)
	}
	return total
}

// exponential is e^x.
func exponential(x *big.Float) *big.Float {
	if x.Sign() < 0 {
		return zero().Quo(float(1), exponential(zero().Neg(x)))
	}
	return zero().Add(float(1), expm1(x))
}

// expm1 is e^x − 1: with y = e^{x/2^k} − 1 by its series, y ← y(2 + y) k times.
func expm1(x *big.Float) *big.Float {
	if x.Sign() == 0 {
		return zero()
	}
	halvings := max(0, x.MantExp(nil)+8)
	reduced := zero().SetMantExp(x, -halvings)
	total, term := zero(), float(1)
	for k := 1.0; k < 60; k++ {
		term = zero().Mul(term, reduced)
		term.Quo(term, float(k))
		total.Add(total, term)
	}
	for range halvings {
		total.Mul(total, zero().Add(float(2), total))
	}
	return total
}

// natural is log x: each step y ← y + x e^{−y} − 1 + ½(x e^{−y} − 1)² triples the digits.
func natural(x *big.Float) *big.Float {
	mantissa := new(big.Float)
	exponent := x.MantExp(mantissa)
	m, _ := mantissa.Float64()
	y := float(math.Log(m))
	for range 4 {
		e := zero().Mul(mantissa, exponential(zero().Neg(y)))
		e.Sub(e, float(1))
		square := zero().Mul(e, e)
		cube := zero().Mul(square, e)
		y.Add(y, e)
		y.Sub(y, square.Quo(square, float(2)))
		y.Add(y, cube.Quo(cube, float(3)))
	}
	return y.Add(y, zero().Mul(float(float64(exponent)), ln2()))
}

// ln2 is log 2 = Σ_k 1/(k 2^k).
var ln2 = sync.OnceValue(func() *big.Float {
	total := zero()
	for k := 1; k < working+8; k++ {
		total.Add(total, zero().SetMantExp(zero().Quo(float(1), float(float64(k))), -k))
	}
	return total
})

// LogNormalSurvival returns log Q(x), Q(x) = P(t > x) for a standard normal t, for
// |x| ≤ 1e160:
//
//	Q(x) = 1/2 − φ(x) Σ_k x^{2k+1}/(2k+1)!!                    |x| < 12,
//	Q(x) = φ(x)/(x + 1/(x + 2/(x + 3/(x + …)))),  1 − Q(−x)    beyond.
func LogNormalSurvival(x float64) Number {
	switch {
	case x >= 12:
		return Number{logUpper(x)}
	case x <= -12:
		q := logUpper(-x)
		if q.Cmp(float(-1e6)) < 0 {
			return Number{zero()} // no float64
		}
		return Number{log1p(new(big.Float).Neg(exponential(q)), q)}
	}
	return Number{natural(central(x))}
}

// logUpper is log Q(x) for x ≥ 12, by the continued fraction from its end.
func logUpper(x float64) *big.Float {
	at := float(x)
	fraction := zero().Set(at)
	for k := 1200.0; k >= 1; k-- {
		fraction = zero().Add(at, zero().Quo(float(k), fraction))
	}
	half := zero().Quo(zero().Mul(at, at), float(2))
	return zero().Sub(zero().Neg(half), zero().Add(natural(fraction), zero().Quo(natural(twoPi()), float(2))))
}

// central is Q(x) for |x| ≤ 12; the sum cancels by up to e^{72}, 104 bits.
func central(x float64) *big.Float {
	at := float(x)
	square := zero().Mul(at, at)
	term, total := zero().Set(at), zero()
	for k := 1.0; k < 1600; k += 2 {
		total.Add(total, term)
		term = zero().Quo(zero().Mul(term, square), float(k+2))
	}
	density := exponential(zero().Quo(zero().Neg(square), float(2)))
	density.Quo(density, zero().Sqrt(twoPi()))
	return zero().Sub(float(0.5), total.Mul(total, density))
}

// twoPi is 2π by Machin's formula, π/4 = 4 arctan(1/5) − arctan(1/239).
var twoPi = sync.OnceValue(func() *big.Float {
	arctan := func(n float64) *big.Float {
		total, power := zero(), zero().Quo(float(1), float(n))
		square := float(n * n)
		for k := 0; k < working; k++ {
			term := zero().Quo(power, float(float64(2*k+1)))
			if k%2 == 1 {
				term.Neg(term)
			}
			total.Add(total, term)
			power.Quo(power, square)
		}
		return total
	}
	pi := zero().Mul(float(4), arctan(5))
	pi.Sub(pi, arctan(239))
	return pi.Mul(pi, float(8))
})
