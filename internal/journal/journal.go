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

// Journal is a file open for appending. It is not for several goroutines at once, and
// no other process may have it open.
type Journal struct {
	file *os.File
	size int64 // of the whole lines
	err  error // why nothing more can be appended
}

// Open opens or creates a journal; torn is the length in bytes of what was cut from
// its end.
func Open(path string) (j *Journal, torn int64, err error) {
	file, err := files.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil {
		return nil, 0, err
	}
	defer func() {
		if err != nil {
			file.Close()
		}
	}()
	all, err := file.Seek(0, io.SeekEnd)
	if err != nil {
		return nil, 0, err
	}
	whole, err := wholeLines(file, all)
	if err != nil {
		return nil, 0, err
	}
	if whole < all {
		if err := file.Truncate(whole); err != nil {
			return nil, 0, err
		}
		if err := file.Sync(); err != nil {
			return nil, 0, err
		}
	}
	if all == 0 { // perhaps new, also if created by a process that was killed then
		if err := files.SyncFolder(filepath.Dir(path)); err != nil {
			return nil, 0, err
		}
	}
	return &Journal{file: file, size: whole}, all - whole, nil
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

// Lines calls f with the number, from 1, and the text of every whole line of a file,
// without its newline, and stops at the first error of f. The text is valid during the
// call. It returns what is torn after them; the file may be appended to meanwhile.
func Lines(path string, f func(number int, line []byte) error) (torn []byte, err error) {
	file, err := files.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	r := newReader(file)
	for number := 1; ; number++ {
		line, last, err := r.next()
		switch {
		case err == io.EOF:
			return line, nil
		case err != nil:
			return nil, err
		case last && !json.Valid(line):
			return line, nil
		}
		if err := f(number, line); err != nil {
			return nil, err
		}
	}
}
