//go:build unix

package files

import (
	"net"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A pipe without a writer would be waited for, and a device may never end.
func TestOnlyRegularFilesAreOpened(t *testing.T) {
	folder := t.TempDir()
	t.Chdir(folder) // names of sockets are short
	require.NoError(t, syscall.Mkfifo("pipe", 0o600))
	socket, err := net.Listen("unix", "socket")
	require.NoError(t, err)
	defer socket.Close()
	require.NoError(t, os.Symlink("pipe", "link"))
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for _, path := range []string{"pipe", "link", "socket", folder, "/dev/zero"} {
			_, err := Read(path)
			assert.ErrorIs(t, err, ErrNotRegular, path)
			assert.ErrorContains(t, err, path)
			_, err = OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
			assert.ErrorIs(t, err, ErrNotRegular, path)
		}
	}()
	select {
	case <-ended:
	case <-time.After(10 * time.Second):
		require.Fail(t, "a file that is none is waited for")
	}
}

func TestOpenRegular(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	_, err := Read(path)
	assert.ErrorIs(t, err, os.ErrNotExist)
	file, err := OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
	require.NoError(t, err)
	_, err = file.WriteString("text")
	require.NoError(t, err)
	require.NoError(t, file.Close())
	link := path + ".link"
	require.NoError(t, os.Symlink(path, link))
	text, err := Read(link)
	require.NoError(t, err)
	assert.Equal(t, "text", string(text))
}
