package scores

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"lamcap/harness/learn"
	"lamcap/harness/measure"
	"lamcap/harness/pattern"
	"lamcap/harness/stats"
	"lamcap/harness/table"
	"lamcap/internal/stream"
	"lamcap/quartercircle"
)

func measured(t *testing.T, s pattern.Spec, rule learn.Rule, trials int) Measurement {
	t.Helper()
	c := measure.Cell{Spec: s, Rule: rule, Rank: min(s.DIn, s.DOut), Load: 0.5, Critical: 1}
	ms, err := Run(context.Background(), []measure.Cell{c}, Options{Trials: trials, Seed: 3})
	require.NoError(t, err)
	return ms[0]
}

func law(t *testing.T, m Measurement, name string) Law {
	t.Helper()
	for _, l := range m.Laws {
		if l.Name == name {
			return l
		}
	}
	require.Fail(t, "no law "+name)
	return Law{}
}

// Hebb's scores in DP have the law at vector level, for both embeddings and for
// rectangular W, and not the limit's: |z| ≤ 4 for each of 12 numbers, a false alarm in
// 1,300 runs, and the seed is fixed.
func TestHebbAtVectorLevel(t *testing.T) {
	for _, s := range []pattern.Spec{
		{Model: pattern.DP, DIn: 16, DOut: 16, P: 40, N: 40},
		{Model: pattern.DP, DIn: 16, DOut: 16, P: 40, N: 40, Keys: pattern.Sphere, Values: pattern.Sphere},
		{Model: pattern.DP, DIn: 12, DOut: 24, P: 60, N: 20, Values: pattern.Sphere},
	} {
		m := measured(t, s, learn.Hebb, 250)
		vector, limit := law(t, m, "hebb_vector"), law(t, m, "hebb_limit")
		for kind, k := range map[string]struct {
			kind          Kind
			vector, limit Marginal
		}{"correct": {m.Correct, vector.Correct, limit.Correct}, "wrong": {m.Wrong, vector.Wrong, limit.Wrong}} {
			c, err := k.kind.Compare(k.vector)
			require.NoError(t, err)
			assert.Less(t, math.Abs(c.MeanZ), 4., "%s of %+v", kind, s)
			assert.Less(t, math.Abs(c.StdZ), 4., "%s of %+v", kind, s)
			assert.Less(t, c.KS, 0.03, "%s of %+v", kind, s)
			if kind == "wrong" {
				c, err = k.kind.Compare(k.limit)
				require.NoError(t, err)
				assert.Greater(t, c.MeanZ, 8., "%+v", s)
			}
		}
	}
}

// The mechanism: max-margin raises correct scores to just above the level of the
// others, far below Hebb's spread; √(2 log p) is not where they are.
func TestMaxMarginIsNarrow(t *testing.T) {
	s := pattern.Spec{Model: pattern.DP, DIn: 20, DOut: 20, P: 40, N: 40, Keys: pattern.Sphere, Values: pattern.Sphere}
	m, hebb := measured(t, s, learn.MaxMargin, 8), measured(t, s, learn.Hebb, 8)
	assert.Equal(t, 8, m.Trained)
	assert.Less(t, m.Correct.Std(), 0.6*hebb.Correct.Std())
	assert.Less(t, m.Wrong.Mean.Mean, hebb.Wrong.Mean.Mean-0.5)
	l := law(t, m, "max_margin")
	assert.InDelta(t, l.Margin, m.Margin.Mean, 0.2*l.Margin)
	assert.InDelta(t, l.Correct.Mean, m.Correct.Mean.Mean, 0.2*l.Correct.Mean)
}

// KS distances of exact draws are those of Kolmogorov, about 1/√n.
func TestDistance(t *testing.T) {
	n := normal(1, 2)
	x := make([]float64, 10_000)
	rng := stream.New(1, "distance", "", 0)
	for i := range x {
		x[i] = 1 + 2*rng.NormFloat64()
	}
	ks, err := distance(x, n.CDF)
	require.NoError(t, err)
	assert.Less(t, ks, 0.02)
	assert.Greater(t, ks, 0.002)
	ks, err = distance([]float64{1}, n.CDF)
	require.NoError(t, err)
	assert.InDelta(t, 0.5, ks, 1e-12)
	ks, err = distance(nil, n.CDF)
	require.NoError(t, err)
	assert.True(t, math.IsNaN(ks))
}

// Histograms hold every score once; tables can be written; nothing depends on threads.
func TestTables(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	g := measure.Grid{
		Shapes: []measure.Shape{{DOut: 12, DIn: 12, Rank: 12}}, Models: []pattern.Model{pattern.DP, pattern.OP},
		Rules: []learn.Rule{learn.Hebb, learn.LBFGS, learn.MaxMargin}, Facts: []int{20},
	}
	cells, err := g.Cells(quartercircle.NewSpectra())
	require.NoError(t, err)
	var want string
	for _, procs := range []int{1, 3} {
		runtime.GOMAXPROCS(procs)
		ticks := 0
		ms, err := Run(context.Background(), cells, Options{Trials: 2, Seed: 1, Tick: func() { ticks++ }})
		require.NoError(t, err)
		assert.Equal(t, 12, ticks)
		summary := Table(ms)
		const bins = 6
		histogram := Histogram(ms, bins)
		for _, f := range table.Formats() {
			format, err := table.ParseFormat(f)
			require.NoError(t, err)
			require.NoError(t, table.Write(new(discard), format, summary, histogram))
		}
		got := fmt.Sprint(summary.Rows, histogram.Rows)
		if want == "" {
			want = got
		}
		assert.Equal(t, want, got)

		assert.Equal(t, len(summary.Rows)+len(histogram.Rows), strings.Count(records(t, summary, histogram), `"keys_embedding":"gaussian","values_embedding":"gaussian","seed":1,`))
		notes := strings.Join(summary.Notes, "\n")
		assert.Contains(t, notes, "lbfgs: where everything is stored (4 of 4 instances in such rows)")
		assert.Contains(t, notes, "lbfgs below capacity: the law is that of the largest margin")
		assert.Contains(t, notes, "op: p_c and the laws are DP's")
		at := map[string]int{}
		for i, c := range histogram.Columns {
			at[c.Key] = i
		}
		for first := 0; first < len(histogram.Rows); first += bins {
			for _, key := range []string{"correct_density", "wrong_density"} {
				sum := 0.0
				for _, row := range histogram.Rows[first : first+bins] {
					sum += row[at[key]].(float64) * (row[at["hi"]].(float64) - row[at["lo"]].(float64))
				}
				assert.InDelta(t, 1, sum, 1e-9)
			}
		}
		for _, row := range histogram.Rows {
			for _, kind := range []string{"correct", "wrong"} {
				i, x := row[at[kind+"_interval"]].(table.Interval), row[at[kind+"_density"]].(float64)
				assert.True(t, 0 <= i.Lo && i.Lo <= x && x <= i.Hi && i.Hi > 0 && !math.IsInf(i.Hi, 1), "%v of %v", i, x)
				if l := row[at[kind+"_law"]]; l != nil {
					assert.GreaterOrEqual(t, l.(float64), 0.)
					e := row[at[kind+"_law_error"]].(float64)
					assert.True(t, e >= 0 && e < 0.05, "error %v", e)
					assert.True(t, e > 1e-9 || row[at["level"]] == "score" || l.(float64) < 1e-3, "%v ± %v", l, e)
				}
			}
		}
	}
}

func records(t *testing.T, tables ...*table.Table) string {
	t.Helper()
	var b strings.Builder
	require.NoError(t, table.Write(&b, table.JSON, tables...))
	return b.String()
}

// The interval of the standard deviation holds it and has the ends of the variance's.
func TestStdInterval(t *testing.T) {
	k := Kind{Variance: stats.NewSample([]float64{0.2, 0.3, 0.25, 0.1})}
	i, v := k.StdInterval(0.95), k.Variance.Interval(0.95)
	assert.True(t, i.Contains(k.Std()))
	assert.InDelta(t, v.Hi, i.Hi*i.Hi, 1e-15)
	assert.InDelta(t, v.Lo, i.Lo*i.Lo, 1e-15)
	assert.InEpsilon(t, k.Variance.StandardError(), 2*k.Std()*k.StdError(), 1e-12)
	k.Variance = stats.NewSample([]float64{0.01, 4})
	assert.Zero(t, k.StdInterval(0.95).Lo)
}

type discard struct{}

func (*discard) Write(b []byte) (int, error) { return len(b), nil }
