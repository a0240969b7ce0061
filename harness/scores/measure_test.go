package scores

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"lamcap/harness/learn"
	"lamcap/harness/measure"
	"lamcap/harness/pattern"
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
		summary, err := Table(ms)
		require.NoError(t, err)
		const bins = 6
		histogram, err := Histogram(ms, bins)
		require.NoError(t, err)
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
	}
}

type discard struct{}

func (*discard) Write(b []byte) (int, error) { return len(b), nil }
