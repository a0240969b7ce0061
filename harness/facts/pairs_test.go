package facts_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"lamcap/harness/facts"
	"lamcap/harness/vectors"
)

// rows is a set of so many vectors, with names if there are some.
func rows(t require.TestingT, n int, source string, names ...string) *vectors.Set {
	s, err := vectors.NewSet(n, 1, make([]float64, n))
	require.NoError(t, err)
	s.Source = source
	if len(names) > 0 {
		require.NoError(t, s.SetNames(names))
	}
	return s
}

func TestParsePairs(t *testing.T) {
	plain, words := rows(t, 4, "V.npy"), rows(t, 4, "K.txt", "cat", "dog", "2", "#")
	for name, c := range map[string]struct {
		text         string
		keys, values *vectors.Set
		want         []facts.Pair
		warnings     []string
	}{
		"rows":          {"0,1\n3,2\n", plain, plain, []facts.Pair{{0, 1}, {3, 2}}, nil},
		"header":        {"key,value\n0,1\n", plain, plain, []facts.Pair{{0, 1}}, nil},
		"loose":         {"\ufeffKey , VALUE\r\n\r\n# what follows\n 0 , 1 \n#3,3\n", plain, plain, []facts.Pair{{0, 1}}, nil},
		"words":         {"dog,1\n\"#\",2\n2,0\n", words, plain, []facts.Pair{{1, 1}, {3, 2}, {2, 0}}, nil},
		"rows of words": {"0,dog\n3,cat", words, words, []facts.Pair{{0, 1}, {3, 0}}, nil},
		"both":          {"2,1", rows(t, 3, "", "2", "1", "0"), plain, []facts.Pair{{0, 1}}, []string{"each key is a word and a row number: they are taken for words"}},
		"twice":         {"0,1\n1,1\n0,1\n0,1\n", plain, plain, []facts.Pair{{0, 1}, {1, 1}}, []string{"facts given again are used once: line 3 (that of line 1), line 4 (that of line 1)"}},
		"often":         {strings.Repeat("0,1\n", 9), plain, plain, []facts.Pair{{0, 1}}, []string{"facts given again are used once: line 2 (that of line 1), line 3 (that of line 1), line 4 (that of line 1), line 5 (that of line 1), line 6 (that of line 1) and 3 more"}},
		"a header of words": {"key,value\na,b", rows(t, 2, "", "key", "a"), rows(t, 2, "", "value", "b"), []facts.Pair{{1, 1}},
			[]string{"the first line is taken for a header, though both of its words are vectors: repeat it if it is a fact, too"}},
		"a fact below it": {"key,value\nkey,value", rows(t, 2, "", "key", "a"), rows(t, 2, "", "value", "b"), []facts.Pair{{0, 0}},
			[]string{"the first line is taken for a header, though both of its words are vectors: repeat it if it is a fact, too"}},
	} {
		pairs, warnings, err := facts.ParsePairs(strings.NewReader(c.text), c.keys, c.values)
		require.NoError(t, err, name)
		assert.Equal(t, c.want, pairs, name)
		assert.Equal(t, c.warnings, warnings, name)
	}
}

func TestParsePairsErrors(t *testing.T) {
	plain, words := rows(t, 4, "V.npy"), rows(t, 3, "K.txt", "cat", "dog", "2")
	for want, text := range map[string]string{
		"no pairs: want lines key,value":                                        "key,value\n# none\n",
		"line 2: 1 fields: want two, key,value":                                 "cat,1\ncat\n",
		"line 1: 3 fields: want two, key,value":                                 "cat,1,2\n",
		"line 3: value = 4: want a row of V.npy, 0 to 3":                        "key,value\ncat,0\ndog,4\n",
		"line 1: value = -1: want a row of V.npy, 0 to 3":                       "cat,-1\n",
		"line 1: value = 99999999999999999999: want a row of V.npy, 0 to 3":     "cat,99999999999999999999\n",
		"line 1: value = 1.0: want a row of V.npy, 0 to 3":                      "cat,1.0\n",
		"line 1: value = : want a row of V.npy, 0 to 3":                         "cat,\n",
		"line 2: key = mouse: no such word in K.txt (others of the column are)": "cat,1\nmouse,1\n",
		"line 2: key = 1: no such word in K.txt (others of the column are)":     "cat,1\n1,1\n",
		"line 1: key = mouse: no such word in K.txt, nor a row":                 "mouse,1\n",
		"line 1: key = 3: want a row of K.txt, 0 to 2":                          "3,1\n",
		"line 2: extraneous or missing \" in quoted-field":                      "cat,1\n\"do\"g,1\n",
	} {
		pairs, _, err := facts.ParsePairs(strings.NewReader(text), words, plain)
		assert.EqualError(t, err, want)
		assert.Nil(t, pairs)
	}
	for want, text := range map[string]string{
		"line 1: from,to: no such words, and a header has to be key,value: want that, or none": "from,to\ncat,1\n",
		"line 1: value = to: want a row of V.npy, 0 to 3 (these vectors have no words)":        "cat,to\ndog,2\n",
		"line 1: value = chat: want a row of V.npy, 0 to 3 (these vectors have no words)":      "cat,chat\ndog,chien\n",
	} {
		_, _, err := facts.ParsePairs(strings.NewReader(text), words, plain)
		assert.EqualError(t, err, want)
		var nameless *facts.NamelessError
		if assert.Equal(t, strings.Contains(want, "no words"), errors.As(err, &nameless)) && nameless != nil {
			assert.Equal(t, "value", nameless.Column)
		}
	}
	_, _, err := facts.ParsePairs(strings.NewReader(""), plain, plain)
	assert.EqualError(t, err, "no pairs: want lines key,value")
}

func TestReadPairs(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pairs.csv")
	require.NoError(t, os.WriteFile(path, []byte("0,0\n0,0\n"), 0o600))
	one := rows(t, 1, "")
	pairs, warnings, err := facts.ReadPairs(path, one, one)
	require.NoError(t, err)
	assert.Equal(t, []facts.Pair{{0, 0}}, pairs)
	assert.Equal(t, []string{path + ": facts given again are used once: line 2 (that of line 1)"}, warnings)
	require.NoError(t, os.WriteFile(path, []byte("0,1\n"), 0o600))
	_, _, err = facts.ReadPairs(path, one, one)
	assert.EqualError(t, err, path+": line 1: value = 1: want a row of the vectors, 0 to 0")
	_, _, err = facts.ReadPairs(path+"x", one, one)
	assert.EqualError(t, err, path+"x: no such file or directory")
}

func TestRowByRow(t *testing.T) {
	pairs, err := facts.RowByRow(rows(t, 2, ""), rows(t, 2, ""))
	require.NoError(t, err)
	assert.Equal(t, []facts.Pair{{0, 0}, {1, 1}}, pairs)
	_, err = facts.RowByRow(rows(t, 2, ""), rows(t, 3, ""))
	assert.EqualError(t, err, "2 keys and 3 values: want as many of both, or the facts as a file of pairs")
}

// Whatever is in a file: an error, or facts that are rows, each once, which read
// again as what they are.
func FuzzPairs(f *testing.F) {
	for _, text := range []string{"", "0,1", "key,value\ncat,0\n", "cat,1\ndog,1\ncat,1", "#\n\"a\"\"b\",2", "\ufeffkey,value\n0,0", "a,b,c", "\"", "2,2\n1,1\r\n", "-1,0", "1e3,0x1"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		keys, values := rows(t, 4, "", "cat", "dog", "2", "a\"b"), rows(t, 3, "")
		pairs, _, err := facts.ParsePairs(strings.NewReader(text), keys, values)
		if err != nil {
			assert.Nil(t, pairs)
			return
		}
		require.NotEmpty(t, pairs)
		seen := map[facts.Pair]bool{}
		var again strings.Builder
		for _, p := range pairs {
			require.True(t, p.Key >= 0 && p.Key < 4 && p.Value >= 0 && p.Value < 3)
			require.False(t, seen[p])
			seen[p] = true
			fmt.Fprintf(&again, "%d,%d\n", p.Key, p.Value)
		}
		keys.Names = nil
		back, warnings, err := facts.ParsePairs(strings.NewReader(again.String()), keys, values)
		require.NoError(t, err)
		assert.Equal(t, pairs, back)
		assert.Empty(t, warnings)
	})
}
