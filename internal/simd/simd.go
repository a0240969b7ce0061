package simd

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync"

	"golang.org/x/sys/cpu"
)

// Variable is the environment variable that forces an instruction set.
const Variable = "LAMCAP_SIMD"

// Level is an instruction set; a machine that runs one runs all below it.
type Level int

// The instruction sets, narrowest first.
const (
	Portable Level = iota // plain Go
	AVX2                  // AVX2 and FMA
	AVX512                // AVX-512 F, DQ, VL and BW, on top of AVX2 and FMA
)

// names are what [Variable] may hold, by level.
var names = [...]string{Portable: "portable", AVX2: "avx2", AVX512: "avx512"}

// String is the name of the level: portable, avx2 or avx512.
func (l Level) String() string {
	if l < 0 || int(l) >= len(names) {
		return fmt.Sprintf("simd.Level(%d)", int(l))
	}
	return names[l]
}

// Parse is the level of that name; it is an error if there is none.
func Parse(s string) (Level, error) {
	for l, name := range names {
		if s == name {
			return Level(l), nil
		}
	}
	last := len(names) - 1
	return Portable, fmt.Errorf("%s = %s: want %s or %s", Variable, s, strings.Join(names[:last], ", "), names[last])
}

// Best is the widest instruction set that this machine and its operating
// system run.
func Best() Level {
	// The features of a 386 process are reported too, but the assembly is
	// written for amd64 alone.
	if runtime.GOARCH != "amd64" {
		return Portable
	}
	x := &cpu.X86
	switch {
	case !x.HasAVX2 || !x.HasFMA:
		return Portable
	case x.HasAVX512F && x.HasAVX512DQ && x.HasAVX512VL && x.HasAVX512BW:
		return AVX512
	default:
		return AVX2
	}
}

// Available lists what this machine runs, from Portable to [Best].
func Available() []Level {
	var levels []Level
	for l := Portable; l <= Best(); l++ {
		levels = append(levels, l)
	}
	return levels
}

// Chosen is the level named by the environment variable [Variable], or [Best]
// if that is unset or empty. It is an error if the name is unknown or this
// machine cannot run what it names.
func Chosen() (Level, error) {
	return choose(os.Getenv(Variable), Best())
}

// choose is Chosen for a given content of the variable and a given best level.
func choose(name string, best Level) (Level, error) {
	if name == "" {
		return best, nil
	}
	l, err := Parse(name)
	if err != nil {
		return best, err
	}
	if l > best {
		return best, fmt.Errorf("%s = %v: this machine runs %v at most: set that, or unset the variable", Variable, l, best)
	}
	return l, nil
}

// Default is what [Chosen] says the first time, for the rest of the process;
// [Best] if the variable is in error, which a command refuses beforehand by
// calling Chosen.
func Default() Level { return fixed() }

var fixed = sync.OnceValue(func() Level {
	l, err := Chosen()
	if err != nil {
		return Best()
	}
	return l
})
