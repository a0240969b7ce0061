package vectors

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"codeberg.org/sbinet/npyio/npy"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// sound asserts what holds for every set that was read.
func sound(t *testing.T, s *Set) {
	require.Positive(t, s.Rows)
	require.Positive(t, s.Columns)
	require.Len(t, s.Data, s.Rows*s.Columns)
	require.NoError(t, s.checkFinite())
	if s.Names != nil {
		require.NoError(t, s.SetNames(s.Names))
	}
}

// Whatever the bytes, there is an error or the numbers that npyio reads, too,
// where it can.
func FuzzReadNPY(f *testing.F) {
	for line := range strings.Lines(numpyFiles) {
		b, err := hex.DecodeString(strings.Fields(line)[3])
		require.NoError(f, err)
		f.Add(b)
		f.Add(b[:len(b)-1])
		f.Add(bytes.Replace(b, []byte("(2, 3)"), []byte("(2, -3)"), 1))
		f.Add(bytes.Replace(b, []byte("'<f8'"), []byte("[('x', '|O')]"), 1))
	}
	f.Add(append([]byte(magic), 2, 0, 0xff, 0xff, 0xff, 0xff))
	f.Fuzz(func(t *testing.T, b []byte) {
		s, err := readNPY(bytes.NewReader(b), int64(len(b)))
		if err != nil {
			require.NotEmpty(t, err.Error())
			return
		}
		sound(t, s)
		other, fortran, ok := readByNpyio(b)
		if !ok {
			return
		}
		require.Len(t, other, len(s.Data))
		for i := range s.Rows {
			for j := range s.Columns {
				at := i*s.Columns + j
				if fortran {
					at = j*s.Rows + i
				}
				require.Equal(t, math.Float64bits(other[at]), math.Float64bits(s.Data[i*s.Columns+j]))
			}
		}
	})
}

// readByNpyio returns the numbers in the order of the file; not ok if npyio
// refuses it, or panics.
func readByNpyio(b []byte) (numbers []float64, fortran, ok bool) {
	defer func() {
		if recover() != nil {
			ok = false
		}
	}()
	r, err := npy.NewReader(bytes.NewReader(b))
	if err != nil {
		return nil, false, false
	}
	fortran = r.Header.Descr.Fortran
	if strings.Contains(r.Header.Descr.Type, "f8") {
		return numbers, fortran, r.Read(&numbers) == nil
	}
	var single []float32
	if r.Read(&single) != nil {
		return nil, fortran, false
	}
	for _, v := range single {
		numbers = append(numbers, float64(v))
	}
	return numbers, fortran, true
}

// Whatever the text, there is an error or vectors that read back the same when
// they are written in word2vec's layout, or as numbers alone.
func FuzzReadText(f *testing.F) {
	for _, text := range []string{
		"the 0.1 -0.2\n. . . 3 4\n", "2 3\nthe 1 2 3\n10 4 5 6\n", "1 2 3\r\n\r\n4 5 6", "1,2, 3\n4,5,6\n", "\xef\xbb\xbfthe\t1e-3\n",
		"5 1\n1 2\n", "2 1\nthe 1\ncat 4\n", "nan 1 2\n", "the nan inf\n", "the 1 2\nthe 3 4\n", "the 1 2\ncat 1e400 2\n", "t\x00h", "\xff 1\n", "1 2\n", "18446744073709551616 2\n3 4\n",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		lines := int64(bytes.Count(b, []byte("\n")) + 1)
		s, err := parseText(bytes.NewReader(b), lines, int64(len(b)))
		if err != nil {
			require.NotEmpty(t, err.Error())
			return
		}
		sound(t, s)
		require.LessOrEqual(t, cap(s.Data), len(b)/2+1)
		var again strings.Builder
		if s.Names != nil {
			if s.Columns == 1 {
				return // a word that is a number would make it two numbers a line
			}
			fmt.Fprintf(&again, "%d %d\n", s.Rows, s.Columns)
		}
		for i := range s.Rows {
			if s.Names != nil {
				again.WriteString(s.Names[i] + " ")
			}
			for _, v := range s.Row(i) {
				again.WriteString(strconv.FormatFloat(v, 'g', -1, 64) + " ")
			}
			again.WriteString("\n")
		}
		back, err := parseText(strings.NewReader(again.String()), int64(s.Rows+1), int64(again.Len()))
		require.NoError(t, err, again.String())
		require.Equal(t, s.Names, back.Names)
		require.True(t, slices.Equal(s.Data, back.Data))
	})
}

// Whatever the JSON, there is an error or a transform that is stored the same
// and can be applied.
func FuzzTransform(f *testing.F) {
	for _, steps := range []string{"none", "centre", "unit", "whiten", "centre,unit,whiten"} {
		p, err := ParsePreprocessing(steps)
		require.NoError(f, err)
		tr, err := p.Fit(gaussian(9, 2, 0.5, 1, 1))
		require.NoError(f, err)
		text, err := json.Marshal(tr)
		require.NoError(f, err)
		f.Add(text)
	}
	f.Add([]byte(`{"columns":1073741824,"steps":[{"step":"unit"}]}`))
	f.Add([]byte(`{"columns":1,"steps":[{"step":"whiten","mean":[1e308],"matrix":[1e308],"rank":1,"largest_eigenvalue":1e-320,"smallest_eigenvalue":1e-320}]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		var tr Transform
		if err := json.Unmarshal(text, &tr); err != nil {
			assert.Zero(t, tr)
			return
		}
		stored, err := json.Marshal(&tr)
		require.NoError(t, err)
		var back Transform
		require.NoError(t, json.Unmarshal(stored, &back))
		again, err := json.Marshal(&back)
		require.NoError(t, err)
		require.Equal(t, stored, again)
		if d := tr.Columns(); d < 100 {
			out, err := tr.Apply(gaussian(3, d, 1, 1, 2))
			if err == nil {
				sound(t, out)
			}
		}
	})
}
