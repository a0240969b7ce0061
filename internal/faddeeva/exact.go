package faddeeva

import "math"

// differenceOfSquares returns x² − y² as high + low: e^{−x²+y²} needs the
// absolute error of its exponent far below the last digit of x².
func differenceOfSquares(x, y float64) (high, low float64) {
	// The conversions keep the compiler from fusing a product with the difference.
	xx := float64(x * x)
	yy := float64(y * y)
	high = xx - yy
	// The error of a difference of two floats is a float (Knuth's two-sum).
	back := high - xx
	low = (xx - (high - back)) - (yy + back)
	low += math.FMA(x, x, -xx) - math.FMA(y, y, -yy)
	return high, low
}

// sinCosProduct returns the sine and cosine of 2xy, with the rounding error
// of the product taken into account.
func sinCosProduct(x, y float64) (sin, cos float64) {
	angle := float64(2 * x * y)
	low := math.FMA(2*x, y, -angle)
	sin, cos = math.Sincos(angle)
	if math.Abs(low) < 1e-8 { // second order is below 1e−16
		return sin + low*cos, cos - low*sin
	}
	sinLow, cosLow := math.Sincos(low)
	return sin*cosLow + cos*sinLow, cos*cosLow - sin*sinLow
}

// twiceExpMinusSquare returns the parts of 2e^{−z²}, z = x + iy. It overflows
// to infinities of the right signs; a part whose sine is zero stays zero.
func twiceExpMinusSquare(x, y float64) (re, im float64) {
	square, low := differenceOfSquares(x, y)
	if math.IsNaN(square) || math.IsInf(x*x, 0) || math.IsInf(y*y, 0) {
		// x² or y² overflowed: only the sign of |x| − |y| matters unless equal.
		square, low = (math.Abs(x)-math.Abs(y))*(math.Abs(x)+math.Abs(y)), 0
		if math.IsNaN(square) {
			return math.NaN(), math.NaN()
		}
	}
	if square > 750 {
		return 0, 0
	}
	if math.IsInf(x*y, 0) {
		return math.NaN(), math.NaN() // |x| = |y| beyond 1e154: the phase is lost
	}
	sin, cos := sinCosProduct(x, y)
	if square < -700 {
		// In two factors, so that only the product overflows.
		half := math.Exp(-0.5 * square)
		half -= half * (0.5 * low)
		re = (2 * cos * half) * half
		if sin != 0 {
			im = -(2 * sin * half) * half
		}
		return re, im
	}
	size := 2 * math.Exp(-square)
	size -= size * low
	return size * cos, -size * sin
}

// sinCosTurns returns the sine and cosine of 2π·turns for |turns| ≤ 1/2. The
// reduction to an eighth of a turn is exact, which a general routine's
// is not, and takes half the time. Polynomials are those of Cephes (S. L. Moshier), as
// in package math.
func sinCosTurns(turns float64) (sin, cos float64) {
	quarter := math.RoundToEven(4 * turns)
	r := 2 * math.Pi * (turns - 0.25*quarter)
	rr := r * r
	sin = r + r*rr*((((((1.58962301576546568060e-10*rr-2.50507477628578072866e-8)*rr+2.75573136213857245213e-6)*rr-1.98412698295895385996e-4)*rr+8.33333333332211858878e-3)*rr)-1.66666666666666307295e-1)
	cos = 1 - 0.5*rr + rr*rr*((((((-1.13585365213876817300e-11*rr+2.08757008419747316778e-9)*rr-2.75573141792967388112e-7)*rr+2.48015872888517045348e-5)*rr-1.38888888888730564116e-3)*rr)+4.16666666666665929218e-2)
	switch int(quarter) & 3 {
	case 1:
		return cos, -sin
	case 2:
		return -sin, -cos
	case 3:
		return -cos, sin
	}
	return sin, cos
}
