package vecmath

import "math"

// The least exponents whose exponential is not taken to be 0. Their results
// are normal numbers: below, the scale 2^n of the reduction would not be.
const (
	LeastFloat32 = -87.33
	LeastFloat64 = -708
)

// The exponents from which on the result is +Inf: 127.5 log 2 and 1023.5 log 2.
const (
	topFloat32 = 127.5 * math.Ln2
	topFloat64 = 1023.5 * math.Ln2
)

// Portable exponentials take the fraction of the exponent from a table, which
// leaves a short polynomial:
//
//	exp x = 2^n · 2^{j/m} · exp r,   x = (m n + j)(log 2)/m + r,   |r| ≤ (log 2)/2m,
//
// with m = 32 for float32 and 64 for float64. They are for Least ≤ x ≤ top, and
// NaN, which they return.

const (
	// Adding 1.5·2^23 (2^52) leaves a rounded integer m n + j in the low bits of
	// a float32 (float64); the bias of the exponent is added with it.
	rounder32 = 0x1.8p23 + 32*127
	rounder64 = 0x1.8p52 + 64*1023

	// (log 2)/m in two parts. The first has so few bits that its product with
	// m n + j is exact.
	stepHigh32 = 0x1.62ep-6
	stepLow32  = 0x1.0bfbe80000000p-20
	stepHigh64 = 0x1.62e42fefp-7
	stepLow64  = 0x1.473de6af278edp-40
)

// reduce32 and reduce64 are r and 2^n·2^{j/m}. They and series32 and series64,
// exp r − 1, are apart to be inlined.

func reduce32(x float32) (r, scale float32) {
	k := x*(32/math.Ln2) + rounder32
	n := k - rounder32
	b := math.Float32bits(k)
	return (x - n*stepHigh32) - n*stepLow32, math.Float32frombits(roots32[b%32] + b>>5<<23)
}

func series32(r float32) float32 {
	return r + r*r*(0.5+r*(1./6)) // the next term is r⁴/24 < 6e-10
}

func reduce64(x float64) (r, scale float64) {
	k := x*(64/math.Ln2) + rounder64
	n := k - rounder64
	b := math.Float64bits(k)
	return (x - n*stepHigh64) - n*stepLow64, math.Float64frombits(roots64[b%64] + b>>6<<52)
}

func series64(r float64) float64 {
	r2 := r * r
	return r + r2*(0.5+r*(1./6)+r2*(1./24+r*(1./120))) // the next is r⁶/720 < 4e-17
}

// roots32 and roots64 are the bits of 2^{j/32} and 2^{j/64} without the exponent,
// rounded from 40 digits. They are constants.
var (
	roots32 = [32]uint32{
		0x000000, 0x02cd87, 0x05aac3, 0x08980f, 0x0b95c2, 0x0ea43a, 0x11c3d3, 0x14f4f0,
		0x1837f0, 0x1b8d3a, 0x1ef532, 0x227043, 0x25fed7, 0x29a15b, 0x2d583f, 0x3123f6,
		0x3504f3, 0x38fbaf, 0x3d08a4, 0x412c4d, 0x45672a, 0x49b9be, 0x4e248c, 0x52a81e,
		0x5744fd, 0x5bfbb8, 0x60ccdf, 0x65b907, 0x6ac0c7, 0x6fe4ba, 0x75257d, 0x7a83b3,
	}
	roots64 = [64]uint64{
		0x0000000000000, 0x02c9a3e778061, 0x059b0d3158574, 0x0874518759bc8,
		0x0b5586cf9890f, 0x0e3ec32d3d1a2, 0x11301d0125b51, 0x1429aaea92de0,
		0x172b83c7d517b, 0x1a35beb6fcb75, 0x1d4873168b9aa, 0x2063b88628cd6,
		0x2387a6e756238, 0x26b4565e27cdd, 0x29e9df51fdee1, 0x2d285a6e4030b,
		0x306fe0a31b715, 0x33c08b26416ff, 0x371a7373aa9cb, 0x3a7db34e59ff7,
		0x3dea64c123422, 0x4160a21f72e2a, 0x44e086061892d, 0x486a2b5c13cd0,
		0x4bfdad5362a27, 0x4f9b2769d2ca7, 0x5342b569d4f82, 0x56f4736b527da,
		0x5ab07dd485429, 0x5e76f15ad2148, 0x6247eb03a5585, 0x6623882552225,
		0x6a09e667f3bcd, 0x6dfb23c651a2f, 0x71f75e8ec5f74, 0x75feb564267c9,
		0x7a11473eb0187, 0x7e2f336cf4e62, 0x82589994cce13, 0x868d99b4492ed,
		0x8ace5422aa0db, 0x8f1ae99157736, 0x93737b0cdc5e5, 0x97d829fde4e50,
		0x9c49182a3f090, 0xa0c667b5de565, 0xa5503b23e255d, 0xa9e6b5579fdbf,
		0xae89f995ad3ad, 0xb33a2b84f15fb, 0xb7f76f2fb5e47, 0xbcc1e904bc1d2,
		0xc199bdd85529c, 0xc67f12e57d14b, 0xcb720dcef9069, 0xd072d4a07897c,
		0xd5818dcfba487, 0xda9e603db3285, 0xdfc97337b9b5f, 0xe502ee78b3ff6,
		0xea4afa2a490da, 0xefa1bee615a27, 0xf50765b6e4540, 0xfa7c1819e90d8,
	}
)
