//go:build unix

package filelock_test

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"lamcap/internal/filelock"
)

const childVariable = "LAMCAP_FILELOCK_TEST"

// TestMain is also the other process: it takes the lock and waits to be killed.
func TestMain(m *testing.M) {
	if path := os.Getenv(childVariable); path != "" {
		if _, err := filelock.Acquire(path); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		fmt.Println("locked")
		_, _ = bufio.NewReader(os.Stdin).ReadByte() // a pipe that nothing is written to
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func TestLock(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	_, held, err := filelock.Holder(path)
	require.NoError(t, err)
	assert.False(t, held, "no file")

	lock, err := filelock.Acquire(path)
	require.NoError(t, err)
	_, err = filelock.Acquire(path)
	var other *filelock.HeldError
	require.ErrorAs(t, err, &other)
	assert.ErrorContains(t, err, fmt.Sprintf("is locked by process %d on ", os.Getpid()))
	holder, held, err := filelock.Holder(path)
	require.NoError(t, err)
	assert.True(t, held)
	assert.Equal(t, other.Holder, holder)

	require.NoError(t, lock.Release())
	_, held, err = filelock.Holder(path)
	require.NoError(t, err)
	assert.False(t, held)
	lock, err = filelock.Acquire(path)
	require.NoError(t, err, "the file of an earlier lock")
	require.NoError(t, lock.Release())
}

// The file tells of the holder alone, whatever was in it, and of nobody after it.
func TestContentIsOfTheHolder(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	require.NoError(t, os.WriteFile(path, bytes.Repeat([]byte("somebody "), 30), 0o600))
	lock, err := filelock.Acquire(path)
	require.NoError(t, err)
	holder, _, err := filelock.Holder(path)
	require.NoError(t, err)
	assert.NotContains(t, holder, "somebody")
	require.NoError(t, lock.Release())
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Empty(t, string(text))
}

// Who looks at a lock takes it for an instant, which is waited for.
func TestAcquireWaitsForALook(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	look, err := os.Create(path)
	require.NoError(t, err)
	defer look.Close()
	require.NoError(t, syscall.Flock(int(look.Fd()), syscall.LOCK_SH))
	time.AfterFunc(50*time.Millisecond, func() { _ = syscall.Flock(int(look.Fd()), syscall.LOCK_UN) })
	lock, err := filelock.Acquire(path)
	require.NoError(t, err)
	require.NoError(t, lock.Release())
}

// What SIGKILL leaves is free at once, although the file still names the dead.
func TestKilledHolderLetsGo(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), childVariable+"="+path)
	out, err := child.StdoutPipe()
	require.NoError(t, err)
	in, err := child.StdinPipe()
	require.NoError(t, err)
	defer in.Close()
	require.NoError(t, child.Start())
	line, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err)
	require.Equal(t, "locked\n", line)

	holder, held, err := filelock.Holder(path)
	require.NoError(t, err)
	assert.True(t, held)
	assert.Contains(t, holder, fmt.Sprintf("process %d on ", child.Process.Pid))
	_, err = filelock.Acquire(path)
	require.Error(t, err)

	require.NoError(t, child.Process.Kill())
	require.Error(t, child.Wait())
	_, held, err = filelock.Holder(path)
	require.NoError(t, err)
	assert.False(t, held)
	lock, err := filelock.Acquire(path)
	require.NoError(t, err)
	require.NoError(t, lock.Release())
}

func TestLockThatCannotBeTaken(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	_, err := filelock.Acquire(filepath.Join(file, "lock"))
	assert.ErrorContains(t, err, "not a directory")
}
