package files

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestCreateTogether(t *testing.T) {
	folder := t.TempDir()
	a, b := filepath.Join(folder, "a"), filepath.Join(folder, "b")
	require.NoError(t, CreateTogether(File{a, text("one")}, File{b, text("two")}))
	holds(t, a, "one")
	holds(t, b, "two")
	assert.Equal(t, 2, entries(t, folder))
}

// Half of what belongs together would be taken for something else.
func TestCreateTogetherIsAllOrNone(t *testing.T) {
	full := func(w io.Writer) error {
		_, _ = io.WriteString(w, "half")
		return errors.New("the disk is full")
	}
	for failing := range 2 {
		folder := t.TempDir()
		files := []File{{filepath.Join(folder, "a"), text("one")}, {filepath.Join(folder, "b"), text("two")}}
		files[failing].Write = full
		assert.EqualError(t, CreateTogether(files...), files[failing].Path+": the disk is full")
		assert.Equal(t, 0, entries(t, folder))
	}
	for taken := range 2 {
		folder := t.TempDir()
		files := []File{{filepath.Join(folder, "a"), text("one")}, {filepath.Join(folder, "b"), text("two")}}
		require.NoError(t, os.WriteFile(files[taken].Path, []byte("another's"), 0o600))
		err := CreateTogether(files...)
		require.ErrorContains(t, err, files[taken].Path+": file exists")
		holds(t, files[taken].Path, "another's")
		assert.NoFileExists(t, files[1-taken].Path)
		for i, f := range files { // what took long to compute is kept
			parts, err2 := filepath.Glob(f.Path + ".*.part")
			require.NoError(t, err2)
			require.Len(t, parts, 1)
			holds(t, parts[0], []string{"one", "two"}[i])
			assert.ErrorContains(t, err, parts[0])
		}
	}
}
