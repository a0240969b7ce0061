package vectors

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"lamcap/internal/files"
)

// Read reads the vectors of a file: a .npy array by its first bytes, text
// otherwise (see [ReadText]). Errors name the file. Memory stays near 8 bytes a
// number, those of the words added.
func Read(path string) (*Set, error) {
	file, err := files.Open(path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, files.Cause(err))
	}
	defer file.Close()
	s, err := read(file, filepath.Ext(path))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	s.Source = path
	return s, nil
}

// others' formats, by their first bytes.
var foreign = []struct{ start, what string }{
	{"PK\x03\x04", "a zip archive, such as .npz: want .npy; np.save the array in it that holds the vectors"},
	{"\x1f\x8b", "compressed by gzip: decompress it first"},
	{"\x89HDF", "an HDF5 file: want .npy or text"},
	{"\x80", "a pickle, which runs code when it is loaded, and is not read: np.save the array as float32"},
}

func read(file *os.File, extension string) (*Set, error) {
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	if info.Size() == 0 {
		return nil, fmt.Errorf("the file is empty: want vectors, as .npy or text")
	}
	start := make([]byte, len(magic))
	n, err := file.ReadAt(start, 0)
	if err != nil && err != io.EOF {
		return nil, err
	}
	start = start[:n]
	if string(start) == magic || strings.EqualFold(extension, ".npy") {
		return readNPY(file, info.Size())
	}
	for _, f := range foreign {
		if bytes.HasPrefix(start, []byte(f.start)) {
			return nil, fmt.Errorf("%s", f.what)
		}
	}
	return readText(file, info.Size())
}
