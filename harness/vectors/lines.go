package vectors

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"
)

// maxLine bounds a line of text: a million numbers of 16 characters.
const maxLine = 1 << 24

// lines reads the lines of a text that are not blank.
type lines struct {
	scanner *bufio.Scanner
	number  int    // of the line read last, the first 1
	held    []byte // that line, to be returned again
}

func newLines(r io.Reader) *lines {
	s := bufio.NewScanner(r)
	s.Buffer(make([]byte, 0, 1<<16), maxLine)
	s.Split(bufio.ScanLines) // takes the carriage return of CR LF away
	return &lines{scanner: s}
}

// next returns the next line without blanks about it, which is valid until next
// is called again; false at the end, or at a line that is no text.
func (l *lines) next() ([]byte, bool, error) {
	if line := l.held; line != nil {
		l.held = nil
		return line, true, nil
	}
	for l.scanner.Scan() {
		l.number++
		line := l.scanner.Bytes()
		if l.number == 1 {
			line = bytes.TrimPrefix(line, []byte("\xef\xbb\xbf")) // a byte order mark
		}
		if i := bytes.IndexByte(line, 0); i >= 0 {
			return nil, false, l.fail("a NUL byte: want text in UTF-8")
		}
		line = bytes.Trim(line, " \t")
		if len(line) == 0 {
			continue
		}
		if !utf8.Valid(line) {
			return nil, false, l.fail("not UTF-8: convert the file, by iconv -c -t utf-8 for instance")
		}
		return line, true, nil
	}
	err := l.scanner.Err()
	if errors.Is(err, bufio.ErrTooLong) {
		l.number++
		return nil, false, l.fail("longer than %d bytes: want one vector a line", maxLine)
	}
	return nil, false, err
}

// hold makes next return the line read last again, of which line is a copy.
func (l *lines) hold(line []byte) { l.held = line }

// fail returns an error that tells the line last read.
func (l *lines) fail(format string, args ...any) error {
	return fmt.Errorf("line %d: "+format, append([]any{l.number}, args...)...)
}
