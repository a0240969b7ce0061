package vectors

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
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
