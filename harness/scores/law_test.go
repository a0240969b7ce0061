package scores

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"lamcap/extremes"
	"lamcap/harness/learn"
	"lamcap/harness/measure"
	"lamcap/harness/pattern"
	"lamcap/harness/stats"
	"lamcap/harness/table"
	"lamcap/internal/stream"
	"lamcap/quartercircle"
)

// The laws at the largest margin, against projections of normals onto the cone: the
// KS distance of n draws exceeds 2/√n with probability 2e^{−8} = 7e-4, and seeds are
// fixed.
func TestMaxMarginAgainstProjections(t *testing.T) {
	const n, draws = 20, 4000
	l, err := MaxMargin(576, 80, n)
	require.NoError(t, err)
	require.Greater(t, l.Margin, 0.5)
	correct, wrong := make([]float64, draws), make([]float64, draws)
	for i := range draws {
		rng := stream.New(1, "projection", "", uint64(i))
		x := make([]float64, n)
		for j := range x {
			x[j] = rng.NormFloat64()
		}
		largest := math.Inf(-1)
		for _, v := range x[1:] {
			largest = max(largest, v)
		}
		// A margin moves the target down before, and up after.
		x[0] -= l.Margin
		p := extremes.Project(x)
		correct[i], wrong[i] = p.Level+l.Margin, min(largest, p.Level)
	}
	for name, c := range map[string]struct {
		x []float64
		m Marginal
	}{"correct": {correct, l.Correct}, "wrong": {wrong, l.Wrong}} {
		s := stats.NewSample(c.x)
		assert.Less(t, math.Abs(s.Mean-c.m.Mean), 5*s.StandardError(), name)
		assert.InEpsilon(t, c.m.Std, s.StandardDeviation, 5/math.Sqrt(2*draws)*1.5, name)
		ks, err := distance(c.x, c.m.CDF)
		require.NoError(t, err)
		assert.Less(t, ks, 2/math.Sqrt(draws), name)
		// Not the law of a target that is where the largest of normals is.
		other, err := largestNormal(n - 1)
		require.NoError(t, err)
		ks, err = distance(c.x, other.CDF)
		require.NoError(t, err)
		assert.Greater(t, ks, 0.1, name)
	}
}

// Of every law: the CDF rises from 0 to 1 and has its mean and its spread.
func TestMarginals(t *testing.T) {
	var all []Law
	for _, s := range []pattern.Spec{
		{Model: pattern.DP, DIn: 24, DOut: 24, P: 60, N: 60},
		{Model: pattern.DP, DIn: 12, DOut: 30, P: 80, N: 40, Keys: pattern.Sphere, Values: pattern.Sphere},
		{Model: pattern.OP, DIn: 16, DOut: 16, P: 50, N: 50},
	} {
		for _, rule := range []learn.Rule{learn.Hebb, learn.MaxMargin} {
			if rule == learn.MaxMargin && s.DIn != 16 {
				continue
			}
			l, missing, err := Laws(measure.Cell{Spec: s, Rule: rule, Rank: min(s.DIn, s.DOut)}, quartercircle.NewSpectra())
			require.NoError(t, err)
			require.NoError(t, missing)
			all = append(all, l...)
		}
	}
	require.Len(t, all, 8)
	for _, l := range all {
		for kind, m := range map[string]Marginal{"correct": l.Correct, "wrong": l.Wrong} {
			if m.CDF == nil {
				assert.Equal(t, "hebb_vector wrong", l.Name+" "+kind)
				continue
			}
			// What lies between two points is the difference of the CDF, to its error; the
			// tabulated CDF of draws is off by lines between nodes, too.
			whole, err := m.Between(m.Mean-3*m.Std, m.Mean+m.Std)
			require.NoError(t, err)
			lower, err := m.CDF(m.Mean - 3*m.Std)
			require.NoError(t, err)
			upper, err := m.CDF(m.Mean + m.Std)
			require.NoError(t, err)
			assert.InDelta(t, upper-lower, whole.Value, 1e-12+whole.Error, "%s %s", l.Name, kind)
			far, err := m.Between(m.Mean-20*m.Std, m.Mean-19*m.Std)
			require.NoError(t, err)
			assert.True(t, far.Value >= 0 && far.Value < 1e-6 && far.Error >= 0, "%+v", far)
			if l.Name == "max_margin" && l.Level == "vector" { // of draws, known to some 0.01
				half, err := m.CDF(m.Mean)
				require.NoError(t, err)
				assert.InDelta(t, 0.5, half, 0.15)
				continue
			}
			again, err := fromCDF(m.CDF, m.Mean-9*m.Std, m.Mean+9*m.Std)
			require.NoError(t, err)
			tolerance := 1e-5 + 5*(m.MeanError+m.StdError) // tails beyond 9 standard deviations
			if l.Level == "vector" && kind == "correct" {  // its CDF is averaged over draws, and ‖W‖ fixed
				tolerance = 0.04
			}
			assert.InDelta(t, m.Mean, again.Mean, tolerance, "%s %s", l.Name, kind)
			assert.InDelta(t, m.Std, again.Std, tolerance, "%s %s", l.Name, kind)
			previous := 0.0
			for i := range 50 {
				v, err := m.CDF(m.Mean + m.Std*float64(i-25)/5)
				require.NoError(t, err)
				assert.GreaterOrEqual(t, v, previous-1e-12)
				assert.LessOrEqual(t, v, 1.0)
				previous = v
			}
		}
		assert.Less(t, l.Wrong.Mean, l.Correct.Mean+5)
	}
}

// The cosine of a uniform direction: at d = 3 it is uniform, at d = 2 an arc cosine.
func TestCosine(t *testing.T) {
	for _, c := range []float64{-1, -0.999999, -0.3, 0, 0.5, 0.9999, 1} {
		assert.InDelta(t, (1-c)/2, cosineTail(c, 3), 1e-14)
		assert.InDelta(t, math.Acos(c)/math.Pi, cosineTail(c, 2), 1e-14)
	}
	assert.InEpsilon(t, 5e-9/2, cosineTail(1-5e-9, 3), 1e-7) // tails keep their relative accuracy
	assert.Equal(t, [2]float64{1, 0}, [2]float64{cosineTail(-1.5, 7), cosineTail(1.5, 7)})
}

// With a d_out of 1 a vector is its own score: Hebb's rule has the law of the limit alone.
func TestNoVectorLevel(t *testing.T) {
	cell := measure.Cell{Spec: pattern.Spec{Model: pattern.DP, DIn: 8, DOut: 1, P: 10, N: 10}, Rule: learn.Hebb, Rank: 1}
	laws, missing, err := Laws(cell, quartercircle.NewSpectra())
	require.NoError(t, err)
	assert.EqualError(t, missing, "at vector level: p = 10, d_out = 1: want both ≥ 2")
	require.Len(t, laws, 1)
	assert.Equal(t, "score", laws[0].Level)
}

// A level that fails leaves the other one.
func TestLevelsThatFail(t *testing.T) {
	law := func(level string) func() (Law, error) { return func() (Law, error) { return Law{Level: level}, nil } }
	fails := func(why string) func() (Law, error) { return func() (Law, error) { return Law{}, errors.New(why) } }
	laws, missing := levels(law("score"), law("vector"))
	require.NoError(t, missing)
	assert.Len(t, laws, 2)
	laws, missing = levels(fails("far"), law("vector"))
	assert.EqualError(t, missing, "at score level: far")
	assert.Equal(t, []Law{{Level: "vector"}}, laws)
	laws, missing = levels(fails("far"), fails("near"))
	assert.EqualError(t, missing, "at score level: far; at vector level: near")
	assert.Empty(t, laws)
}

// A distribution that cannot be computed is an empty cell, and is told once.
func TestDistributionThatFails(t *testing.T) {
	broken := normal(1, 1)
	broken.CDF = func(float64) (float64, error) { return 0, errors.New("not resolved") }
	broken.Between = func(float64, float64) (extremes.Value, error) { return extremes.Value{}, errors.New("not resolved") }
	m := Measurement{Laws: []Law{{Name: "x", Level: "score", Correct: broken, Wrong: normal(0, 1), Margin: math.NaN()}}}
	m.Spec, m.Trained, m.Rank = pattern.Spec{Model: pattern.DP, DIn: 4, DOut: 4, P: 3, N: 3}, 2, 4
	for _, k := range []*Kind{&m.Correct, &m.Wrong} {
		k.Scores = [][]float64{{0, 1, 2}, {0.5, 1, 3}}
		k.summarise()
	}
	for name, x := range map[string]*table.Table{"correct_ks": Table([]Measurement{m}), "correct_law": Histogram([]Measurement{m}, 4)} {
		at := func(key string) any {
			return x.Rows[0][slices.IndexFunc(x.Columns, func(c table.Column) bool { return c.Key == key })]
		}
		assert.Nil(t, at(name))
		assert.NotNil(t, at(strings.Replace(name, "correct", "wrong", 1)))
		note := "No distribution of correct scores for dp lbfgs, p = 3, at score level: not resolved"
		assert.Equal(t, 1, strings.Count(strings.Join(x.Notes, "\n"), note), x.Notes)
	}
}

func TestNoLaws(t *testing.T) {
	s := quartercircle.NewSpectra()
	cell := measure.Cell{Spec: pattern.Spec{Model: pattern.DP, DIn: 8, DOut: 8, P: 10, N: 1}, Rank: 8}
	_, _, err := Laws(cell, s)
	assert.EqualError(t, err, "n = 1: want n ≥ 2, an input without competitors has no wrong score")
}
