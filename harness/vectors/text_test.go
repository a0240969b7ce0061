package vectors

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestReadText(t *testing.T) {
	for _, c := range []struct {
		name, text string
		names      []string
		data       []float64
	}{
		{"GloVe", "the 0.1 -0.2\ncat 1e-3 4\n", []string{"the", "cat"}, []float64{0.1, -0.2, 1e-3, 4}},
		{"GloVe 840B: words with spaces", ", 0.1 -0.2\n. . . 3 4\nat name@domain.com 5 6\n7 8 9\n", []string{",", ". . .", "at name@domain.com", "7"}, []float64{0.1, -0.2, 3, 4, 5, 6, 8, 9}},
		{"a first word with spaces", ". . . 3 4\nthe 5 6\n", []string{". . .", "the"}, []float64{3, 4, 5, 6}},
		{"word2vec", "2 3\nthe 1 2 3\n10 4 5 6\n", []string{"the", "10"}, []float64{1, 2, 3, 4, 5, 6}},
		{"word2vec, d = 1", "2 1\nthe 1\ncat 4\n", []string{"the", "cat"}, []float64{1, 4}},
		{"word2vec, numbers as words", "2 2\n1 2 3\n4 5 6\n", []string{"1", "4"}, []float64{2, 3, 5, 6}},
		{"numbers", "1 2 3\n4 5 6\n", nil, []float64{1, 2, 3, 4, 5, 6}},
		{"whole numbers, d = 2", "1 2\n4 5\n", nil, []float64{1, 2, 4, 5}},
		{"whole numbers, d = 2, one line", "\n1 2", nil, []float64{1, 2}},
		{"like word2vec's first line", "5 1\n1 2\n", nil, []float64{5, 1, 1, 2}},
		{"one column", "1\n2\n", nil, []float64{1, 2}},
		{"commas", "1, 2,3\n4,5 , 6\n", nil, []float64{1, 2, 3, 4, 5, 6}},
		{"a word with commas", "1,5 2\n2,5 3\n", []string{"1,5", "2,5"}, []float64{2, 3}},
		{"tabs, CR LF, a mark, blank lines, no end", "\xef\xbb\xbf\n\r\nthe\t0.1\t0.2\r\n \t \n  cat  3   4  ", []string{"the", "cat"}, []float64{0.1, 0.2, 3, 4}},
		{"words with other spaces", "a\u00a0b 1 2\n\u0085 3 4\n\u2028 5 6\n", []string{"a\u00a0b", "\u0085", "\u2028"}, []float64{1, 2, 3, 4, 5, 6}},
		{"words like numbers", "the 1 2\nnan 3 4\n1e400 5 6\n0x10 7 8\n", []string{"the", "nan", "1e400", "0x10"}, []float64{1, 2, 3, 4, 5, 6, 7, 8}},
		{"the greatest and least numbers", "1.7976931348623157e308 5e-324 1e-999\n", nil, []float64{1.7976931348623157e308, 5e-324, 0}},
	} {
		s, err := Read(write(t, "K.txt", []byte(c.text)))
		require.NoError(t, err, c.name)
		assert.Equal(t, c.names, s.Names, c.name)
		assert.Equal(t, c.data, s.Data, c.name)
		assert.Equal(t, len(c.data), s.Rows*s.Columns, c.name)
	}
}

func TestRefusedText(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"\n \n", "no vectors"},
		{"the cat sat\n", `line 1: ends with "sat", which is no number`},
		{"<html>\n", `line 1: ends with "<html>"`},
		{"0,5 0,3\n", `line 1: ends with "0,3", which is no number`}, // decimal commas
		{"1,2,\n", `line 1: ends with "1,2,"`},
		{"the 1 2\ncat 1\n", "line 2: 2 fields: want a word and 2 numbers, as in the first line"},
		{"the 1 2\n\ncat 1 2 3\n", "line 3: 3 numbers: want 2, as in the first line"},
		{"the 1 2\n3 4\n", "line 2: 2 fields: want a word and 2 numbers"},
		{"the 1 2\ncat x 2\n", `line 2: column 0 (counted from 0): "x" is no number`},
		{"the 1 2\ncat 0x1p3 2\n", `"0x1p3" is no number`},
		{"the 1 2\ncat 1_000 2\n", `"1_000" is no number`},
		{"the 1 2\ncat 1e400 2\n", "line 2: column 0 (counted from 0): 1e400: beyond the range of float64"},
		{"the 1 2\ncat 3 4\nthe 5 6\n", `line 3: "the" is the word of line 1, too`},
		{"2 2\nthe 1 2\nthe 3 4\n", `line 3: "the" is the word of line 2, too`},
		{"1 2\n3 4 5\n6 7 8\n", "2 vectors: the first line says 1"},
		{"1 2 3\n3 4\n", "line 2: 2 fields: want 3 numbers, as in the first line"},
		{"1 2 3\nthe 3 4\n", `line 2: column 0 (counted from 0): "the" is no number`},
		{"1,2,3\n3,4\n", "line 2: 2 fields: want 3 numbers"},
		{"1,2,3\n3,,4\n", `line 2: column 1 (counted from 0): "" is no number`},
		{"3 2\nthe 1 2\ncat 3 4\n", "2 vectors: the first line says 3: is the file whole?"},
		{"1 2\nthe 1 2\ncat 3 4\n", "2 vectors: the first line says 1"},
		{"2 3\nthe 1 2\ncat 3 4\n", "line 2: 3 fields that end with 2 numbers: want a word and 3 numbers, as the first line says"},
		{"2 0\nthe 1 2\n", "want a word and 0 numbers"},
		{"the 1 2\ncat nan 4\ndog -inf +Infinity\n", `line 2, "cat", column 0 (counted from 0): NaN (and 2 more such numbers): want finite numbers`},
		{"1 2\n3 -inf\n", "line 2, column 1 (counted from 0): -Inf: want finite numbers"},
		{"nan 1 2\n", `line 1: "nan" may be a word or a number`},
		{"inf 1 2\n", `line 1: "inf" may be a word or a number`},
		{"the 1 2\nc\x00t 3 4\n", "line 2: a NUL byte"},
		{"t\x00h\x00e\x00 \x001\x00\n", "line 1: a NUL byte"}, // UTF-16
		{"the 1 2\nc\xe4t 3 4\n", "line 2: not UTF-8"},
		{"the 1 2\ncat " + strings.Repeat("9", 400) + " 2\n", "beyond the range"},
		{"the 1 2\ncat " + strings.Repeat("x", 400) + " 2\n", `"` + strings.Repeat("x", 40) + `…" is no number`},
		{"the 1 2\n" + strings.Repeat("x", maxLine+1), "line 2: longer than 16777216 bytes"},
	} {
		path := write(t, "K.txt", []byte(c.text))
		_, err := Read(path)
		assert.ErrorContains(t, err, path+": ", "%.50q", c.text)
		assert.ErrorContains(t, err, c.want, "%.50q", c.text)
	}
}

// A long line is read, as long as its numbers need.
func TestLongLines(t *testing.T) {
	const d = 300_000
	s, err := Read(write(t, "K.txt", []byte("the"+strings.Repeat(" -0.25", d)+"\ncat"+strings.Repeat(" 1", d))))
	require.NoError(t, err)
	assert.Equal(t, d, s.Columns)
	assert.Equal(t, []float64{-0.25, 1}, []float64{s.Data[d-1], s.Data[d]})
}

// Memory is that of the numbers, words and a buffer, and what a line of many
// blanks or a file of many empty lines claims costs nothing.
func TestTextMemory(t *testing.T) {
	var b strings.Builder
	const n, d = 2000, 100
	for i := range n {
		fmt.Fprintf(&b, "word%d%s\n", i, strings.Repeat(" 0.125", d))
	}
	before := totalAlloc()
	s, err := parseText(strings.NewReader(b.String()), n+1, int64(b.Len()))
	require.NoError(t, err)
	assert.Equal(t, n, s.Rows)
	assert.Less(t, totalAlloc()-before, uint64(8*n*d+n*200+1<<20))

	text := "the" + strings.Repeat(" 1", 1000) + strings.Repeat("\n", 1<<20)
	before = totalAlloc()
	_, err = parseText(strings.NewReader(text), 1<<20, int64(len(text)))
	require.NoError(t, err)
	assert.Less(t, totalAlloc()-before, uint64(8<<20), "not 2^20 lines of 1000 numbers")
}

func TestReadNames(t *testing.T) {
	names, err := ReadNames(write(t, "names.txt", []byte("\xef\xbb\xbfthe\r\n\n. . .\n  cat \n7")))
	require.NoError(t, err)
	assert.Equal(t, []string{"the", ". . .", "cat", "7"}, names)
	for _, c := range []struct{ text, want string }{
		{"", "no words"}, {"\n\n", "no words"}, {"the\n\nthe\n", `line 3: "the" is the word of line 1, too`},
		{"the\x00", "line 1: a NUL byte"}, {"\xff\n", "line 1: not UTF-8"},
	} {
		path := write(t, "names.txt", []byte(c.text))
		_, err := ReadNames(path)
		assert.ErrorContains(t, err, path+": "+c.want)
	}
	_, err = ReadNames(t.TempDir())
	assert.ErrorContains(t, err, "not a regular file")
}

// What is written with all digits reads back to the last bit.
func TestTextRoundTrip(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		rows, columns := rapid.IntRange(1, 6).Draw(rt, "rows"), rapid.IntRange(1, 6).Draw(rt, "columns")
		data := rapid.SliceOfN(rapid.Float64(), rows*columns, rows*columns).Draw(rt, "data")
		// Any word whose first is no number and no header.
		word := rapid.StringMatching(`[^\x00\s0-9+\-.,a-zA-Z][^\x00\s]{0,5}( [^\x00\s0-9+\-.a-zA-Z])?`)
		names := rapid.SliceOfNDistinct(word, rows, rows, rapid.ID).Draw(rt, "names")
		blank := rapid.SampledFrom([]string{" ", "\t", "  ", " \t "}).Draw(rt, "blank")
		var b strings.Builder
		for i := range rows {
			b.WriteString(names[i])
			for _, v := range data[i*columns : (i+1)*columns] {
				b.WriteString(blank + strconv.FormatFloat(v, 'g', -1, 64))
			}
			b.WriteString(rapid.SampledFrom([]string{"\n", "\r\n", " \n\n"}).Draw(rt, "end"))
		}
		s, err := parseText(strings.NewReader(b.String()), int64(rows), int64(b.Len()))
		require.NoError(rt, err, "%q", b.String())
		assert.Equal(rt, names, s.Names)
		for i := range data {
			assert.Equal(rt, math.Float64bits(data[i]), math.Float64bits(s.Data[i]))
		}
	})
}
