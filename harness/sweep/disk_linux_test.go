package sweep

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// goesOn asserts that what was stored before a run was stopped is kept and completed.
func goesOn(t *testing.T, dir, text string) {
	t.Helper()
	records, err := ReadRecords(dir)
	require.NoError(t, err)
	assert.Positive(t, len(records))
	assert.Contains(t, text, fmt.Sprintf("the run was stopped; %d of 164 trials are stored and stay so; put it right and run again, which goes on from there", len(records)))
	assert.Equal(t, len(records), lineCount(t, dir))
	for _, s := range must(recordFiles(dir))(t) {
		whole, err := os.ReadFile(s.path)
		require.NoError(t, err)
		assert.True(t, len(whole) == 0 || whole[len(whole)-1] == '\n', "what was written of a record is taken back")
	}
	s, log, err := run(t, killPlan(), dir, RunOptions{Workers: 3})
	require.NoError(t, err)
	assert.NotContains(t, log, "cut")
	assert.Equal(t, len(records), s.Before)
	fresh := t.TempDir()
	_, _, err = run(t, killPlan(), fresh, RunOptions{})
	require.NoError(t, err)
	assert.Equal(t, dump(t, fresh), dump(t, dir))
}

func must[T any](v T, err error) func(t *testing.T) T {
	return func(t *testing.T) T {
		require.NoError(t, err)
		return v
	}
}

// A limit on the size of files ends a write in the middle of a line, as a full disk does.
func TestFileSizeLimit(t *testing.T) {
	dir := t.TempDir()
	c, out, stderr := start(t, dir, 2, limitVariable+"=20000")
	listen(t, killPlan(), out, func() {})
	require.Error(t, c.Wait())
	assert.Equal(t, 1, c.ProcessState.ExitCode(), stderr)
	assert.Contains(t, stderr.String(), "no record can be written there: file too large: the run was stopped")
	goesOn(t, dir, stderr.String())
}

// On a file system that is full nothing is lost, and the sweep goes on when there is room.
func TestFullDisk(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=128k"); err != nil {
		t.Skipf("no file system of a limited size: mount: %v", err)
	}
	defer func() { require.NoError(t, syscall.Unmount(dir, 0)) }()
	runs := filepath.Join(dir, "runs")
	_, log, err := run(t, killPlan(), runs, RunOptions{Workers: 2})
	var full *StoreError
	require.ErrorAs(t, err, &full)
	assert.ErrorIs(t, err, syscall.ENOSPC)
	assert.Contains(t, err.Error(), "no record can be written there: no space left on device")
	assert.NotContains(t, log, "failed")

	// Still full: the same error, and nothing is lost.
	before := dump(t, runs)
	_, _, err = run(t, killPlan(), runs, RunOptions{Workers: 2})
	require.ErrorIs(t, err, syscall.ENOSPC)
	for record := range strings.Lines(before) {
		require.Contains(t, dump(t, runs), record)
	}
	records, err := ReadRecords(runs)
	require.NoError(t, err)
	assert.GreaterOrEqual(t, len(records), strings.Count(before, "\n"))

	require.NoError(t, syscall.Mount("tmpfs", dir, "tmpfs", syscall.MS_REMOUNT, "size=10m"))
	s, _, err := run(t, killPlan(), runs, RunOptions{Workers: 2})
	require.NoError(t, err)
	assert.Equal(t, len(records), s.Before)
	fresh := t.TempDir()
	_, _, err = run(t, killPlan(), fresh, RunOptions{})
	require.NoError(t, err)
	assert.Equal(t, dump(t, fresh), dump(t, runs))
}

// Read-only are a folder without permission and a file system; its status can be read.
func TestReadOnly(t *testing.T) {
	dir := t.TempDir()
	_, _, err := run(t, smallPlan(1), dir, RunOptions{})
	require.NoError(t, err)
	if err := syscall.Mount(dir, dir, "", syscall.MS_BIND, ""); err != nil {
		if os.Geteuid() == 0 {
			t.Skipf("root, who is above modes, but may not mount: %v", err)
		}
		require.NoError(t, os.Chmod(filepath.Join(dir, "lock"), 0o400))
		require.NoError(t, os.Chmod(dir, 0o500))
		defer os.Chmod(dir, 0o700)
		_, _, err = run(t, smallPlan(2), dir, RunOptions{})
		assert.ErrorContains(t, err, "out = "+dir+": nothing can be written there (permission denied): want a folder that is writable")
	} else {
		defer func() { require.NoError(t, syscall.Unmount(dir, 0)) }()
		require.NoError(t, syscall.Mount("", dir, "", syscall.MS_BIND|syscall.MS_REMOUNT|syscall.MS_RDONLY, ""))
		_, _, err = run(t, smallPlan(2), dir, RunOptions{})
		assert.ErrorContains(t, err, "out = "+dir+": nothing can be written there (read-only file system): want a folder that is writable")
	}
	s, err := ReadStatus(dir)
	require.NoError(t, err)
	assert.Len(t, s.Records, 12)
	assert.Empty(t, s.Holder)
}
