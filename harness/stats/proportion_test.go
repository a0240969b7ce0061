package stats

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"lamcap/extremes"
)

func drawProportion(t *rapid.T) Proportion {
	n := rapid.IntRange(1, 300).Draw(t, "trials")
	return Proportion{rapid.IntRange(0, n).Draw(t, "successes"), n}
}

func drawProbability(t *rapid.T, name string) float64 {
	p, _ := fromLogOdds(rapid.Float64Range(-12, 12).Draw(t, name))
	return p
}

// The test and the Clopper-Pearson interval are one statement said twice.
func TestDualityOfTestAndInterval(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c, p0 := drawProportion(t), drawProbability(t, "log-odds")
		level := rapid.Float64Range(0.5, 0.999).Draw(t, "level")
		p := c.PValue(p0)
		if math.Abs(p-(1-level)) < 1e-9 {
			return // at the boundary round-off decides
		}
		if inside := c.ClopperPearson(level).Contains(p0); inside != (p > 1-level) {
			t.Fatalf("%v at p0 = %v, level %v: p = %v, inside = %v", c, p0, level, p, inside)
		}
	})
}

// Counting failures in place of successes changes nothing but signs.
func TestMirrorSymmetry(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawProportion(t)
		mirror := Proportion{c.Trials - c.Successes, c.Trials}
		// 1 − p0 is exact for these: the mirrored hypothesis is the same.
		p0 := float64(rapid.IntRange(0, 1024).Draw(t, "p0")) / 1024
		assert.InDelta(t, c.PValue(p0), mirror.PValue(1-p0), 1e-12)
		assert.InDelta(t, c.PValueLess(p0), mirror.PValueGreater(1-p0), 1e-12)
		if z := c.Z(p0); !math.IsInf(z, 0) {
			assert.InDelta(t, z, -mirror.Z(1-p0), 1e-9)
		} else {
			assert.Equal(t, z, -mirror.Z(1-p0))
		}
		for _, interval := range []func(Proportion) Interval{
			func(c Proportion) Interval { return c.Wilson(0.95) },
			func(c Proportion) Interval { return c.ClopperPearson(0.95) },
		} {
			assert.InDelta(t, interval(c).Lo, 1-interval(mirror).Hi, 1e-12)
			assert.True(t, interval(c).Contains(c.Estimate()))
		}
	})
}

// z and p are the same statement: p = 2 Q(|z|).
func TestZAgreesWithPValue(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c, p0 := drawProportion(t), drawProbability(t, "log-odds")
		p, z := c.PValue(p0), c.Z(p0)
		assert.InEpsilon(t, p+1e-300, math.Exp(math.Ln2+extremes.LogSurvival(math.Abs(z)))+1e-300, 1e-11)
		assert.False(t, z*(c.Estimate()-p0) < 0, "sign of z = %v", z)
	})
}

// P(p ≤ u) ≤ u, exactly, by summing over all outcomes: for every test, every null
// and every u at which the left side jumps.
func TestPValuesAreValid(t *testing.T) {
	for _, n := range []int{1, 2, 7, 20, 41} {
		for _, p0 := range []float64{1e-6, 0.03, 0.25, 0.5, 0.804, 0.999} {
			for name, test := range map[string]func(Proportion) float64{
				"two-sided": func(c Proportion) float64 { return c.PValue(p0) },
				"greater":   func(c Proportion) float64 { return c.PValueGreater(p0) },
				"less":      func(c Proportion) float64 { return c.PValueLess(p0) },
			} {
				for j := 0; j <= n; j++ {
					u := test(Proportion{j, n})
					sum := 0.0
					for k := 0; k <= n; k++ {
						if test(Proportion{k, n}) <= u {
							sum += math.Exp(logBinomialPMF(k, n, p0, 1-p0))
						}
					}
					assert.LessOrEqual(t, sum, u*(1+1e-12), "%s n=%d p0=%v k=%d", name, n, p0, j)
				}
			}
		}
	}
}

// Coverage by exact sums: Clopper-Pearson never below the level, Wilson near it on average
// over p and somewhere below it, which is why it is for display only [BCD].
func TestCoverage(t *testing.T) {
	const level = 0.95
	for _, n := range []int{5, 10, 40} {
		var worstExact, worstWilson, meanWilson = 1.0, 1.0, 0.0
		const grid = 200
		exactOf, wilsonOf := make([]Interval, n+1), make([]Interval, n+1)
		for k := range exactOf {
			exactOf[k], wilsonOf[k] = Proportion{k, n}.ClopperPearson(level), Proportion{k, n}.Wilson(level)
		}
		for g := 1; g < grid; g++ {
			p := float64(g) / grid
			exact, wilson := 0.0, 0.0
			for k := 0; k <= n; k++ {
				mass := math.Exp(logBinomialPMF(k, n, p, 1-p))
				if exactOf[k].Contains(p) {
					exact += mass
				}
				if wilsonOf[k].Contains(p) {
					wilson += mass
				}
			}
			worstExact = math.Min(worstExact, exact)
			worstWilson = math.Min(worstWilson, wilson)
			meanWilson += wilson / (grid - 1)
		}
		assert.GreaterOrEqual(t, worstExact, level, "n=%d", n)
		assert.Less(t, worstWilson, level, "n=%d", n)
		assert.InDelta(t, level, meanWilson, 0.01, "n=%d", n)
	}
}

func TestCertainPredictions(t *testing.T) {
	assert.Equal(t, 1.0, Proportion{0, 9}.PValue(0))
	assert.Equal(t, 0.0, Proportion{0, 9}.Z(0))
	assert.Equal(t, 1.0, Proportion{9, 9}.PValue(1))
	assert.Equal(t, 0.0, Proportion{9, 9}.Z(1))
	assert.Equal(t, 0.0, Proportion{1, 9}.PValue(0))
	assert.Equal(t, math.Inf(1), Proportion{1, 9}.Z(0))
	assert.Equal(t, math.Inf(-1), Proportion{8, 9}.Z(1))
	// 40 of 40 at p0 = 1e-200 has probability 1e-8000: z = −Φ⁻¹ of that, finite.
	z := Proportion{40, 40}.Z(1e-200)
	assert.InDelta(t, 40*200*math.Ln10, -extremes.LogSurvival(z), 1e-6)
	// A prediction a rounding error outside [0, 1] is a certain one.
	assert.Equal(t, 1.0, Proportion{9, 9}.PValue(1+1e-15))
}

func TestNoTrialsNoTest(t *testing.T) {
	none := Proportion{}
	assert.True(t, math.IsNaN(none.PValue(0.5)))
	assert.True(t, math.IsNaN(none.Z(0.5)))
	assert.True(t, math.IsNaN(Proportion{1, 2}.PValue(math.NaN())))
	assert.Equal(t, Interval{0, 1}, none.Wilson(0.95))
	assert.Equal(t, Interval{0, 1}, none.ClopperPearson(0.95))
}

func TestProportionPanics(t *testing.T) {
	assert.PanicsWithValue(t, "stats: Wilson: 3 of 2: want 0 ≤ successes ≤ trials", func() { Proportion{3, 2}.Wilson(0.9) })
	assert.PanicsWithValue(t, "stats: Wilson: level = 1: want 0 < level < 1", func() { Proportion{1, 2}.Wilson(1) })
	assert.PanicsWithValue(t, "stats: PValue: probability 1.5: want 0 ≤ p ≤ 1", func() { Proportion{1, 2}.PValue(1.5) })
}

// Power against an independent sum over the outcomes; the actual size is at most the level.
func TestPower(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p0, p1 := drawProbability(t, "p0"), drawProbability(t, "p1")
		n := rapid.IntRange(1, 80).Draw(t, "trials")
		level := rapid.Float64Range(1e-4, 0.3).Draw(t, "level")
		sum := 0.0
		for k := 0; k <= n; k++ {
			if (Proportion{k, n}).PValue(p0) <= level {
				sum += math.Exp(logBinomialPMF(k, n, p1, 1-p1))
			}
		}
		assert.InDelta(t, sum, Power(p0, p1, n, level), 1e-12)
		assert.LessOrEqual(t, Power(p0, p0, n, level), level*(1+1e-12))
	})
	// 40 instances tell 0.55 from 0.94 almost surely, 4 do not.
	assert.Greater(t, Power(0.55, 0.94, 40, 0.01), 0.99)
	assert.Less(t, Power(0.55, 0.94, 4, 0.01), 0.1)
	assert.Zero(t, Power(0.5, 0.9, 0, 0.01))
}

func TestRejection(t *testing.T) {
	r := Proportion{38, 40}.Rejects("α_c = 1/2", 1e-9)
	assert.True(t, r.At(1e-6))
	// log P = log(C(40,2) 1e-342) = −780.83 = log Q(39.40).
	assert.Equal(t, "α_c = 1/2: z = 39.4", r.String())
	assert.False(t, Proportion{}.Rejects("anything", 0.5).At(0.99))
}
