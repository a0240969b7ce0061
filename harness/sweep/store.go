package sweep

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"lamcap/internal/filelock"
	"lamcap/internal/files"
	"lamcap/internal/journal"
)

// Store is the folder of a sweep, held by this process alone until it is closed or the
// process ends, however it does.
type Store struct {
	dir  string
	lock *filelock.Lock
	// ours says that a sweep had the folder before.
	ours bool
}

// OpenStore opens a folder or makes it. It is an error if another process has it open.
func OpenStore(dir string) (*Store, error) {
	path := lockFile(dir)
	_, err := os.Lstat(path)
	ours := err == nil
	if err := files.MakeFolder(dir); err != nil {
		return nil, notWritable(dir, err)
	}
	lock, err := filelock.Acquire(path)
	if held := (*filelock.HeldError)(nil); errors.As(err, &held) {
		return nil, fmt.Errorf("out = %s: in use by %s: wait until it has ended, or stop it; nothing was changed", dir, held.Who())
	}
	if err != nil {
		return nil, notWritable(dir, err)
	}
	err = files.MakeFolder(filepath.Join(dir, recordsFolder))
	// Of a sweep that was killed: the lock says that nobody writes these now.
	for _, path := range []string{GridFile(dir), PlanFile(dir), CollectedFile(dir)} {
		if err == nil && ours {
			err = files.RemoveTemporaries(path)
		}
	}
	if err != nil {
		return nil, errors.Join(notWritable(dir, err), lock.Release())
	}
	return &Store{dir: dir, lock: lock, ours: ours}, nil
}

func lockFile(dir string) string { return filepath.Join(dir, "lock") }

func notWritable(dir string, err error) error {
	if errors.Is(err, files.ErrNotRegular) {
		return err // of a name within the folder, which it tells
	}
	return fmt.Errorf("out = %s: nothing can be written there (%w): want a folder that is writable, or the name of a new one", dir, files.Cause(err))
}

// Close lets another process have the folder.
func (s *Store) Close() error { return s.lock.Release() }

// Dir is the folder.
func (s *Store) Dir() string { return s.dir }

// Records is [ReadRecords] of the folder.
func (s *Store) Records() ([]Record, error) { return ReadRecords(s.dir) }

// Save writes the grid and the plan with the program that is to run it. It refuses to
// replace the grid of somebody who gave a folder that no sweep was written to before.
func (s *Store) Save(p *Plan, program Program) error {
	path := GridFile(s.dir)
	if !s.ours {
		text, err := files.Read(path)
		if err == nil && string(text) != p.Source {
			return fmt.Errorf("out = %s: has a grid.toml of its own, which would be replaced by another one: want a new folder", s.dir)
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	err := files.Replace(path, func(w io.Writer) error {
		_, err := io.WriteString(w, p.Source)
		return err
	})
	if err == nil {
		err = WritePlan(PlanFile(s.dir), p, program)
	}
	if err != nil {
		return notWritable(s.dir, err)
	}
	return nil
}

// Replaces says that a plan takes the place of another one of the folder, which asked for
// trials that the plan does not, and what becomes of the records: "" for a plan that
// extends it. It is to be told before [Store.Save].
func (s *Store) Replaces(p *Plan, have []Record) string {
	old, _, err := ReadPlan(PlanFile(s.dir))
	if err != nil || p.covers(old) { // what cannot be read is nothing to go by
		return ""
	}
	stay := "no stored record is of a trial that it does not ask for"
	if _, outside := CountRecords(p, have); outside > 0 {
		stay = "kept: " + counted(outside, "stored record") + " that it does not ask for"
	}
	return fmt.Sprintf("%s was %v, and is %v now: %s", GridFile(s.dir), old, p, stay)
}

// worker opens the file that one worker appends its records to.
func (s *Store) worker(i int) (j *journal.Journal, path string, torn int64, err error) {
	path = filepath.Join(s.dir, recordsFolder, fmt.Sprintf("worker-%03d.jsonl", i))
	j, torn, err = journal.Open(path)
	return j, path, torn, err
}
