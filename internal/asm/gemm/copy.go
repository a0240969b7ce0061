package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// copyRows writes the copy of rows of width numbers, a stride apart in src,
// end to end into dst.
func copyRows(e element, width int) {
	name := fmt.Sprintf("copy%sWidth%d", e.name, width)
	TEXT(name, NOSPLIT, fmt.Sprintf("func(rows int, dst, src *%s, srcStride int)", e.goType))
	Pragma("noescape")
	Doc(fmt.Sprintf("%s copies rows ≥ 1 rows of %d numbers end to end into dst. It uses AVX.", name, width))
	rows := Load(Param("rows"), GP64())
	dst := Load(Param("dst"), GP64())
	src := Load(Param("src"), GP64())
	stride := Load(Param("srcStride"), GP64())
	SHLQ(Imm(e.shift), stride)

	bytes := width * e.bytes
	Label("row")
	for offset := 0; offset < bytes; {
		from, to := Mem{Base: src, Disp: offset}, Mem{Base: dst, Disp: offset}
		switch left := bytes - offset; {
		case left >= 32:
			r := YMM()
			VMOVUPS(from, r)
			VMOVUPS(r, to)
			offset += 32
		case left >= 16:
			r := XMM()
			VMOVUPS(from, r)
			VMOVUPS(r, to)
			offset += 16
		default:
			r := XMM()
			VMOVSD(from, r)
			VMOVSD(r, to)
			offset += 8
		}
	}
	ADDQ(stride, src)
	ADDQ(I32(int32(bytes)), dst)
	DECQ(rows)
	JNZ(LabelRef("row"))
	VZEROUPPER()
	RET()
}
