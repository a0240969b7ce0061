package vectors

import (
	"bytes"
	_ "embed"
	"encoding/hex"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"codeberg.org/sbinet/npyio/npy"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"
)

// numpyFiles are files that NumPy 1.24.2 wrote: arrays.py golden.
//
//go:embed testdata/numpy.txt
var numpyFiles string

// Files of all three formats, both precisions, orders and byte orders, as NumPy
// itself writes them.
func TestGoldenNumPy(t *testing.T) {
	count := 0
	for line := range strings.Lines(numpyFiles) {
		var version, order, descr, digits string
		_, err := fmt.Sscan(line, &version, &order, &descr, &digits)
		require.NoError(t, err)
		b, err := hex.DecodeString(digits)
		require.NoError(t, err)
		s, err := readNPY(bytes.NewReader(b), int64(len(b)))
		require.NoError(t, err, line)
		want := []float64{1.5, -2, 1.0 / 3, 0, 1e-30, math.Copysign(0, -1)}
		for i, v := range want {
			if strings.HasSuffix(descr, "4") {
				v = float64(float32(v))
			}
			assert.Equal(t, math.Float64bits(v), math.Float64bits(s.Data[i]), line)
		}
		assert.Equal(t, [2]int{2, 3}, [2]int{s.Rows, s.Columns})
		assert.Equal(t, version, string('0'+b[len(magic)]))
		count++
	}
	assert.Equal(t, 24, count)
}

// Where npyio reads a file, it reads the same: formats 1.0 and 2.0.
func TestNpyioAgrees(t *testing.T) {
	agreed := 0
	for line := range strings.Lines(numpyFiles) {
		fields := strings.Fields(line)
		b, err := hex.DecodeString(fields[3])
		require.NoError(t, err)
		s, err := readNPY(bytes.NewReader(b), int64(len(b)))
		require.NoError(t, err)
		if fields[0] == "3" || strings.HasSuffix(fields[2], "4") {
			continue // mat.Dense takes float64 alone
		}
		var m mat.Dense
		require.NoError(t, npy.Read(bytes.NewReader(b), &m))
		assert.Equal(t, m.RawMatrix().Data, s.Data, line)
		agreed++
	}
	assert.Equal(t, 8, agreed)
}

// With NumPy: .ci/numpy has it save arrays into a folder, runs this, and has it
// check what this wrote there.
func TestNumPy(t *testing.T) {
	folder := os.Getenv("LAMCAP_NUMPY")
	if folder == "" {
		t.Skip("LAMCAP_NUMPY is not set: .ci/numpy runs this")
	}
	read, err := filepath.Glob(filepath.Join(folder, "read-*.npy"))
	require.NoError(t, err)
	require.Len(t, read, 24)
	for _, path := range read {
		s, err := Read(path)
		require.NoError(t, err)
		want, err := Read(strings.TrimSuffix(path, "npy") + "txt")
		require.NoError(t, err)
		assert.Equal(t, want.Data, s.Data, path)
		assert.Equal(t, [2]int{7, 5}, [2]int{s.Rows, s.Columns})
	}
	refused, err := filepath.Glob(filepath.Join(folder, "refused-*"))
	require.NoError(t, err)
	require.Len(t, refused, 12)
	for _, path := range refused {
		_, err := Read(path)
		assert.Error(t, err, path)
		t.Log(err)
	}

	const in, out, keys, values = 5, 3, 4, 6
	rng := rand.New(rand.NewPCG(1, 1))
	normal := func(name string, rows, columns int) *mat.Dense {
		m := mat.NewDense(rows, columns, nil)
		m.Apply(func(int, int, float64) float64 { return rng.NormFloat64() }, m)
		require.NoError(t, WriteNPY(filepath.Join(folder, name), rows, columns, m.RawMatrix().Data))
		return m
	}
	w, e, u := normal("W.npy", out, in), normal("E.npy", keys, in), normal("U.npy", values, out)
	var scores mat.Dense
	scores.Product(u, w, e.T())
	var text strings.Builder
	for i := range values {
		for _, v := range scores.RawRowView(i) {
			fmt.Fprintf(&text, "%.17g ", v)
		}
		text.WriteByte('\n')
	}
	require.NoError(t, os.WriteFile(filepath.Join(folder, "scores.txt"), []byte(text.String()), 0o600))
}
