package files

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// RefuseExisting returns an error if there is a file that writing to path would
// replace.
func RefuseExisting(flag, path string) error {
	switch _, err := os.Lstat(path); {
	case err == nil:
		return fmt.Errorf("%s = %s: the file exists; remove it or choose another name", flag, path)
	case !errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s = %s: %w", flag, path, Cause(err))
	}
	return nil
}

// RefuseUnwritable returns an error if no file can be made where path is: told
// before the work whose result would be lost. It leaves nothing behind.
func RefuseUnwritable(flag, path string) error {
	f, err := temporary(path)
	if err == nil {
		err = errors.Join(f.Close(), os.Remove(f.Name()))
	}
	if err != nil {
		return fmt.Errorf("%s = %s: no file can be written there (%w): want one in a folder that exists and is writable", flag, path, Cause(err))
	}
	return nil
}

// Same says whether two paths name one file, by their names alone.
func Same(a, b string) bool {
	x, errX := filepath.Abs(a)
	y, errY := filepath.Abs(b)
	if errX != nil || errY != nil {
		return filepath.Clean(a) == filepath.Clean(b)
	}
	return x == y
}

// temporary creates a file next to path.
func temporary(path string) (*os.File, error) {
	return os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*.part")
}

// Replace writes a file whole or not at all: next to its place first, then
// renamed into it.
func Replace(path string, write func(io.Writer) error) error {
	part, err := writeTemporary(path, write)
	if err != nil {
		return err
	}
	if err := os.Rename(part, path); err != nil {
		os.Remove(part)
		return err
	}
	return SyncFolder(filepath.Dir(path))
}

// Create is Replace that never replaces a file, even one that appeared
// after RefuseExisting: what was written then stays next to its place, under the
// name that the error tells.
func Create(path string, write func(io.Writer) error) error {
	part, err := writeTemporary(path, write)
	if err != nil {
		return err
	}
	return place(part, path, os.Link)
}

// place gives a file its name, if that is free. Link is [os.Link], which fails
// if it is not.
func place(part, path string, link func(from, to string) error) error {
	if err := give(part, path, link); err != nil {
		return fmt.Errorf("%w; it was written to %s instead", Cause(err), part)
	}
	return errors.Join(os.Remove(part), SyncFolder(filepath.Dir(path)))
}

// give gives a file a second name, if that is free.
func give(part, path string, link func(from, to string) error) error {
	err := link(part, path)
	if err != nil && !errors.Is(err, fs.ErrExist) {
		err = copyNew(part, path) // a file system without links
	}
	return err
}

// copyNew copies a file to a name that must be free.
func copyNew(from, to string) (err error) {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			out.Close()
			os.Remove(to)
		}
	}()
	if _, err = io.Copy(out, in); err != nil {
		return err
	}
	if err = out.Sync(); err != nil {
		return err
	}
	return out.Close()
}

// RemoveTemporaries removes what processes left that were killed while they wrote a file: nobody may be
// writing it now.
func RemoveTemporaries(path string) error {
	folder, name := filepath.Split(path)
	entries, err := os.ReadDir(filepath.Clean(folder))
	for _, e := range entries {
		if e.Type().IsRegular() && strings.HasPrefix(e.Name(), name+".") && strings.HasSuffix(e.Name(), ".part") {
			err = errors.Join(err, os.Remove(filepath.Join(folder, e.Name())))
		}
	}
	return err
}

// writeTemporary writes a file next to path and returns its name.
func writeTemporary(path string, write func(io.Writer) error) (part string, err error) {
	f, err := temporary(path)
	if err != nil {
		return "", err
	}
	defer func() {
		if err != nil {
			f.Close()
			os.Remove(f.Name())
		}
	}()
	b := bufio.NewWriter(f)
	if err = write(b); err != nil {
		return "", err
	}
	if err = b.Flush(); err != nil {
		return "", err
	}
	if err = f.Chmod(0o644); err != nil {
		return "", err
	}
	if err = f.Sync(); err != nil {
		return "", err
	}
	return f.Name(), f.Close()
}

// Cause is an error of a file without the file's name, which is that of a
// temporary one at times.
func Cause(err error) error {
	if e := (*fs.PathError)(nil); errors.As(err, &e) {
		return e.Err
	}
	if e := (*os.LinkError)(nil); errors.As(err, &e) {
		return e.Err
	}
	return err
}
