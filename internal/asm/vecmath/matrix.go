package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"lamcap/internal/asm/vector"
)

func dot(u vector.Unit) {
	function(u, "dot", "func(x, y []T) T", "is dot.")
	x, y, n := base("x"), base("y"), length("x")
	s := u.Registers(4)
	for _, v := range s {
		u.Zero(v)
	}
	along(u, n, []reg.GPVirtual{x, y}, 4, func(vectors int, tail *vector.Mask) {
		for i := range vectors {
			v := u.Register()
			u.Load(at(x, i*u.Bytes), tail, v)
			multiplyAdd(u, at(y, i*u.Bytes), tail, v, s[i])
		}
	}, nil)
	u.Add(s[1], s[0], s[0])
	u.Add(s[3], s[2], s[2])
	u.Add(s[2], s[0], s[0])
	sum := u.Sum(s[0])
	VZEROUPPER()
	Store(sum.AsX(), ReturnIndex(0))
	RET()
}

// multiplyAdd adds v times what is at m to s.
func multiplyAdd(u vector.Unit, m Mem, tail *vector.Mask, v, s reg.VecVirtual) {
	if tail == nil {
		u.FMA(m, v, s)
		return
	}
	w := u.Register()
	u.Load(m, tail, w)
	u.FMA(w, v, s)
}

func addScaled(u vector.Unit) {
	function(u, "addScaled", "func(y []T, alpha T, x []T)", "is addScaled.")
	alpha := u.BroadcastParam("alpha")
	x, y, n := base("x"), base("y"), length("x")
	step := func(vectors int, tail *vector.Mask) {
		for i := range vectors {
			v := u.Register()
			u.Load(at(y, i*u.Bytes), tail, v)
			multiplyAdd(u, at(x, i*u.Bytes), tail, alpha, v)
			u.Store(v, tail, at(y, i*u.Bytes))
		}
	}
	rest := func() { addPieces(u, labels{}, n, y, x, alpha) }
	if u.Bytes == 64 {
		rest = nil
	}
	along(u, n, []reg.GPVirtual{x, y}, 4, step, rest)
	VZEROUPPER()
	RET()
}

// addPieces adds c times the first left numbers at x to those at y, for AVX2 and
// left below Lanes, in pieces of half a register, a quarter and so on: to store with
// a mask takes some processors as long as ten stores. It changes both pointers.
func addPieces(u vector.Unit, l labels, left, y, x reg.GPVirtual, c reg.VecVirtual) {
	for size := u.Lanes() / 2; size >= 1; size /= 2 {
		width := size * u.Size()
		move := map[int]func(a, b Op){16: func(a, b Op) { VMOVUPS(a, b) }, 8: func(a, b Op) { VMOVSD(a, b) }, 4: func(a, b Op) { VMOVSS(a, b) }}[width]
		skip := l.at(fmt.Sprint("piece", size))
		TESTQ(U32(uint32(size)), left)
		JZ(LabelRef(skip))
		v, w := XMM(), XMM()
		move(at(y, 0), v)
		move(at(x, 0), w)
		u.FMA(w, c.AsX(), v)
		move(v, at(y, 0))
		ADDQ(Imm(uint64(width)), y)
		ADDQ(Imm(uint64(width)), x)
		Label(skip)
	}
}

// split gives the mask of the columns past the last whole register and their
// number, left.
func split(u vector.Unit, cols reg.GPVirtual) (mask vector.Mask, left reg.GPVirtual) {
	left = GP64()
	MOVQ(cols, left)
	ANDQ(Imm(uint64(u.Lanes()-1)), left)
	return u.Tail(constants, left), left
}

// matVec takes eight rows at once, so that additions do not wait for each other
// and the eight sums are reduced together.
func matVec(u vector.Unit) {
	function(u, "matVec", "func(y, a []T, lda, rows, cols int, x []T)", "is matVec for rows and cols of at least 1.")
	y, a, x := base("y"), base("a"), base("x")
	lda, rows, cols := integer("lda"), integer("rows"), integer("cols")
	bytes(u, lda)
	three := GP64()
	LEAQ(Mem{Base: lda, Index: lda, Scale: 2}, three)
	mask, left := split(u, cols)
	// product adds the products of some rows, from p and q four rows after, and x.
	product := func(l labels, p, q reg.GPVirtual, s []reg.VecVirtual) {
		row := func(i int) Mem {
			m := at(p, 0)
			if i >= 4 {
				m = at(q, 0)
			}
			switch i % 4 {
			case 1:
				m.Index, m.Scale = lda, 1
			case 2:
				m.Index, m.Scale = lda, 2
			case 3:
				m.Index, m.Scale = three, 1
			}
			return m
		}
		for _, v := range s {
			u.Zero(v)
		}
		xp, n := GP64(), GP64()
		MOVQ(x, xp)
		MOVQ(cols, n)
		step := func(tail *vector.Mask) {
			v := u.Register()
			u.Load(at(xp, 0), tail, v)
			for i := range s {
				multiplyAdd(u, row(i), tail, v, s[i])
			}
		}
		SUBQ(Imm(uint64(u.Lanes())), n)
		JLT(LabelRef(l.at("tail")))
		Label(l.at("columns"))
		step(nil)
		for _, r := range []reg.GPVirtual{p, q, xp} {
			if r != nil {
				ADDQ(Imm(uint64(u.Bytes)), r)
			}
		}
		SUBQ(Imm(uint64(u.Lanes())), n)
		JGE(LabelRef(l.at("columns")))
		Label(l.at("tail"))
		TESTQ(left, left)
		JZ(LabelRef(l.at("sum")))
		step(&mask)
		Label(l.at("sum"))
	}
	Label("eight")
	CMPQ(rows, Imm(8))
	JLT(LabelRef("one"))
	{
		p, q := GP64(), GP64()
		MOVQ(a, p)
		LEAQ(Mem{Base: a, Index: lda, Scale: 4}, q)
		LEAQ(Mem{Base: a, Index: lda, Scale: 8}, a)
		s := u.Registers(8)
		product(labels{"eight_"}, p, q, s)
		for i, v := range sums(u, s) {
			VMOVUPS(v, at(y, 32*i))
		}
		ADDQ(Imm(uint64(8*u.Size())), y)
		SUBQ(Imm(8), rows)
		JMP(LabelRef("eight"))
	}
	Label("one")
	TESTQ(rows, rows)
	JZ(LabelRef("end"))
	{
		p := GP64()
		MOVQ(a, p)
		ADDQ(lda, a)
		s := u.Registers(1)
		product(labels{"one_"}, p, nil, s)
		r := u.Sum(s[0])
		if u.Bits == 32 {
			VMOVSS(r.AsX(), at(y, 0))
		} else {
			VMOVSD(r.AsX(), at(y, 0))
		}
		ADDQ(Imm(uint64(u.Size())), y)
		DECQ(rows)
		JMP(LabelRef("one"))
	}
	Label("end")
	VZEROUPPER()
	RET()
}

// sums are the eight sums of the lanes of eight registers, in order, in one
// 256-bit register of float32 or two of float64.
func sums(u vector.Unit, s []reg.VecVirtual) []reg.VecVirtual {
	half := vector.Unit{Bytes: 32, Bits: u.Bits}
	h := make([]reg.Register, len(s))
	for i := range s {
		h[i] = u.Half(s[i])
	}
	pairs := func(h []reg.Register) []reg.Register { // sums of neighbours within 128 bits
		r := make([]reg.Register, len(h)/2)
		for i := range r {
			r[i] = YMM()
			if u.Bits == 32 {
				VHADDPS(h[2*i+1], h[2*i], r[i])
			} else {
				VHADDPD(h[2*i+1], h[2*i], r[i])
			}
		}
		return r
	}
	h = pairs(h)
	if u.Bits == 32 {
		h = pairs(h)
	}
	r := make([]reg.VecVirtual, len(h)/2)
	for i := range r { // and of the two halves of 128 bits
		low, high := YMM(), YMM()
		VPERM2F128(Imm(0x20), h[2*i+1], h[2*i], low)
		VPERM2F128(Imm(0x31), h[2*i+1], h[2*i], high)
		r[i] = YMM()
		half.Add(high, low, r[i])
	}
	return r
}

// matVecTrans keeps the sums of few columns in registers; of many, it streams
// through four rows at once and keeps the sums in y.
func matVecTrans(u vector.Unit) {
	function(u, "matVecTrans", "func(y, a []T, lda, rows, cols int, x []T)", "is matVecTrans for rows and cols of at least 1.")
	y, a, x := base("y"), base("a"), base("x")
	lda, rows, cols := integer("lda"), integer("rows"), integer("cols")
	bytes(u, lda)
	mask, left := split(u, cols)
	CMPQ(cols, Imm(uint64(4*u.Lanes())))
	JGT(LabelRef("wide"))

	// block does one register of columns for all rows.
	block := func(l labels, tail *vector.Mask) {
		s := u.Registers(4)
		for _, v := range s {
			u.Zero(v)
		}
		p, xp, n := GP64(), GP64(), GP64()
		MOVQ(a, p)
		MOVQ(x, xp)
		MOVQ(rows, n)
		step := func(i int) {
			v := u.Register()
			u.Broadcast(at(xp, i*u.Size()), v)
			multiplyAdd(u, at(p, 0), tail, v, s[i])
			ADDQ(lda, p)
		}
		SUBQ(Imm(4), n)
		JLT(LabelRef(l.at("last")))
		Label(l.at("four"))
		for i := range 4 {
			step(i)
		}
		ADDQ(Imm(uint64(4*u.Size())), xp)
		SUBQ(Imm(4), n)
		JGE(LabelRef(l.at("four")))
		Label(l.at("last"))
		ADDQ(Imm(4), n)
		JZ(LabelRef(l.at("done")))
		Label(l.at("row"))
		step(0)
		ADDQ(Imm(uint64(u.Size())), xp)
		DECQ(n)
		JNZ(LabelRef(l.at("row")))
		Label(l.at("done"))
		u.Add(s[1], s[0], s[0])
		u.Add(s[3], s[2], s[2])
		u.Add(s[2], s[0], s[0])
		u.Store(s[0], tail, at(y, 0))
	}
	Label("narrow")
	CMPQ(cols, Imm(uint64(u.Lanes())))
	JLT(LabelRef("tail"))
	block(labels{"narrow_"}, nil)
	ADDQ(Imm(uint64(u.Bytes)), y)
	ADDQ(Imm(uint64(u.Bytes)), a)
	SUBQ(Imm(uint64(u.Lanes())), cols)
	JMP(LabelRef("narrow"))
	Label("tail")
	TESTQ(cols, cols)
	JZ(LabelRef("end"))
	block(labels{"tail_"}, &mask)
	JMP(LabelRef("end"))

	Label("wide")
	{
		zero := u.Register()
		u.Zero(zero)
		yp, n := GP64(), GP64()
		acrossRow(u, labels{"clear_"}, cols, left, &mask, n, func() { MOVQ(y, yp) }, []reg.GPVirtual{yp}, func(tail *vector.Mask) {
			u.Store(zero, tail, at(yp, 0))
		}, nil)
	}
	three := GP64()
	LEAQ(Mem{Base: lda, Index: lda, Scale: 2}, three)
	// stripe adds some rows.
	stripe := func(l labels, count int) {
		c := u.Registers(count)
		for i := range c {
			u.Broadcast(at(x, i*u.Size()), c[i])
		}
		p, yp, n := GP64(), GP64(), GP64()
		acrossRow(u, l, cols, left, &mask, n, func() { MOVQ(a, p); MOVQ(y, yp) }, []reg.GPVirtual{p, yp}, func(tail *vector.Mask) {
			v := u.Register()
			u.Load(at(yp, 0), tail, v)
			for i := range c {
				m := at(p, 0)
				switch i {
				case 1:
					m.Index, m.Scale = lda, 1
				case 2:
					m.Index, m.Scale = lda, 2
				case 3:
					m.Index, m.Scale = three, 1
				}
				multiplyAdd(u, m, tail, c[i], v)
			}
			u.Store(v, tail, at(yp, 0))
		}, nil)
		ADDQ(Imm(uint64(count*u.Size())), x)
		if count == 4 {
			LEAQ(Mem{Base: a, Index: lda, Scale: 4}, a)
		} else {
			ADDQ(lda, a)
		}
	}
	SUBQ(Imm(4), rows)
	JLT(LabelRef("few"))
	Label("four")
	stripe(labels{"four_"}, 4)
	SUBQ(Imm(4), rows)
	JGE(LabelRef("four"))
	Label("few")
	ADDQ(Imm(4), rows)
	JZ(LabelRef("end"))
	Label("single")
	stripe(labels{"single_"}, 1)
	DECQ(rows)
	JNZ(LabelRef("single"))
	Label("end")
	VZEROUPPER()
	RET()
}

// acrossRow runs f over one row of cols columns, the last left of them masked,
// after start has set the pointers; if rest is not nil, it does those instead. It
// uses n.
func acrossRow(u vector.Unit, l labels, cols, left reg.GPVirtual, mask *vector.Mask, n reg.GPVirtual, start func(), pointers []reg.GPVirtual, f func(tail *vector.Mask), rest func()) {
	start()
	MOVQ(cols, n)
	SUBQ(Imm(uint64(u.Lanes())), n)
	JLT(LabelRef(l.at("tail")))
	Label(l.at("columns"))
	f(nil)
	for _, p := range pointers {
		ADDQ(Imm(uint64(u.Bytes)), p)
	}
	SUBQ(Imm(uint64(u.Lanes())), n)
	JGE(LabelRef(l.at("columns")))
	Label(l.at("tail"))
	TESTQ(left, left)
	JZ(LabelRef(l.at("done")))
	if rest != nil {
		rest()
	} else {
		f(mask)
	}
	Label(l.at("done"))
}
