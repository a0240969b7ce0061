package main

import (
	"fmt"
	"math/bits"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

const (
	columns = 2 // registers of a row of a tile
	unroll  = 4 // steps of the depth per turn of the inner loop

	lineOfCache = 64 // bytes
)

// panels writes the micro-kernel: a column of tiles of C from packed panels
// of A and one packed panel of B. All of a tile stays in registers over the
// whole depth.
func panels(e element, s set) {
	name := "panels" + e.name + s.name
	TEXT(name, NOSPLIT, fmt.Sprintf("func(count, depth int, a, b, c *%s, ldc int, add bool)", e.goType))
	Pragma("noescape")
	Doc(
		fmt.Sprintf("%s computes count ≥ 1 tiles of %d×%d numbers, one below the other in c,", name, s.rows, columns*s.bytes/e.bytes),
		"from as many packed panels of A and one of B, for depth ≥ 0.",
	)
	count := Load(Param("count"), GP64())
	depth := Load(Param("depth"), GP64())
	a := Load(Param("a"), GP64())
	b := Load(Param("b"), GP64())
	c := Load(Param("c"), GP64())
	ldc := Load(Param("ldc"), GP64())
	add := Load(Param("add"), GP8())
	SHLQ(Imm(e.shift), ldc)

	// Callers go on to the next panel of B, which the hardware does not
	// foresee. Every turn fetches as much of it as one step uses, so that four
	// tiles fetch all; then they begin again, rather than go further ahead
	// than the first level of cache is large. A prefetch beyond the end of b
	// is harmless.
	next, ahead := GP64(), GP64()
	MOVQ(depth, next)
	SHLQ(Imm(uint64(bits.TrailingZeros(uint(columns*s.bytes)))), next)
	ADDQ(b, next)
	MOVQ(next, ahead)

	tile := make([][columns]reg.VecVirtual, s.rows)
	for i := range tile {
		for j := range tile[i] {
			tile[i][j] = s.register()
		}
	}
	vectors := [columns]reg.VecVirtual{s.register(), s.register()}
	number := s.register()

	// step adds the product of one column of the panel of A and one row of
	// the panel of B, the given number of them ahead of the pointers.
	rowOfB := GP64()
	step := func(step int) {
		for j, v := range vectors {
			e.move(Mem{Base: rowOfB, Disp: (step*columns + j) * s.bytes}, v)
		}
		for i := range tile {
			e.broadcast(Mem{Base: a, Disp: (step*s.rows + i) * e.bytes}, number)
			for j, v := range vectors {
				e.multiplyAdd(number, v, tile[i][j])
			}
		}
	}
	advance := func(steps int) {
		ADDQ(I32(int32(steps*s.rows*e.bytes)), a)
		ADDQ(I32(int32(steps*columns*s.bytes)), rowOfB)
	}

	Label("panel")
	TESTQ(I32(unroll-1), count)
	JNZ(LabelRef("fetching"))
	MOVQ(next, ahead)
	Label("fetching")
	for i := range tile {
		for _, r := range tile[i] {
			s.clear(r)
		}
	}
	// The tile of C is likely not in cache: fetch its rows, which may begin
	// anywhere in a line, while there is work to do.
	row := GP64()
	MOVQ(c, row)
	for i := range tile {
		for offset := 0; offset < columns*s.bytes; offset += lineOfCache {
			PREFETCHT0(Mem{Base: row, Disp: offset})
		}
		PREFETCHT0(Mem{Base: row, Disp: columns*s.bytes - 1})
		if i < len(tile)-1 {
			ADDQ(ldc, row)
		}
	}
	MOVQ(b, rowOfB)
	turns := GP64()
	MOVQ(depth, turns)
	SHRQ(Imm(2), turns) // log2(unroll)
	JZ(LabelRef("rest"))

	Label("turn")
	for i := range unroll {
		step(i)
	}
	for offset := 0; offset < columns*s.bytes; offset += lineOfCache {
		PREFETCHT0(Mem{Base: ahead, Disp: offset})
	}
	ADDQ(I32(int32(columns*s.bytes)), ahead)
	advance(unroll)
	DECQ(turns)
	JNZ(LabelRef("turn"))

	Label("rest")
	MOVQ(depth, turns)
	ANDQ(Imm(unroll-1), turns)
	JZ(LabelRef("write"))
	Label("one")
	step(0)
	advance(1)
	DECQ(turns)
	JNZ(LabelRef("one"))

	Label("write")
	TESTB(add, add)
	JZ(LabelRef("store"))
	MOVQ(c, row)
	for i := range tile {
		for j, r := range tile[i] {
			e.add(Mem{Base: row, Disp: j * s.bytes}, r, r)
		}
		if i < len(tile)-1 {
			ADDQ(ldc, row)
		}
	}
	Label("store")
	for i := range tile {
		for j, r := range tile[i] {
			e.move(r, Mem{Base: c, Disp: j * s.bytes})
		}
		ADDQ(ldc, c)
	}
	// The panels of A lie end to end: a is already at the next one.
	DECQ(count)
	JNZ(LabelRef("panel"))
	VZEROUPPER()
	RET()
}

// peak writes a loop of multiply-adds on registers alone.
func peak(e element, s set) {
	name := "peak" + e.name + s.name
	accumulators := columns * s.rows
	TEXT(name, NOSPLIT, fmt.Sprintf("func(turns int, x %s)", e.goType))
	Doc(
		fmt.Sprintf("%s multiplies and adds %d registers of %d numbers, turns ≥ 1 times,", name, accumulators, s.bytes/e.bytes),
		"without touching memory.",
	)
	turns := Load(Param("turns"), GP64())
	number := Load(Param("x"), XMM())
	x := s.register()
	e.broadcast(number, x)
	sums := make([]reg.VecVirtual, accumulators)
	for i := range sums {
		sums[i] = s.register()
		s.clear(sums[i])
	}
	Label("turn")
	for _, sum := range sums {
		e.multiplyAdd(x, x, sum)
	}
	DECQ(turns)
	JNZ(LabelRef("turn"))
	VZEROUPPER()
	RET()
}
