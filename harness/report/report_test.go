package report

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"lamcap/harness/chart"
	"lamcap/harness/learn"
	"lamcap/harness/page"
	"lamcap/harness/pattern"
	"lamcap/harness/stats"
	"lamcap/harness/sweep"
	"lamcap/harness/table"
	"lamcap/harness/trial"
	"lamcap/quartercircle"
	"lamcap/saddle"
)

// grid runs cells for tests.
type grid struct {
	t       *testing.T
	records []sweep.Record
}

type ask struct {
	measure sweep.Measure
	model   pattern.Model
	d, rank int // rank 0: full
	p       int
	rule    learn.Rule
	options sweep.Options
	keys    pattern.Embedding // and values
	trials  int
}

func (g *grid) run(a ask) {
	if a.rank == 0 {
		a.rank = a.d
	}
	n, err := quartercircle.NewSpectra().EffectiveDimension(a.d, a.d, a.rank)
	require.NoError(g.t, err)
	critical, err := saddle.CriticalFacts(n.Value)
	require.NoError(g.t, err)
	c := sweep.Cell{
		Address: sweep.Address{
			Experiment: "test", Measure: a.measure, Rank: a.rank, Rule: a.rule, Seed: 7,
			Spec: pattern.Spec{Model: a.model, DIn: a.d, DOut: a.d, P: a.p, N: a.p, Keys: a.keys, Values: a.keys},
		},
		Options: a.options, Critical: critical.Facts,
	}
	for t := range a.trials {
		r, err := sweep.Execute(c, uint64(t))
		require.NoError(g.t, err)
		r.Program = sweep.Program{Version: "v1", Revision: "abc", Arch: "amd64", Instructions: "avx2"}
		// Not as long as it took: tests compare bytes.
		r.Started, r.Worker = time.Date(2026, 1, 2, 3, 4, t, 0, time.UTC), "w1"
		r.Result.Seconds, r.Result.ProofSeconds = 0.5, 0.25
		g.records = append(g.records, r)
	}
}

// some are records for every section, of memories so small that all takes seconds.
var some = sync.OnceValue(func() []sweep.Record {
	g := &grid{t: failing()}
	both := []pattern.Model{pattern.OP, pattern.DP}
	for _, m := range both {
		for _, p := range []int{11, 13, 15, 17, 19} {
			g.run(ask{model: m, d: 6, p: p, trials: 30})
		}
		for _, p := range []int{9, 11, 13} {
			g.run(ask{model: m, d: 6, rank: 3, p: p, trials: 6})
		}
		for _, p := range []int{5, 10, 20, 40} {
			g.run(ask{measure: sweep.Training, model: m, d: 8, p: p, rule: learn.Hebb, keys: pattern.Sphere, trials: 20})
		}
		for _, p := range []int{15, 30} {
			g.run(ask{measure: sweep.Training, model: m, d: 8, p: p, options: sweep.Options{Spectrum: true}, trials: 4})
		}
		g.run(ask{measure: sweep.Training, model: m, d: 8, p: 14, options: sweep.Options{Scores: true}, trials: 4})
	}
	return g.records
})

// failing is a test that panics where it would fail: helpers need one outside of tests too.
func failing() *testing.T { return &testing.T{} }

var built = sync.OnceValues(func() (*page.Document, error) { return Build(some(), Options{References: 50}) })

func document(t *testing.T) *page.Document {
	t.Helper()
	d, err := built()
	require.NoError(t, err)
	return d
}

func find(t *testing.T, d *page.Document, name string) *table.Table {
	t.Helper()
	tables, _, err := parts(d)
	require.NoError(t, err)
	for _, x := range tables {
		if x.Name == name {
			return x
		}
	}
	require.Fail(t, "no table "+name)
	return nil
}

// value is a cell by its key.
func value(t *testing.T, x *table.Table, row int, key string) any {
	t.Helper()
	i := slices.IndexFunc(x.Columns, func(c table.Column) bool { return c.Key == key })
	require.GreaterOrEqual(t, i, 0, "%s has no column %s", x.Name, key)
	return x.Rows[row][i]
}

func TestSectionsAreThereWhereRecordsAre(t *testing.T) {
	d := document(t)
	var ids []string
	for _, s := range d.Sections {
		ids = append(ids, s.ID)
		if s.ID != "rejections" {
			assert.NotEmpty(t, s.Figures, s.ID)
		}
		assert.NotEmpty(t, s.Tables, s.ID)
	}
	assert.Equal(t, []string{"capacity", "stored_fraction", "half_points", "accuracy", "singular_values", "scores", "rejections"}, ids)

	hebb := slices.DeleteFunc(slices.Clone(some()), func(r sweep.Record) bool { return r.Rule != learn.Hebb || r.Spec.Model != pattern.DP })
	d, err := Build(hebb, Options{})
	require.NoError(t, err)
	require.Len(t, d.Sections, 2)
	assert.Equal(t, "accuracy", d.Sections[0].ID)
}

// Tables are to fit on paper: people see a dozen columns at most, though machines get all.
func TestTablesAreNarrow(t *testing.T) {
	tables, _, err := parts(document(t))
	require.NoError(t, err)
	require.Greater(t, len(tables), 10)
	for _, x := range tables {
		visible := 0
		for _, c := range x.Columns {
			if !c.Hidden {
				visible++
			}
		}
		assert.LessOrEqual(t, visible, 12, x.Name)
		if visible < len(x.Columns) {
			assert.Equal(t, fmt.Sprintf("The CSV file has %s besides.", counted(len(x.Columns)-visible, "column")), x.Notes[slices.IndexFunc(x.Notes, func(n string) bool { return strings.HasPrefix(n, "The CSV") })], x.Name)
		}
	}
}

// OP and DP beside each other are compared by eye: on the same axes.
func TestPanelsShareRanges(t *testing.T) {
	_, figures, err := parts(document(t))
	require.NoError(t, err)
	seen := 0
	for _, f := range figures {
		if f.Name != "capacity" && !strings.HasPrefix(f.Name, "stored_fraction") {
			continue
		}
		seen++
		require.Len(t, f.Panels, 2, f.Name)
		for _, axis := range []func(p chart.Panel) chart.Axis{func(p chart.Panel) chart.Axis { return p.X }, func(p chart.Panel) chart.Axis { return p.Y }} {
			a, b := axis(f.Panels[0]), axis(f.Panels[1])
			assert.Equal(t, a, b, f.Name)
			assert.Less(t, a.Min, a.Max, f.Name)
		}
	}
	assert.Equal(t, 3, seen)
}

// The error of a law of draws is told, and is that of its peak.
func TestPeakError(t *testing.T) {
	assert.Zero(t, peakError(find(t, document(t), "score_histograms")), "no law of vector level next to capacity")
	small := &table.Table{Columns: []table.Column{{Key: "level"}, {Key: "correct_law"}, {Key: "correct_law_error"}, {Key: "wrong_law"}, {Key: "wrong_law_error"}}}
	for i := range 2 * scoreBins {
		level := []string{"vector", "score"}[i/scoreBins] // of score level: no draws
		switch i % scoreBins {
		case 3:
			small.Append(level, 2., 0.1, nil, nil) // the peak: 5%
		default:
			small.Append(level, 1., 0.5, nil, nil)
		}
	}
	assert.Equal(t, 0.05, peakError(small))
}

// The counts and intervals of the report are those of the records.
func TestStoredFractions(t *testing.T) {
	x := find(t, document(t), "stored_fraction")
	rows := 0
	for i := range x.Rows {
		stored, undecided, trials := 0, 0, 0
		for _, r := range some() {
			if r.Measure == sweep.Storage && r.Spec.Model == value(t, x, i, "model") && r.Rank == value(t, x, i, "rank") && r.Spec.P == value(t, x, i, "p") {
				trials++
				switch r.Result.Outcome {
				case trial.Stored:
					stored++
				case trial.Undecided:
					undecided++
				}
			}
		}
		rows += trials
		o := stats.Outcomes{Stored: stored, Undecided: undecided, Trials: trials}
		assert.Equal(t, []any{trials, stored, undecided}, []any{value(t, x, i, "trials"), value(t, x, i, "stored"), value(t, x, i, "undecided")})
		assert.Equal(t, table.Interval(o.Interval(0.95)), value(t, x, i, "fraction_interval"))
	}
	assert.Equal(t, 2*(5*30+3*6), rows)
}

// With data drawn from the theory nothing disagrees, with data from the limit much does: 13 loads are
// judged, and each of the others' counts is impossible.
func TestVerdicts(t *testing.T) {
	d := document(t)
	x := find(t, d, "stored_fraction")
	judged := 0
	for i := range x.Rows {
		v := value(t, x, i, "verdict").(stats.Verdict)
		switch value(t, x, i, "model") {
		case pattern.DP:
			assert.Equal(t, stats.OK, v)
			judged++
		default:
			assert.Equal(t, stats.Untested, v, "OP has no theory of a load")
		}
	}
	assert.Equal(t, 8, judged)
	rejected := 0
	r := find(t, d, "rejections")
	for i := range r.Rows {
		if strings.Contains(value(t, r, i, "theory").(string), "(the limit) for DP d = 6") && value(t, r, i, "verdict") == "rejected" {
			rejected++
		}
	}
	assert.Equal(t, 2, rejected, "at full rank and below")

	// Nothing stored where theory has nearly all: told.
	wrong := slices.Clone(some())
	for i := range wrong {
		if wrong[i].Measure == sweep.Storage {
			wrong[i].Result.Outcome = trial.NotStorable
		}
	}
	wrong = slices.DeleteFunc(wrong, func(r sweep.Record) bool { return r.Measure != sweep.Storage })
	d, err := Build(wrong, Options{})
	require.NoError(t, err)
	x = find(t, d, "stored_fraction")
	for i := range x.Rows {
		if value(t, x, i, "model") == pattern.DP && value(t, x, i, "p") == 11 && value(t, x, i, "rank") == 6 {
			assert.Equal(t, stats.Disagrees, value(t, x, i, "verdict"))
		}
	}
	assert.Contains(t, d.Abstract[1], "disagree")
}

// An undecided instance is read both ways: below full rank the half-point's interval holds those of
// both readings, and is open where all undecided ones may be stored.
func TestHalfPointsHoldForUndecided(t *testing.T) {
	var records []sweep.Record
	for _, r := range some() {
		if r.Measure == sweep.Storage && r.Spec.Model == pattern.DP && r.Rank == 3 {
			r.Result.Outcome = trial.Stored
			if r.Spec.P == 13 || r.Spec.P == 11 && r.Trial%2 == 0 {
				r.Result.Outcome = trial.Undecided
			}
			records = append(records, r)
		}
	}
	d, err := Build(records, Options{})
	require.NoError(t, err)
	x := find(t, d, "capacity")
	require.Len(t, x.Rows, 1)
	i := value(t, x, 0, "p_half_interval").(table.Interval)
	assert.True(t, math.IsInf(i.Hi, 1))
	found := value(t, x, 0, "found_interval").(table.Interval)
	assert.Equal(t, found.Lo, i.Lo)
	assert.Less(t, found.Hi, 14.)
	assert.Equal(t, 11., value(t, x, 0, "p_half"), "of what was found")
}

// Few found at the first load and none beyond, or all but few at the last: the half-point lies beyond
// the loads, wherever.
func TestNoHalfPointWhereLoadsDoNotReachIt(t *testing.T) {
	for _, most := range []struct {
		outcome, other trial.Outcome
		p              int // of the one trial with the other outcome
	}{{trial.Undecided, trial.Stored, 9}, {trial.Stored, trial.NotStorable, 13}} {
		var records []sweep.Record
		for _, r := range some() {
			if r.Measure != sweep.Storage || r.Spec.Model != pattern.DP || r.Rank != 3 {
				continue
			}
			r.Result.Outcome = most.outcome
			if r.Spec.P == most.p && r.Trial == 0 {
				r.Result.Outcome = most.other
			}
			records = append(records, r)
		}
		d, err := Build(records, Options{})
		require.NoError(t, err)
		x := find(t, d, "capacity")
		require.Len(t, x.Rows, 1)
		assert.Nil(t, value(t, x, 0, "p_half"), most.p)
		assert.Equal(t, stats.Untested, value(t, x, 0, "verdict"), "a prediction, of what searches found")
		for _, s := range d.Sections {
			for _, f := range s.Figures {
				assert.NotEqual(t, "capacity", f.Name, "it would show no half-point")
			}
		}
	}
}

// Cells that keep spectra and cells that do not are in one order of loads: wrong theories are put
// to the first and the last.
func TestRecallsAreInOrderOfLoads(t *testing.T) {
	records := slices.Clone(some())
	for i := range records {
		if records[i].Spec.P == 30 { // without, and 15 with
			records[i].Options.Spectrum = false
		}
	}
	b := &builder{spectra: quartercircle.NewSpectra()}
	var err error
	b.cells, err = newCells(records)
	require.NoError(t, err)
	all := b.recalls()
	for _, g := range grouped(all, recall.curve) {
		assert.True(t, slices.IsSortedFunc(g.all, func(x, y recall) int { return cmp.Compare(x.spec.P, y.spec.P) }), g.name)
	}
}

// The limit 1/2 is of the load p log p/d², n = p: at n fixed it is none.
func TestNoLimitAmongFixedCandidates(t *testing.T) {
	var records []sweep.Record
	for _, r := range some() {
		decided := r.Measure == sweep.Storage && r.Rank == 6
		if r.Spec.Model == pattern.DP && (decided || r.Rule == learn.Hebb) {
			r.Spec.N = 7
			records = append(records, r)
		}
	}
	d, err := Build(records, Options{})
	require.NoError(t, err)
	for name, column := range map[string]string{"capacity": "alpha_limit", "stored_fraction": "limit", "accuracy": "limit"} {
		x := find(t, d, name)
		require.NotEmpty(t, x.Rows)
		for i := range x.Rows {
			assert.Nil(t, value(t, x, i, column), name)
		}
	}
	r := find(t, d, "rejections")
	for i := range r.Rows {
		assert.NotContains(t, value(t, r, i, "theory"), "the limit's step")
	}
}

// The line of the score level is interpolated: between its nodes it is right to 0.002, where
// straight lines between them would be off by more than five times as much.
func TestScoreLevelIsInterpolatedWell(t *testing.T) {
	c, err := saddle.CriticalFacts(36)
	require.NoError(t, err)
	b := &builder{trained: map[saddle.Training]*saddle.Trained{}}
	p := accuracyPanel{shape: shape{6, 6, 6}, weights: 36, critical: c.Facts}
	for _, facts := range []int{18, 36} {
		p.all = append(p.all, recall{cell: &cell{ensemble: ensemble{spec: pattern.Spec{DIn: 6, DOut: 6, P: facts, N: facts}, rank: 6}}})
	}
	require.NoError(t, b.train(p.between()))
	line, err := b.scoreLevel(p)
	require.NoError(t, err)
	facts := 1.1 * c.Facts // between the nodes at 1.03 and 1.21
	exact, err := saddle.SolveTraining(p.at(facts))
	require.NoError(t, err)
	i := slices.IndexFunc(line, func(q chart.Point) bool { return q.X >= p.load(facts) })
	a, z := line[i-1], line[i]
	at := a.Y + (z.Y-a.Y)*(p.load(facts)-a.X)/(z.X-a.X)
	assert.InDelta(t, exact.Accuracy.Value, at, 0.002)
	nodes := p.nodes()
	k := slices.IndexFunc(nodes, func(x float64) bool { return x > facts })
	lo, hi := nodes[k-1], nodes[k]
	straight := b.trained[p.at(lo)].Accuracy.Value + (b.trained[p.at(hi)].Accuracy.Value-b.trained[p.at(lo)].Accuracy.Value)*(facts-lo)/(hi-lo)
	assert.Greater(t, math.Abs(straight-exact.Accuracy.Value), 0.01, "else the test shows nothing")
}

// Lines of theory between few nodes go through all of them, fall as they do, and are DP's by name
// beside OP.
func TestLinesOfTheory(t *testing.T) {
	d := document(t)
	rows := find(t, d, "stored_fraction")
	for _, s := range d.Sections[:2] {
		for _, panel := range s.Figures[0].Panels {
			i := slices.IndexFunc(panel.Series, func(x chart.Series) bool {
				return strings.HasPrefix(x.Name, "d = ") && strings.HasSuffix(x.Name, "theory")
			})
			require.GreaterOrEqual(t, i, 0)
			line := panel.Series[i]
			assert.Equal(t, strings.HasPrefix(panel.Title, "OP"), strings.HasSuffix(line.Name, ", DP's theory"), "%s: %s", panel.Title, line.Name)
			if s.ID != "stored_fraction" {
				continue
			}
			require.Greater(t, len(line.Points), 100)
			for i, p := range line.Points[1:] {
				assert.Less(t, line.Points[i].X, p.X)
				assert.LessOrEqual(t, p.Y, line.Points[i].Y)
			}
			for i := range rows.Rows {
				if value(t, rows, i, "rank") != value(t, rows, i, "d_in") {
					continue
				}
				alpha := value(t, rows, i, "alpha").(float64)
				k := slices.IndexFunc(line.Points, func(p chart.Point) bool { return p.X > alpha })
				a, z := line.Points[k-1], line.Points[k]
				assert.InDelta(t, value(t, rows, i, "probability"), a.Y+(z.Y-a.Y)*(alpha-a.X)/(z.X-a.X), 2e-4, "α = %v", alpha)
			}
		}
	}
}

func TestTheSameRecordsGiveTheSameBytes(t *testing.T) {
	write := func(records []sweep.Record) map[string]string {
		// What is fast: no saddle points of training, no laws of scores, nor Hebb's of one pool.
		records = slices.DeleteFunc(slices.Clone(records), func(r sweep.Record) bool {
			return r.Rule == learn.Hebb && r.Spec.Model == pattern.OP || r.Measure == sweep.Training && r.Rule != learn.Hebb && (r.Options.Scores || r.Spec.P > 20)
		})
		d, err := Build(records, Options{References: 20})
		require.NoError(t, err)
		dir := filepath.Join(t.TempDir(), "report")
		require.NoError(t, Write(dir, d, records))
		files := map[string]string{}
		require.NoError(t, filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
			if err == nil && !e.IsDir() {
				var text []byte
				text, err = os.ReadFile(path)
				files[strings.TrimPrefix(path, dir)] = string(text)
			}
			return err
		}))
		return files
	}
	first := write(some())
	shuffled := slices.Clone(some())
	rand.New(rand.NewPCG(1, 2)).Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
	previous := runtime.GOMAXPROCS(1)
	defer runtime.GOMAXPROCS(previous)
	second := write(shuffled)
	require.Equal(t, len(first), len(second))
	for name, text := range first {
		assert.True(t, second[name] == text, "%s differs", name)
	}
}

func TestTrialsReadBack(t *testing.T) {
	records := slices.Clone(some())
	records[0].Result.Margin = math.NaN()
	records[0].Result.MarginBound = math.Inf(1)
	records[0].Started = time.Time{}
	var b bytes.Buffer
	require.NoError(t, writeTrials(&b, records))
	rows, err := parquet.Read[trialRow](bytes.NewReader(b.Bytes()), int64(b.Len()))
	require.NoError(t, err)
	require.Len(t, rows, len(records))
	cells, err := newCells(records)
	require.NoError(t, err)
	i, spectra, without := 0, 0, 0
	for _, c := range cells {
		for _, r := range c.records {
			x := rows[i]
			i++
			assert.Equal(t, r.Trial, x.Trial)
			assert.Equal(t, int64(r.Spec.P), x.P)
			assert.Equal(t, r.Spec.Model.String(), x.Model)
			assert.Equal(t, r.Result.Outcome.String(), x.Outcome)
			assert.Equal(t, math.Float64bits(r.Result.Accuracy), math.Float64bits(x.Accuracy))
			for _, n := range []struct {
				is  float64
				has *float64
			}{{r.Loss, x.Loss}, {r.Norm, x.Norm}, {r.Result.Margin, x.Margin}, {r.Result.MarginBound, x.MarginBound}} {
				if math.IsNaN(n.is) {
					assert.Nil(t, n.has)
				} else if assert.NotNil(t, n.has) {
					assert.Equal(t, n.is, *n.has)
				}
			}
			if r.SingularValues == nil {
				without++
				assert.Nil(t, x.SingularValues)
			} else {
				spectra++
				assert.Equal(t, r.SingularValues, x.SingularValues)
			}
			assert.Equal(t, r.Correct, x.Correct)
			assert.Equal(t, r.Wrong, x.Wrong)
			if r.Started.IsZero() {
				assert.Nil(t, x.Started)
			} else {
				assert.True(t, r.Started.Equal(*x.Started))
			}
		}
	}
	assert.Equal(t, 2*2*4, spectra)
	assert.Positive(t, without)
	assert.True(t, math.IsInf(*rows[slices.IndexFunc(rows, func(x trialRow) bool { return x.Margin == nil && x.Started == nil })].MarginBound, 1))
}

func TestWriteReplacesReportsAlone(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "report")
	d := &page.Document{Title: "first", Provenance: []*table.Table{{Name: "one", Columns: []table.Column{{Key: "x"}}, Rows: [][]any{{1}}}}}
	require.NoError(t, Write(dir, d, some()[:2]))
	list, err := Files(dir)
	require.NoError(t, err)
	var names []string
	for _, r := range list.Rows {
		info, err := os.Stat(filepath.Join(dir, r[0].(string)))
		require.NoError(t, err)
		assert.Equal(t, r[1], info.Size())
		names = append(names, r[0].(string))
	}
	assert.Equal(t, []string{"index.html", "tables/one.txt", "tables/one.md", "tables/one.tex", "tables/one.csv", "trials.parquet"}, names)

	d.Title, d.Provenance[0].Name = "second", "two"
	require.NoError(t, Write(dir, d, some()[:2]))
	text, err := os.ReadFile(filepath.Join(dir, "index.html"))
	require.NoError(t, err)
	assert.Contains(t, string(text), "second")
	assert.NoFileExists(t, filepath.Join(dir, "tables", "one.txt"), "of the older report")

	notes := filepath.Join(dir, "notes.txt")
	require.NoError(t, os.WriteFile(notes, []byte("mine"), 0o600))
	assert.ErrorContains(t, Write(dir, d, some()[:2]), "holds notes.txt, which is not of a report: want the name of a new folder")
	assert.FileExists(t, notes)
	assert.ErrorContains(t, Write(notes, d, some()[:2]), "no folder")

	// Told before a report is made: a place where none can be put.
	assert.ErrorContains(t, Refuse(filepath.Join(dir, "no", "such", "folder")), "no folder can be made there (no such file or directory)")
	for _, there := range []string{".", "..", "a/..", "/"} {
		assert.ErrorContains(t, Refuse(there), "cannot be replaced as a whole: want the name of a new folder", there)
	}
	assert.ErrorContains(t, Refuse(dir), "holds notes.txt")
	require.NoError(t, Refuse(filepath.Join(filepath.Dir(dir), "other")))

	// A report that cannot be finished leaves the older one, and nothing else.
	require.NoError(t, os.Remove(notes))
	bad := &page.Document{Title: "third", Provenance: []*table.Table{d.Provenance[0], d.Provenance[0]}}
	assert.ErrorContains(t, Write(dir, bad, some()[:2]), "table two: want its name once")
	text, err = os.ReadFile(filepath.Join(dir, "index.html"))
	require.NoError(t, err)
	assert.Contains(t, string(text), "second")
	left, err := os.ReadDir(filepath.Dir(dir))
	require.NoError(t, err)
	assert.Len(t, left, 1)
}

func TestErrors(t *testing.T) {
	_, err := Build(nil, Options{})
	assert.EqualError(t, err, "no records: want the records of one trial at least, as lamcap sweep run makes them")
	_, err = Build([]sweep.Record{some()[0], some()[1], some()[0]}, Options{})
	assert.ErrorContains(t, err, "trial 0: two records: want one of each trial")
	for want, o := range map[string]Options{
		"confidence = 2: want 0 < confidence < 1, or 0 for 0.95": {Confidence: 2},
		"rate = 1: want 0 < rate < 1, or 0 for 0.01":             {Rate: 1},
		"references = 1: want references ≥ 2, or 0 for 400":      {References: 1},
	} {
		_, err := Build(some()[:1], o)
		assert.EqualError(t, err, want)
	}
}

func TestLoadsInvert(t *testing.T) {
	s := shape{12, 20, 12}
	for _, p := range []float64{1, 2, 17.5, 1e4} {
		assert.InEpsilon(t, p, factsAt(s.load(p), s), 1e-12)
	}
	assert.Zero(t, s.load(0.5))
}
