package stats

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mathext"

	"lamcap/internal/status"
	"lamcap/internal/stream"
)

// nineLoads is a transition at 0 … ±2.4 widths, half at 40 with width 2.4, as at d = 12.
func nineLoads(trials int) Transition {
	t := Transition{Loads: []float64{34, 36, 38, 39, 40, 41, 42, 44, 46}}
	t.Stored = make([]int, len(t.Loads))
	for range t.Loads {
		t.Trials = append(t.Trials, trials)
	}
	return t
}

// scaled is the family of the loads of t stretched by the scale.
func scaled(t Transition) CurveFamily {
	return CurveFamily{At: func(c float64) []float64 { return t.Curve(40*c, 2.4*c) }, Width: 0.06}
}

// binomialRate checks a rate seen in simulations: at most four standard errors from the expected one.
func binomialRate(t *testing.T, expected float64, hits, replicates int, what string) {
	t.Helper()
	assert.InDelta(t, expected, float64(hits)/float64(replicates), 4*math.Sqrt(expected*(1-expected)/float64(replicates)), what)
}

// The exact p-value of X² is uniform up to its lattice, where a χ² law gives false alarms.
func TestChiSquareCalibration(t *testing.T) {
	const replicates = 2000
	transition := nineLoads(40)
	predicted := transition.Curve(40, 2.4)
	rng := stream.New(1, "stats test", "chi-square calibration", 0)
	exact, asymptotic := map[float64]int{}, map[float64]int{}
	mean := 0.0
	levels := []float64{0.5, 0.2, 0.05, 0.01, 0.001}
	for range replicates {
		s := simulate(rng, transition, 40, 2.4)
		c := CurveChiSquare(s.Stored, s.Trials, predicted)
		assert.Equal(t, 9, c.Degrees)
		mean += c.Statistic / replicates
		law := mathext.GammaIncRegComp(4.5, c.Statistic/2)
		for _, u := range levels {
			if c.PValue <= u {
				exact[u]++
			}
			if law <= u {
				asymptotic[u]++
			}
		}
	}
	// E X² = 9; its variance is 18 plus the kurtosis of the binomials, Σ (1/(n p q) − 6/n) = 13.
	assert.InDelta(t, 9, mean, 4*math.Sqrt(31./replicates))
	for _, u := range levels {
		binomialRate(t, u, exact[u], replicates, "exact")
	}
	assert.Greater(t, float64(asymptotic[0.001]), 3*0.001*replicates, "the χ² law: the reason to sum exactly")
	t.Logf("exact %v, χ² law %v of %d", exact, asymptotic, replicates)
}

func TestChiSquareExtremes(t *testing.T) {
	c := CurveChiSquare([]int{1, 3}, []int{3, 3}, []float64{0, 0.5})
	assert.Equal(t, ChiSquare{math.Inf(1), 1, 0}, c)
	assert.Equal(t, math.Inf(1), c.Z())
	assert.Equal(t, 0.0, CurveChiSquare([]int{0, 5}, []int{3, 10}, []float64{0, 0.5}).Z())
	assert.True(t, math.IsNaN(CurveChiSquare([]int{0}, []int{0}, []float64{0.5}).Statistic))
	// One stored of 10 at P = 1e-9 has the probability 1e-8.
	assert.InEpsilon(t, 1e-8, CurveChiSquare([]int{1}, []int{10}, []float64{1e-9}).PValue, 1e-7)
	c = CurveChiSquare([]int{9}, []int{40}, []float64{0.1})
	assert.InDelta(t, 25/3.6, c.Statistic, 1e-12)
	// p = 2 Q(z).
	assert.InEpsilon(t, c.PValue, math.Erfc(c.Z()/math.Sqrt2), 1e-12)
}

func TestCurvePowerAgainstEnumeration(t *testing.T) {
	trials := []int{4, 6, 5}
	for _, predicted := range [][]float64{{0.9, 0.4, 0.02}, {0.5, 0.5, 0.5}, {1, 0.3, 0}, {1, 0, 1}} {
		for _, actual := range [][]float64{{0.9, 0.4, 0.02}, {0.3, 0.2, 0.1}, {1, 1, 1}} {
			for _, level := range []float64{0.01, 0.2} {
				want := 0.0
				outcomes(trials, func(stored []int) {
					if CurvePValue(stored, trials, predicted) <= level {
						want += mass(stored, trials, actual)
					}
				})
				assert.InDelta(t, want, CurvePower(trials, predicted, actual, level), 1e-12, "%v %v", predicted, actual)
			}
		}
		assert.LessOrEqual(t, CurvePower(trials, predicted, predicted, 0.05), 0.05)
	}
	assert.InDelta(t, Power(0.3, 0.6, 25, 0.01), CurvePower([]int{25, 0}, []float64{0.3, math.NaN()}, []float64{0.6, 0.1}, 0.01), 1e-12)
	assert.Equal(t, 0.0, CurvePower([]int{25}, []float64{math.NaN()}, []float64{0.6}, 0.01))
	assert.Panics(t, func() { CurvePower([]int{25}, []float64{0.1}, nil, 0.01) })
}

// The fit is the maximum of the likelihood.
func TestFamilyFit(t *testing.T) {
	transition := nineLoads(40)
	f := scaled(transition)
	rng := stream.New(1, "stats test", "family fit", 0)
	for _, scale := range []float64{0.7, 0.97, 1, 1.04, 1.5} {
		s := simulate(rng, transition, 40*scale, 2.4*scale)
		fit := f.Fit(s.Stored, s.Trials)
		if scale == 0.7 || scale == 1.5 { // nothing or everything stored
			assert.Equal(t, status.NoBracket, fit.Status)
			assert.Equal(t, Interval{0, math.Inf(1)}, f.Kept(s.Stored, s.Trials, 0.95))
			assert.True(t, math.IsNaN(f.ChiSquare(s.Stored, s.Trials).PValue))
			continue
		}
		require.True(t, fit.Status.OK())
		at := func(c float64) float64 { return logLikelihood(s.Stored, s.Trials, f.At(c)) }
		const h = 1e-4
		slope := (at(fit.Scale+h) - at(fit.Scale-h)) / (2 * h)
		curvature := (2*at(fit.Scale) - at(fit.Scale+h) - at(fit.Scale-h)) / (h * h)
		assert.InDelta(t, 0, slope/curvature, 1e-6)
		assert.InDelta(t, scale, fit.Scale, 5/math.Sqrt(curvature))
	}
	nan := CurveFamily{At: func(float64) []float64 { return []float64{math.NaN()} }}
	assert.Equal(t, status.NoBracket, nan.Fit([]int{1}, []int{2}).Status)
	// Counts that are impossible at scale 1: the walk goes where they are not.
	certain := CurveFamily{At: func(c float64) []float64 {
		return []float64{math.Max(0, math.Min(1, 10*(c-1.2)+0.5)), math.Max(0, math.Min(1, 10*(c-1.2)+0.4))}
	}}
	fit := certain.Fit([]int{10, 10}, []int{20, 20})
	assert.InDelta(t, 1.205, fit.Scale, 1e-6)
}

// Kept is the dual of CurvePValue and covers the truth; an experiment finds the scales of Detectable with the
// stated power.
func TestFamilyIntervals(t *testing.T) {
	const level, replicates = 0.01, 200
	transition := nineLoads(40)
	f := scaled(transition)
	detectable := f.Detectable(transition.Trials, 1, level, 0.9)
	rng := stream.New(1, "stats test", "family intervals", 0)
	low, high, covered := 0, 0, 0
	atLow, atHigh, truth := f.At(detectable.Lo), f.At(detectable.Hi), f.At(1)
	for r := range replicates {
		s := simulate(rng, transition, 40, 2.4)
		if CurvePValue(s.Stored, s.Trials, atLow) <= level {
			low++
		}
		if CurvePValue(s.Stored, s.Trials, atHigh) <= level {
			high++
		}
		p := CurvePValue(s.Stored, s.Trials, truth)
		if p >= 0.05 {
			covered++
		}
		if r < 5 {
			kept := f.Kept(s.Stored, s.Trials, 0.95)
			assert.Equal(t, p >= 0.05, kept.Contains(1))
			const margin = 1e-4
			assert.Less(t, CurvePValue(s.Stored, s.Trials, f.At(kept.Lo-margin)), 0.05)
			assert.Less(t, CurvePValue(s.Stored, s.Trials, f.At(kept.Hi+margin)), 0.05)
			assert.True(t, kept.Contains(f.Fit(s.Stored, s.Trials).Scale))
		}
	}
	binomialRate(t, 0.9, low, replicates, "power below")
	binomialRate(t, 0.9, high, replicates, "power above")
	binomialRate(t, 0.95, covered, replicates, "coverage")
	// Σ n φ²/(pq) = 40 × 4.1 in units of 1/width²: z 2.576 + 1.282 standard errors of 0.06/√164.
	assert.InDelta(t, 3.86*0.06/math.Sqrt(164), detectable.Hi-1, 0.003)
	assert.InDelta(t, 3.86*0.06/math.Sqrt(164), 1-detectable.Lo, 0.003)
}

// The shape test keeps the right curve at any scale and finds a wrong width.
func TestFamilyChiSquareCalibration(t *testing.T) {
	const replicates, bootstrap = 120, 199
	transition := nineLoads(40)
	f := scaled(transition)
	rates := func(rng *rand.Rand, half, width float64, replicates int) map[float64]int {
		hits := map[float64]int{}
		for range replicates {
			s := simulate(rng, transition, half, width)
			c := f.chiSquare(s.Stored, s.Trials, bootstrap)
			assert.Equal(t, 8, c.Degrees)
			for _, u := range []float64{0.5, 0.2, 0.05, 0.01} {
				if c.PValue <= u {
					hits[u]++
				}
			}
		}
		return hits
	}
	right := rates(stream.New(1, "stats test", "shape calibration", 0), 41.3, 2.48, replicates)
	binomialRate(t, 0.5, right[0.5], replicates, "0.5")
	binomialRate(t, 0.2, right[0.2], replicates, "0.2")
	// 199 replicates resolve 10%: beyond, the test is valid and conservative.
	assert.Less(t, float64(right[0.05]), replicates*0.05+4*math.Sqrt(replicates*0.05*0.95))
	assert.Less(t, float64(right[0.01]), replicates*0.01+4*math.Sqrt(replicates*0.01*0.99))
	wide := rates(stream.New(1, "stats test", "shape calibration", 1), 41.3, 2*2.48, 6)
	assert.GreaterOrEqual(t, wide[0.01], 5, "twice the width is found")
	t.Logf("right %v, wide %v of %d", right, wide, replicates)
}

func BenchmarkFamilyFit(b *testing.B) {
	s := simulate(stream.New(1, "stats test", "bench", 0), nineLoads(40), 40, 2.4)
	for b.Loop() {
		scaled(s).Fit(s.Stored, s.Trials)
	}
}

func BenchmarkFamilyKept(b *testing.B) {
	s := simulate(stream.New(1, "stats test", "bench", 0), nineLoads(120), 40, 2.4)
	for b.Loop() {
		scaled(s).Kept(s.Stored, s.Trials, 0.95)
	}
}

func BenchmarkFamilyDetectable(b *testing.B) {
	s := nineLoads(120)
	for b.Loop() {
		scaled(s).Detectable(s.Trials, 1, 1e-4, 0.9)
	}
}

func BenchmarkFamilyChiSquare(b *testing.B) {
	s := simulate(stream.New(1, "stats test", "bench", 0), nineLoads(120), 40, 2.4)
	for b.Loop() {
		scaled(s).ChiSquare(s.Stored, s.Trials)
	}
}
