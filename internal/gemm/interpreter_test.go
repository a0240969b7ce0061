package gemm_test

import (
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
)

// interpreter runs the functions of gemm_amd64.s one instruction at a time, as
// far as they go: so AVX-512 is tested on machines without, and every load and
// store is checked to stay within the slices it was given. It panics on what
// it does not know.
type interpreter struct {
	code     map[string][]string // of each function: instructions and labels
	segments []segment
	general  map[string]uint64
	vector   [32][64]byte
	zero     bool // the flag
	widest   int  // bytes of the widest register used
}

// segment is memory that a function may touch.
type segment struct {
	base  uint64
	bytes []byte
}

func newInterpreter(file string) *interpreter {
	text, err := os.ReadFile(file)
	if err != nil {
		panic(err)
	}
	m := &interpreter{code: map[string][]string{}}
	name := ""
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		switch {
		case line == "" || line[0] == '/' || line[0] == '#':
		case strings.HasPrefix(line, "TEXT"):
			name = line[strings.Index(line, "·")+len("·") : strings.Index(line, "(SB)")]
		default:
			m.code[name] = append(m.code[name], line)
		}
	}
	return m
}

// put copies numbers into the memory and returns their address. They have
// nothing next to them.
func put[T float32 | float64](m *interpreter, x []T) uint64 {
	bytes, err := binary.Append(nil, binary.LittleEndian, x)
	if err != nil {
		panic(err)
	}
	s := segment{uint64(len(m.segments)+1) << 32, bytes}
	m.segments = append(m.segments, s)
	return s.base
}

// get reads back what is at an address that put gave.
func get[T float32 | float64](m *interpreter, address uint64, x []T) {
	if _, err := binary.Decode(m.segments[address>>32-1].bytes, binary.LittleEndian, x); err != nil {
		panic(err)
	}
}

// at is the memory of n bytes at an address.
func (m *interpreter) at(address uint64, n int) []byte {
	for _, s := range m.segments {
		if offset := address - s.base; address >= s.base && offset+uint64(n) <= uint64(len(s.bytes)) {
			return s.bytes[offset:][:n]
		}
	}
	panic(fmt.Sprintf("%d bytes at %#x are not in a slice", n, address))
}

// call runs a function; each argument takes eight bytes.
func (m *interpreter) call(name string, arguments ...uint64) {
	code := m.code[name]
	if code == nil {
		panic("no function " + name)
	}
	m.general = map[string]uint64{}
	for i := range m.vector {
		for j := range m.vector[i] {
			m.vector[i][j] = 0xff // NaNs: what is not cleared shows
		}
	}
	m.widest = 0
	upper := false // the upper halves are in use
	for i := 0; ; i++ {
		line := code[i]
		if strings.HasSuffix(line, ":") {
			continue
		}
		operation, rest, _ := strings.Cut(line, " ")
		var operands []string
		for o := range strings.SplitSeq(rest, ",") {
			operands = append(operands, strings.TrimSpace(o))
		}
		switch operation {
		case "RET":
			if upper {
				panic("RET without VZEROUPPER")
			}
			return
		case "VZEROUPPER":
			upper = false
		case "JZ", "JNZ":
			if m.zero == (operation == "JZ") {
				for i = 0; code[i] != operands[0]+":"; i++ {
				}
			}
		default:
			if operation[0] == 'V' {
				upper = true
				m.vectors(operation, operands)
			} else {
				m.scalars(operation, operands, arguments)
			}
		}
	}
}

// scalars does an instruction on general registers.
func (m *interpreter) scalars(operation string, operands []string, arguments []uint64) {
	if strings.HasPrefix(operation, "PREFETCH") {
		return
	}
	last := operands[len(operands)-1]
	value := func(o string) uint64 {
		switch {
		case o[0] == '$':
			n, err := strconv.ParseInt(strings.TrimPrefix(o[1:], "+"), 0, 64)
			if err != nil {
				panic(err)
			}
			return uint64(n)
		case strings.HasSuffix(o, "(FP)"):
			offset, err := strconv.Atoi(o[strings.Index(o, "+")+1 : strings.Index(o, "(")])
			if err != nil {
				panic(err)
			}
			return arguments[offset/8]
		default:
			v, ok := m.general[o]
			if !ok {
				panic("read of " + o + ", which is not set")
			}
			return v
		}
	}
	set := func(v uint64) {
		m.general[last] = v
		m.zero = v == 0
	}
	switch operation {
	case "MOVQ", "MOVB":
		m.general[last] = value(operands[0])
	case "MOVSS", "MOVSD": // to vectors: only of an argument
		*m.register(last) = [64]byte{}
		binary.LittleEndian.PutUint64(m.register(last)[:], value(operands[0]))
	case "LEAQ":
		m.general[last] = m.address(operands[0])
	case "ADDQ":
		set(value(last) + value(operands[0]))
	case "DECQ":
		set(value(last) - 1)
	case "SHLQ":
		set(value(last) << value(operands[0]))
	case "SHRQ":
		set(value(last) >> value(operands[0]))
	case "ANDQ":
		set(value(last) & value(operands[0]))
	case "TESTQ", "TESTB":
		m.zero = value(last)&value(operands[0]) == 0
	default:
		panic("unknown instruction " + operation)
	}
}

// address is that of an operand such as 8(AX)(BX*4).
func (m *interpreter) address(o string) uint64 {
	displacement, rest, _ := strings.Cut(o, "(")
	base, index, indexed := strings.Cut(strings.TrimSuffix(rest, ")"), ")(")
	sum, ok := m.general[base]
	if !ok {
		panic("address in " + base + ", which is not set")
	}
	if displacement != "" {
		n, err := strconv.ParseInt(displacement, 0, 64)
		if err != nil {
			panic(err)
		}
		sum += uint64(n)
	}
	if indexed {
		register, scale, _ := strings.Cut(index, "*")
		n, err := strconv.ParseUint(scale, 10, 64)
		if err != nil {
			panic(err)
		}
		sum += m.general[register] * n
	}
	return sum
}

// isVector says whether an operand is a vector register, of how many bytes.
func isVector(o string) (bytes int, ok bool) {
	if _, err := strconv.Atoi(o[1:]); err != nil {
		return 0, false
	}
	bytes, ok = map[byte]int{'X': 16, 'Y': 32, 'Z': 64}[o[0]]
	return bytes, ok
}

func (m *interpreter) register(o string) *[64]byte {
	n, err := strconv.Atoi(o[1:])
	if err != nil {
		panic(err)
	}
	bytes, _ := isVector(o)
	m.widest = max(m.widest, bytes)
	if n >= 16 {
		m.widest = 64 // has no other encoding
	}
	return &m.vector[n]
}

// vectors does an instruction on vector registers.
func (m *interpreter) vectors(operation string, operands []string) {
	size := 4 // of a number
	if strings.HasSuffix(operation, "D") && operation != "VPXORD" {
		size = 8
	}
	last := operands[len(operands)-1]
	width, toRegister := isVector(last)
	// source is n bytes of a register or of memory.
	source := func(o string, n int) []byte {
		if _, ok := isVector(o); ok {
			return m.register(o)[:n]
		}
		return m.at(m.address(o), n)
	}
	if !toRegister {
		switch operation {
		case "VMOVUPS", "VMOVUPD":
			n, _ := isVector(operands[0])
			copy(m.at(m.address(last), n), m.register(operands[0])[:n])
		case "VMOVSD", "VMOVLPS":
			copy(m.at(m.address(last), 8), m.register(operands[0])[:8])
		case "VMOVHPS":
			copy(m.at(m.address(last), 8), m.register(operands[0])[8:16])
		default:
			panic("unknown store " + operation)
		}
		return
	}
	var result [64]byte // what is beyond the width becomes zero
	to := result[:width]
	number := func(b []byte, i int) float64 {
		if size == 4 {
			return float64(math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:])))
		}
		return math.Float64frombits(binary.LittleEndian.Uint64(b[8*i:]))
	}
	setNumber := func(i int, v float64) {
		if size == 4 {
			binary.LittleEndian.PutUint32(to[4*i:], math.Float32bits(float32(v)))
		} else {
			binary.LittleEndian.PutUint64(to[8*i:], math.Float64bits(v))
		}
	}
	switch operation {
	case "VMOVUPS", "VMOVUPD":
		copy(to, source(operands[0], width))
	case "VMOVSD":
		copy(to, source(operands[0], 8))
	case "VBROADCASTSS", "VBROADCASTSD":
		b := source(operands[0], size)
		for i := 0; i < width; i += size {
			copy(to[i:], b)
		}
	case "VXORPS", "VPXORD":
		if operands[0] != operands[1] {
			panic(operation + " is for clearing only")
		}
	case "VADDPS", "VADDPD":
		x, y := source(operands[0], width), source(operands[1], width)
		for i := range width / size {
			setNumber(i, number(x, i)+number(y, i))
		}
	case "VFMADD231PS", "VFMADD231PD":
		x, y, z := source(operands[0], width), source(operands[1], width), source(last, width)
		for i := range width / size {
			// In float64 for float32 too: exact for the small integers of the tests.
			setNumber(i, math.FMA(number(x, i), number(y, i), number(z, i)))
		}
	case "VUNPCKLPS", "VUNPCKHPS", "VUNPCKLPD", "VUNPCKHPD":
		second, first := source(operands[0], width), source(operands[1], width)
		for half := 0; half < width; half += 16 {
			from := half
			if operation[len("VUNPCK")] == 'H' {
				from += 8
			}
			for i := 0; i < 8; i += size {
				copy(to[half+2*i:], first[from+i:][:size])
				copy(to[half+2*i+size:], second[from+i:][:size])
			}
		}
	case "VINSERTF128":
		if operands[0] != "$0x01" {
			panic("VINSERTF128 of the lower half")
		}
		copy(to, source(operands[2], 16))
		copy(to[16:], source(operands[1], 16))
	default:
		panic("unknown instruction " + operation)
	}
	*m.register(last) = result
}
