package journal

import (
	"bytes"
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// recorder is a file in memory that notes what is done to it, and fails as told.
type recorder struct {
	content []byte
	calls   []string
	// fails has the errors of calls to come, by their text; short is how much of a
	// failing write is written.
	fails map[string]error
	short int
}

func (r *recorder) call(format string, values ...any) error {
	text := fmt.Sprintf(format, values...)
	r.calls = append(r.calls, text)
	return r.fails[text]
}

func (r *recorder) Write(p []byte) (int, error) {
	if err := r.call("write %q", p); err != nil {
		r.content = append(r.content, p[:r.short]...)
		return r.short, err
	}
	r.content = append(r.content, p...)
	return len(p), nil
}

func (r *recorder) Truncate(size int64) error {
	if err := r.call("truncate %d", size); err != nil {
		return err
	}
	r.content = r.content[:size]
	return nil
}

func (r *recorder) Sync() error                    { return r.call("sync") }
func (r *recorder) Close() error                   { return r.call("close") }
func (r *recorder) syncFolder() error              { return r.call("sync folder") }
func (r *recorder) Seek(int64, int) (int64, error) { return int64(len(r.content)), nil }
func (r *recorder) ReadAt(p []byte, at int64) (int, error) {
	return bytes.NewReader(r.content).ReadAt(p, at)
}

// done takes what was done since.
func (r *recorder) done() []string {
	calls := r.calls
	r.calls = nil
	return calls
}

var errDisk = errors.New("disk")

// A line is one write, on the disk before Append returns; a new file's name is before that.
func TestOrderOfWritesAndSyncs(t *testing.T) {
	r := &recorder{}
	j, torn, err := start(r, r.syncFolder)
	require.NoError(t, err)
	assert.Zero(t, torn)
	assert.Equal(t, []string{"sync folder"}, r.done())
	for _, line := range []string{"1", `{"n":2}`} {
		require.NoError(t, j.Append([]byte(line)))
		assert.Equal(t, []string{fmt.Sprintf("write %q", line+"\n"), "sync"}, r.done())
	}
	require.NoError(t, j.Close())
	assert.Equal(t, []string{"close"}, r.done())

	// An old file: its name is safe; what is torn is cut, and that synced, before a line
	// can follow.
	r = &recorder{content: []byte("1\n{")}
	j, torn, err = start(r, r.syncFolder)
	require.NoError(t, err)
	assert.EqualValues(t, 1, torn)
	assert.Equal(t, []string{"truncate 2", "sync"}, r.done())
	require.NoError(t, j.Append([]byte("2")))
	assert.Equal(t, []string{`write "2\n"`, "sync"}, r.done())
	assert.Equal(t, "1\n2\n", string(r.content))

	r = &recorder{content: []byte("1\n")}
	_, _, err = start(r, r.syncFolder)
	require.NoError(t, err)
	assert.Empty(t, r.done())
}

// A file that cannot be made safe is not opened, and is closed.
func TestStartThatFails(t *testing.T) {
	for call, content := range map[string]string{"sync folder": "", "truncate 2": "1\n{", "sync": "1\n{"} {
		r := &recorder{content: []byte(content), fails: map[string]error{call: errDisk}}
		_, _, err := start(r, r.syncFolder)
		assert.ErrorIs(t, err, errDisk, call)
		calls := r.done()
		assert.Equal(t, []string{call, "close"}, calls[len(calls)-2:])
	}
}

// A line that was written in part is taken back, and the next follows the one before; one
// that was not synced is taken back too, but what the disk has is not known then.
func TestAppendThatFails(t *testing.T) {
	full := &recorder{fails: map[string]error{`write "22\n"`: errDisk}, short: 1}
	j, _, err := start(full, full.syncFolder)
	require.NoError(t, err)
	require.NoError(t, j.Append([]byte("1")))
	full.done()
	require.ErrorIs(t, j.Append([]byte("22")), errDisk)
	assert.Equal(t, []string{`write "22\n"`, "truncate 2", "sync"}, full.done())
	require.NoError(t, j.Append([]byte("3")))
	assert.Equal(t, "1\n3\n", string(full.content))

	for _, fails := range []map[string]error{
		{"sync": errDisk},
		{`write "22\n"`: errDisk, "truncate 2": errDisk},
		{`write "22\n"`: errDisk, "sync": errDisk},
	} {
		r := &recorder{content: []byte("1\n"), fails: fails, short: 1}
		j, _, err := start(r, r.syncFolder)
		require.NoError(t, err)
		require.ErrorIs(t, j.Append([]byte("22")), errDisk)
		assert.Contains(t, r.done(), "truncate 2")
		require.ErrorIs(t, j.Append([]byte("3")), errDisk)
		assert.Empty(t, r.done(), "nothing is written behind what is not known")
	}
}
