package journal

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"testing"

	"github.com/stretchr/testify/require"
)

// FuzzTorn opens a file that holds anything. What is cut from its end, and what is
// read of it, is what the definition says: all but what follows the last newline, less a
// last line that is no JSON; and what is appended follows that.
func FuzzTorn(f *testing.F) {
	for _, text := range []string{"", "1\n", "1\n{\"n\":", "1\n{\"n\":\x00\x00\n", "\n", "\n\n", "1\r\n2\r\n", "nonsense\n1\n", "1\n \n", "{}\n[1,2]\n\"a\\n\"\n", "\xff\xfe\n", "1\n2", "1\n{\n{", "\n0"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		whole := text[:bytes.LastIndexByte(text, '\n')+1]
		if len(whole) > 0 {
			start := bytes.LastIndexByte(whole[:len(whole)-1], '\n') + 1
			if !json.Valid(whole[start:]) {
				whole = whole[:start]
			}
		}
		r := &recorder{content: bytes.Clone(text)}
		j, torn, err := start(r, r.syncFolder)
		require.NoError(t, err)
		require.EqualValues(t, len(text)-len(whole), torn)
		require.Equal(t, string(whole), string(r.content))

		lines, rest := split(t, text)
		require.Equal(t, string(text[len(whole):]), rest)
		require.NoError(t, j.Append([]byte(`{"n":1}`)))
		require.NoError(t, j.Close())
		after, rest := split(t, r.content)
		require.Empty(t, rest)
		require.Equal(t, append(lines, `{"n":1}`), after)
	})
}

// split reads all lines and what is torn after them.
func split(t *testing.T, text []byte) (lines []string, torn string) {
	r := newReader(bytes.NewReader(text))
	read := 0
	rest, err := r.lines(func(number int, line []byte) error {
		lines = append(lines, string(line))
		read += len(line) + 1
		require.Equal(t, len(lines), number)
		return nil
	})
	require.NoError(t, err)
	require.Equal(t, string(text[read:]), string(rest))
	// An error of the caller's ends it.
	stop := errors.New("stop")
	if len(lines) > 0 {
		_, err = newReader(bytes.NewReader(text)).lines(func(int, []byte) error { return stop })
		require.ErrorIs(t, err, stop)
	}
	// So does one of the file.
	_, err = newReader(io.MultiReader(bytes.NewReader(text), failing{})).lines(func(int, []byte) error { return nil })
	require.ErrorIs(t, err, errDisk)
	return lines, string(rest)
}

type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, errDisk }
