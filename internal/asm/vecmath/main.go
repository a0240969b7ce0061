// Command vecmath generates the assembly of lamcap/internal/vecmath.
package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"lamcap/internal/asm/vector"
)

// constants are those of the file.
var constants = vector.Constants{}

func main() {
	ConstraintExpr("amd64")
	for _, u := range vector.Units {
		softmaxColumns(u)
		softmaxRow(u)
		sumExp(u)
		largest(u)
		dot(u)
		addScaled(u)
		matVec(u)
		matVecTrans(u)
	}
	Generate()
}

// function starts a function whose signature is written for type T.
func function(u vector.Unit, name, signature string, doc string) {
	name += u.Name()
	text := []byte{}
	for i := range len(signature) {
		if signature[i] == 'T' {
			text = append(text, u.Type()...)
		} else {
			text = append(text, signature[i])
		}
	}
	TEXT(name, 4, string(text)) // NOSPLIT
	Doc(name + " " + doc)
	Pragma("noescape")
}

// labels of one function must differ.
type labels struct{ prefix string }

func (l labels) at(name string) string { return l.prefix + name }

// base and integer load parameters.
func base(name string) reg.GPVirtual    { return Load(Param(name).Base(), GP64()).(reg.GPVirtual) }
func length(name string) reg.GPVirtual  { return Load(Param(name).Len(), GP64()).(reg.GPVirtual) }
func integer(name string) reg.GPVirtual { return Load(Param(name), GP64()).(reg.GPVirtual) }

// bytes turns a count of numbers into bytes.
func bytes(u vector.Unit, r reg.GPVirtual) {
	if u.Bits == 32 {
		SHLQ(Imm(2), r)
	} else {
		SHLQ(Imm(3), r)
	}
}

func at(p reg.Register, disp int) Mem { return Mem{Base: p, Disp: disp} }
