package slurm

import (
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"lamcap/harness/sweep"
	"lamcap/internal/files"
)

// Batch is one submission: tasks, and the arrays that run them.
type Batch struct {
	Folder  string // absolute, DIR/slurm/batch-001
	Program sweep.Program
	CPUs    int    // trials that a task runs side by side
	Name    string // of its arrays, but for their numbers: no other batch has it
	Tasks   [][]sweep.Job
	Arrays  []Array
}

// Array is a job array: its task i is task Offset + i of the batch.
type Array struct {
	Offset int `json:"offset"`
	Tasks  int `json:"tasks"`
	// Job is its number, "" where none was noted: sbatch failed, or its answer was
	// lost.
	Job       string    `json:"job"`
	Submitted time.Time `json:"submitted,omitzero"`
}

// planFile is plan.json.
type planFile struct {
	Format  int           `json:"format"`
	Name    string        `json:"name"`
	Program sweep.Program `json:"program"`
	CPUs    int           `json:"cpus_per_task"`
	Cells   []sweep.Cell  `json:"cells"`
	Tasks   [][]run       `json:"tasks"`
}

// jobsFile is jobs.json.
type jobsFile struct {
	Format int     `json:"format"`
	Arrays []Array `json:"arrays"`
}

// format is the one of both files.
const format = 1

// number returns the batch's number.
func (b *Batch) number() string { return strings.TrimPrefix(filepath.Base(b.Folder), batchPrefix) }

const batchPrefix = "batch-"

// arrayName is the name under which Slurm lists array k.
func (b *Batch) arrayName(k int) string { return b.Name + "-" + strconv.Itoa(k) }

// newName returns a name that no other batch of this cluster has.
func newName() string {
	var nonce [6]byte
	_, _ = rand.Read(nonce[:]) // never fails
	return "lamcap-" + hex.EncodeToString(nonce[:])
}

// newBatch makes the next free folder below dir and writes the plan into it.
func newBatch(dir string, b *Batch) error {
	root, err := filepath.Abs(filepath.Join(dir, "slurm"))
	if err != nil {
		return err
	}
	if strings.ContainsAny(root, "\\\n") {
		return fmt.Errorf("folder %q: want one whose path has no backslash and is one line, for the logs of Slurm", root)
	}
	if err := files.MakeFolder(root); err != nil {
		return err
	}
	b.Name = newName()
	for i := 1; ; i++ {
		b.Folder = filepath.Join(root, fmt.Sprintf("%s%03d", batchPrefix, i))
		err := os.Mkdir(b.Folder, 0o755)
		if err == nil {
			break
		}
		if !errors.Is(err, fs.ErrExist) {
			return err
		}
	}
	if err := os.Mkdir(filepath.Join(b.Folder, "logs"), 0o755); err != nil {
		return err
	}
	return b.writePlan()
}

func (b *Batch) writePlan() error {
	index := map[sweep.Address]int{}
	f := planFile{Format: format, Name: b.Name, Program: b.Program, CPUs: b.CPUs}
	for _, task := range b.Tasks {
		f.Tasks = append(f.Tasks, compress(task, index, &f.Cells))
	}
	return writeJSON(filepath.Join(b.Folder, "plan.json"), f)
}

func (b *Batch) writeArrays() error {
	return writeJSON(filepath.Join(b.Folder, "jobs.json"), jobsFile{format, b.Arrays})
}

func writeJSON(path string, v any) error {
	return files.Replace(path, func(w io.Writer) error {
		return json.NewEncoder(w).Encode(v)
	})
}

// readBatch reads a batch from its folder. A batch without jobs.json has no arrays.
func readBatch(folder string) (*Batch, error) {
	b, err := readPlan(filepath.Join(folder, "plan.json"))
	if err != nil {
		return nil, err
	}
	path := filepath.Join(folder, "jobs.json")
	var f jobsFile
	switch err := readJSON(path, &f); {
	case errors.Is(err, fs.ErrNotExist):
		return b, nil
	case err != nil:
		return nil, err
	case f.Format != format:
		return nil, fmt.Errorf("%s: format = %d: want %d; another version of lamcap wrote it", path, f.Format, format)
	}
	end := 0
	for _, a := range f.Arrays {
		if a.Offset != end || a.Tasks < 1 || a.Offset+a.Tasks > len(b.Tasks) || a.Job != "" && !jobNumber(a.Job) {
			return nil, fmt.Errorf("%s: array %q of %d tasks from %d on: want arrays that follow each other within %d tasks", path, a.Job, a.Tasks, a.Offset, len(b.Tasks))
		}
		end = a.Offset + a.Tasks
	}
	b.Arrays = f.Arrays
	return b, nil
}

// readPlan reads plan.json.
func readPlan(path string) (*Batch, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	var f planFile
	if err := readJSON(path, &f); err != nil {
		return nil, err
	}
	if f.Format != format {
		return nil, fmt.Errorf("%s: format = %d: want %d; another version of lamcap wrote it", path, f.Format, format)
	}
	b := &Batch{Folder: filepath.Dir(path), Program: f.Program, CPUs: f.CPUs, Name: f.Name}
	if b.Name == "" || b.CPUs < 1 {
		return nil, fmt.Errorf("%s: name = %q, cpus_per_task = %d: want a name and ≥ 1", path, b.Name, b.CPUs)
	}
	for i, runs := range f.Tasks {
		for _, r := range runs {
			if r.Cell < 0 || r.Cell >= len(f.Cells) || r.Count > maxTrials {
				return nil, fmt.Errorf("%s: task %d: cell %d, %d trials: want a cell below %d", path, i, r.Cell, r.Count, len(f.Cells))
			}
		}
		b.Tasks = append(b.Tasks, expand(runs, f.Cells))
	}
	return b, nil
}

// maxTrials bounds the trials of a run: more are a damaged file.
const maxTrials = 1 << 31

func readJSON(path string, v any) error {
	text, err := files.Read(path)
	if err != nil {
		return err
	}
	if err := strict(text, v); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// strict decodes one JSON value without unknown fields.
func strict(text []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		return err
	}
	if _, err := d.Token(); err != io.EOF {
		return errors.New("more after the end of the value")
	}
	return nil
}

// Batches reads all submissions of a sweep, the oldest first. A folder without a plan
// is what a process left that did not live to write it: nothing was submitted of it.
func Batches(dir string) ([]*Batch, error) {
	folders, err := filepath.Glob(filepath.Join(escape(dir), "slurm", batchPrefix+"*"))
	if err != nil {
		return nil, err
	}
	type numbered struct {
		number int
		batch  *Batch
	}
	var list []numbered
	for _, f := range folders {
		n, err := strconv.Atoi(strings.TrimPrefix(filepath.Base(f), batchPrefix))
		if err != nil {
			continue
		}
		b, err := readBatch(f)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		list = append(list, numbered{n, b})
	}
	slices.SortFunc(list, func(a, b numbered) int { return a.number - b.number })
	var batches []*Batch
	for _, n := range list {
		batches = append(batches, n.batch)
	}
	return batches, nil
}

// escape quotes what filepath.Glob takes for a pattern.
func escape(path string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}

// file is the path of a file of task i, with the given end of its name.
func (b *Batch) file(i int, end string) string {
	return filepath.Join(b.Folder, fmt.Sprintf("task-%05d%s", i, end))
}

// done reports whether all jobs of a task have records.
func done(task []sweep.Job, have map[sweep.ID]bool) bool {
	return !slices.ContainsFunc(task, func(j sweep.Job) bool { return !have[j.ID()] })
}

// recorded is the set of trials with a record.
func recorded(records []sweep.Record) map[sweep.ID]bool {
	have := make(map[sweep.ID]bool, len(records))
	for i := range records {
		have[records[i].ID()] = true
	}
	return have
}
