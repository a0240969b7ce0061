package journal

import (
	"bufio"
	"encoding/json"
	"io"
)

// reader splits a file into lines of any length.
type reader struct {
	r    *bufio.Reader
	line []byte
}

func newReader(r io.Reader) *reader { return &reader{r: bufio.NewReaderSize(r, 64<<10)} }

// next returns a line without its newline and whether nothing follows it; at the end,
// what follows the last newline and io.EOF.
func (r *reader) next() (line []byte, last bool, err error) {
	r.line = r.line[:0]
	for {
		part, err := r.r.ReadSlice('\n')
		r.line = append(r.line, part...)
		switch err {
		case nil:
			_, err := r.r.Peek(1)
			return r.line[:len(r.line)-1], err == io.EOF, nil
		case bufio.ErrBufferFull:
		default:
			return r.line, true, err
		}
	}
}

// lines is [Lines] of what is read.
func (r *reader) lines(each func(number int, line []byte) error) (torn []byte, err error) {
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
		if err := each(number, line); err != nil {
			return nil, err
		}
	}
}
