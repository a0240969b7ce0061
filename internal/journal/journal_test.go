package journal

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// lines reads all whole lines of a file.
func lines(t require.TestingT, path string) (list []string, torn string) {
	rest, err := Lines(path, func(number int, line []byte) error {
		list = append(list, string(line))
		require.Equal(t, len(list), number)
		return nil
	})
	require.NoError(t, err)
	return list, string(rest)
}

func appendAll(t require.TestingT, path string, list ...string) (torn int64) {
	j, torn, err := Open(path)
	require.NoError(t, err)
	for _, line := range list {
		require.NoError(t, j.Append([]byte(line)))
	}
	require.NoError(t, j.Close())
	return torn
}

func TestAppendAndRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal")
	require.Zero(t, appendAll(t, path))
	got, torn := lines(t, path)
	assert.Empty(t, got)
	assert.Empty(t, torn)
	require.Zero(t, appendAll(t, path, `1`, `"two"`))
	require.Zero(t, appendAll(t, path, `[3]`))
	got, torn = lines(t, path)
	assert.Equal(t, []string{`1`, `"two"`, `[3]`}, got)
	assert.Empty(t, torn)
}

// Wherever the writing of a line was cut off, what was whole stays and the next line
// follows it.
func TestTornAtEveryByte(t *testing.T) {
	whole := `{"n":1}` + "\n" + `{"n":2}` + "\n"
	last := `{"text":"a\"}","list":[1,2]}` + "\n"
	for cut := range len(last) {
		path := filepath.Join(t.TempDir(), "journal")
		require.NoError(t, os.WriteFile(path, []byte(whole+last[:cut]), 0o600))
		got, torn := lines(t, path)
		assert.Equal(t, []string{`{"n":1}`, `{"n":2}`}, got)
		assert.Equal(t, last[:cut], torn)
		assert.EqualValues(t, cut, appendAll(t, path, `{"n":3}`))
		got, torn = lines(t, path)
		assert.Equal(t, []string{`{"n":1}`, `{"n":2}`, `{"n":3}`}, got)
		assert.Empty(t, torn)
	}
}

// A file that lost its power may end in what was never written.
func TestTornInOtherWays(t *testing.T) {
	zeros := strings.Repeat("\x00", 200_000)
	for _, end := range []string{"\x00", zeros, zeros + "\n", `{"n":` + zeros + "\n", "{\n", "\n", `1 2` + "\n", strings.Repeat(" ", 70_000),
		// A block of garbage holds newlines too: before what follows the last one there may
		// be a line that nobody wrote.
		"\nx", "{\n" + zeros, "{\n{"} {
		path := filepath.Join(t.TempDir(), "journal")
		require.NoError(t, os.WriteFile(path, []byte("1\n"+end), 0o600))
		got, torn := lines(t, path)
		assert.Equal(t, []string{"1"}, got)
		assert.Equal(t, end, torn)
		assert.EqualValues(t, len(end), appendAll(t, path, "2"))
		got, _ = lines(t, path)
		assert.Equal(t, []string{"1", "2"}, got)
	}
	// All of a file can be torn.
	path := filepath.Join(t.TempDir(), "journal")
	require.NoError(t, os.WriteFile(path, []byte(`{"n"`), 0o600))
	assert.EqualValues(t, 4, appendAll(t, path, "2"))
	got, _ := lines(t, path)
	assert.Equal(t, []string{"2"}, got)
}

// What is not JSON before the last line is not torn: the reader sees it.
func TestDamageIsShown(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal")
	require.NoError(t, os.WriteFile(path, []byte("1\n{\n\n2\n"), 0o600))
	got, torn := lines(t, path)
	assert.Equal(t, []string{"1", "{", "", "2"}, got)
	assert.Empty(t, torn)
	assert.Zero(t, appendAll(t, path))

	stop := errors.New("enough")
	_, err := Lines(path, func(number int, _ []byte) error {
		if number == 2 {
			return stop
		}
		return nil
	})
	assert.Equal(t, stop, err)
}

// The blocks that the file is read in are seen by nobody.
func TestLinesOfAnyLength(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var want []string
		for i := range rapid.IntRange(0, 4).Draw(t, "lines") {
			near := rapid.SampledFrom([]int{3, 65_536, 131_072}).Draw(t, "near")
			want = append(want, `"`+strings.Repeat("x", near+rapid.IntRange(-3, 3).Draw(t, "off"))+fmt.Sprint(i)+`"`)
		}
		torn := strings.Repeat("y", rapid.SampledFrom([]int{0, 1, 65_535, 65_536, 65_537, 140_000}).Draw(t, "torn"))
		var b bytes.Buffer
		for _, line := range want {
			b.WriteString(line + "\n")
		}
		folder, err := os.MkdirTemp("", "journal")
		require.NoError(t, err)
		defer os.RemoveAll(folder)
		path := filepath.Join(folder, "journal")
		require.NoError(t, os.WriteFile(path, append(b.Bytes(), torn...), 0o600))
		got, rest := lines(t, path)
		require.Equal(t, want, got)
		require.Equal(t, torn, rest)
		require.EqualValues(t, len(torn), appendAll(t, path))
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		require.Equal(t, b.String(), string(text))
	})
}

func TestAppendRefusesWhatIsNoLine(t *testing.T) {
	j, _, err := Open(filepath.Join(t.TempDir(), "journal"))
	require.NoError(t, err)
	defer j.Close()
	for _, line := range []string{"", "{", "1\n2", "[1,\n2]"} {
		assert.Panics(t, func() { _ = j.Append([]byte(line)) }, "%q", line)
	}
	// The bytes behind the line are the caller's.
	buffer := []byte("1x")
	require.NoError(t, j.Append(buffer[:1]))
	assert.Equal(t, "1x", string(buffer))
}

// After a failure whose end cannot be known nothing is appended behind it.
func TestBrokenJournalStaysBroken(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal")
	j, _, err := Open(path)
	require.NoError(t, err)
	require.NoError(t, j.Append([]byte("1")))
	require.NoError(t, j.file.Close())
	assert.ErrorIs(t, j.Append([]byte("2")), os.ErrClosed)
	assert.ErrorIs(t, j.Append([]byte("3")), os.ErrClosed)
	got, _ := lines(t, path)
	assert.Equal(t, []string{"1"}, got)
}

func TestOpenWhereNoFileCanBe(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	_, _, err := Open(filepath.Join(file, "journal"))
	assert.ErrorContains(t, err, "not a directory")
	_, err = Lines(filepath.Join(file, "journal"), nil)
	assert.ErrorContains(t, err, "not a directory")
}

func BenchmarkAppend(b *testing.B) {
	j, _, err := Open(filepath.Join(b.TempDir(), "journal"))
	require.NoError(b, err)
	defer j.Close()
	line := []byte(`"` + strings.Repeat("x", 1000) + `"`)
	for b.Loop() {
		if err := j.Append(line); err != nil {
			b.Fatal(err)
		}
	}
}
