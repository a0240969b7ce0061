package spectrum

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
	"lamcap/quartercircle"
)

func cells(t *testing.T, g measure.Grid) []measure.Cell {
	t.Helper()
	cells, err := g.Cells(quartercircle.NewSpectra())
	require.NoError(t, err)
	return cells
}

// Hebb's rule is a product of Gaussian matrices, W = UᵀE with p rows, so that the mean
// of Σσ⁴ is known (see TestEnsemblesHaveTheirMoments) in OP and in DP; by 5 standard
// errors it is not that of a Gaussian matrix of the same norm. Two-sided 3e-6 a row.
func TestHebb(t *testing.T) {
	const d, p = 10., 25.
	fourth := (d*d+d)*p*d*(p+d+1) + d*(p*d*p*d+2*p*d)
	second := d*d*(p*d*p*d+2*p*d) + 2*d*p*d*(p+d+1) // E(Σσ²)²
	for _, model := range []pattern.Model{pattern.OP, pattern.DP} {
		spec := pattern.Spec{Model: model, DIn: d, DOut: d, P: p, N: p}
		ratios := make([]float64, 2000)
		problem := measure.Problem{Spec: spec, Rule: learn.Hebb, Seed: 1, Experiment: "hebb spectrum"}
		require.NoError(t, measure.Many(context.Background(), problem, len(ratios), func(i int, m measure.Memory) {
			// Σσ⁴ − c (Σσ²)² has mean 0 for the right c.
			for _, x := range m.SingularValues() {
				ratios[i] += x * x * x * x
			}
			ratios[i] -= fourth / second * math.Pow(m.Norm, 4)
		}))
		s := stats.NewSample(ratios)
		assert.Less(t, math.Abs(s.Mean), 5*s.StandardError(), "%v", model)
		gaussian := (2*d + 1) / (d*d + 2) // E Σσ⁴/E(Σσ²)² of a d×d Gaussian matrix
		assert.Greater(t, (fourth/second-gaussian)*second, 20*s.StandardError())
	}
}

// Beyond capacity, factors of rank d/2 forget the product of Gaussian factors that
// they began as: they are nearer to the law at capacity, and the law of the product
// and the one without a cut are rejected.
func TestFactorsForgetTheirStart(t *testing.T) {
	g := measure.Grid{Shapes: []measure.Shape{{DOut: 16, DIn: 16, Rank: 8}}, Models: []pattern.Model{pattern.DP}, Rules: []learn.Rule{learn.LBFGS}, Loads: []float64{2}}
	ms, err := Run(context.Background(), cells(t, g), Options{Trials: 12, References: 200, Seed: 1, Training: measure.Options{Restarts: 1}})
	require.NoError(t, err)
	m := ms[0]
	assert.Equal(t, 12, m.Trained)
	assert.Less(t, m.Gradient, 1e-4)
	assert.Less(t, m.Capacity.KS.Mean, m.Initial.KS.Mean)
	assert.Less(t, m.Capacity.W1.Mean, m.WholeW1.Mean)
	z, p := m.Initial.Z(m.Initial.KS, m.Initial.Reference.KS)
	assert.Greater(t, z, 4.)
	assert.Less(t, p, 1e-4)
	for i, x := range m.Values {
		assert.Greater(t, x, 0.)
		assert.Equal(t, i > 0, i > 0 && x > m.Values[max(0, i-1)])
	}
}

// One instance has its rank among the references for a p-value, and no z.
func TestOneInstance(t *testing.T) {
	g := measure.Grid{Shapes: []measure.Shape{{DOut: 6, DIn: 8, Rank: 6}}, Models: []pattern.Model{pattern.OP}, Rules: []learn.Rule{learn.Hebb, learn.MaxMargin}, Facts: []int{9, 60}}
	cs := cells(t, g)
	require.Len(t, cs, 4)
	ticks := 0
	ms, err := Run(context.Background(), cs, Options{Trials: 1, References: 99, Seed: 1, Tick: func() { ticks++ }})
	require.NoError(t, err)
	assert.Equal(t, 4, ticks)
	for i, trained := range []int{1, 1, 1, 0} { // no margin beyond capacity
		assert.Equal(t, trained, ms[i].Trained, "%v p = %d", ms[i].Rule, ms[i].Spec.P)
	}
	z, p := ms[0].Capacity.Z(ms[0].Capacity.KS, ms[0].Capacity.Reference.KS)
	assert.True(t, math.IsNaN(z))
	assert.True(t, p >= 0.02 && p <= 1)
	for _, f := range table.Formats() {
		format, err := table.ParseFormat(f)
		require.NoError(t, err)
		require.NoError(t, table.Write(new(discard), format, Table(ms), Exponents(ms), Profile(ms), Histogram(ms, 4)))
	}
	assert.Len(t, Profile(ms).Rows, 3*6)
	assert.Len(t, Histogram(ms, 4).Rows, 4*6)
	assert.Contains(t, strings.Join(Table(ms).Notes, "\n"), "maxmargin trained 0 of 1 instances (op, d = 6, p = 60)")
}

type discard struct{}

func (*discard) Write(b []byte) (int, error) { return len(b), nil }

// Histogram bins hold everything once, as the laws' do.
func TestHistogramIsComplete(t *testing.T) {
	g := measure.Grid{Shapes: []measure.Shape{{DOut: 8, DIn: 8, Rank: 4}}, Models: []pattern.Model{pattern.DP}, Rules: []learn.Rule{learn.LBFGS}, Facts: []int{12}}
	ms, err := Run(context.Background(), cells(t, g), Options{Trials: 3, References: 10, Seed: 2, Training: measure.Options{Restarts: 1}})
	require.NoError(t, err)
	h := Histogram(ms, 7)
	for _, key := range []string{"fraction", "law", "initial_law"} {
		sum := 0.0
		for _, row := range h.Rows {
			for i, c := range h.Columns {
				if c.Key == key {
					sum += row[i].(float64)
				}
			}
		}
		assert.InDelta(t, 1, sum, 1e-9, key)
	}
	for _, row := range h.Rows {
		for i, c := range h.Columns {
			if c.Key == "interval" {
				at := row[i].(table.Interval)
				assert.True(t, at.Lo >= 0 && at.Hi <= 1 && at.Lo < at.Hi, "%v", at)
			}
		}
	}
}

// The same for any GOMAXPROCS, and exponents need two dimensions.
func TestRunDoesNotDependOnThreads(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	g := measure.Grid{Shapes: []measure.Shape{{DOut: 6, DIn: 6, Rank: 6}, {DOut: 9, DIn: 9, Rank: 9}}, Models: []pattern.Model{pattern.DP, pattern.OP}, Rules: []learn.Rule{learn.LBFGS}, Loads: []float64{2}}
	var want string
	for _, procs := range []int{1, 3} {
		runtime.GOMAXPROCS(procs)
		ms, err := Run(context.Background(), cells(t, g), Options{Trials: 4, References: 20, Seed: 4})
		require.NoError(t, err)
		got := fmt.Sprint(Table(ms).Rows, Exponents(ms).Rows, Profile(ms).Rows)
		if want == "" {
			want = got
		}
		assert.Equal(t, want, got)
		assert.Len(t, Exponents(ms).Rows, 4)
		var b strings.Builder
		require.NoError(t, table.Write(&b, table.JSON, Table(ms), Exponents(ms)))
		assert.Equal(t, 8, strings.Count(b.String(), `"keys_embedding":"gaussian","values_embedding":"gaussian","seed":4,`))
	}
}

func TestRunErrors(t *testing.T) {
	_, err := Run(context.Background(), nil, Options{})
	assert.EqualError(t, err, "trials = 0: want trials ≥ 1")
	c := measure.Cell{Spec: pattern.Spec{Model: pattern.DP, DIn: 4, DOut: 4, P: 5, N: 5}, Rank: 4}
	_, err = Run(context.Background(), []measure.Cell{c}, Options{Trials: 1})
	assert.EqualError(t, err, "references = 0: want references ≥ 2")
	c.Rank = 5
	_, err = Run(context.Background(), []measure.Cell{c}, Options{Trials: 1, References: 2})
	assert.EqualError(t, err, "rank = 5: want 1 ≤ rank ≤ min(d_out, d_in) = 4")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	c.Rank = 4
	_, err = Run(ctx, []measure.Cell{c}, Options{Trials: 1, References: 2})
	assert.ErrorIs(t, err, context.Canceled)
}
