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

// next returns a line without its newline; at the end, what follows the last newline
// and io.EOF.
func (r *reader) next() (line []byte, err error) {
	r.line = r.line[:0]
	for {
		part, err := r.r.ReadSlice('\n')
		r.line = append(r.line, part...)
		switch err {
		case nil:
			return r.line[:len(r.line)-1], nil
		case bufio.ErrBufferFull:
		default:
			return r.line, err
		}
	}
}

// lines is [Lines] of what is read.
func (r *reader) lines(each func(number int, line []byte) error) (torn []byte, err error) {
	// A line is whole for certain when another one that ends is read after it.
	var held []byte
	for number := 0; ; number++ {
		line, err := r.next()
		switch {
		case err == io.EOF && number > 0 && !json.Valid(held):
			return append(append(held, '\n'), line...), nil
		case err != nil && err != io.EOF:
			return nil, err
		}
		if number > 0 {
			if e := each(number, held); e != nil {
				return nil, e
			}
		}
		if err == io.EOF {
			return line, nil
		}
		held = append(held[:0], line...)
	}
}
