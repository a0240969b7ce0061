package filelock

import (
	"fmt"
	"os"
	"strings"
	"time"

	"lamcap/internal/files"
)

// Lock is one that is held.
type Lock struct{ file *os.File }

// HeldError says that another process, or another lock of this one, holds the lock.
type HeldError struct {
	Path string
	// Holder is what the file says about it: pid, host and since when; "" if it is not
	// known.
	Holder string
}

// Error names the holder.
func (e *HeldError) Error() string {
	return fmt.Sprintf("%s is locked by %s", e.Path, e.Who())
}

// Who is the holder as far as it is known.
func (e *HeldError) Who() string {
	if e.Holder == "" {
		return "another process"
	}
	return e.Holder
}

// patience is how long Acquire tries: [Holder] of another process takes the lock for an
// instant.
const patience = 300 * time.Millisecond

// Acquire takes the lock and creates its file if there is none. The error is a
// [*HeldError] if somebody has it.
func Acquire(path string) (*Lock, error) {
	file, err := files.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, err
	}
	for begin := time.Now(); ; time.Sleep(patience / 20) {
		free, err := try(file, true)
		if err != nil {
			file.Close()
			return nil, fmt.Errorf("lock %s: %w", path, err)
		}
		if free {
			break
		}
		if time.Since(begin) > patience {
			defer file.Close()
			return nil, &HeldError{path, content(file)}
		}
	}
	// Informative only: a full disk is no reason not to hold the lock.
	if file.Truncate(0) == nil {
		_, _ = file.WriteAt([]byte(self()), 0)
	}
	return &Lock{file}, nil
}

// Release lets go. The file stays: removing it would let two processes lock two files
// of one name.
func (l *Lock) Release() error {
	_ = l.file.Truncate(0)
	return l.file.Close()
}

// Holder says who holds the lock, with held false if nobody does, also if there is no
// file.
func Holder(path string) (holder string, held bool, err error) {
	file, err := files.Open(path)
	if os.IsNotExist(err) {
		return "", false, nil
	}
	if err != nil {
		return "", false, err
	}
	defer file.Close()
	free, err := try(file, false)
	if err != nil || free {
		return "", false, err
	}
	return (&HeldError{path, content(file)}).Who(), true, nil
}

func self() string {
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	return fmt.Sprintf("process %d on %s since %s\n", os.Getpid(), host, time.Now().UTC().Format(time.RFC3339))
}

func content(file *os.File) string {
	text := make([]byte, 300)
	n, _ := file.ReadAt(text, 0)
	return strings.TrimSpace(string(text[:n]))
}
