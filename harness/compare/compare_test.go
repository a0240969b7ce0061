package compare

import (
	"context"
	"math"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"lamcap/harness/stats"
)

// quick is a small report: d = 8 and 12 in place of 12, 16 and 24.
func quick(theory Theory) Options {
	return Options{Seed: 7, Theory: theory, quick: true}
}

// right is the small report of the right theory, with what its progress was told and the
// outcomes of its transitions, by which other theories are judged too.
var right = sync.OnceValues(func() (rightReport, error) {
	o := quick(nil)
	out := rightReport{decided: map[string]measured{}, progress: &counter{}}
	o.Progress, o.decided = out.progress, out.decided
	r, err := Verify(context.Background(), o)
	out.Report = r
	return out, err
})

type rightReport struct {
	*Report
	decided  map[string]measured
	progress *counter
}

// rightSections returns the parts of the small report of the right theory with a letter.
func rightSections(t *testing.T, letter string) []Section {
	t.Helper()
	r, err := right()
	require.NoError(t, err)
	var out []Section
	for _, s := range r.Sections {
		if s.Letter == letter {
			out = append(out, s)
		}
	}
	return out
}

func verify(t *testing.T, o Options) *Report {
	t.Helper()
	r, err := Verify(context.Background(), o)
	require.NoError(t, err)
	return r
}

// skipShort leaves out what is about statistics: short runs are for the race detector.
func skipShort(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("a report of its own")
	}
}

// A harness that cannot fail is no harness: with D_n = 2 log n, the limit α_c =
// 1/2, in place of the statistical dimension, verify must disagree, in every
// section that rests on it.
func TestWrongTheoryDisagrees(t *testing.T) {
	skipShort(t)
	known, err := right()
	require.NoError(t, err)
	o := quick(LimitDimension())
	o.decided = known.decided
	require.NoError(t, o.prepare())
	transitions, err := o.transitionSections()
	require.NoError(t, err)
	r := &Report{Rate: o.Rate}
	// What rests on the theory of capacity, and what does not.
	for _, s := range []section{o.identities(), transitions} {
		done, err := s.run(context.Background())
		require.NoError(t, err)
		r.Sections = append(r.Sections, done...)
	}
	r.judge()
	wrong := map[string]int{}
	for _, s := range r.Sections {
		for _, row := range s.Rows {
			if row.Verdict == stats.Disagrees {
				wrong[s.Name]++
			}
		}
	}
	assert.Positive(t, wrong["capacity"])
	assert.Positive(t, wrong["rank"])
	assert.Positive(t, wrong["finite_size"])
	assert.Positive(t, wrong["transition"])
	assert.Zero(t, wrong["identities"], "they do not depend on the theory of capacity")
	assert.NotEmpty(t, r.Disagreements())
}

// A capacity that is off by 4% must be noticed too, by the whole curve of d = 8 or 12 alone: the
// power that the small report has. The right one is kept, with a statement of what is told apart.
func TestWholeCurves(t *testing.T) {
	skipShort(t)
	reports := wholeCurves(t, scaled{Exact{}, 0.96}, scaled{Exact{}, 1.04}, Exact{})
	for _, r := range reports[:2] {
		require.NotEmpty(t, r.Disagreements())
		for _, row := range r.Disagreements() {
			assert.True(t, strings.HasPrefix(row.Quantity, "DP"), row.Quantity) // OP's shape is right
		}
	}
	r := reports[2]
	assert.Empty(t, r.Disagreements())
	rows := 0
	for _, row := range r.Sections[0].Rows {
		if row.Resolution == nil {
			continue
		}
		rows++
		kept, detectable := row.Resolution.Kept, row.Resolution.Detectable
		assert.True(t, kept.Contains(row.Measured), row.Quantity)
		assert.Less(t, kept.Lo, row.Interval.Lo, "the level of a report is stricter than 5%")
		assert.Greater(t, kept.Hi, row.Interval.Hi)
		if strings.HasPrefix(row.Quantity, "OP") {
			assert.Greater(t, row.Interval.Lo, 1., "OP stores more than DP")
			assert.True(t, math.IsNaN(detectable.Lo))
			continue
		}
		assert.True(t, kept.Contains(1), row.Quantity)
		// 40 × 9 trials: 4 standard errors of a width of 0.08 or 0.06, and 0.9 of the width each.
		assert.InDelta(t, 0.96, detectable.Lo, 0.02)
		assert.InDelta(t, 1.04, detectable.Hi, 0.02)
	}
	assert.Equal(t, 4, rows, "DP and OP at two sizes")
	notes := strings.Join(r.Tables()[0].Notes, "\n")
	assert.Contains(t, notes, "is found with probability 0.9")
	assert.Contains(t, notes, "rejects the curve of DP for OP d=12: z = ")
	assert.True(t, strings.Contains(print(t, r), `"kept":[0.9`))
}

// wholeCurves judges theories by the section on transitions alone, all by the same instances.
func wholeCurves(t *testing.T, theories ...Theory) []*Report {
	t.Helper()
	known, err := right()
	require.NoError(t, err)
	o := quick(nil)
	o.decided = known.decided
	require.NoError(t, o.prepare())
	problems, err := o.problems()
	require.NoError(t, err)
	reports := make([]*Report, len(theories))
	for i := range theories {
		reports[i] = &Report{Rate: o.Rate, Sections: []Section{newCurveSection()}}
	}
	for _, p := range problems {
		m, err := o.measure(context.Background(), p)
		require.NoError(t, err)
		for i, theory := range theories {
			o.Theory = theory
			critical, err := theory.Critical(p.weights)
			require.NoError(t, err)
			require.NoError(t, o.curveRows(p, critical, m, &reports[i].Sections[0]))
		}
	}
	for _, r := range reports {
		r.judge()
	}
	return reports
}

// scaled is a theory whose weights count for more than they do.
type scaled struct {
	Theory
	by float64
}

func (s scaled) Critical(weights float64) (float64, error) { return s.Theory.Critical(weights * s.by) }
func (s scaled) Storable(weights float64, p int) (float64, error) {
	return s.Theory.Storable(weights*s.by, p)
}

// The right theory agrees, progress is complete, and the report does not depend
// on the number of threads.
func TestReport(t *testing.T) {
	o := quick(nil)
	instances, err := Instances(o)
	require.NoError(t, err)
	known, err := right()
	require.NoError(t, err)
	r := known.Report
	assert.Equal(t, instances, known.progress.n)
	assert.Empty(t, r.Disagreements())
	for _, s := range r.Sections {
		require.NotEmpty(t, s.Rows, s.Name)
		for _, row := range s.Rows {
			assert.False(t, math.IsNaN(row.Predicted) && row.Verdict != stats.Untested, row.Quantity)
			assert.False(t, math.IsNaN(row.Measured), row.Quantity)
			if !math.IsNaN(row.Interval.Lo) {
				assert.LessOrEqual(t, row.Interval.Lo, row.Interval.Hi, row.Quantity)
			}
			tested := !math.IsNaN(row.P) || row.Bounded
			assert.Equal(t, tested, row.Verdict != stats.Untested, row.Quantity)
			if !math.IsNaN(row.P) {
				// z is the normal equivalent of p.
				assert.InDelta(t, row.P, 2*math.Exp(logSurvival(math.Abs(row.Z))), 1e-6, row.Quantity)
			}
		}
	}
	records := print(t, r)
	assert.Contains(t, records, `"kind":"row","section":"capacity","quantity":"DP d=12 p=40 stored","predicted":0.504`)
	assert.Contains(t, records, `"kind":"rejection","section":"capacity","quantity":"D_n = 2 log n (the limit) for DP d=12"`)
	assert.Contains(t, records, `"trials":40,"rate":0.01,"seed":7,`)
	hulls := 0
	for _, s := range r.Sections {
		for _, reject := range s.Rejections {
			if strings.Contains(reject.Theory, "(no hulls) for DP d_out=4 d_in=16 n=8") {
				assert.True(t, reject.At(r.Rate), reject)
				hulls++
			}
		}
	}
	assert.Equal(t, 1, hulls)
	notes := r.Tables()[len(r.Sections)-1].Notes
	assert.Contains(t, notes[len(notes)-2], "rows judged, 0 disagree")

	if testing.Short() {
		return
	}
	previous := runtime.GOMAXPROCS(1)
	defer runtime.GOMAXPROCS(previous)
	// All again but the transitions at d = 12, which go the way of those at d = 8.
	again := quick(nil)
	again.decided = map[string]measured{}
	for streams, m := range known.decided {
		if m.d == 12 {
			again.decided[streams] = m
		}
	}
	require.NotEmpty(t, again.decided)
	assert.Equal(t, records, print(t, verify(t, again)), "GOMAXPROCS = 1")
}

type counter struct{ n int }

func (c *counter) Add(n int) { c.n += n }
func (c *counter) Done()     {}

func TestOptionsAreChecked(t *testing.T) {
	_, err := Verify(context.Background(), Options{Rate: 1})
	assert.EqualError(t, err, "rate = 1: want 0 < rate < 1, the probability of any false alarm")
	_, err = Instances(Options{Rate: math.NaN()})
	assert.Error(t, err)
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := Verify(ctx, quick(nil))
	assert.ErrorIs(t, err, context.Canceled)
}

// Bounded rows disagree when the difference exceeds the bound.
func TestBoundedRows(t *testing.T) {
	r := &Report{Rate: 0.01, Sections: []Section{{Rows: []Row{
		bounded("inside", 1, 1.001, 0.002),
		bounded("outside", 1, 1.001, 0.0005),
		bounded("not a number", math.NaN(), 1, 1),
	}}}}
	r.judge()
	assert.Equal(t, stats.OK, r.Sections[0].Rows[0].Verdict)
	assert.Equal(t, stats.Disagrees, r.Sections[0].Rows[1].Verdict)
	assert.Equal(t, stats.Disagrees, r.Sections[0].Rows[2].Verdict)
}

// Holm over the whole report: 20 rows at p = 0.02 are no finding, one at 1e-4
// among them is.
func TestVerdictsAreTakenTogether(t *testing.T) {
	r := &Report{Rate: 0.01, Sections: []Section{{Name: "a"}, {Name: "b"}}}
	for i := range 20 {
		r.Sections[i%2].Rows = append(r.Sections[i%2].Rows, Row{P: 0.02})
	}
	r.judge()
	assert.Empty(t, r.Disagreements())
	r.Sections[1].Rows[3].P = 1e-4
	r.judge()
	require.Len(t, r.Disagreements(), 1)
}

func TestLimitDimension(t *testing.T) {
	limit := LimitDimension()
	p, err := limit.Critical(576)
	require.NoError(t, err)
	// α = p log p/d² = 1/2.
	assert.InDelta(t, 0.5, p*math.Log(p)/576, 1e-12)
	half, err := limit.Storable(576, int(math.Round(p)))
	require.NoError(t, err)
	assert.InDelta(t, 0.5, half, 0.1)
	_, err = limit.Critical(0.1)
	assert.ErrorContains(t, err, "weights = 0.1")
}

// The loads of a whole curve are those of capacity and others, in order, each once.
func TestWith(t *testing.T) {
	a := measured{transition{loads: []int{38, 40, 42}}, []stats.Outcomes{{Stored: 3}, {Stored: 2}, {Stored: 1}}}
	b := measured{transition{loads: without([]int{36, 40, 41}, a.loads)}, []stats.Outcomes{{Stored: 9}, {Stored: 8}}}
	whole := a.with(b)
	assert.Equal(t, []int{36, 38, 40, 41, 42}, whole.loads)
	assert.Equal(t, []stats.Outcomes{{Stored: 9}, {Stored: 3}, {Stored: 2}, {Stored: 8}, {Stored: 1}}, whole.outcomes)
}

func TestAround(t *testing.T) {
	assert.Equal(t, []int{38, 40, 42}, around(40, 2, []float64{-1, 0, 1}))
	assert.Equal(t, []int{2, 3}, around(2.6, 0.2, []float64{-9, -1, 0, 1}), "distinct, and at least 2")
}

func print(t *testing.T, r *Report) string {
	t.Helper()
	var b strings.Builder
	require.NoError(t, writeJSON(&b, r))
	return b.String()
}
