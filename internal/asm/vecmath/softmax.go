package main

import (
	"fmt"
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"lamcap/internal/asm/vector"
)

// series is q of exp r = 1 + r + r² q(r) for |r| ≤ 1.0005 (log 2)/2, from its constant up:
// of least greatest error relative to exp r, 3.1e-9 and 3.6e-18, by the exchange
// algorithm of Remez in 40-digit arithmetic. The reduced argument is a little
// beyond (log 2)/2 where x/log 2 was rounded to the wrong side of a half.
var series = map[int][]float64{
	32: {0x1.fffffcp-2, 0x1.555492p-3, 0x1.5558f2p-5, 0x1.123a2p-7, 0x1.6a23dp-10},
	64: {0x1.000000000000ap-1, 0x1.55555555554f9p-3, 0x1.555555555083ep-5, 0x1.1111111127d12p-7,
		0x1.6c16c18438ad1p-10, 0x1.a01a012a0de7dp-13, 0x1.a01999e26beb5p-16, 0x1.71df25b64a908p-19,
		0x1.28ad9b7dc94d9p-22, 0x1.ad7f395982b50p-26},
}

// exponential has what the evaluation of an exponential needs in registers.
type exponential struct {
	u              vector.Unit
	floor, ceiling reg.VecVirtual
}

func newExponential(u vector.Unit, floor reg.VecVirtual) exponential {
	e := exponential{u: u, floor: floor, ceiling: u.Register()}
	// Arguments above have n = 128 (1024), whose scale is +Inf, and must not have
	// more.
	ceiling := 88.9
	if u.Bits == 64 {
		ceiling = 709.9
	}
	u.Copy(constants.Float(u, "ceiling", ceiling), e.ceiling)
	return e
}

// of replaces every x by exp x, 0 below the floor and outside the mask, and
// passes the masks of what is not 0 to count. The chains of instructions alternate.
func (e exponential) of(x []reg.VecVirtual, tail *vector.Mask, count func(vector.Mask)) {
	u := e.u
	// Adding 1.5·2^23 (2^52) leaves the rounded n in the low bits; the bias of the
	// exponent is added with it, so that those bits, shifted, are the scale 2^n.
	// The first part of log 2 has so few bits that its product with n is exact.
	rounder, logHigh, logLow, mantissa := 0x1.8p23+127, 0x1.63p-1, -0x1.bd0106p-13, uint64(23)
	if u.Bits == 64 {
		rounder, logHigh, logLow, mantissa = 0x1.8p52+1023, 0x1.62e42fefap-1, 0x1.cf79abc9e3b3ap-40, 52
	}
	constant := func(name string, x float64) Mem { return constants.Float(u, name, x) }
	keep := make([]vector.Mask, len(x))
	k, p := u.Registers(len(x)), u.Registers(len(x))
	each := func(f func(i int)) {
		for i := range x {
			f(i)
		}
	}
	// What is to become 0 becomes exp 0, with scale 0: −Inf would not survive the
	// reduction.
	each(func(i int) {
		keep[i] = u.Compare(vector.NotLess, e.floor, x[i])
		u.Both(keep[i], tail)
		count(keep[i])
		u.Keep(keep[i], x[i])
	})
	each(func(i int) { u.Min(x[i], e.ceiling, x[i]) }) // the second operand of the processor, here the first, passes a NaN
	each(func(i int) { u.Copy(constant("rounder", rounder), k[i]) })
	each(func(i int) { u.FMA(constant("perLog2", 1/math.Ln2), x[i], k[i]) })
	each(func(i int) { u.Sub(constant("rounder", rounder), k[i], p[i]) })
	each(func(i int) { u.Keep(keep[i], k[i]) })
	each(func(i int) { u.FNMA(constant("logHigh", logHigh), p[i], x[i]) })
	each(func(i int) { u.FNMA(constant("logLow", logLow), p[i], x[i]) })
	e.series(x, p)
	each(func(i int) { u.ShiftLeft(mantissa, k[i]) })
	each(func(i int) { u.Mul(k[i], p[i], x[i]) })
}

// series sets p to exp r. Its terms are summed in pairs, then pairs of pairs: what
// takes the time is the chain of steps that wait for each other.
func (e exponential) series(r, p []reg.VecVirtual) {
	u := e.u
	each := func(f func(i int)) {
		for i := range r {
			f(i)
		}
	}
	constant := func(power int) Mem {
		return constants.Float(u, fmt.Sprint("series", power), series[u.Bits][power-2])
	}
	r2 := u.Registers(len(r))
	// pair sets v to c_n + r·c_{n+1}.
	pair := func(i, n int, v reg.VecVirtual) {
		u.Copy(constant(n+1), v)
		u.Horner(constant(n), r[i], v)
	}
	h := u.Register()
	each(func(i int) { u.Mul(r[i], r[i], r2[i]) })
	if u.Bits == 32 {
		each(func(i int) { pair(i, 4, p[i]) })
		each(func(i int) {
			u.Copy(constant(6), h)
			u.FMA(h, r2[i], p[i]) // c4 + c5 r + c6 r²
		})
		each(func(i int) {
			pair(i, 2, h)
			u.Horner(h, r2[i], p[i])
		})
	} else {
		each(func(i int) { pair(i, 10, p[i]) })
		for n := 8; n >= 2; n -= 2 {
			each(func(i int) {
				pair(i, n, h)
				u.Horner(h, r2[i], p[i])
			})
		}
	}
	each(func(i int) { u.Horner(r[i], r2[i], p[i]) }) // exp r − 1
	each(func(i int) { u.Add(constants.Float(u, "one", 1), p[i], p[i]) })
}

func softmaxColumns(u vector.Unit) {
	function(u, "softmaxColumns", "func(t []T, rows, width int, shift []T, floor T, best, sum []T) int",
		"is softmaxColumns for rows and width of at least 1.")
	e := newExponential(u, u.BroadcastParam("floor"))
	t, shift, best, sum := base("t"), base("shift"), base("best"), base("sum")
	rows, width := integer("rows"), integer("width")
	stride := GP64()
	MOVQ(width, stride)
	bytes(u, stride)
	count := u.Counter()

	// columns does vectors registers of columns for all rows.
	columns := func(l labels, vectors int, tail *vector.Mask) {
		b, s := u.Registers(vectors), u.Registers(vectors)
		offset := func(v int) int { return v * u.Bytes }
		var held reg.VecVirtual
		for v := range vectors {
			u.Load(at(best, offset(v)), tail, b[v])
			u.Load(at(sum, offset(v)), tail, s[v])
		}
		if vectors == 1 {
			held = u.Register()
			u.Load(at(shift, 0), tail, held)
		}
		count.Start()
		p, left := GP64(), GP64()
		MOVQ(t, p)
		MOVQ(rows, left)
		// block does some rows at once.
		block := func(rows int) {
			x := u.Registers(rows * vectors)
			place := func(i int) Mem {
				m := at(p, offset(i%vectors))
				if i/vectors == 1 {
					m.Index, m.Scale = stride, 1
				}
				return m
			}
			for i := range x {
				u.Load(place(i), tail, x[i])
			}
			for i := range x {
				// A NaN score leaves best as it is, the operand that passes.
				u.Max(b[i%vectors], x[i], b[i%vectors])
			}
			for i := range x {
				if held != nil {
					u.Sub(held, x[i], x[i])
				} else {
					u.Sub(at(shift, offset(i)), x[i], x[i])
				}
			}
			e.of(x, tail, count.Count)
			for i := range x {
				u.Add(x[i], s[i%vectors], s[i%vectors])
				u.Store(x[i], tail, place(i))
			}
			for range rows {
				ADDQ(stride, p)
			}
		}
		if vectors == 1 { // two rows, to have two chains as well
			Label(l.at("pair"))
			CMPQ(left, Imm(2))
			JLT(LabelRef(l.at("last")))
			block(2)
			SUBQ(Imm(2), left)
			JMP(LabelRef(l.at("pair")))
			Label(l.at("last"))
			TESTQ(left, left)
			JZ(LabelRef(l.at("done")))
			block(1)
			Label(l.at("done"))
		} else {
			Label(l.at("row"))
			block(1)
			DECQ(left)
			JNZ(LabelRef(l.at("row")))
		}
		count.Stop()
		for v := range vectors {
			u.Store(b[v], tail, at(best, offset(v)))
			u.Store(s[v], tail, at(sum, offset(v)))
		}
		if tail == nil {
			for _, q := range []reg.GPVirtual{t, shift, best, sum} {
				ADDQ(I32(int32(vectors*u.Bytes)), q)
			}
			SUBQ(Imm(uint64(vectors*u.Lanes())), width)
		}
	}
	Label("two")
	CMPQ(width, Imm(uint64(2*u.Lanes())))
	JLT(LabelRef("one"))
	columns(labels{"two_"}, 2, nil)
	JMP(LabelRef("two"))
	Label("one")
	CMPQ(width, Imm(uint64(u.Lanes())))
	JLT(LabelRef("tail"))
	columns(labels{"one_"}, 1, nil)
	Label("tail")
	TESTQ(width, width)
	JZ(LabelRef("end"))
	mask := u.Tail(constants, width)
	columns(labels{"tail_"}, 1, &mask)
	Label("end")
	VZEROUPPER()
	Store(count.Total(), ReturnIndex(0))
	RET()
}

// along runs f over n numbers at the pointers: unrolled registers at a time,
// then one, then a masked one, or rest if that is not nil. It changes n and the
// pointers.
func along(u vector.Unit, n reg.GPVirtual, pointers []reg.GPVirtual, unrolled int, f func(vectors int, tail *vector.Mask), rest func()) {
	advance := func(vectors int) {
		for _, p := range pointers {
			ADDQ(I32(int32(vectors*u.Bytes)), p)
		}
		SUBQ(Imm(uint64(vectors*u.Lanes())), n)
	}
	Label("many")
	CMPQ(n, Imm(uint64(unrolled*u.Lanes())))
	JLT(LabelRef("one"))
	f(unrolled, nil)
	advance(unrolled)
	JMP(LabelRef("many"))
	Label("one")
	CMPQ(n, Imm(uint64(u.Lanes())))
	JLT(LabelRef("tail"))
	f(1, nil)
	advance(1)
	JMP(LabelRef("one"))
	Label("tail")
	TESTQ(n, n)
	JZ(LabelRef("end"))
	if rest != nil {
		rest()
	} else {
		mask := u.Tail(constants, n)
		f(1, &mask)
	}
	Label("end")
}

func softmaxRow(u vector.Unit) {
	function(u, "softmaxRow", "func(dst, x []T, shift, floor T) (sum T, nonzero int)", "is softmaxRow.")
	e := newExponential(u, u.BroadcastParam("floor"))
	shift := u.BroadcastParam("shift")
	dst, x, n := base("dst"), base("x"), length("x")
	s := u.Registers(2)
	u.Zero(s[0])
	u.Zero(s[1])
	count := u.Counter()
	count.Start()
	along(u, n, []reg.GPVirtual{x, dst}, 2, func(vectors int, tail *vector.Mask) {
		v := u.Registers(vectors)
		for i := range v {
			u.Load(at(x, i*u.Bytes), tail, v[i])
			u.Sub(shift, v[i], v[i])
		}
		e.of(v, tail, count.Count)
		for i := range v {
			u.Add(v[i], s[i], s[i])
			u.Store(v[i], tail, at(dst, i*u.Bytes))
		}
	}, nil)
	count.Stop()
	u.Add(s[1], s[0], s[0])
	sum := u.Sum(s[0])
	VZEROUPPER()
	Store(sum.AsX(), Return("sum"))
	Store(count.Total(), Return("nonzero"))
	RET()
}

func sumExp(u vector.Unit) {
	function(u, "sumExp", "func(x []T, shift T) float64", "is sumExp.")
	floor := u.Register()
	least := -87.33
	if u.Bits == 64 {
		least = -708
	}
	u.Copy(constants.Float(u, "least", least), floor)
	e := newExponential(u, floor)
	shift := u.BroadcastParam("shift")
	x, n := base("x"), length("x")
	double := vector.Unit{Bytes: u.Bytes, Bits: 64}
	s := u.Registers(2)
	u.Zero(s[0])
	u.Zero(s[1])
	along(u, n, []reg.GPVirtual{x}, 2, func(vectors int, tail *vector.Mask) {
		v := u.Registers(vectors)
		for i := range v {
			u.Load(at(x, i*u.Bytes), tail, v[i])
			u.Sub(shift, v[i], v[i])
		}
		e.of(v, tail, func(vector.Mask) {})
		for i := range v {
			if u.Bits == 64 {
				u.Add(v[i], s[i], s[i])
				continue
			}
			// Both halves become float64.
			low, high := u.Register(), u.Register()
			if u.Bytes == 64 {
				VCVTPS2PD(v[i].AsY(), low)
				VEXTRACTF64X4(Imm(1), v[i], high.AsY())
				VCVTPS2PD(high.AsY(), high)
			} else {
				VCVTPS2PD(v[i].AsX(), low)
				VEXTRACTF128(Imm(1), v[i], high.AsX())
				VCVTPS2PD(high.AsX(), high)
			}
			double.Add(low, s[0], s[0])
			double.Add(high, s[1], s[1])
		}
	}, nil)
	double.Add(s[1], s[0], s[0])
	sum := double.Sum(s[0])
	VZEROUPPER()
	Store(sum.AsX(), ReturnIndex(0))
	RET()
}

// largest is the maximum, of overlapping registers at the end.
func largest(u vector.Unit) {
	function(u, "largest", "func(x []T) T", "is largest.")
	x, n := base("x"), length("x")
	top := u.Register()
	infinity, nan := uint64(0xff800000), uint64(0x7fc00000)
	if u.Bits == 64 {
		infinity, nan = 0xfff0000000000000, 0x7ff8000000000000
	}
	u.Copy(constants.Vector(u, "minusInfinity", infinity), top)
	v := u.Register()
	u.Copy(top, v)
	missing := u.Compare(vector.Unordered, v, v) // none so far
	take := func(load func(dst reg.VecVirtual)) {
		v := u.Register()
		load(v)
		u.Either(missing, u.Compare(vector.Unordered, v, v))
		u.Max(v, top, top)
	}
	CMPQ(n, Imm(uint64(u.Lanes())))
	JLT(LabelRef("few"))
	last := GP64()
	MOVQ(n, last)
	bytes(u, last)
	ADDQ(x, last)
	SUBQ(Imm(uint64(u.Bytes)), last)
	Label("next")
	take(func(v reg.VecVirtual) { u.Load(at(x, 0), nil, v) })
	ADDQ(Imm(uint64(u.Bytes)), x)
	CMPQ(x, last)
	JLT(LabelRef("next"))
	take(func(v reg.VecVirtual) { u.Load(at(last, 0), nil, v) })
	JMP(LabelRef("done"))
	Label("few")
	TESTQ(n, n)
	JZ(LabelRef("done"))
	take(func(v reg.VecVirtual) { u.Broadcast(at(x, 0), v) })
	ADDQ(Imm(uint64(u.Size())), x)
	DECQ(n)
	JMP(LabelRef("few"))
	Label("done")
	result := u.Largest(top)
	u.Any(missing)
	JZ(LabelRef("end"))
	VMOVUPS(constants.Vector(u, "nan", nan), result.AsX())
	Label("end")
	VZEROUPPER()
	Store(result.AsX(), ReturnIndex(0))
	RET()
}
