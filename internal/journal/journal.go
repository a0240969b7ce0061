package journal

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"lamcap/internal/files"
)

// file is what a journal needs of an [os.File]; tests have others.
type file interface {
	io.ReaderAt
	io.Writer
	io.Seeker
	Truncate(size int64) error
	Sync() error
	Close() error
}

// Journal is a file open for appending. It is not for several goroutines at once, and
// no other process may have it open.
type Journal struct {
	file file
	size int64 // of the whole lines
	err  error // why nothing more can be appended
}

// Open opens or creates a journal; torn is the length in bytes of what was cut from
// its end.
func Open(path string) (j *Journal, torn int64, err error) {
	f, err := files.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil {
		return nil, 0, err
	}
	return start(f, func() error { return files.SyncFolder(filepath.Dir(path)) })
}

// start cuts what is torn from a file that was opened, whose name is kept by syncFolder. It
// closes the file if it fails.
func start(f file, syncFolder func() error) (j *Journal, torn int64, err error) {
	defer func() {
		if err != nil {
			f.Close()
		}
	}()
	all, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return nil, 0, err
	}
	whole, err := wholeLines(f, all)
	if err != nil {
		return nil, 0, err
	}
	if whole < all {
		if err := f.Truncate(whole); err != nil {
			return nil, 0, err
		}
		if err := f.Sync(); err != nil {
			return nil, 0, err
		}
	}
	if all == 0 { // perhaps new, also if created by a process that was killed then
		if err := syncFolder(); err != nil {
			return nil, 0, err
		}
	}
	return &Journal{file: f, size: whole}, all - whole, nil
}

// wholeLines returns the length of the whole lines in the first size bytes.
func wholeLines(file io.ReaderAt, size int64) (int64, error) {
	end, err := lineStart(file, size)
	if err != nil || end == 0 {
		return end, err
	}
	// The line that ends there may be whole in appearance only.
	start, err := lineStart(file, end-1)
	if err != nil {
		return 0, err
	}
	last := make([]byte, end-1-start)
	if _, err := file.ReadAt(last, start); err != nil {
		return 0, err
	}
	if !json.Valid(last) {
		return start, nil
	}
	return end, nil
}

// lineStart returns where the line begins that the byte at end would belong to.
func lineStart(file io.ReaderAt, end int64) (int64, error) {
	block := make([]byte, 64<<10)
	for end > 0 {
		part := block[:min(end, int64(len(block)))]
		end -= int64(len(part))
		if _, err := file.ReadAt(part, end); err != nil {
			return 0, err
		}
		if i := bytes.LastIndexByte(part, '\n'); i >= 0 {
			return end + int64(i) + 1, nil
		}
	}
	return 0, nil
}

// Append appends a line, given without its newline: it is on the disk when Append
// returns nil. After an error the file ends with the line before, or, where even that
// failed, with a torn one that the next Open cuts.
func (j *Journal) Append(line []byte) error {
	if bytes.IndexByte(line, '\n') >= 0 || !json.Valid(line) {
		panic(fmt.Sprintf("journal: %.80q is no line of JSON", line))
	}
	if j.err != nil {
		return j.err
	}
	text := append(line[:len(line):len(line)], '\n')
	_, err := j.file.Write(text)
	if err == nil {
		if err = j.file.Sync(); err == nil {
			j.size += int64(len(text))
			return nil
		}
		// What was not synced may be lost although a second sync says otherwise.
		j.err = err
	}
	if e := errors.Join(j.file.Truncate(j.size), j.file.Sync()); e != nil {
		j.err = errors.Join(err, e)
	}
	return err
}

// Close closes the file.
func (j *Journal) Close() error { return j.file.Close() }

// Lines calls each with the number, from 1, and the text of every whole line of a file,
// without its newline, and stops at its first error. The text is valid during the
// call. It returns what is torn after them, the bytes that [Open] would cut; the file may
// be appended to meanwhile.
func Lines(path string, each func(number int, line []byte) error) (torn []byte, err error) {
	f, err := files.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return newReader(f).lines(each)
}
