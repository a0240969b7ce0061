package faddeeva

import "math"

// far is the modulus from which two terms of the asymptotic series have
// relative error below 4/far⁴ = 4e−20 in both parts.
const far = 1e5

// W returns the Faddeeva function w(z) = e^{−z²} erfc(−iz) for any complex z.
//
// In the closed upper half-plane |w| ≤ 1 and the relative error of |w| is a
// few 1e−16. In the lower half-plane w(z) = 2 e^{−z²} − w(−z) has zeros, near
// which only the absolute error is small, and overflows to infinity where
// Re(−z²) exceeds 709. A NaN in z gives NaN. Source: [ACW].
func W(z complex128) complex128 {
	x, y := real(z), imag(z)
	if math.IsNaN(x) || math.IsNaN(y) {
		return complex(math.NaN(), math.NaN())
	}
	re, im := quadrant(math.Abs(x), math.Abs(y))
	if y >= 0 {
		if x < 0 {
			im = -im // w(−conj z) = conj w(z)
		}
		return complex(re, im)
	}
	// w(−z) = 2e^{−z²} − w(z), with −z in the upper half-plane.
	if x > 0 {
		im = -im
	}
	expRe, expIm := twiceExpMinusSquare(x, y)
	return complex(expRe-re, expIm-im)
}

// quadrant returns the parts of w(x + iy) for x, y ≥ 0.
func quadrant(x, y float64) (re, im float64) {
	if x > far || y > far {
		return quadrantFar(x, y)
	}
	modulus := x*x + y*y
	if modulus < nearSquare {
		return quadrantNear(x, y, modulus)
	}
	square, squareLow := differenceOfSquares(x, y) // Re z²
	twoXY := 2 * x * y                             // Im z²

	nodes := &midpointNodes
	var poleRe, poleIm float64
	if !residueNegligible(square, y) {
		fraction := x * invHHigh
		whole := math.RoundToEven(fraction)
		fraction = math.FMA(x, invHHigh, -whole) + x*invHLow // x/h − nearest integer, exact to rounding
		sign := 1.0
		if y < x && math.Abs(fraction) >= 0.25 {
			nodes = &trapezoidNodes
			sign = -1
		}
		poleRe, poleIm = residue(square, squareLow, x, y, fraction, sign)
	}

	// Σ e^{−t²}/(z² − t²) in real arithmetic: with d = |z² − t²|²,
	//   Re w = (2h/π) y Σ e^{−t²} (|z|² + t²)/d,   a sum of positive terms,
	//   Im w = (2h/π) x Σ e^{−t²} (|z|² − t²)/d.
	// The brackets are taken node by node: |z|² − t² is small where d is, and
	// must not become a difference of two large sums.
	imSquare := twoXY * twoXY
	twoYY := 2 * y * y
	var sumRe, sumIm float64
	for i := range nodes {
		n := &nodes[i]
		// The first difference is exact where it matters, near the node.
		gap := (square - n.square) + (squareLow - n.low)
		term := n.weight / (gap*gap + imSquare)
		sumRe += term * (modulus + n.square)
		sumIm += term * (gap + twoYY)
	}
	re = twoHOverPi*y*sumRe + poleRe
	im = twoHOverPi*x*sumIm + poleIm
	return re, im
}

// residueNegligible reports that 2e^{−x²+y²−2πy/h}, the size of the residue, is
// below 1e−16 of the real part of w, which is about y/(√π|z|²) or more; that of
// the imaginary part is larger where |z| is large.
func residueNegligible(square, y float64) bool {
	switch {
	case y >= 1:
		return square+2*heightOfM*y > 42 || y >= heightOfM
	case y > 0.01:
		return square > 50
	default:
		return square > 746 // underflow
	}
}

// residue returns the parts of 2e^{−z²}/(1 + sign·e^{−2πiz/h}): what the
// trapezoidal rule misses because of the pole at t = z. fraction is x/h
// less an integer.
func residue(square, squareLow, x, y, fraction, sign float64) (re, im float64) {
	size := 2 * math.Exp(-square)
	size -= size * squareLow
	sinB, cosB := sinCosProduct(x, y)
	growth := sign * math.Exp(2*heightOfM*y)
	sinA, cosA := sinCosTurns(fraction)
	// 1/(1 + growth (cosA − i sinA)) = (p + iq)/(p² + q²)
	p := 1 + growth*cosA
	q := growth * sinA
	size /= p*p + q*q
	return size * (p*cosB + q*sinB), size * (q*cosB - p*sinB)
}

// quadrantFar is w = (i/√π)(1/z)(1 + 1/(2z²)), x, y ≥ 0, at least one above far.
// It divides before it multiplies: nothing overflows.
func quadrantFar(x, y float64) (re, im float64) {
	if math.IsInf(x, 1) || math.IsInf(y, 1) {
		return 0, 0
	}
	var u, v float64 // 1/z = u − iv
	if x >= y {
		r := y / x
		u = 1 / (x * (1 + r*r))
		v = r * u
	} else {
		r := x / y
		v = 1 / (y * (1 + r*r))
		u = r * v
	}
	const invSqrtPi = 0.56418958354775628694807945
	// 1/z² = (u−v)(u+v) − 2iuv
	a := 1 + 0.5*(u-v)*(u+v)
	b := u * v
	// i (u − iv)(a − ib) = (va + ub) + i(ua − vb)
	return invSqrtPi * (v*a + u*b), invSqrtPi * (u*a - v*b)
}
