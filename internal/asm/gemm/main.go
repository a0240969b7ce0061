// Command gemm writes the assembly of lamcap/internal/gemm: one generator
// function per kind of kernel, instantiated for each element type and
// instruction set. See ../generate for how it is run.
package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// element is a type of number and the instructions that work on it.
type element struct {
	name, goType string
	bytes        int
	shift        uint64 // log2(bytes)

	broadcast, move, add, multiplyAdd func(...Op)
}

var float32s = element{
	name: "Float32", goType: "float32", bytes: 4, shift: 2,
	broadcast: VBROADCASTSS, move: VMOVUPS, add: VADDPS, multiplyAdd: VFMADD231PS,
}

var float64s = element{
	name: "Float64", goType: "float64", bytes: 8, shift: 3,
	broadcast: VBROADCASTSD, move: VMOVUPD, add: VADDPD, multiplyAdd: VFMADD231PD,
}

// set is an instruction set: its registers, and the rows of a tile. A tile is
// two registers wide, and rows is what fills the register file but for two
// registers of B and a number of A.
type set struct {
	name  string
	bytes int // of a register
	rows  int // of a tile

	register func() reg.VecVirtual
	clear    func(reg.VecVirtual)
}

var avx2 = set{
	name: "AVX2", bytes: 32, rows: 6, register: YMM,
	clear: func(r reg.VecVirtual) { VXORPS(r, r, r) },
}

var avx512 = set{
	name: "AVX512", bytes: 64, rows: 14, register: ZMM,
	// The VXORPS of 512 bits is not in AVX-512 F, and that of 256 bits does
	// not reach registers 16 to 31.
	clear: func(r reg.VecVirtual) { VPXORD(r, r, r) },
}

func main() {
	ConstraintExpr("amd64")
	for _, s := range []set{avx2, avx512} {
		for _, e := range []element{float32s, float64s} {
			panels(e, s)
			peak(e, s)
			copyRows(e, s.rows)
			copyRows(e, columns*s.bytes/e.bytes)
		}
	}
	transposeFloat32()
	transposeFloat64()
	Generate()
}
