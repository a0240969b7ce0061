package files

import (
	"errors"
	"io"
	"io/fs"
	"os"
)

// ErrNotRegular says that a name is of no regular file, nor a link to one.
var ErrNotRegular = errors.New("not a regular file")

// Open opens a regular file for reading. A pipe is refused, where [os.Open] would wait for
// its writer, and so is a device, which may have no end.
func Open(path string) (*os.File, error) { return OpenFile(path, os.O_RDONLY, 0) }

// OpenFile is [os.OpenFile] of a regular file, or of a new one.
func OpenFile(path string, flag int, perm fs.FileMode) (*os.File, error) {
	// Before it is opened, which waits for a pipe and which some devices take for a request.
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "open", Path: path, Err: ErrNotRegular}
	}
	return os.OpenFile(path, flag, perm)
}

// Read is [os.ReadFile] of a regular file.
func Read(path string) ([]byte, error) {
	file, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(file)
}
