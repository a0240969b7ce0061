package sweep

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"lamcap/harness/trial"
)

// stored writes a file of records into a folder and returns its path.
func stored(t *testing.T, dir, name string, lines ...string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o600))
	return path
}

// record is the text of a record that was changed.
func record(t *testing.T, change func(*Record)) string {
	t.Helper()
	r := example()
	change(&r)
	text, err := r.MarshalJSON()
	require.NoError(t, err)
	return string(text)
}

func onTrial(n uint64) func(*Record) { return func(r *Record) { r.Trial = n } }

// Wherever the last line was torn, the run that follows ends with the same records.
func TestTornLineIsRunAgain(t *testing.T) {
	p := smallPlan(2)
	p.Cells = p.Cells[:2]
	fresh := t.TempDir()
	_, _, err := run(t, p, fresh, RunOptions{Workers: 1})
	require.NoError(t, err)
	want := dump(t, fresh)
	text, err := os.ReadFile(filepath.Join(fresh, "records", "worker-000.jsonl"))
	require.NoError(t, err)
	start := bytes.LastIndexByte(text[:len(text)-1], '\n') + 1
	for cut := start; cut < len(text); cut++ {
		dir := t.TempDir()
		path := filepath.Join(dir, "records", "worker-000.jsonl")
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, text[:cut], 0o600))
		records, err := ReadRecords(dir)
		require.NoError(t, err, "cut at %d", cut)
		require.Len(t, records, 3)
		if cut%11 > 0 && cut > start+2 && cut < len(text)-2 {
			continue // to run at every byte takes half a minute
		}
		s, log, err := run(t, p, dir, RunOptions{Workers: 1})
		require.NoError(t, err, "cut at %d", cut)
		require.Equal(t, 1, s.New)
		require.Equal(t, cut > start, strings.Contains(log, "of a record that was not complete when an earlier run ended"), log)
		require.Equal(t, want, dump(t, dir))
		require.Equal(t, 4, lineCount(t, dir))
	}
}

// A process that was killed while it wrote the plan, at whatever step, is no obstacle, and leaves
// nothing behind.
func TestKilledWhileThePlanIsWritten(t *testing.T) {
	small, large := smallPlan(1), smallPlan(2)
	small.Cells, large.Cells = small.Cells[:1], large.Cells[:1]
	for what, leave := range map[string]func(dir string){
		"before the grid":  func(dir string) { stored(t, dir, "grid.toml.123.part", "trials") },
		"before its plan":  func(dir string) { stored(t, dir, "grid.toml", large.Source) },
		"within its plan":  func(dir string) { stored(t, dir, "plan.json.7.part", `{"format":1,`) },
		"within a merging": func(dir string) { stored(t, dir, "records/collected.jsonl.5.part", `{"for`) },
	} {
		for _, before := range []bool{false, true} { // a run of a smaller grid
			dir := t.TempDir()
			if before {
				_, _, err := run(t, small, dir, RunOptions{})
				require.NoError(t, err)
			} else {
				stored(t, dir, "lock")
			}
			leave(dir)
			_, err := ReadRecords(dir)
			require.NoError(t, err, what)
			if before {
				status, err := ReadStatus(dir)
				require.NoError(t, err, what)
				assert.Equal(t, 1, status.Plan.Instances(), what)
			}
			_, _, err = run(t, large, dir, RunOptions{})
			require.NoError(t, err, what)
			status, err := ReadStatus(dir)
			require.NoError(t, err, what)
			assert.Equal(t, 2, status.Counts[0].Done, what)
			for _, folder := range []string{dir, filepath.Join(dir, "records")} {
				parts, err := filepath.Glob(filepath.Join(folder, "*.part"))
				require.NoError(t, err)
				assert.Empty(t, parts, what)
			}
		}
	}
}

// Every file counts, each trial once, in canonical order; what is not complete does not.
func TestAllFilesAreRead(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a [folder]*?")
	stored(t, dir, "records/worker-010.jsonl", record(t, onTrial(10)), record(t, onTrial(2)))
	stored(t, dir, "records/collected.jsonl", record(t, onTrial(3)), record(t, func(r *Record) { r.Trial, r.Experiment = 0, "b" }))
	stored(t, dir, "slurm/batch-001/task-00001.jsonl", record(t, onTrial(4)), record(t, onTrial(2)))
	stored(t, dir, "slurm/batch-002/task-00001.jsonl.99.0.part", record(t, onTrial(5)), "{")
	stored(t, dir, "slurm/batch-002/plan.json", "{}")
	require.NoError(t, os.WriteFile(filepath.Join(dir, "records/worker-011.jsonl"), nil, 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "records/worker-012.jsonl"), []byte(record(t, onTrial(6))), 0o600), "without its newline")
	records, err := ReadRecords(dir)
	require.NoError(t, err)
	var got []uint64
	for _, r := range records {
		got = append(got, r.Trial)
	}
	assert.Equal(t, []uint64{2, 3, 4, 10, 0}, got)

	// A complete file cannot be torn.
	for _, name := range []string{"records/collected.jsonl", "slurm/batch-001/task-00002.jsonl"} {
		path := stored(t, dir, name, record(t, onTrial(3)), "{")
		_, err := ReadRecords(dir)
		assert.ErrorContains(t, err, path+":2: not a record: 2 bytes that are no whole line")
		require.NoError(t, os.Remove(path))
	}
	_, err = ReadRecords(filepath.Join(dir, "none"))
	assert.ErrorContains(t, err, "none: no sweep is stored there")
	_, err = ReadRecords(filepath.Join(dir, "records/worker-011.jsonl"))
	assert.ErrorContains(t, err, "no sweep is stored there")
	records, err = ReadRecords(t.TempDir())
	require.NoError(t, err)
	assert.Empty(t, records)
}

// Whatever is wrong with a line that is not the last is told, with its place.
func TestDamagedLinesAreNamed(t *testing.T) {
	good := record(t, onTrial(1))
	for bad, want := range map[string]string{
		"":                                      "not JSON",
		"\x00\x00":                              "not JSON",
		good[:len(good)/2]:                      "not JSON",
		good + good:                             "not JSON",
		strings.Replace(good, ":7", ":\xff", 1): "",
		strings.Replace(good, `"format":1`, `"format":2`, 1):     "format = 2: this program reads format 1",
		strings.Replace(good, `"trial":1`, `"trial":"1"`, 1):     "trial = \"1\": want an integer",
		strings.Replace(good, `"recalled":3`, `"recalled":9`, 1): "recalled = 9: want 0 ≤ recalled ≤ p = 4",
		"\xef\xbb\xbf" + good: "not JSON",
	} {
		if want == "" {
			bad, want = "\"\xff\"", "not valid UTF-8"
		}
		dir := t.TempDir()
		path := stored(t, dir, "records/worker-000.jsonl", record(t, onTrial(0)), bad, record(t, onTrial(2)))
		before, err := os.ReadFile(path)
		require.NoError(t, err)
		for what, f := range map[string]func() error{
			"read":   func() error { _, err := ReadRecords(dir); return err },
			"run":    func() error { _, _, err := run(t, smallPlan(1), dir, RunOptions{}); return err },
			"status": func() error { _, err := ReadStatus(dir); return err },
		} {
			err := f()
			assert.ErrorContains(t, err, path+":2: not a record: ", "%s %q", what, bad)
			assert.ErrorContains(t, err, want, "%s %q", what, bad)
		}
		after, err := os.ReadFile(path)
		require.NoError(t, err)
		assert.Equal(t, string(before), string(after))
	}
	// As the last line JSON that is no record is no torn one: it is of another format.
	dir := t.TempDir()
	path := stored(t, dir, "records/worker-000.jsonl", record(t, onTrial(0)), `{"format":2}`)
	_, _, err := run(t, smallPlan(1), dir, RunOptions{})
	assert.ErrorContains(t, err, path+":2: not a record: format = 2")
}

func TestTwoRecordsOfOneTrial(t *testing.T) {
	for _, c := range []struct {
		what   string
		change func(*Record)
		want   string // of the error, "" if they agree
	}{
		{"times", func(r *Record) { r.Result.Seconds, r.Started, r.Worker = 9, r.Started.Add(time.Hour), "other" }, ""},
		{"later, of a worker before", func(r *Record) { r.Started, r.Worker = r.Started.Add(time.Hour), "" }, ""},
		{"program", func(r *Record) { r.Program = Program{Version: "v2", Arch: "amd64", Instructions: "avx2"} }, ""},
		{"margin", func(r *Record) { r.Result.Margin = -0.2 }, "margin = -0.1 and -0.2"},
		{"margin by another program", func(r *Record) { r.Result.Margin, r.Program.Version = -0.2, "v2" }, "margin = -0.1 and -0.2"},
		{"margin by other instructions", func(r *Record) { r.Result.Margin, r.Program.Instructions = -0.2, "portable" }, ""},
		{"undecided by other instructions", func(r *Record) {
			r.Result.Outcome, r.Result.Exact, r.Program.Instructions = trial.Undecided, false, "portable"
		}, ""},
		{"stored by other instructions", func(r *Record) {
			r.Result.Outcome, r.Result.Exact, r.Result.Recalled, r.Result.Accuracy, r.Program.Instructions = trial.Stored, false, 4, 1, "portable"
			r.Result.Margin = 0.1
		}, `outcome = "not_storable" and "stored"`},
		{"options", func(r *Record) { r.Options.Restarts, r.Program.Instructions = 9, "portable" }, "restarts = 0 and 9"},
		{"bound", func(r *Record) { r.Result.MarginBound = 2 }, "margin_bound"},
	} {
		var kept []string
		for _, swap := range []bool{false, true} {
			dir := t.TempDir()
			a, b := record(t, func(*Record) {}), record(t, c.change)
			if swap {
				a, b = b, a
			}
			first := stored(t, dir, "records/worker-000.jsonl", record(t, onTrial(1)), a)
			second := stored(t, dir, "slurm/batch-001/task-00000.jsonl", b)
			records, err := ReadRecords(dir)
			if c.want != "" {
				require.ErrorContains(t, err, first+":2 and "+second+":1: two records of a <b> storage dp lbfgs d_in=4 d_out=8 m=4 p=4 n=3 seed=18446744073709551615, trial 7, that contradict each other: ", c.what)
				if !swap {
					assert.ErrorContains(t, err, c.want, c.what)
				}
				continue
			}
			require.NoError(t, err, c.what)
			require.Len(t, records, 2)
			text, err := records[1].MarshalJSON()
			require.NoError(t, err)
			kept = append(kept, string(text))
		}
		if c.want == "" {
			assert.Equal(t, kept[0], kept[1], "%s: the same is kept wherever it was found", c.what)
			assert.Equal(t, record(t, func(*Record) {}), kept[0], "%s: the first of its instruction set", c.what)
		}
	}
}

func TestContradiction(t *testing.T) {
	r := example()
	p := &Plan{Cells: []Work{{r.Cell, 8}}}
	require.NoError(t, Contradiction(p, []Record{r}, r.Program))
	require.NoError(t, Contradiction(&Plan{}, []Record{r}, r.Program), "a grid without the cell")
	other := r.Program
	other.Arch, other.Instructions = "arm64", "portable"
	require.NoError(t, Contradiction(p, []Record{r}, other), "another machine")
	other.Revision = "def"
	assert.ErrorContains(t, Contradiction(p, []Record{r}, other), "1 stored records were made by another program: revision abc → def")
	older := r
	older.Program.Version = "v0"
	assert.ErrorContains(t, Contradiction(p, []Record{r, older, older}, other), "2 stored records were made by another program: version v0 → ", "of most records")
	p.Cells[0].Options.MaxEvaluations = 5
	assert.ErrorContains(t, Contradiction(p, []Record{r}, other), "max_evaluations 0 → 5")
}

func TestMissing(t *testing.T) {
	r := example()
	p := &Plan{Cells: []Work{{r.Cell, 9}}}
	var got []uint64
	for _, j := range Missing(p, []Record{r}) {
		require.Equal(t, r.Cell, j.Cell)
		got = append(got, j.Trial)
	}
	assert.Equal(t, []uint64{0, 1, 2, 3, 4, 5, 6, 8}, got)
	assert.Empty(t, Missing(&Plan{}, []Record{r}))
}

func TestCurrentProgram(t *testing.T) {
	p, err := CurrentProgram()
	require.NoError(t, err)
	q, err := CurrentProgram()
	require.NoError(t, err)
	assert.Equal(t, p, q)
	assert.True(t, p.Revision != "" && !p.Modified || len(p.Build) == 64, "%+v", p)
	assert.NotEmpty(t, p.Arch)
	assert.NotEmpty(t, p.Instructions)
	t.Setenv("LAMCAP_SIMD", "portable")
	q, err = CurrentProgram()
	require.NoError(t, err)
	assert.Equal(t, "portable", q.Instructions)
	assert.True(t, p.Same(q))
	q.Build += "x"
	assert.False(t, p.Same(q))
}

// A run in a folder where nothing can be written.
func TestRunWhereNothingCanBeWritten(t *testing.T) {
	file := stored(t, t.TempDir(), "file", "")
	for _, dir := range []string{file, filepath.Join(file, "runs")} {
		_, err := Run(context.Background(), smallPlan(1), dir, RunOptions{Program: testProgram})
		assert.ErrorContains(t, err, "out = "+dir+": nothing can be written there (not a directory): want a folder that is writable")
	}
}
