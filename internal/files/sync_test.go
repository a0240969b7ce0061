package files

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestMakeFolder(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "a", "b", "c")
	require.NoError(t, MakeFolder(folder))
	require.NoError(t, MakeFolder(folder))
	info, err := os.Stat(folder)
	require.NoError(t, err)
	assert.True(t, info.IsDir())

	file := filepath.Join(folder, "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	for _, path := range []string{file, filepath.Join(file, "d"), filepath.Join(file, "d", "e")} {
		assert.ErrorContains(t, MakeFolder(path), "not a directory")
	}
	t.Chdir(folder)
	require.NoError(t, MakeFolder("relative/x"))
	assert.DirExists(t, filepath.Join(folder, "relative", "x"))
}

func TestSyncFolder(t *testing.T) {
	folder := t.TempDir()
	require.NoError(t, SyncFolder(folder))
	assert.ErrorIs(t, SyncFolder(filepath.Join(folder, "none")), os.ErrNotExist)
}
