package extremes

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"lamcap/internal/quad"
	"lamcap/internal/stream"
)

func marginMoments(tb require.TestingT, n, margin float64) MarginMoments {
	m, err := MarginCone{n, margin}.Moments()
	require.NoError(tb, err)
	for _, v := range []Value{m.Dimension, m.Active, m.LevelMean, m.LevelVariance} {
		require.True(tb, v.Status.OK(), "n = %v, K = %v: %+v", n, margin, m)
	}
	return m
}

// Moments and laws against 1e5 projections at n = 60, where the memory of 24 × 24
// weights has the margin 1.3155, and fewer at n = 5. A projection onto C_n^K is
// one onto C_n with t_0 − K. Nine comparisons each at 4.5 standard errors. With
// the margin left out of E|A|, or B = E m* for E m* + K, it is off by more than 100.
func TestMarginAgainstMonteCarlo(t *testing.T) {
	for _, test := range []struct {
		n      int
		margin float64
		draws  int
	}{{60, 1.3155, 100_000}, {5, 0.5, 100_000}, {300, 4, 5_000}} {
		cone := MarginCone{float64(test.n), test.margin}
		m := marginMoments(t, cone.N, cone.Margin)
		sd := math.Sqrt(m.LevelVariance.Value)
		rng := stream.New(3, "margin cone", "test", uint64(test.n))
		scores := make([]float64, test.n)
		levels := []float64{m.LevelMean.Value - sd, m.LevelMean.Value, m.LevelMean.Value + 1.5*sd}
		var distances, counts, level, squares []float64
		correct, competitor := make([]float64, len(levels)), make([]float64, len(levels))
		for range test.draws {
			for i := range scores {
				scores[i] = rng.NormFloat64()
			}
			given := scores[1] // before Project sorts them
			scores[0] -= test.margin
			p := Project(scores)
			distances = append(distances, p.DistanceSquared)
			counts = append(counts, float64(p.Active))
			level = append(level, p.Level)
			squares = append(squares, (p.Level-m.LevelMean.Value)*(p.Level-m.LevelMean.Value))
			for i, x := range levels {
				if p.Level <= x {
					correct[i]++
				}
				if math.Min(p.Level, given) <= x {
					competitor[i]++
				}
			}
		}
		check := func(what string, sample []float64, v Value) {
			mean, se := meanAndError(sample)
			assert.InDelta(t, 0, (mean-v.Value)/se, 4.5, "%s, n = %d: %v ± %v, %+v", what, test.n, mean, se, v)
		}
		check("E dist²", distances, m.Dimension)
		check("E|A|", counts, m.Active)
		check("E m*", level, m.LevelMean)
		check("Var m*", squares, m.LevelVariance)
		share := func(what string, count float64, v Value, err error) {
			require.NoError(t, err)
			draws := float64(test.draws)
			se := math.Sqrt(v.Value * (1 - v.Value) / draws)
			assert.InDelta(t, 0, (count/draws-v.Value)/se, 4.5, "%s, n = %d", what, test.n)
		}
		for i, x := range levels {
			v, err := cone.CorrectCDF(x + test.margin)
			share("P(s_0 ≤ x)", correct[i], v, err)
			v, err = cone.CompetitorCDF(x)
			share("P(s_ρ ≤ x)", competitor[i], v, err)
		}
	}
}

// n = 2: with u = (t_1 − t_0)/√2 and a = K/√2, D = E(u + a)_+², m* = t_0 − K −
// the overlap.
func TestMarginOfTwo(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := rapid.Float64Range(0, 40).Draw(t, "K")
		m := marginMoments(t, 2, k)
		a := k / math.Sqrt2
		cdf, density := math.Erfc(-a/math.Sqrt2)/2, math.Exp(LogDensity(a))
		want := (1+a*a)*cdf + a*density
		if !(math.Abs(m.Dimension.Value-want) <= m.Dimension.Error+4*ulp*want) {
			t.Fatalf("D_2(%v) = %+v, want %v", k, m.Dimension, want)
		}
		if !(math.Abs(m.Active.Value-cdf) <= m.Active.Error+2*ulp) {
			t.Fatalf("E|A| = %+v, want %v", m.Active, cdf)
		}
		// D' = 2 (E m* + K).
		mean := (a*cdf+density)/math.Sqrt2 - k
		if !(math.Abs(m.LevelMean.Value-mean) <= m.LevelMean.Error+4*ulp*(1+k)) {
			t.Fatalf("E m* = %+v, want %v", m.LevelMean, mean)
		}
	})
}

// dD_n/dK = 2 (E m* + K): the only thing that ties E|A|, an integral with a pole,
// to m*, from another one without.
func TestMarginDerivative(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := math.Floor(drawSize(t))
		k := math.Exp(rapid.Float64Range(-3, 12).Draw(t, "log K"))
		// Central differences at h and 2h: what h⁴ leaves, and rounding over h.
		h := 0.02 * math.Min(k, 1)
		d := func(k float64) float64 { return marginMoments(t, n, k).Dimension.Value }
		slope := (8*(d(k+h)-d(k-h)) - (d(k+2*h) - d(k-2*h))) / (12 * h)
		m := marginMoments(t, n, k)
		want := 2 * (m.LevelMean.Value + k)
		tolerance := 1e-6*h*want + 3*(m.Dimension.Error+ulp*m.Dimension.Value)/h
		if !(math.Abs(slope-want) <= tolerance) {
			t.Fatalf("n = %v, K = %v: dD/dK = %v, 2B = %v, tolerance %v", n, k, slope, want, tolerance)
		}
	})
}

// K = 0 is the cone without margin, and D_n(K) increases in n and K.
func TestMarginOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := math.Floor(drawSize(t))
		none := marginMoments(t, n, 0)
		d, err := ConeDimension(n)
		require.NoError(t, err)
		if none.Dimension.Value != d.Value {
			t.Fatalf("D_n(0) = %+v, D_n = %+v", none.Dimension, d)
		}
		k := math.Exp(rapid.Float64Range(-5, 40).Draw(t, "log K"))
		m, more := marginMoments(t, n, k), marginMoments(t, n, 1.01*k)
		if !(none.Dimension.Value < m.Dimension.Value && m.Dimension.Value < more.Dimension.Value) {
			t.Fatalf("n = %v: D is %v, %v, %v at K = 0, %v and 1%% more", n, none.Dimension, m.Dimension, more.Dimension, k)
		}
		if !(m.LevelVariance.Value > 0 && m.Active.Value <= n-1+m.Active.Error) {
			t.Fatalf("n = %v, K = %v: %+v", n, k, m)
		}
		// In n by as little as a rounding for large K: D is K² and the rest.
		wider := marginMoments(t, math.Min(math.Ceil(2*n), MaxSize), k)
		if !(wider.Dimension.Value+wider.Dimension.Error > m.Dimension.Value-m.Dimension.Error) ||
			k < 100 && n < MaxSize && !(wider.Dimension.Value > m.Dimension.Value) {
			t.Fatalf("D at n = %v and twice that: %v, %v", n, m.Dimension, wider.Dimension)
		}
	})
}

// Where a closed form takes over, the integrals still agree with it.
func TestMarginClosedForms(t *testing.T) {
	agree := func(a, b Value, where string) {
		assert.InDelta(t, a.Value, b.Value, a.Error+b.Error, where)
	}
	for _, n := range []float64{2, 3, 17, 1000, 1e6} {
		c := MarginCone{n, 12 * n}
		closed := c.allActiveMoments()
		mean, variance := c.level()
		agree(closed.LevelMean, mean, fmt.Sprintf("E m*, n = %v", n))
		agree(closed.LevelVariance, variance, fmt.Sprintf("Var m*, n = %v", n))
		agree(closed.Active, activeMoment(n, c.Margin, 0), fmt.Sprintf("E|A|, n = %v", n))
	}
	for _, n := range []float64{1e15, 1e16, 1e30, 1e300} {
		c := MarginCone{n, 1e15}
		closed := c.deterministicMoments()
		mean, variance := c.level()
		agree(closed.LevelMean, mean, fmt.Sprintf("E m*, n = %v", n))
		agree(closed.LevelVariance, variance, fmt.Sprintf("Var m*, n = %v", n))
		agree(closed.Active, activeMoment(n, c.Margin, 0), fmt.Sprintf("E|A|, n = %v", n))
	}
}

// The densities are the derivatives of the CDFs, and the laws end at 0 and 1.
func TestMarginLaws(t *testing.T) {
	for _, c := range []MarginCone{{2, 0}, {2, 1}, {2, 30}, {3, 4}, {10, 20}, {60, 1.3}, {60, 100}, {17.5, 0.5}, {1e4, 0}, {1e6, 10}, {1e6, 1e6}} {
		m := marginMoments(t, c.N, c.Margin)
		sd := math.Sqrt(m.LevelVariance.Value)
		for name, law := range map[string]struct {
			cdf, density func(float64) (Value, error)
			center       float64
		}{
			"correct":    {c.CorrectCDF, c.CorrectDensity, m.LevelMean.Value + c.Margin},
			"competitor": {c.CompetitorCDF, c.CompetitorDensity, m.LevelMean.Value},
		} {
			where := fmt.Sprintf("%s, %+v", name, c)
			at := func(f func(float64) (Value, error), x float64) Value {
				v, err := f(x)
				require.NoError(t, err)
				require.True(t, v.Status.OK(), where)
				require.False(t, math.IsNaN(v.Error) || v.Error < 0, where)
				return v
			}
			lo, hi := law.center-2*sd, law.center+sd
			mass := quad.Integrate(func(x float64) float64 { return at(law.density, x).Value }, lo, hi, quad.Options{Rel: 1e-12})
			a, b := at(law.cdf, lo), at(law.cdf, hi)
			noise := at(law.density, law.center).Error * (hi - lo)
			assert.InDelta(t, b.Value-a.Value, mass.Value, a.Error+b.Error+mass.Error+noise+2e-14, where)
			assert.Equal(t, 0.0, math.Round(at(law.cdf, math.Inf(-1)).Value*1e9), where)
			assert.Equal(t, 1.0, at(law.cdf, math.Inf(1)).Value, where)
			assert.Zero(t, at(law.density, math.Inf(1)).Value, where)
			assert.Less(t, at(law.cdf, law.center-30).Value, 1e-9, where)
			assert.InDelta(t, 1, at(law.cdf, law.center+60*math.Max(sd, 0.3)).Value, 1e-12, where)
		}
	}
}

func TestMarginWrongArguments(t *testing.T) {
	for _, c := range []struct {
		cone MarginCone
		want string
	}{
		{MarginCone{1, 1}, "n = 1: want 2 ≤ n ≤ 1e300"},
		{MarginCone{math.NaN(), 1}, "n = NaN: want 2 ≤ n ≤ 1e300"},
		{MarginCone{10, -0.5}, "margin = -0.5: want 0 ≤ margin ≤ 1e150"},
		{MarginCone{10, 1.1e150}, "margin = 1.1e+150: want 0 ≤ margin ≤ 1e150"},
		{MarginCone{10, math.NaN()}, "margin = NaN: want 0 ≤ margin ≤ 1e150"},
	} {
		m, err := c.cone.Moments()
		assert.EqualError(t, err, c.want)
		assert.True(t, math.IsNaN(m.Dimension.Value) && math.IsInf(m.Dimension.Error, 1))
		for _, f := range []func(float64) (Value, error){c.cone.CorrectCDF, c.cone.CorrectDensity, c.cone.CompetitorCDF, c.cone.CompetitorDensity} {
			v, err := f(0)
			assert.EqualError(t, err, c.want)
			assert.True(t, math.IsNaN(v.Value) && math.IsInf(v.Error, 1))
		}
	}
	_, err := MarginCone{10, 1}.CorrectCDF(math.NaN())
	assert.EqualError(t, err, "x = NaN: want a number")
}

// Laws are numbers with bounds wherever they are asked for: sizes to 1e300, scores
// far below and above the level, margins.
func TestMarginLawsAreNumbers(t *testing.T) {
	rng := stream.New(3, "extremes", "margin laws", 0)
	for range 3000 {
		n := math.Max(2, math.Round(math.Exp(math.Ln2+rng.Float64()*690)))
		margin := 0.0
		if rng.IntN(2) == 0 {
			margin = math.Exp(rng.Float64()*8 - 3)
		}
		x := -40 + 90*rng.Float64()
		c := MarginCone{N: n, Margin: margin}
		for i, law := range []func(float64) (Value, error){
			func(x float64) (Value, error) { return c.CorrectCDF(x + margin) },
			func(x float64) (Value, error) { return c.CorrectDensity(x + margin) },
			c.CompetitorCDF, c.CompetitorDensity,
		} {
			v, err := law(x)
			require.NoError(t, err)
			require.False(t, math.IsNaN(v.Error), "law %d of %+v at %v: %v", i, c, x, v)
			require.GreaterOrEqual(t, v.Value, 0.0, "law %d of %+v at %v: %v", i, c, x, v)
			if i%2 == 0 {
				require.LessOrEqual(t, v.Value, 1.0, "law %d of %+v at %v: %v", i, c, x, v)
			}
		}
	}
}
