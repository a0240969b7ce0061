package report

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"lamcap/harness/chart"
	"lamcap/harness/learn"
	"lamcap/harness/pattern"
	"lamcap/harness/stats"
	"lamcap/harness/sweep"
	"lamcap/harness/table"
	"lamcap/harness/trial"
	"lamcap/quartercircle"
	"lamcap/saddle"
)

// series are those of a figure, or of its pages, by a mark, with the titles of their panels.
func series(t *testing.T, figures []chart.Figure, name string, mark chart.Mark) (out []chart.Series, panels []string) {
	t.Helper()
	for _, f := range figures {
		if f.Name != name && !strings.HasPrefix(f.Name, name+"_") {
			continue
		}
		for _, p := range f.Panels {
			for _, s := range p.Series {
				if s.Mark == mark {
					out, panels = append(out, s), append(panels, p.Title)
				}
			}
		}
	}
	require.NotEmpty(t, out, name)
	return out, panels
}

// row is a row of a table by the keys of its columns.
type row struct {
	t    *testing.T
	of   *table.Table
	line int
}

func (r row) number(key string) float64 {
	x, ok := value(r.t, r.of, r.line, key).(float64)
	if !ok {
		return math.NaN()
	}
	return x
}

// has reports whether a point has the ordinate and the interval of columns.
func (r row) has(p chart.Point, key string) bool {
	in := value(r.t, r.of, r.line, key+"_interval").(table.Interval)
	return p.Y == r.number(key) && p.YLo == in.Lo && p.YHi == in.Hi
}

func (r row) model() string { return upper(value(r.t, r.of, r.line, "model").(pattern.Model)) }

// drawn counts the points that are no row of a table, as is tells, and those that are.
func drawn(t *testing.T, all []chart.Series, panels []string, x *table.Table, is func(r row, s chart.Series, panel string, p chart.Point) bool) (count int) {
	t.Helper()
	for i, s := range all {
		for _, p := range s.Points {
			found := false
			for line := range x.Rows {
				found = found || is(row{t, x, line}, s, panels[i], p)
			}
			assert.True(t, found, "%+v of %s in %s is no row of %s", p, s.Name, panels[i], x.Name)
			count++
		}
	}
	return count
}

// Every measured point of a figure is a row of its table, at its load and of its problem.
func TestEveryPointIsARow(t *testing.T) {
	d := document(t)
	_, figures, err := parts(d)
	require.NoError(t, err)

	x := find(t, d, "stored_fraction")
	all, panels := series(t, figures, "stored_fraction", chart.Points)
	n := drawn(t, all, panels, x, func(r row, s chart.Series, panel string, p chart.Point) bool {
		return strings.HasPrefix(panel, r.model()) && p.X == r.number("alpha") && r.has(p, "fraction")
	})
	assert.GreaterOrEqual(t, n, len(x.Rows))

	x = find(t, d, "capacity")
	all, panels = series(t, figures, "half_points", chart.Points)
	drawn(t, all, panels, x, func(r row, s chart.Series, panel string, p chart.Point) bool {
		at := float64(value(t, x, r.line, "d_out").(int))
		if panel == "to the limit" {
			return p.X == math.Log10(at) && r.has(p, "alpha_half")
		}
		return strings.HasPrefix(s.Name, r.model()) && p.X == at && r.has(p, "alpha_half")
	})

	x = find(t, d, "accuracy")
	all, panels = series(t, figures, "accuracy", chart.Points)
	n = drawn(t, all, panels, x, func(r row, s chart.Series, panel string, p chart.Point) bool {
		rule := "trained " // drawn beside their load
		if value(t, x, r.line, "rule") == learn.Hebb {
			rule = "Hebb "
		}
		shift := 0.01 * r.number("alpha")
		if rule == "trained " {
			shift = 0.05
		}
		return strings.HasPrefix(s.Name, rule+r.model()) && math.Abs(p.X-r.number("alpha")) <= shift && r.has(p, "accuracy")
	})
	assert.Equal(t, len(x.Rows), n)

	x = find(t, d, "singular_values")
	all, panels = series(t, figures, "singular_values", chart.Points)
	n = drawn(t, all, panels, x, func(r row, s chart.Series, panel string, p chart.Point) bool {
		return strings.HasPrefix(s.Name, r.model()) && p.X > r.number("lo") && p.X < r.number("hi") && r.has(p, "density")
	})
	assert.Equal(t, len(x.Rows), n)
	// The law at full rank: ∫ √(4 − x²)/π over the bin.
	quarter := func(x float64) float64 {
		x = min(max(x, 0), 2)
		return (x*math.Sqrt(4-x*x)/2 + 2*math.Asin(x/2)) / math.Pi
	}
	for line := range x.Rows {
		r := row{t, x, line}
		lo, hi := r.number("lo"), r.number("hi")
		assert.InDelta(t, (quarter(hi)-quarter(lo))/(hi-lo), r.number("law"), 1e-9)
		assert.Nil(t, value(t, x, line, "initial_law"))
	}
}

// The lines of theory beside half-points: each problem's own.
func TestLinesBesideHalfPoints(t *testing.T) {
	b := &builder{storable: saddle.NewTransition()}
	panel := b.nearPanel(nil, span{20, 20}) // 16 … 25
	all, _ := series(t, []chart.Figure{{Name: "near", Panels: []chart.Panel{panel}}}, "near", chart.Line)
	require.Len(t, all, 2)
	for _, s := range all {
		require.NotEmpty(t, s.Points, s.Name)
		for _, p := range s.Points[len(s.Points)/2:][:1] {
			d := int(p.X)
			want, err := b.storable.Decoupled(d).Facts(p.X*p.X, 0.5)
			require.NoError(t, err)
			facts := want.Value
			if strings.HasPrefix(s.Name, "OP") {
				of, err := saddle.OriginalFacts(d, d)
				require.NoError(t, err)
				facts = of.Facts.Value
			}
			assert.InEpsilon(t, alphaOf(facts, d), p.Y, 1e-12, s.Name)
		}
	}
}

// Histograms of scores are of their kind and problem, and are densities; so are the laws.
func TestScoresAreOfTheirKind(t *testing.T) {
	d := document(t)
	_, figures, err := parts(d)
	require.NoError(t, err)
	moments := func(points []chart.Point) (mass, mean float64) {
		h := (points[len(points)-1].X - points[0].X) / float64(len(points)-1)
		for _, p := range points {
			mass, mean = mass+h*p.Y, mean+h*p.Y*p.X
		}
		return mass, mean
	}
	all, _ := series(t, figures, "scores", chart.Points)
	require.Len(t, all, 4)
	for _, s := range all {
		var values []float64
		for _, r := range some() {
			if r.Correct == nil || !strings.HasSuffix(s.Name, upper(r.Spec.Model)) {
				continue
			}
			if strings.HasPrefix(s.Name, "target") {
				values = append(values, r.Correct...)
			} else {
				values = append(values, r.Wrong...)
			}
		}
		mass, mean := moments(s.Points)
		assert.InDelta(t, 1, mass, 1e-9, s.Name)
		assert.InDelta(t, stats.NewSample(values).Mean, mean, 0.05, s.Name)
	}
	summary := find(t, d, "scores")
	lines, _ := series(t, figures, "scores", chart.Dashed)
	seen := 0
	for _, s := range lines {
		kind := map[string]string{"target, score level": "correct", "largest other, score level": "wrong"}[s.Name]
		require.NotEmpty(t, kind, s.Name)
		mass, mean := moments(s.Points)
		// The panel ends where scores do, and cuts the laws: the mean is next to its own law's.
		own, other := row{t, summary, 0}.number(kind+"_mean_law"), row{t, summary, 0}.number(map[string]string{"correct": "wrong", "wrong": "correct"}[kind]+"_mean_law")
		assert.Less(t, math.Abs(mean/mass-own), 0.6*math.Abs(mean/mass-other), s.Name)
		seen++
	}
	assert.Equal(t, 2, seen)
}

// Below full rank: half-points stand at their κ with intervals that hold whatever the undecided
// instances are, and p_c is that of the rank.
func TestPointsBelowFullRank(t *testing.T) {
	var records []sweep.Record
	outcomes := map[int]trial.Outcome{9: trial.Stored, 11: trial.Stored, 13: trial.NotStorable}
	for _, r := range some() {
		if r.Measure == sweep.Storage && r.Spec.Model == pattern.DP && r.Rank == 3 {
			r.Result.Outcome = outcomes[r.Spec.P]
			if r.Spec.P == 11 && r.Trial%2 == 0 {
				r.Result.Outcome = trial.NotStorable
			}
			if r.Trial == 5 {
				r.Result.Outcome = trial.Undecided
			}
			records = append(records, r)
		}
	}
	var err error
	b := &builder{o: Options{Confidence: 0.95}, spectra: quartercircle.NewSpectra(), storable: saddle.NewTransition()}
	b.cells, err = newCells(records)
	require.NoError(t, err)
	b.assignColors()
	b.storage = b.transitions(b.cells)
	require.Len(t, b.storage, 1)
	h := b.storage[0].half
	require.True(t, h.measured())
	require.Less(t, h.found.Interval.Hi, h.possible.Interval.Hi)
	f, err := b.capacityFigure()
	require.NoError(t, err)
	all, _ := series(t, []chart.Figure{*f}, "capacity", chart.Points)
	p := all[0].Points[0]
	s := shape{6, 6, 3}
	assert.Equal(t, chart.Point{
		X: 0.5, Y: s.load(h.X), YLo: s.load(min(h.found.Interval.Lo, h.possible.Interval.Lo)), YHi: s.load(max(h.found.Interval.Hi, h.possible.Interval.Hi)),
	}, chart.Point{X: p.X, Y: p.Y, YLo: p.YLo, YHi: p.YHi})

	n, err := b.spectra.EffectiveDimension(6, 6, 3)
	require.NoError(t, err)
	critical, err := saddle.CriticalFacts(n.Value)
	require.NoError(t, err)
	r := records[0]
	r.Measure = sweep.Training
	c := &cell{ensemble: ensemble{measure: sweep.Training, spec: r.Spec, rank: 3}, records: []*sweep.Record{&r}}
	assert.InEpsilon(t, critical.Facts, b.summary("scores", c, c.records).Critical, 1e-12)
	b.cells = []*cell{c}
	recalls := b.recalls()
	require.Len(t, recalls, 1)
	assert.InEpsilon(t, critical.Facts, recalls[0].critical, 1e-12)
}

// Spectra below full rank have both laws beside them: the truncated one, without its low values, and
// that of the start.
func TestLawsOfSpectraBelowFullRank(t *testing.T) {
	g := &grid{t: t}
	g.run(ask{measure: sweep.Training, model: pattern.DP, d: 8, rank: 4, p: 12, options: sweep.Options{Spectrum: true}, trials: 2})
	d, err := Build(g.records, Options{References: 20})
	require.NoError(t, err)
	x := find(t, d, "singular_values")
	law, initial, lowest := 0.0, 0.0, math.Inf(1)
	for line := range x.Rows {
		r := row{t, x, line}
		width := r.number("hi") - r.number("lo")
		law, initial = law+width*r.number("law"), initial+width*r.number("initial_law")
		if r.number("law") > 0 {
			lowest = min(lowest, r.number("hi"))
		}
		if line == 0 {
			assert.Zero(t, r.number("law"), "the top half begins at x = 0.8")
			assert.Positive(t, r.number("initial_law"))
		}
	}
	assert.InDelta(t, 1, law, 1e-6)
	assert.InDelta(t, 0.95, initial, 0.05, "its tail goes on above what was measured")
	assert.Greater(t, lowest, 0.7)
}
