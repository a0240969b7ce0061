package files

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// File is a file to be written.
type File struct {
	Path  string
	Write func(io.Writer) error
}

// CreateTogether is [Create] of files that mean nothing, or something else, without each
// other: all of them or none. They appear in their order once all are written, so
// that the last, if there is one, has the others beside it whenever a process is
// killed. If a name is taken, all stay next to their places, under the names that the error tells.
// Errors name the file.
func CreateTogether(all ...File) error {
	var parts []string
	for _, f := range all {
		part, err := writeTemporary(f.Path, f.Write)
		if err != nil {
			remove(parts)
			return fmt.Errorf("%s: %w", f.Path, Cause(err))
		}
		parts = append(parts, part)
	}
	var placed []string
	for i, f := range all {
		if err := give(parts[i], f.Path, os.Link); err != nil {
			remove(placed)
			return fmt.Errorf("%s: %w; nothing was put there, it is in %s instead", f.Path, Cause(err), strings.Join(parts, " and "))
		}
		placed = append(placed, f.Path)
	}
	remove(parts)
	for _, f := range all {
		if err := SyncFolder(filepath.Dir(f.Path)); err != nil {
			return fmt.Errorf("%s: %w", f.Path, Cause(err))
		}
	}
	return nil
}

func remove(paths []string) {
	for _, path := range paths {
		os.Remove(path)
	}
}
