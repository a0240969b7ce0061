// Command counter generates the assembly of lamcap/internal/counter.
package main

import (
	"fmt"
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"lamcap/internal/asm/vector"
)

// constants are those of the file.
var constants = vector.Constants{}

func main() {
	ConstraintExpr("amd64")
	normals(vector.Unit{Bytes: 32, Bits: 32})
	normals(vector.Unit{Bytes: 64, Bits: 32})
	Generate()
}

// As in the package.
const (
	philoxM0 = 0xd2511f53
	philoxM1 = 0xcd9e8d57
	philoxW0 = 0x9e3779b9
	philoxW1 = 0xbb67ae85
	rounds   = 10
	rootHalf = 0x3f3504f3
)

var (
	logarithm = []float64{-0x1p+1, 0x1.fffff8p-1, -0x1.555792p-1, 0x1.000570p-1, -0x1.98b748p-2,
		0x1.5332a4p-2, -0x1.3238f0p-2, 0x1.263ba4p-2, -0x1.654490p-3}
	sine   = []float64{0x1.921fb6p-1, -0x1.4abbbap-4, 0x1.465e92p-9, -0x1.2d9302p-15}
	cosine = []float64{1, -0x1.3bd39cp-2, 0x1.03b090p-6, -0x1.4e844ap-12}
)

// groups is how many registers of counters are worked on side by side, so that
// their chains of dependent instructions overlap.
const groups = 2

// stretch is the numbers between two passes, 16 KiB of them.
const stretch = 4096

// writer writes the operations on integers, and on several registers in turn.
type writer struct{ vector.Unit }

// each runs f for every group.
func each(f func(g int)) {
	for g := range groups {
		f(g)
	}
}

func (w writer) wide() bool { return w.Bytes == 64 }

// integer is a constant of 32 or 64 bits that fills a register.
func (w writer) integer(name string, bits int, v uint64) Mem {
	return constants.Vector(vector.Unit{Bytes: w.Bytes, Bits: bits}, name, v)
}

func (w writer) float(name string, x float64) Mem { return constants.Float(w.Unit, name, x) }

func (w writer) xor(b, a, dst Op) {
	if w.wide() {
		VPXORD(b, a, dst)
	} else {
		VPXOR(b, a, dst)
	}
}

func (w writer) and(b, a, dst Op) {
	if w.wide() {
		VPANDD(b, a, dst)
	} else {
		VPAND(b, a, dst)
	}
}

func (w writer) or(b, a, dst Op) {
	if w.wide() {
		VPORD(b, a, dst)
	} else {
		VPOR(b, a, dst)
	}
}

func (w writer) load(m Mem, dst Op) {
	if w.wide() {
		VMOVDQU64(m, dst)
	} else {
		VMOVDQU(m, dst)
	}
}

func (w writer) save(v Op, m Mem) {
	if w.wide() {
		VMOVDQU64(v, m)
	} else {
		VMOVDQU(v, m)
	}
}

// lanes is a table of the block of every 64-bit lane, relative to the first of
// the register: the order in which interleaving X and Y writes them.
func (w writer) lanes() Mem {
	n := w.Bytes / 8
	m := GLOBL(fmt.Sprint("lanes", 8*w.Bytes), 8|16)
	for i := range n {
		DATA(8*i, U64(uint64(i/2+i%2*n/2)))
	}
	return m
}

// scratch is the bytes for the keys of all rounds, up to alignment.
func scratch(u vector.Unit) int { return 2*rounds*u.Bytes + 63 }

func normals(u vector.Unit) {
	w := writer{u}
	name := "normals" + u.Name()
	chunk := groups * u.Bytes / 2
	TEXT(name, 4, "func(dst []float32, key, index, block uint64, scratch *byte)") // NOSPLIT
	Doc(fmt.Sprintf("%s fills dst, a multiple of %d numbers, with those from the given block of", name, chunk),
		"an index on (origins included), for the given key of Philox.",
		fmt.Sprintf("It needs %d bytes of scratch space for the keys of the rounds.", scratch(u)))
	Pragma("noescape")
	dst := Load(Param("dst").Base(), GP64()).(reg.GPVirtual)
	n := Load(Param("dst").Len(), GP64()).(reg.GPVirtual)
	lanes := w.lanes()

	// The keys of the rounds, in the low halves of 64-bit lanes, aligned.
	schedule := Load(Param("scratch"), GP64()).(reg.GPVirtual)
	ADDQ(Imm(63), schedule)
	ANDQ(I32(-64), schedule)
	key := func(round, half int) Mem { return Mem{Base: schedule, Disp: (2*round + half) * u.Bytes} }
	for half, step := range []uint64{philoxW0, philoxW1} {
		k := GP64()
		Load(Param("key"), k)
		if half == 1 {
			SHRQ(Imm(32), k)
		}
		MOVL(k.As32(), k.As32())
		v, x := u.Register(), XMM()
		VMOVQ(k, x)
		VPBROADCASTQ(x, v)
		for r := range rounds {
			w.save(v, key(r, half))
			if r < rounds-1 {
				VPADDD(w.integer(fmt.Sprint("grow", half, "_"), 64, step), v, v)
			}
		}
	}

	// Lane by lane, the blocks and the index, whose high half is used shifted.
	index, counter := u.Register(), u.Register()
	for _, p := range []struct {
		name string
		v    reg.VecVirtual
	}{{"index", index}, {"block", counter}} {
		g, x := GP64(), XMM()
		Load(Param(p.name), g)
		VMOVQ(g, x)
		VPBROADCASTQ(x, p.v)
	}
	VPADDQ(lanes, counter, counter)

	// The random bits of a stretch first, into dst itself, then the normals in
	// their place: each loop is short enough for the processor to work on several turns
	// of it at once, and a stretch stays in the cache next to it.
	words, left, end := GP64(), GP64(), GP64()
	Label("stretch")
	TESTQ(n, n)
	JZ(LabelRef("end"))
	MOVQ(n, left)
	MOVQ(U32(stretch), end)
	CMPQ(left, end)
	CMOVQGT(end, left)
	SUBQ(left, n)
	MOVQ(dst, words)
	LEAQ(Mem{Base: dst, Index: left, Scale: 4}, end)
	multiplier0, multiplier1 := u.Register(), u.Register()
	w.load(w.integer("multiplier0_", 64, philoxM0), multiplier0)
	w.load(w.integer("multiplier1_", 64, philoxM1), multiplier1)
	Label("bits")
	var c [4][]reg.VecVirtual
	for i := range c {
		c[i] = u.Registers(groups)
	}
	each(func(g int) {
		w.copy(counter, c[0][g])
		VPADDQ(w.integer(fmt.Sprint("step", 8*u.Bytes, "_"), 64, uint64(u.Bytes/8)), counter, counter)
	})
	each(func(g int) { VPSRLQ(Imm(32), c[0][g], c[1][g]) })
	each(func(g int) { w.copy(index, c[2][g]) })
	each(func(g int) { VPSRLQ(Imm(32), c[2][g], c[3][g]) })
	for r := range rounds {
		p0, p1 := u.Registers(groups), u.Registers(groups)
		each(func(g int) {
			VPMULUDQ(multiplier1, c[2][g], p1[g])
			VPMULUDQ(multiplier0, c[0][g], p0[g])
			w.xor(key(r, 0), c[1][g], c[1][g])
			w.xor(key(r, 1), c[3][g], c[3][g])
			VPSRLQ(Imm(32), p1[g], c[0][g])
			VPSRLQ(Imm(32), p0[g], c[2][g])
			w.xor(c[1][g], c[0][g], c[0][g])
			w.xor(c[3][g], c[2][g], c[2][g])
		})
		c[1], c[3] = p1, p0
	}

	// One word in every 32-bit lane: those of the second pair go up.
	join := func(low, high []reg.VecVirtual) {
		each(func(g int) { VPSLLQ(Imm(32), high[g], high[g]) })
		each(func(g int) { w.and(w.integer("lowHalf", 64, math.MaxUint32), low[g], low[g]) })
		each(func(g int) { w.or(high[g], low[g], low[g]) })
	}
	join(c[0], c[2])
	join(c[1], c[3])
	each(func(g int) {
		w.save(c[0][g], Mem{Base: words, Disp: 2 * g * u.Bytes})
		w.save(c[1][g], Mem{Base: words, Disp: (2*g + 1) * u.Bytes})
	})
	ADDQ(I32(int32(4*chunk)), words)
	CMPQ(words, end)
	JLT(LabelRef("bits"))

	Label("numbers")
	k, j := u.Registers(groups), u.Registers(groups)
	each(func(g int) {
		w.load(Mem{Base: dst, Disp: 2 * g * u.Bytes}, k[g])
		w.load(Mem{Base: dst, Disp: (2*g + 1) * u.Bytes}, j[g])
	})
	r := w.radius(k)
	x, y := w.angle(j)
	each(func(g int) { u.Mul(r[g], x[g], x[g]) })
	each(func(g int) { u.Mul(r[g], y[g], y[g]) })
	each(func(g int) {
		low := u.Register()
		VUNPCKLPD(y[g], x[g], low)
		VUNPCKHPD(y[g], x[g], x[g])
		u.Move(low, Mem{Base: dst, Disp: 2 * g * u.Bytes})
		u.Move(x[g], Mem{Base: dst, Disp: (2*g + 1) * u.Bytes})
	})
	ADDQ(I32(int32(4*chunk)), dst)
	CMPQ(dst, end)
	JLT(LabelRef("numbers"))
	JMP(LabelRef("stretch"))
	Label("end")
	VZEROUPPER()
	RET()
}

func (w writer) copy(a, dst Op) {
	if w.wide() {
		VMOVDQA64(a, dst)
	} else {
		VMOVDQA(a, dst)
	}
}

// polynomial is Σ c_n xⁿ by Horner's rule, with every product and sum rounded.
func (w writer) polynomial(name string, c []float64, x []reg.VecVirtual) []reg.VecVirtual {
	p := w.Registers(groups)
	last := len(c) - 1
	each(func(g int) { w.Mul(w.float(fmt.Sprint(name, last, "_"), c[last]), x[g], p[g]) })
	for n := last - 1; n >= 0; n-- {
		each(func(g int) { w.Add(w.float(fmt.Sprint(name, n, "_"), c[n]), p[g], p[g]) })
		if n > 0 {
			each(func(g int) { w.Mul(x[g], p[g], p[g]) })
		}
	}
	return p
}

// logarithm is the polynomial of that name, in pairs and pairs of pairs.
func (w writer) logarithm(t []reg.VecVirtual) []reg.VecVirtual {
	power, low, high := w.Registers(groups), w.Registers(groups), w.Registers(groups)
	h := w.Register()
	constant := func(n int) Mem { return w.float(fmt.Sprint("log", n, "_"), logarithm[n]) }
	// pair sets v to l_n + l_{n+1}·t.
	pair := func(n, g int, v reg.VecVirtual) {
		w.Mul(constant(n+1), t[g], v)
		w.Add(constant(n), v, v)
	}
	// pairs adds power·(l_n + l_{n+1}·t) to v.
	pairs := func(n, g int, v reg.VecVirtual) {
		pair(n, g, h)
		w.Mul(power[g], h, h)
		w.Add(h, v, v)
	}
	each(func(g int) { w.Mul(t[g], t[g], power[g]) })
	each(func(g int) { pair(4, g, high[g]) })
	each(func(g int) { pairs(6, g, high[g]) })
	each(func(g int) { pair(0, g, low[g]) })
	each(func(g int) { pairs(2, g, low[g]) })
	each(func(g int) { w.Mul(power[g], power[g], power[g]) })
	each(func(g int) {
		w.Mul(constant(8), power[g], h)
		w.Add(h, high[g], high[g])
	})
	each(func(g int) { w.Mul(power[g], high[g], high[g]) })
	each(func(g int) { w.Add(high[g], low[g], low[g]) })
	return low
}

// radius replaces words k by √(−2 log((k + ½)2^−32)).
func (w writer) radius(k []reg.VecVirtual) []reg.VecVirtual {
	f, e := w.Registers(groups), w.Registers(groups)
	each(func(g int) { VPSRLD(Imm(16), k[g], f[g]) })
	each(func(g int) { w.and(w.integer("low16_", 32, 0xffff), k[g], k[g]) })
	each(func(g int) { VCVTDQ2PS(f[g], f[g]) })
	each(func(g int) { VCVTDQ2PS(k[g], k[g]) })
	each(func(g int) { w.Mul(w.float("two16_", 0x1p16), f[g], f[g]) })
	each(func(g int) { w.Add(w.float("half", 0.5), k[g], k[g]) })
	each(func(g int) { w.Add(k[g], f[g], f[g]) })
	// The exponent and the mantissa, of √½ to √2.
	each(func(g int) { VPSUBD(w.integer("scale", 32, rootHalf+32<<23), f[g], f[g]) })
	each(func(g int) { VPSRAD(Imm(23), f[g], e[g]) })
	each(func(g int) { VCVTDQ2PS(e[g], e[g]) })
	each(func(g int) { w.and(w.integer("mantissa", 32, 1<<23-1), f[g], f[g]) })
	each(func(g int) { VPADDD(w.integer("rootHalf", 32, rootHalf), f[g], f[g]) })
	each(func(g int) { w.Sub(w.float("one", 1), f[g], f[g]) })
	each(func(g int) { w.Mul(w.float("minusLog4_", -2*math.Ln2), e[g], e[g]) })
	l := w.logarithm(f)
	each(func(g int) { w.Mul(f[g], l[g], l[g]) })
	each(func(g int) { w.Add(e[g], l[g], l[g]) })
	each(func(g int) { VSQRTPS(l[g], l[g]) })
	return l
}

// angle turns words into points of the circle.
func (w writer) angle(j []reg.VecVirtual) (x, y []reg.VecVirtual) {
	a, z := w.Registers(groups), w.Registers(groups)
	each(func(g int) { VPSLLD(Imm(2), j[g], a[g]) })
	each(func(g int) { w.or(w.integer("two", 32, 2), a[g], a[g]) })
	each(func(g int) { VCVTDQ2PS(a[g], a[g]) })
	each(func(g int) { w.Mul(w.float("per31_", 0x1p-31), a[g], a[g]) })
	each(func(g int) { w.Mul(a[g], a[g], z[g]) })
	s := w.polynomial("sine", sine, z)
	each(func(g int) { w.Mul(a[g], s[g], s[g]) })
	c := w.polynomial("cosine", cosine, z)
	each(func(g int) { w.and(w.integer("sign", 32, 1<<31), j[g], a[g]) })
	each(func(g int) { w.xor(a[g], c[g], c[g]) })
	x, y = w.Registers(groups), w.Registers(groups)
	each(func(g int) {
		if w.wide() {
			k := K()
			VPTESTMD(w.integer("diagonal", 32, 1<<30), j[g], k)
			VBLENDMPS(s[g], c[g], k, x[g])
			VBLENDMPS(c[g], s[g], k, y[g])
			return
		}
		VPSLLD(Imm(1), j[g], a[g])
		VBLENDVPS(a[g], s[g], c[g], x[g])
		VBLENDVPS(a[g], c[g], s[g], y[g])
	})
	return x, y
}
