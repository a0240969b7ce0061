package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"lamcap/internal/simd"
)

func TestExitCodes(t *testing.T) {
	folder := t.TempDir()
	for _, c := range []struct {
		args string
		want int
		says string // on standard error
	}{
		{"", exitFine, ""},
		{"help", exitFine, ""},
		{"help train", exitFine, ""},
		{"help foo", exitUsage, `unknown command "foo" for "lamcap"`},
		{"help train foo", exitUsage, `unknown command "foo" for "lamcap train"`},
		{"foo", exitUsage, `unknown command "foo" for "lamcap": lamcap help lists all there is`},
		{"stroe", exitUsage, `: did you mean store? lamcap help lists`},
		{"sweep rnu", exitUsage, `unknown command "rnu" for "lamcap sweep": did you mean run? lamcap help sweep lists`},
		{"store --kyes x", exitUsage, "unknown flag: --kyes: lamcap help store lists the flags"},
		{"--foo", exitUsage, "unknown flag: --foo: lamcap help lists the flags"},
		{"train --d 12 --p 60 --rule hebb --certificate " + folder + "/proof", exitFailed, "no certificate was written"},
		{"train --d 12 --p 30 --certificate " + folder + "/missing/proof", exitUsage, "certificate = " + folder + "/missing/proof: "},
		{"train --d 12 --p 30 --checkpoint " + folder + "/missing/saved", exitUsage, "checkpoint = " + folder + "/missing/saved: "},
		{"bench --part foo", exitUsage, "part = foo: want kernels, steps or decisions"},
		{"bench --torch no-such-python", exitUsage, "torch = no-such-python: "},
		{"check " + folder + "/missing", exitUsage, "missing"},
	} {
		var out, err strings.Builder
		assert.Equal(t, c.want, run(strings.Fields(c.args), &out, &err), c.args)
		assert.Contains(t, err.String(), c.says, c.args)
		if c.want == exitUsage {
			assert.Empty(t, out.String(), c.args)
		}
	}
}

// Whoever has the variable wrong reads help first.
func TestHelpDespiteWrongInstructionSet(t *testing.T) {
	t.Setenv(simd.Variable, "foo")
	for _, args := range [][]string{nil, {"help"}, {"help", "bench"}, {"bench", "--help"}} {
		var out, err strings.Builder
		assert.Equal(t, exitFine, run(args, &out, &err), args)
		assert.Contains(t, out.String(), "-h, --help", args)
		assert.Empty(t, err.String(), args)
	}
	var out, err strings.Builder
	assert.Equal(t, exitUsage, run([]string{"bench"}, &out, &err))
	assert.Equal(t, "lamcap: LAMCAP_SIMD = foo: want portable, avx2 or avx512\n", err.String())
}
