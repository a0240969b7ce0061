package vectors

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// file is a .npy file to write.
type file struct {
	major   byte
	header  string // of Python, without its padding; that of the fields below if empty
	descr   string
	fortran bool
	rows    int
	columns int
	data    []float64 // row-major
}

func (f file) order() binary.AppendByteOrder {
	if strings.HasPrefix(f.descr, ">") {
		return binary.BigEndian
	}
	return binary.LittleEndian
}

// bytes writes the file as the format's specification has it.
func (f file) bytes() []byte {
	header := f.header
	if header == "" {
		order := "False"
		if f.fortran {
			order = "True"
		}
		header = fmt.Sprintf("{'descr': '%s', 'fortran_order': %s, 'shape': (%d, %d), }", f.descr, order, f.rows, f.columns)
	}
	width := 4
	if f.major == 1 {
		width = 2
	}
	for (len(magic)+2+width+len(header)+1)%64 != 0 {
		header += " "
	}
	header += "\n"
	b := append([]byte(magic), f.major, 0)
	if width == 2 {
		b = binary.LittleEndian.AppendUint16(b, uint16(len(header)))
	} else {
		b = binary.LittleEndian.AppendUint32(b, uint32(len(header)))
	}
	b = append(b, header...)
	put := func(v float64) {
		if strings.HasSuffix(f.descr, "f4") {
			b = f.order().AppendUint32(b, math.Float32bits(float32(v)))
		} else {
			b = f.order().AppendUint64(b, math.Float64bits(v))
		}
	}
	if f.fortran {
		for j := range f.columns {
			for i := range f.rows {
				put(f.data[i*f.columns+j])
			}
		}
		return b
	}
	for _, v := range f.data {
		put(v)
	}
	return b
}

// write returns the path of a new file.
func write(t testing.TB, name string, content []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(path, content, 0o600))
	return path
}

// Every type, order and version that is read holds the same numbers.
func TestReadNPY(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		f := file{
			major:   rapid.SampledFrom([]byte{1, 2, 3}).Draw(rt, "major"),
			descr:   rapid.SampledFrom([]string{"<f4", ">f4", "<f8", ">f8"}).Draw(rt, "descr"),
			fortran: rapid.Bool().Draw(rt, "fortran"),
			rows:    rapid.IntRange(1, 9).Draw(rt, "rows"),
			columns: rapid.IntRange(1, 9).Draw(rt, "columns"),
		}
		number := rapid.Float64()
		if strings.HasSuffix(f.descr, "f4") {
			number = rapid.Map(rapid.Float32(), func(v float32) float64 { return float64(v) })
		}
		f.data = rapid.SliceOfN(number, f.rows*f.columns, f.rows*f.columns).Draw(rt, "data")
		b := f.bytes()
		s, err := readNPY(bytes.NewReader(b), int64(len(b)))
		require.NoError(rt, err)
		assert.Equal(rt, [2]int{f.rows, f.columns}, [2]int{s.Rows, s.Columns})
		for i := range f.data {
			assert.Equal(rt, math.Float64bits(f.data[i]), math.Float64bits(s.Data[i]), "number %d", i)
		}
	})
}

// More numbers than a buffer holds, of both orders.
func TestReadLongRuns(t *testing.T) {
	for _, shape := range [][2]int{{3, 20_000}, {20_000, 3}} {
		for _, fortran := range []bool{false, true} {
			f := file{major: 1, descr: "<f4", fortran: fortran, rows: shape[0], columns: shape[1], data: make([]float64, 60_000)}
			for i := range f.data {
				f.data[i] = float64(i)
			}
			b := f.bytes()
			s, err := readNPY(bytes.NewReader(b), int64(len(b)))
			require.NoError(t, err)
			assert.Equal(t, f.data, s.Data)
		}
	}
}

func TestWriteNPY(t *testing.T) {
	path := filepath.Join(t.TempDir(), "W.npy")
	rapid.Check(t, func(rt *rapid.T) {
		rows, columns := rapid.IntRange(1, 9).Draw(rt, "rows"), rapid.IntRange(1, 9).Draw(rt, "columns")
		data := rapid.SliceOfN(rapid.Float64(), rows*columns, rows*columns).Draw(rt, "data")
		require.NoError(rt, WriteNPY(path, rows, columns, data))
		s, err := Read(path)
		require.NoError(rt, err)
		assert.Equal(rt, path, s.Source)
		assert.Equal(rt, [2]int{rows, columns}, [2]int{s.Rows, s.Columns})
		for i := range data {
			assert.Equal(rt, math.Float64bits(data[i]), math.Float64bits(s.Data[i]), "number %d", i)
		}
	})
	assert.Error(t, WriteNPY(filepath.Join(path, "W.npy"), 1, 1, []float64{1}))
	assert.Panics(t, func() { _ = WriteNPY(path, 2, 2, []float64{1, 2, 3}) })
}

// A file cut anywhere, or with anything after its end, is refused.
func TestEveryTruncationIsRefused(t *testing.T) {
	for major := byte(1); major <= 3; major++ {
		b := file{major: major, descr: "<f4", rows: 2, columns: 3, data: []float64{1, 2, 3, 4, 5, 6}}.bytes()
		for n := range b {
			path := write(t, "K.npy", b[:n])
			_, err := Read(path)
			require.Error(t, err, "%d bytes", n)
			assert.Contains(t, err.Error(), path)
			assert.Regexp(t, "truncated|empty", err.Error())
		}
		_, err := Read(write(t, "K.npy", append(bytes.Clone(b), 0)))
		assert.ErrorContains(t, err, "1 bytes after the numbers")
	}
}

func TestRefusedNPY(t *testing.T) {
	header := func(descr, shape string) string {
		return "{'descr': " + descr + ", 'fortran_order': False, 'shape': " + shape + ", }"
	}
	for _, c := range []struct{ header, want string }{
		{header("'<f4'", "(6,)"), "shape (6,): want two dimensions, (vectors, d): save a.reshape(1, -1)"},
		{header("'<f4'", "()"), "shape (): a single number"},
		{header("'<f4'", "(1, 2, 3)"), "shape (1, 2, 3): want two dimensions"},
		{header("'<f4'", "(0, 3)"), "shape (0, 3): no numbers"},
		{header("'<f4'", "(3, 0)"), "shape (3, 0): no numbers"},
		{header("'<f4'", "(-1, 3)"), "shape (-1, 3): want lengths"},
		{header("'<f4'", "(1000000000000000000, 3)"), "want at most 1073741824 numbers"},
		{header("'<f4'", "(4294967296, 4294967296)"), "want at most 1073741824 numbers"}, // 0 modulo 2^64
		{header("'<f4'", "(65536, 65536)"), "want at most 1073741824 numbers"},
		{header("'<f4'", "(99999999999999999999999999, 3)"), "want at most 1073741824 numbers"},
		{header("'<f4'", "(1000000, 1000)"), "the file is truncated"},
		{header("'<f4'", "(2.0, 3)"), "want lengths that are whole numbers"},
		{header("'<f4'", "(2)"), "shape: want a tuple"},
		{header("'<f4'", "[2, 3]"), "shape: want a tuple"},
		{header("'<f4'", "'(2, 3)'"), "shape: want a tuple"},
		{header("'<f4'", "((2, 3),)"), "shape: want a tuple"},
		{header("'|O'", "(2, 3)"), "an object array is a pickle"},
		{header("[('x', '<f4'), ('y', '<f4', (2,))]", "(2, 3)"), "a structured array"},
		{header("('<f4', (3,))", "(2, 3)"), "a structured array"},
		{header("'<f2'", "(2, 3)"), `dtype "<f2": want float32 or float64: save a.astype("float32")`},
		{header("'<f16'", "(2, 3)"), `save a.astype("float32")`},
		{header("'<i8'", "(2, 3)"), `save a.astype("float32")`},
		{header("'|b1'", "(2, 3)"), `save a.astype("float32")`},
		{header("'<c8'", "(2, 3)"), "complex numbers"},
		{header("'<U5'", "(2, 3)"), "want numbers"},
		{header("'|V4'", "(2, 3)"), "want numbers"},
		{header("'f4'", "(2, 3)"), `dtype "f4"`}, // of which byte order?
		{header("'=f4'", "(2, 3)"), `dtype "=f4"`},
		{header("''", "(2, 3)"), `dtype ""`},
		{header("3", "(2, 3)"), "a structured array"},
		{"{'descr': '<f4', 'fortran_order': False, }", "want the keys"},
		{"{'descr': '<f4', 'fortran_order': false, 'shape': (2, 3), }", "want True or False"},
		{"{'descr': '<f4', 'fortran_order': 'True', 'shape': (2, 3), }", "want True or False"},
		{"{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), 'more': 1}", `key "more"`},
		{"{'descr': '<f4', 'descr': '<f8', 'fortran_order': False, 'shape': (2, 3)}", `a second "descr"`},
		{header("'<f4'", "(2, 3)") + "{", "after the dictionary"},
		{header("'<f4", "(2, 3)"), "header:"},
		{header("'<f4'", "(2, 3"), "header:"},
		{header("'<f4'", strings.Repeat("[", 60000)), "lists within lists"},
		{"{}", "want the keys"},
		{"x", "header:"},
	} {
		b := append(file{major: 1, header: c.header}.bytes(), make([]byte, 24)...)
		_, err := Read(write(t, "K.npy", b))
		assert.ErrorContains(t, err, c.want, c.header)
	}
}

// Headers that NumPy reads but does not write.
func TestUnusualHeaders(t *testing.T) {
	for _, header := range []string{
		`{"shape":(2,3),"fortran_order":False,"descr":"<f4"}`,
		"{'descr': '<f4', 'fortran_order': False, 'shape': (2L, 3L), }", // Python 2
		"\t{ 'fortran_order' : False,\n'shape' : ( 2 , 3 , ) , 'descr' : '<f4' }",
	} {
		b := append(file{major: 1, header: header}.bytes(), make([]byte, 24)...)
		s, err := Read(write(t, "K.npy", b))
		if assert.NoError(t, err, header) {
			assert.Equal(t, make([]float64, 6), s.Data)
		}
	}
}

// What a header says is believed only as far as the file goes.
func TestClaimsAllocateNothing(t *testing.T) {
	huge := append([]byte(magic), 2, 0, 0xff, 0xff, 0xff, 0xff)
	_, err := Read(write(t, "K.npy", huge))
	assert.ErrorContains(t, err, "a header of 4294967295 bytes: want at most 65535")
	claim := file{major: 1, header: "{'descr': '<f8', 'fortran_order': True, 'shape': (1000000, 1000), }"}.bytes()
	before := totalAlloc()
	_, err = readNPY(bytes.NewReader(claim), int64(len(claim)))
	after := totalAlloc()
	assert.ErrorContains(t, err, "0 bytes of numbers")
	assert.Less(t, after-before, uint64(1<<20))
}

func TestFilesThatAreNone(t *testing.T) {
	for _, c := range []struct{ name, content, want string }{
		{"K.npy", "", "the file is empty"},
		{"K.txt", "", "the file is empty"},
		{"K.npy", "the 0.1 0.2\n", "does not begin like a .npy file"},
		{"K.npz", "PK\x03\x04 and so on", "a zip archive"},
		{"K.txt.gz", "\x1f\x8b and so on", "compressed by gzip"},
		{"K.pkl", "\x80\x04\x95 and so on", "a pickle"},
		{"K.npy", magic + "\x04\x00", ".npy format 4.0"},
		{"K.npy", magic + "\x01\x01", ".npy format 1.1"},
	} {
		_, err := Read(write(t, c.name, []byte(c.content)))
		assert.ErrorContains(t, err, c.want)
	}
	_, err := Read(filepath.Join(t.TempDir(), "none.npy"))
	assert.ErrorIs(t, err, os.ErrNotExist)
	_, err = Read(t.TempDir())
	assert.ErrorContains(t, err, "not a regular file")
}

// The first number that is not finite is told by where it is, in C order.
func TestNonFiniteNPY(t *testing.T) {
	for _, fortran := range []bool{false, true} {
		f := file{major: 1, descr: "<f8", fortran: fortran, rows: 3, columns: 3, data: []float64{1, 2, 3, 4, 5, math.NaN(), math.Inf(-1), 8, 9}}
		_, err := Read(write(t, "K.npy", f.bytes()))
		assert.ErrorContains(t, err, "row 1 (counted from 0), column 2 (counted from 0): NaN (and one more such number): want finite numbers")
	}
}
