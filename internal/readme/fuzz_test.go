package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// FuzzSplit cuts files that hold anything into parts, which put together are the file,
// and whose contents can be replaced.
func FuzzSplit(f *testing.F) {
	for _, text := range []string{
		"", "text\n<!-- lamcap verify -->\n\nold\n\n<!-- end -->\nmore", "<!-- lamcap x -->\n<!-- go test ./x -run Y -->\n<!-- end -->\n", "<!-- end -->\n",
		"```\n<!-- lamcap x -->\n```\n<!-- lamcap y -->\n````\n<!-- end -->\n", "~~~~\n~~~\n<!-- end -->\n~~~~~\r\n", "<!-- lamcap 'a -->\n<!-- end -->",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		parts, err := split(text)
		if err != nil {
			require.Contains(t, err.Error(), "line ")
			return
		}
		var b strings.Builder
		for i, p := range parts {
			require.Equal(t, i == len(parts)-1, p.command == "")
			b.WriteString(p.text)
			b.WriteString(p.content)
			if words, err := splitWords(p.command); err == nil {
				require.Equal(t, p.command == "", len(words) == 0)
			}
		}
		require.Equal(t, text, b.String())
		made, err := regenerate(text, nil, func(string, ...string) ([]byte, error) { return []byte("made\n"), nil })
		if err != nil {
			return // a quote that is not closed, or a test without a table
		}
		again, err := split(made)
		require.NoError(t, err)
		require.Len(t, again, len(parts))
		for i, p := range again {
			require.Equal(t, parts[i].command, p.command)
		}
	})
}
