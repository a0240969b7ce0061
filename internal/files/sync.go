package files

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
)

// SyncFolder makes the names in a folder as safe as a synced file: one that was
// created or renamed there is found after a loss of power.
func SyncFolder(path string) error {
	if runtime.GOOS == "windows" {
		return nil // a folder cannot be opened to be synced there
	}
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// MakeFolder is [os.MkdirAll] and syncs each folder that got a new name.
func MakeFolder(path string) error {
	if info, err := os.Stat(path); err == nil {
		if info.IsDir() {
			return nil
		}
		return &fs.PathError{Op: "mkdir", Path: path, Err: syscall.ENOTDIR}
	}
	if parent := filepath.Dir(path); parent != path {
		if err := MakeFolder(parent); err != nil {
			return err
		}
	}
	if err := os.Mkdir(path, 0o755); err != nil {
		// Another process may have made it.
		if info, e := os.Stat(path); e == nil && info.IsDir() {
			return nil
		}
		return err
	}
	return SyncFolder(filepath.Dir(path))
}
