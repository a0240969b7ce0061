package vectors

import (
	"fmt"
	"io"

	"codeberg.org/sbinet/npyio/npy"
	"gonum.org/v1/gonum/mat"

	"lamcap/internal/files"
)

// WriteNPY writes a rows×columns matrix, row-major, as float64 in C order, whole
// or not at all: a memory of shape (d_out, d_in) is read by np.load so that
// u @ W @ e is the score of value u for key e. It replaces the file.
func WriteNPY(path string, rows, columns int, data []float64) error {
	err := files.Replace(path, func(w io.Writer) error { return EncodeNPY(w, rows, columns, data) })
	if err != nil {
		return fmt.Errorf("%s: %w", path, files.Cause(err))
	}
	return nil
}

// EncodeNPY writes what [WriteNPY] writes to a file.
func EncodeNPY(w io.Writer, rows, columns int, data []float64) error {
	if rows < 1 || columns < 1 || len(data) != rows*columns {
		panic(fmt.Sprintf("vectors: %d numbers of a %d×%d matrix", len(data), rows, columns))
	}
	return npy.Write(w, mat.NewDense(rows, columns, data))
}
