package sweep

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"lamcap/internal/journal"
)

// Failure is a trial that has no record because it failed. The latest run's are kept
// beside the records, for people: a trial that failed is tried again by the next run.
type Failure struct {
	Job
	Message string
}

// Error names the trial; of a fault of the program the first line alone.
func (f Failure) Error() string {
	line, _, _ := strings.Cut(f.Message, "\n")
	return line
}

var failureFields = []field[Failure]{
	uintField("trial", func(f *Failure) *uint64 { return &f.Trial }),
	textField("error", func(f *Failure) *string { return &f.Message }),
}

func (f *Failure) marshal() []byte {
	f.Message = strings.ToValidUTF8(f.Message, "�")
	return append(appendFields(appendCell(appendFormat(), &f.Cell), failureFields, f), '}')
}

func (f *Failure) unmarshal(text []byte) error {
	m, err := parseFormatted(text)
	if err != nil {
		return err
	}
	return first(errors.Join(readFields(m, cellFields, &f.Cell), readFields(m, optionFields, &f.Cell.Options), readFields(m, failureFields, f)), m.empty)
}

func failureFile(dir string) string { return filepath.Join(dir, "failed.jsonl") }

// readFailures lists those of the latest run.
func readFailures(dir string) ([]Failure, error) {
	var list []Failure
	_, err := journal.Lines(failureFile(dir), func(line int, text []byte) error {
		var f Failure
		if err := f.unmarshal(text); err != nil {
			return errors.Join(errors.New(place{failureFile(dir), line}.String()+": not a failure"), err)
		}
		list = append(list, f)
		return nil
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return list, err
}

// failures collects those of a run.
type failures struct {
	dir  string
	file *journal.Journal
	list []Failure
}

// begin forgets those of the run before.
func (f *failures) begin() error {
	err := os.Remove(failureFile(f.dir))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// add keeps a failure, in the file too if that can be written: nothing depends on it.
func (f *failures) add(failure Failure) {
	f.list = append(f.list, failure)
	if f.file == nil {
		f.file, _, _ = journal.Open(failureFile(f.dir))
	}
	if f.file != nil {
		_ = f.file.Append(failure.marshal())
	}
}

func (f *failures) end() {
	if f.file != nil {
		f.file.Close()
	}
}
