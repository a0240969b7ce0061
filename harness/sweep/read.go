package sweep

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"lamcap/harness/trial"
	"lamcap/internal/journal"
)

// Names in the folder of a sweep, as the package's doc describes them.
const (
	recordsFolder = "records"
	slurmFolder   = "slurm"
	workerFiles   = "worker-*.jsonl"
	taskFiles     = "task-*.jsonl"
)

// CollectedFile is the file of records merged from those of tasks.
func CollectedFile(dir string) string { return filepath.Join(dir, recordsFolder, "collected.jsonl") }

// ReadRecords returns all records of a folder: those of workers, collected ones and those
// of complete Slurm tasks, each trial once, in canonical order. Other programs may write
// to the folder meanwhile.
//
// A torn last line of a worker's file is ignored. Any other line that is not a record is
// an error, which names it, and so are two records of one trial that differ in more than
// what is not reproducible; of others the one that started first is taken. Between two instruction sets last bits
// are not reproducible: of two such records one is taken, always the same; but that one says stored and the other not
// storable is an error.
func ReadRecords(dir string) ([]Record, error) {
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return nil, fmt.Errorf("%s: no sweep is stored there: want the folder that one was written to", dir)
	}
	const attempts = 10
	for attempt := 1; ; attempt++ {
		records, err := readOnce(dir)
		// Files of tasks go when they have been collected: then all is read anew.
		if attempt == attempts || !errors.Is(err, fs.ErrNotExist) {
			return records, err
		}
	}
}

func readOnce(dir string) ([]Record, error) {
	sources, err := recordFiles(dir)
	if err != nil {
		return nil, err
	}
	var c collection
	for _, s := range sources {
		if err := c.read(s); err != nil {
			return nil, err
		}
	}
	return c.sorted(), nil
}

// recordFile is a file of records. Whole ones were renamed into their place when they
// were complete: nothing of them can be torn.
type recordFile struct {
	path  string
	whole bool
}

func recordFiles(dir string) ([]recordFile, error) {
	var files []recordFile
	workers, err := filepath.Glob(filepath.Join(escapePattern(filepath.Join(dir, recordsFolder)), workerFiles))
	if err != nil {
		return nil, err
	}
	for _, w := range workers {
		files = append(files, recordFile{w, false})
	}
	collected := CollectedFile(dir)
	if _, err := os.Stat(collected); err == nil {
		files = append(files, recordFile{collected, true})
	} else if !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	err = filepath.WalkDir(filepath.Join(dir, slurmFolder), func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if match, _ := filepath.Match(taskFiles, e.Name()); match {
			files = append(files, recordFile{path, true})
		}
		return nil
	})
	if errors.Is(err, fs.ErrNotExist) {
		if _, e := os.Stat(filepath.Join(dir, slurmFolder)); errors.Is(e, fs.ErrNotExist) {
			err = nil
		}
	}
	return files, err
}

// escapePattern makes a path one that [filepath.Glob] takes literally.
func escapePattern(path string) string {
	if os.PathSeparator == '\\' {
		return path // there it has no escape
	}
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}

// collection is a set of records and where each was found.
type collection struct {
	records []Record
	places  []place
	index   map[ID]int
}

type place struct {
	path string
	line int
}

func (p place) String() string { return fmt.Sprintf("%s:%d", p.path, p.line) }

// read adds the records of a file.
func (c *collection) read(f recordFile) error {
	number := 0
	torn, err := journal.Lines(f.path, func(line int, text []byte) error {
		number = line
		r, err := decodeRecord(text)
		if err != nil {
			return fmt.Errorf("%s: not a record: %w: the file is damaged, or of another program; nothing of it is used before the line is put right or taken out", place{f.path, line}, err)
		}
		return c.add(r, place{f.path, line})
	})
	if err != nil {
		return err
	}
	if f.whole && len(torn) > 0 {
		return fmt.Errorf("%s: not a record: %d bytes that are no whole line, in a file that was complete when it was written: it is damaged", place{f.path, number + 1}, len(torn))
	}
	return nil
}

func (c *collection) add(r Record, at place) error {
	if c.index == nil {
		c.index = map[ID]int{}
	}
	i, twice := c.index[r.ID()]
	if !twice {
		c.index[r.ID()] = len(c.records)
		c.records, c.places = append(c.records, r), append(c.places, at)
		return nil
	}
	if d := contradiction(&c.records[i], &r); d != "" {
		return fmt.Errorf("%v and %v: two records of %v, trial %d, that contradict each other: %s", c.places[i], at, r.Address, r.Trial, d)
	}
	if preferred(&r, &c.records[i]) < 0 {
		c.records[i], c.places[i] = r, at
	}
	return nil
}

// contradiction says what two records of one trial may not differ in.
func contradiction(a, b *Record) string {
	d := Difference(*a, *b)
	x, y := a.Result.Outcome, b.Result.Outcome
	switch {
	case d == "" || a.Program.Arch == b.Program.Arch && a.Program.Instructions == b.Program.Instructions:
		return d
	case a.Options != b.Options, x != y && x != trial.Undecided && y != trial.Undecided:
		return d
	}
	return ""
}

// preferred orders the records of one trial, whatever files they are in.
func preferred(a, b *Record) int {
	return cmp.Or(
		strings.Compare(a.Program.Arch, b.Program.Arch), strings.Compare(a.Program.Instructions, b.Program.Instructions),
		a.Started.Compare(b.Started), strings.Compare(a.Worker, b.Worker), strings.Compare(a.Program.String(), b.Program.String()),
	)
}

func (c *collection) sorted() []Record {
	slices.SortFunc(c.records, func(a, b Record) int { return compareIDs(a.ID(), b.ID()) })
	return c.records
}
