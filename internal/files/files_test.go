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

// text returns a writer of s.
func text(s string) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := io.WriteString(w, s)
		return err
	}
}

// holds asserts the content of a file.
func holds(t *testing.T, path, want string) {
	t.Helper()
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, want, string(b))
}

func entries(t *testing.T, folder string) int {
	t.Helper()
	list, err := os.ReadDir(folder)
	require.NoError(t, err)
	return len(list)
}

func TestReplace(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "file")
	require.NoError(t, Replace(path, text("old")))
	require.NoError(t, Replace(path, text("new")))
	holds(t, path, "new")
	assert.Error(t, Replace(path, func(w io.Writer) error {
		_, _ = io.WriteString(w, "half")
		return errors.New("no more")
	}))
	holds(t, path, "new")
	assert.Equal(t, 1, entries(t, folder), "no temporary file stays")
}

// What a killed process left goes, and nothing else.
func TestRemoveTemporaries(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, name := range []string{"file", "file.12.part", "file.9.part", "file.part.txt", "files.1.part", "other.1.part"} {
		require.NoError(t, os.WriteFile(name, nil, 0o600))
	}
	require.NoError(t, RemoveTemporaries("file"))
	list, err := filepath.Glob("*")
	require.NoError(t, err)
	assert.Equal(t, []string{"file", "file.part.txt", "files.1.part", "other.1.part"}, list)
	require.NoError(t, RemoveTemporaries(filepath.Join("..", filepath.Base(mustGetwd(t)), "other")))
	assert.NoFileExists(t, "other.1.part")
	assert.Error(t, RemoveTemporaries(filepath.Join("none", "file")))
}

func mustGetwd(t *testing.T) string {
	t.Helper()
	folder, err := os.Getwd()
	require.NoError(t, err)
	return folder
}

func TestCreateReplacesNothing(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "file")
	require.NoError(t, Create(path, text("first")))
	holds(t, path, "first")
	assert.Equal(t, 1, entries(t, folder))

	err := Create(path, text("second"))
	require.Error(t, err)
	holds(t, path, "first")
	require.Equal(t, 2, entries(t, folder), "what took long to compute is kept")
	list, err2 := filepath.Glob(path + ".*.part")
	require.NoError(t, err2)
	require.Len(t, list, 1)
	holds(t, list[0], "second")
	assert.ErrorContains(t, err, "exists; it was written to "+list[0])
}

// Some file systems have no hard links.
func TestPlaceWithoutLinks(t *testing.T) {
	noLink := func(from, to string) error {
		return &os.LinkError{Op: "link", Old: from, New: to, Err: errors.ErrUnsupported}
	}
	folder := t.TempDir()
	part, path := filepath.Join(folder, "part"), filepath.Join(folder, "file")
	require.NoError(t, os.WriteFile(part, []byte("proof"), 0o600))
	require.NoError(t, place(part, path, noLink))
	holds(t, path, "proof")
	assert.Equal(t, 1, entries(t, folder))

	require.NoError(t, os.WriteFile(part, []byte("other"), 0o600))
	assert.ErrorIs(t, place(part, path, noLink), os.ErrExist)
	holds(t, path, "proof")
	holds(t, part, "other")
}

func TestRefuseUnwritable(t *testing.T) {
	folder := t.TempDir()
	require.NoError(t, RefuseUnwritable("certificate", filepath.Join(folder, "proof")))
	assert.Equal(t, 0, entries(t, folder), "nothing stays behind")
	require.NoError(t, os.WriteFile(filepath.Join(folder, "file"), nil, 0o600))
	for _, path := range []string{filepath.Join(folder, "missing", "proof"), filepath.Join(folder, "file", "proof")} {
		err := RefuseUnwritable("certificate", path)
		require.ErrorContains(t, err, "certificate = "+path+": ")
		assert.NotContains(t, err.Error(), ".part", "the name given, not a temporary one")
	}
}

// A link to nothing is a file too: a certificate would not replace it.
func TestRefuseExistingSeesLinks(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "link")
	require.NoError(t, RefuseExisting("certificate", path))
	if err := os.Symlink(filepath.Join(folder, "nowhere"), path); err != nil {
		t.Skip(err)
	}
	assert.ErrorContains(t, RefuseExisting("certificate", path), "the file exists")
}

func TestSameFile(t *testing.T) {
	here, err := os.Getwd()
	require.NoError(t, err)
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"x", "x", true},
		{"x", "./y/../x", true},
		{"x", filepath.Join(here, "x"), true},
		{"x", "y", false},
		{"x", "y/x", false},
	} {
		assert.Equal(t, c.want, Same(c.a, c.b), "%s, %s", c.a, c.b)
	}
}
