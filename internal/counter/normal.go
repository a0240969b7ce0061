package counter

import "math"

// Coefficients of least greatest relative error, rounded to float32; the errors
// are after rounding. The assembly has the same.
const (
	// −2 log(1 + t) = t·Σ l_n tⁿ for √½ ≤ 1 + t < √2, to 5.8e-8.
	l0 = -0x1p+1
	l1 = 0x1.fffff8p-1
	l2 = -0x1.555792p-1
	l3 = 0x1.000570p-1
	l4 = -0x1.98b748p-2
	l5 = 0x1.5332a4p-2
	l6 = -0x1.3238f0p-2
	l7 = 0x1.263ba4p-2
	l8 = -0x1.654490p-3

	// sin(πw/4) = w·Σ s_n w²ⁿ for |w| ≤ 1, to 3.4e-8.
	s0 = 0x1.921fb6p-1
	s1 = -0x1.4abbbap-4
	s2 = 0x1.465e92p-9
	s3 = -0x1.2d9302p-15

	// cos(πw/4) = 1 + Σ c_n w²ⁿ for |w| ≤ 1, to 5.4e-8.
	c1 = -0x1.3bd39cp-2
	c2 = 0x1.03b090p-6
	c3 = -0x1.4e844ap-12
)

const (
	rootHalf = 0x3f3504f3 // bits of √½
	mantissa = 23         // bits
)

// normals maps two uniform words to two independent standard normals.
//
// The conversions to float32 are there to round: without them a compiler may
// fuse a product into a sum, and does on some architectures.
func normals(radius, angle uint32) (x, y float32) {
	// radius + ½ in two exact halves, then one rounding.
	f := float32(float32(int32(radius>>16))*0x1p16) + (float32(int32(radius&0xffff)) + 0.5)
	// u = 2^−32·f = 2^e·m with √½ ≤ m < √2: near u = 1 the logarithm is small, and
	// must not be a difference.
	bits := int32(math.Float32bits(f)) - (rootHalf + 32<<mantissa)
	e := float32(bits >> mantissa)
	m := math.Float32frombits(uint32(bits&(1<<mantissa-1) + rootHalf))
	t := m - 1
	// In pairs, since steps that wait for each other take time.
	t2 := float32(t * t)
	t4 := float32(t2 * t2)
	low := (l0 + float32(l1*t)) + float32(t2*(l2+float32(l3*t)))
	high := (l4 + float32(l5*t)) + float32(t2*(l6+float32(l7*t)))
	high += float32(l8 * t4)
	l := float32(t*(low+float32(t4*high))) + float32(e*(-2*math.Ln2))
	r := float32(math.Sqrt(float64(l)))

	// The low 30 bits, signed and with the half, are an angle of up to ±π/4
	// around an axis. The two bits above choose one of the four: bit 31 turns to
	// the opposite, bit 30 reflects on the diagonal.
	w := float32(int32(angle<<2|2)) * 0x1p-31
	z := float32(w * w)
	s := float32(s3*z) + s2
	s = float32(s*z) + s1
	s = float32(s*z) + s0
	s = float32(s * w)
	c := float32(c3*z) + c2
	c = float32(c*z) + c1
	c = float32(c*z) + 1
	c = math.Float32frombits(math.Float32bits(c) ^ angle&(1<<31))
	if angle&(1<<30) != 0 {
		c, s = s, c
	}
	return float32(r * c), float32(r * s)
}
