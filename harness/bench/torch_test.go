//go:build unix

package bench

import (
	"context"
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"lamcap/harness/table"
)

// python writes an interpreter that takes no Python: a shell script that
// answers the lines of pytorch.py's protocol with what the case statement says,
// after a first line with PyTorch's version. It keeps its environment in the
// file environment beside it.
func python(t *testing.T, first, cases string) string {
	t.Helper()
	if _, err := os.Stat("/bin/sh"); err != nil {
		t.Skip(err)
	}
	path := filepath.Join(t.TempDir(), "python")
	script := `#!/bin/sh
env > "${0%/*}/environment"
test -s "$1" || exit 9
` + first + `
while read -r name a b c; do
	case $name in
	` + cases + `
	*) echo '{"error": "unknown"}' ;;
	esac
done
`
	require.NoError(t, os.WriteFile(path, []byte(script), 0o700))
	return path
}

const version = `echo '{"torch": "1.2.3", "threads": '$THREADS'}'`

func start(t *testing.T, python string, tune bool) *torch {
	t.Helper()
	x, err := startTorch(context.Background(), python, 3, tune)
	require.NoError(t, err)
	t.Cleanup(x.close)
	return x
}

func TestTorchTalks(t *testing.T) {
	x := start(t, python(t, version, `step) echo '{"seconds": '$a'}' ;;`), true)
	assert.Equal(t, "1.2.3", x.version)
	assert.Equal(t, 3, x.threads)
	a, err := x.ask("step %g", 0.25)
	require.NoError(t, err)
	assert.Equal(t, 0.25, a.Seconds)
	_, err = x.ask("dance")
	assert.EqualError(t, err, "unknown")
	a, err = x.ask("step %g", 0.5)
	require.NoError(t, err, "an error does not end it")
	assert.Equal(t, 0.5, a.Seconds)
}

func TestTorchEnvironment(t *testing.T) {
	t.Setenv("OPENBLAS_NUM_THREADS", "1")
	t.Setenv("OMP_WAIT_POLICY", "ACTIVE")
	t.Setenv("THREADS", "7")
	for _, tune := range []bool{true, false} {
		path := python(t, version, "")
		start(t, path, tune)
		b, err := os.ReadFile(filepath.Join(filepath.Dir(path), "environment"))
		require.NoError(t, err)
		contains := assert.NotContains
		if tune {
			contains = assert.Contains
			assert.NotRegexp(t, `(?m)^OPENBLAS_`, string(b))
		} else {
			assert.Contains(t, string(b), "OPENBLAS_NUM_THREADS=1\n", "as installed")
		}
		contains(t, string(b), "OMP_WAIT_POLICY=PASSIVE\n")
		assert.Contains(t, string(b), "THREADS=3\n")
	}
}

// Keys first, then values, four bytes a number.
func TestTorchLoads(t *testing.T) {
	x := start(t, python(t, version, `load) cp "$a" "${0%/*}/copy"; echo '{"steps": '$b$c'}' ;;`), false)
	r, _ := small(context.Background())
	in := r.draw("test", 0, 4, 7)
	require.NoError(t, x.load(in))
	b, err := os.ReadFile(filepath.Join(filepath.Dir(x.command.Path), "copy"))
	require.NoError(t, err)
	require.Len(t, b, 2*4*4*7)
	number := func(i int) float64 {
		return float64(math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:])))
	}
	// Half a unit in the last place of float32.
	assert.InEpsilon(t, in.Keys()[5], number(5), 1.0/(1<<24))
	assert.InEpsilon(t, in.Pool(0, nil)[27], number(28+27), 1.0/(1<<24))
}

func TestTorchRefused(t *testing.T) {
	for name, path := range map[string]string{
		"no such file":  filepath.Join(t.TempDir(), "nopython"),
		"not installed": python(t, "exit 3", ""),
		"no JSON":       python(t, "echo Hello", ""),
	} {
		_, err := Run(context.Background(), Options{Torch: path})
		require.ErrorIs(t, err, ErrTorch, name)
		assert.ErrorContains(t, err, "torch = "+path+": ", name)
	}
}

// A process that dies, or is told to, ends the wait for its answer.
func TestTorchDies(t *testing.T) {
	x := start(t, python(t, version, `step) exit 1 ;;`), true)
	_, err := x.ask("step")
	assert.Error(t, err)

	ctx, cancel := context.WithCancel(context.Background())
	x, err = startTorch(ctx, python(t, version, `step) exec sleep 60 ;;`), 1, true)
	require.NoError(t, err)
	defer x.close()
	cancel()
	_, err = x.ask("step")
	assert.Error(t, err)
}

func TestTorchLeavesNothing(t *testing.T) {
	x, err := startTorch(context.Background(), python(t, version, ""), 1, true)
	require.NoError(t, err)
	assert.DirExists(t, x.folder)
	x.close()
	assert.NoDirExists(t, x.folder)
}

// PyTorch in turns with the steps of this module, and what it answers in the
// table.
func TestStepBeside(t *testing.T) {
	r, _ := small(context.Background())
	path := python(t, version, `load) echo '{}' ;;
	step) echo '{"seconds": 2}' ;;`)
	r.torch, r.installed = start(t, path, true), start(t, path, false)
	tab := newSteps(r)
	assert.Contains(t, tab.Notes[1], "PyTorch 1.2.3")
	require.NoError(t, r.step(tab, size{8, 20}))
	row := cells(t, tab)
	assert.Equal(t, 2000.0, row["pytorch_ms"])
	assert.Equal(t, 2000.0, row["installed_ms"])
	// One repeat: the ratio is that of the two medians.
	assert.InEpsilon(t, 2000/row["single_ms"].(float64), row["ratio"], 1e-12)
	assert.Equal(t, table.Interval{Lo: row["ratio"].(float64), Hi: row["ratio"].(float64)}, row["ratio_range"])
}

func TestStepBesideFails(t *testing.T) {
	r, _ := small(context.Background())
	path := python(t, version, `load) echo '{}' ;;
	step) echo '{"error": "out of memory"}' ;;`)
	r.torch, r.installed = start(t, path, true), start(t, path, false)
	assert.EqualError(t, r.step(newSteps(r), size{8, 20}), "out of memory")
}

func TestDecisionBeside(t *testing.T) {
	for name, c := range map[string]struct {
		answer string
		steps  any
	}{
		"all stored": {`echo '{"stored": true, "steps": 30, "rate": 0.1, "seconds": 2}'`, 30.0},
		// A median over those that were stored would be that of the easy ones.
		"one not stored": {`i=$((i + 1)); if test $i = 2; then echo '{"stored": false, "steps": 2000}'; else echo '{"stored": true, "steps": 30, "rate": 0.1, "seconds": 2}'; fi`, nil},
	} {
		r, _ := small(context.Background())
		r.torch = start(t, python(t, version, `load) echo '{}' ;;
	tune) `+c.answer+` ;;`), true)
		tab := newDecisions(r)
		require.NoError(t, r.decision(tab, 12, 0.5, 36))
		row := cells(t, tab)
		assert.Equal(t, c.steps, row["pytorch_steps"], name)
		if c.steps != nil {
			assert.Equal(t, 0.1, row["pytorch_rate"], name)
			assert.Equal(t, 2.0, row["pytorch_seconds"], name)
			assert.Positive(t, row["ratio"], name)
		}
	}
}

// Above capacity PyTorch is not run: it would be asked what it cannot answer.
func TestDecisionAboveCapacityWithoutPyTorch(t *testing.T) {
	r, _ := small(context.Background())
	r.torch = start(t, python(t, version, ""), true)
	tab := newDecisions(r)
	require.NoError(t, r.decision(tab, 12, 2.5, 36))
	assert.Nil(t, cells(t, tab)["pytorch_steps"])
}
