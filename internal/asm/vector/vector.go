// Package vector writes the operations of vector code for one register width
// and one type of number, so that one generator serves AVX2 and AVX-512.
//
// Operands are in the order of Go's assembler, the destination last; a binary
// operation dst = a ∘ b is written with b first, as VSUBPS b, a, dst.
package vector

import (
	"fmt"
	"math"
	"strconv"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Unit is a width of registers and a type of number.
type Unit struct {
	Bytes int // of a register: 32 or 64
	Bits  int // of a number: 32 or 64
}

// Units are all widths and types.
var Units = []Unit{{32, 32}, {32, 64}, {64, 32}, {64, 64}}

// Name is such as Float32AVX2: what the names of functions end with.
func (u Unit) Name() string {
	if u.wide() {
		return fmt.Sprintf("Float%dAVX512", u.Bits)
	}
	return fmt.Sprintf("Float%dAVX2", u.Bits)
}

// Type is the type of a number in Go.
func (u Unit) Type() string { return "float" + strconv.Itoa(u.Bits) }

// Size is the bytes of a number, Lanes the numbers of a register.
func (u Unit) Size() int  { return u.Bits / 8 }
func (u Unit) Lanes() int { return u.Bytes / u.Size() }

func (u Unit) wide() bool { return u.Bytes == 64 }

// Register is a new register.
func (u Unit) Register() reg.VecVirtual {
	if u.wide() {
		return ZMM()
	}
	return YMM()
}

// Registers are n new registers.
func (u Unit) Registers(n int) []reg.VecVirtual {
	v := make([]reg.VecVirtual, n)
	for i := range v {
		v[i] = u.Register()
	}
	return v
}

// Zero clears v.
func (u Unit) Zero(v reg.VecVirtual) {
	if u.wide() {
		VPXORD(v, v, v)
	} else {
		VPXOR(v, v, v)
	}
}

// Constants holds what is read as whole registers, once per file.
type Constants map[string]Mem

// Vector is a constant of 64 bytes that repeats the bits of one number.
func (c Constants) Vector(u Unit, name string, bits uint64) Mem {
	name += strconv.Itoa(u.Bits)
	if m, ok := c[name]; ok {
		return m
	}
	m := GLOBL(name, 8|16) // RODATA|NOPTR
	for at := 0; at < 64; at += u.Size() {
		if u.Bits == 32 {
			DATA(at, U32(bits))
		} else {
			DATA(at, U64(bits))
		}
	}
	c[name] = m
	return m
}

// Float is a constant vector of a floating-point number.
func (c Constants) Float(u Unit, name string, x float64) Mem {
	if u.Bits == 32 {
		return c.Vector(u, name, uint64(math.Float32bits(float32(x))))
	}
	return c.Vector(u, name, math.Float64bits(x))
}

// floating chooses between the single and the double precision form.
func (u Unit) floating(single, double func(...Op)) func(...Op) {
	if u.Bits == 32 {
		return single
	}
	return double
}

func (u Unit) Move(ops ...Op)      { u.floating(VMOVUPS, VMOVUPD)(ops...) }
func (u Unit) Add(b, a, dst Op)    { u.floating(VADDPS, VADDPD)(b, a, dst) }
func (u Unit) Sub(b, a, dst Op)    { u.floating(VSUBPS, VSUBPD)(b, a, dst) }
func (u Unit) Mul(b, a, dst Op)    { u.floating(VMULPS, VMULPD)(b, a, dst) }
func (u Unit) Max(b, a, dst Op)    { u.floating(VMAXPS, VMAXPD)(b, a, dst) }
func (u Unit) Min(b, a, dst Op)    { u.floating(VMINPS, VMINPD)(b, a, dst) }
func (u Unit) FMA(b, a, dst Op)    { u.floating(VFMADD231PS, VFMADD231PD)(b, a, dst) }   // dst += a·b
func (u Unit) FNMA(b, a, dst Op)   { u.floating(VFNMADD231PS, VFNMADD231PD)(b, a, dst) } // dst −= a·b
func (u Unit) Horner(c, a, dst Op) { u.floating(VFMADD213PS, VFMADD213PD)(c, a, dst) }   // dst = dst·a + c

// Copy copies between registers, or loads a constant: unaligned, since the linker
// aligns data to 32 bytes at most and a register may have 64.
func (u Unit) Copy(a, dst Op) { u.Move(a, dst) }

// Broadcast repeats the number at m.
func (u Unit) Broadcast(m, dst Op) {
	if u.Bits == 32 {
		VBROADCASTSS(m, dst)
	} else {
		VBROADCASTSD(m, dst)
	}
}

// BroadcastParam repeats a parameter of the function.
func (u Unit) BroadcastParam(name string) reg.VecVirtual {
	basic, err := Param(name).Resolve()
	if err != nil {
		panic(err)
	}
	v := u.Register()
	u.Broadcast(basic.Addr, v)
	return v
}

// ShiftLeft shifts the bits of every number of v.
func (u Unit) ShiftLeft(by uint64, v Op) {
	if u.Bits == 32 {
		VPSLLD(Imm(by), v, v)
	} else {
		VPSLLQ(Imm(by), v, v)
	}
}

// Mask selects lanes: a register of all-one and all-zero lanes with AVX2, a
// mask register with AVX-512.
type Mask struct {
	vector reg.VecVirtual
	bits   reg.OpmaskVirtual
}

// mask is a new mask.
func (u Unit) mask() Mask {
	if u.wide() {
		return Mask{bits: K()}
	}
	return Mask{vector: u.Register()}
}

// tail has the masks of the first 0 to Lanes−1 lanes.
func (c Constants) tail(u Unit) Mem {
	if u.wide() {
		const name = "tailMasks512"
		m, ok := c[name]
		if !ok {
			m = GLOBL(name, 8|16)
			for i := range 16 {
				DATA(2*i, U16(1<<i-1))
			}
			c[name] = m
		}
		return m
	}
	const name = "tailMasks256"
	m, ok := c[name]
	if !ok {
		m = GLOBL(name, 8|16)
		for i := range 8 {
			DATA(4*i, U32(math.MaxUint32))
		}
		for i := range 8 {
			DATA(32+4*i, U32(0))
		}
		c[name] = m
	}
	return m
}

// Tail is the mask of the first count lanes, 0 ≤ count < Lanes.
func (u Unit) Tail(c Constants, count reg.GPVirtual) Mask {
	m, at := u.mask(), GP64()
	table := c.tail(u)
	base := GP64()
	LEAQ(table, base)
	if u.wide() {
		KMOVW(Mem{Base: base, Index: count, Scale: 2}, m.bits)
		return m
	}
	// A window that starts count numbers before the end of the ones.
	MOVQ(count, at)
	NEGQ(at)
	VMOVUPS(Mem{Base: base, Index: at, Scale: uint8(u.Size()), Disp: 32}, m.vector)
	return m
}

// Load reads lanes of m; the others become 0. A nil mask reads all.
func (u Unit) Load(m Mem, mask *Mask, dst reg.VecVirtual) {
	switch {
	case mask == nil:
		u.Move(m, dst)
	case u.wide() && u.Bits == 32:
		VMOVUPS_Z(m, mask.bits, dst)
	case u.wide():
		VMOVUPD_Z(m, mask.bits, dst)
	case u.Bits == 32:
		VMASKMOVPS(m, mask.vector, dst)
	default:
		VMASKMOVPD(m, mask.vector, dst)
	}
}

// Store writes lanes of v to m. A nil mask writes all.
func (u Unit) Store(v reg.VecVirtual, mask *Mask, m Mem) {
	switch {
	case mask == nil:
		u.Move(v, m)
	case u.wide() && u.Bits == 32:
		VMOVUPS(v, mask.bits, m)
	case u.wide():
		VMOVUPD(v, mask.bits, m)
	case u.Bits == 32:
		VMASKMOVPS(v, mask.vector, m)
	default:
		VMASKMOVPD(v, mask.vector, m)
	}
}

// Predicates of Compare; the names follow Intel's.
const (
	Unordered = 3  // one of the two is NaN
	NotLess   = 21 // a ≥ b, or one of the two is NaN
)

// Compare is the mask of a ∘ b.
func (u Unit) Compare(predicate uint64, b, a Op) Mask {
	m := u.mask()
	dst := Op(m.bits)
	if !u.wide() {
		dst = m.vector
	}
	u.floating(VCMPPS, VCMPPD)(Imm(predicate), b, a, dst)
	return m
}

// Both restricts m to other; a nil other is all lanes.
func (u Unit) Both(m Mask, other *Mask) {
	switch {
	case other == nil:
	case u.wide():
		KANDW(other.bits, m.bits, m.bits)
	default:
		VANDPS(other.vector, m.vector, m.vector)
	}
}

// Either extends m by other.
func (u Unit) Either(m, other Mask) {
	if u.wide() {
		KORW(other.bits, m.bits, m.bits)
	} else {
		VORPS(other.vector, m.vector, m.vector)
	}
}

// Keep clears the lanes of v outside m.
func (u Unit) Keep(m Mask, v reg.VecVirtual) {
	switch {
	case !u.wide():
		VANDPS(m.vector, v, v)
	case u.Bits == 32:
		VMOVAPS_Z(v, m.bits, v)
	default:
		VMOVAPD_Z(v, m.bits, v)
	}
}

// Any sets the zero flag if no lane of m is set.
func (u Unit) Any(m Mask) {
	r := GP32()
	if u.wide() {
		KMOVW(m.bits, r)
	} else {
		VMOVMSKPS(m.vector, r) // pairs of bits for float64
	}
	TESTL(r, r)
}

// Counter counts the set lanes of masks.
type Counter struct {
	unit   Unit
	total  reg.GPVirtual
	vector reg.VecVirtual
}

// Counter is a new counter at 0.
func (u Unit) Counter() *Counter {
	c := &Counter{unit: u, total: GP64()}
	XORQ(c.total, c.total)
	return c
}

// Start begins a stretch of counting, which needs a register with AVX2, and
// Stop ends it.
func (c *Counter) Start() {
	if !c.unit.wide() {
		c.vector = YMM()
		VPXOR(c.vector, c.vector, c.vector)
	}
}

// Count adds the number of lanes of m, at most 2^31 times in a stretch.
func (c *Counter) Count(m Mask) {
	switch {
	case c.unit.wide():
		r := GP32()
		KMOVW(m.bits, r)
		POPCNTL(r, r)
		ADDQ(r.As64(), c.total)
	case c.unit.Bits == 32:
		VPSUBD(m.vector, c.vector, c.vector)
	default:
		VPSUBQ(m.vector, c.vector, c.vector)
	}
}

// Stop adds the stretch to the total.
func (c *Counter) Stop() {
	if c.unit.wide() {
		return
	}
	high, r := XMM(), GP64()
	if c.unit.Bits == 32 { // widen to 64 bits first
		low := YMM()
		top := YMM()
		VPMOVZXDQ(c.vector.AsX(), low)
		VEXTRACTI128(Imm(1), c.vector, high)
		VPMOVZXDQ(high, top)
		VPADDQ(top, low, c.vector)
	}
	VEXTRACTI128(Imm(1), c.vector, high)
	VPADDQ(high, c.vector.AsX(), high)
	VMOVQ(high, r)
	ADDQ(r, c.total)
	VPEXTRQ(Imm(1), high, r)
	ADDQ(r, c.total)
}

// Total is the count so far.
func (c *Counter) Total() reg.GPVirtual { return c.total }

// Half adds the upper half of a 512-bit register to the lower one, in place, and
// returns that; it returns a 256-bit register as it is.
func (u Unit) Half(v reg.VecVirtual) reg.Register {
	if !u.wide() {
		return v
	}
	h := YMM()
	VEXTRACTF64X4(Imm(1), v, h)
	u.Add(h, v.AsY(), v.AsY())
	return v.AsY()
}

// combine folds the lanes of v into its lowest by op.
func (u Unit) combine(v reg.VecVirtual, op func(Unit, Op, Op, Op)) reg.VecVirtual {
	if u.wide() {
		h := YMM()
		VEXTRACTF64X4(Imm(1), v, h)
		op(u, h, v.AsY(), h)
		v = h
	}
	x, s := XMM(), XMM()
	VEXTRACTF128(Imm(1), v.AsY(), x)
	op(u, x, v.AsX(), x)
	VPERMILPD(Imm(1), x, s)
	op(u, s, x, x)
	if u.Bits == 32 {
		VMOVSHDUP(x, s)
		op(u, s, x, x)
	}
	return x
}

// Sum is the sum of all lanes of v, in the lowest lane.
func (u Unit) Sum(v reg.VecVirtual) reg.VecVirtual { return u.combine(v, Unit.Add) }

// Largest is the largest lane of v, in the lowest lane.
func (u Unit) Largest(v reg.VecVirtual) reg.VecVirtual { return u.combine(v, Unit.Max) }
