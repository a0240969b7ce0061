package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// transpose writes the loop around one block of a transposition. The block
// reads blockColumns columns of rows rows of src, through address, and writes
// them as blockColumns rows of rows numbers, through target.
func transpose(e element, rows, blockColumns int, block func(address, target func(int) Mem)) {
	name := fmt.Sprintf("transpose%sRows%d", e.name, rows)
	TEXT(name, NOSPLIT, fmt.Sprintf("func(blocks int, dst *%s, dstStride int, src *%s, srcStride int)", e.goType, e.goType))
	Pragma("noescape")
	Doc(
		fmt.Sprintf("%s transposes %d rows of %d·blocks numbers, for blocks ≥ 1. It uses AVX.", name, rows, blockColumns),
	)
	blocks := Load(Param("blocks"), GP64())
	dst := Load(Param("dst"), GP64())
	dstStride := Load(Param("dstStride"), GP64())
	src := Load(Param("src"), GP64())
	srcStride := Load(Param("srcStride"), GP64())
	SHLQ(Imm(e.shift), dstStride)
	SHLQ(Imm(e.shift), srcStride)
	// Row r of src is reached as r = 4·q + s, with s·srcStride in the index.
	source := strided(src, srcStride, rows)
	target := strided(dst, dstStride, blockColumns)
	bases := source.bases()
	Label("block")
	targets := target.bases()
	block(source.address(bases), target.address(targets))
	for _, base := range bases {
		ADDQ(I32(int32(blockColumns*e.bytes)), base)
	}
	LEAQ(Mem{Base: dst, Index: dstStride, Scale: uint8(blockColumns)}, dst)
	DECQ(blocks)
	JNZ(LabelRef("block"))
	VZEROUPPER()
	RET()
}

// rowsOf addresses up to eight rows that are a stride apart, by one base
// register for each four of them.
type rowsOf struct {
	first, stride, triple reg.GPVirtual
	count                 int
}

func strided(first, stride reg.Register, count int) rowsOf {
	r := rowsOf{first: first.(reg.GPVirtual), stride: stride.(reg.GPVirtual), count: count}
	if count > 3 {
		r.triple = GP64()
		LEAQ(Mem{Base: stride, Index: stride, Scale: 2}, r.triple)
	}
	return r
}

func (r rowsOf) bases() []reg.GPVirtual {
	bases := []reg.GPVirtual{r.first}
	for range (r.count - 1) / 4 {
		base := GP64()
		LEAQ(Mem{Base: bases[len(bases)-1], Index: r.stride, Scale: 4}, base)
		bases = append(bases, base)
	}
	return bases
}

func (r rowsOf) address(bases []reg.GPVirtual) func(int) Mem {
	return func(i int) Mem {
		m := Mem{Base: bases[i/4]}
		switch i % 4 {
		case 1, 2:
			m.Index, m.Scale = r.stride, uint8(i%4)
		case 3:
			m.Index, m.Scale = r.triple, 1
		}
		return m
	}
}

// transposeFloat32 writes the transpositions of 8, 4 and 2 rows.
func transposeFloat32() {
	// four transposes 4×4 numbers in each half of the registers.
	four := func(register func() reg.VecVirtual, rows [4]reg.VecVirtual) (columns [4]reg.VecVirtual) {
		var pairs [4]reg.VecVirtual
		for i := range pairs {
			pairs[i] = register()
		}
		for i := range columns {
			columns[i] = register()
		}
		VUNPCKLPS(rows[1], rows[0], pairs[0]) // 00 10 01 11
		VUNPCKHPS(rows[1], rows[0], pairs[1]) // 02 12 03 13
		VUNPCKLPS(rows[3], rows[2], pairs[2]) // 20 30 21 31
		VUNPCKHPS(rows[3], rows[2], pairs[3]) // 22 32 23 33
		VUNPCKLPD(pairs[2], pairs[0], columns[0])
		VUNPCKHPD(pairs[2], pairs[0], columns[1])
		VUNPCKLPD(pairs[3], pairs[1], columns[2])
		VUNPCKHPD(pairs[3], pairs[1], columns[3])
		return columns
	}
	transpose(float32s, 8, 4, func(address, target func(int) Mem) {
		var rows [4]reg.VecVirtual
		for i := range rows {
			rows[i] = YMM()
			VMOVUPS(address(i), rows[i].AsX())
			VINSERTF128(Imm(1), address(i+4), rows[i], rows[i])
		}
		for j, column := range four(YMM, rows) {
			VMOVUPS(column, target(j))
		}
	})
	transpose(float32s, 4, 4, func(address, target func(int) Mem) {
		var rows [4]reg.VecVirtual
		for i := range rows {
			rows[i] = XMM()
			VMOVUPS(address(i), rows[i])
		}
		for j, column := range four(XMM, rows) {
			VMOVUPS(column, target(j))
		}
	})
	transpose(float32s, 2, 4, func(address, target func(int) Mem) {
		first, low, high := XMM(), XMM(), XMM()
		VMOVUPS(address(0), first)
		VUNPCKLPS(address(1), first, low)
		VUNPCKHPS(address(1), first, high)
		VMOVLPS(low, target(0))
		VMOVHPS(low, target(1))
		VMOVLPS(high, target(2))
		VMOVHPS(high, target(3))
	})
}

// transposeFloat64 writes the transpositions of 4 and 2 rows.
func transposeFloat64() {
	transpose(float64s, 4, 2, func(address, target func(int) Mem) {
		even, odd, column := YMM(), YMM(), YMM()
		VMOVUPD(address(0), even.AsX())
		VMOVUPD(address(1), odd.AsX())
		VINSERTF128(Imm(1), address(2), even, even)
		VINSERTF128(Imm(1), address(3), odd, odd)
		VUNPCKLPD(odd, even, column)
		VMOVUPD(column, target(0))
		VUNPCKHPD(odd, even, column)
		VMOVUPD(column, target(1))
	})
	transpose(float64s, 2, 2, func(address, target func(int) Mem) {
		first, column := XMM(), XMM()
		VMOVUPD(address(0), first)
		VUNPCKLPD(address(1), first, column)
		VMOVUPD(column, target(0))
		VUNPCKHPD(address(1), first, column)
		VMOVUPD(column, target(1))
	})
}
