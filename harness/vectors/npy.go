package vectors

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
)

// readNPY reads an array from r, which has size bytes.
func readNPY(r io.Reader, size int64) (*Set, error) {
	r = bufio.NewReaderSize(r, 1<<16)
	h, err := readHeader(r, size)
	if err != nil {
		return nil, err
	}
	// Before memory is asked for: what the header claims has to be there.
	have, want := size-h.length, int64(h.shape[0])*int64(h.shape[1])*int64(h.size)
	switch {
	case have < want:
		return nil, fmt.Errorf("%d bytes of numbers: shape (%d, %d) of float%d has %d: the file is truncated; copy or save it again", have, h.shape[0], h.shape[1], 8*h.size, want)
	case have > want:
		return nil, fmt.Errorf("%d bytes after the numbers: shape (%d, %d) of float%d has %d: want a file with one array (of several in a row, save each to a file of its own)", have-want, h.shape[0], h.shape[1], 8*h.size, want)
	}
	s := &Set{Rows: h.shape[0], Columns: h.shape[1], Data: make([]float64, h.shape[0]*h.shape[1]), single: h.size == 4}
	if err := h.fill(s, r); err != nil {
		return nil, err
	}
	return s, s.checkFinite()
}

// fill reads the numbers in their order in the file: row after row, or column
// after column in Fortran order.
func (h *header) fill(s *Set, r io.Reader) error {
	run, runs, step, stride := s.Columns, s.Rows, 1, s.Columns
	if h.fortran {
		run, runs, step, stride = s.Rows, s.Columns, s.Columns, 1
	}
	buffer := make([]byte, min(run, 1<<13)*h.size)
	for i := range runs {
		at := i * stride
		for left := run; left > 0; {
			part := buffer[:min(left*h.size, len(buffer))]
			if _, err := io.ReadFull(r, part); err != nil {
				if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
					return errors.New("the file became shorter while it was read")
				}
				return err
			}
			left -= len(part) / h.size
			for ; len(part) > 0; part = part[h.size:] {
				s.Data[at] = decode(h.order, h.size, part)
				at += step
			}
		}
	}
	return nil
}

// decode returns the number at the beginning of b.
func decode(order binary.ByteOrder, size int, b []byte) float64 {
	if size == 4 {
		return float64(math.Float32frombits(order.Uint32(b)))
	}
	return math.Float64frombits(order.Uint64(b))
}
