package stats

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"lamcap/extremes"
	"lamcap/internal/stream"
)

// outcomes calls visit with every possible vector of counts.
func outcomes(trials []int, visit func(stored []int)) {
	stored := make([]int, len(trials))
	var next func(i int)
	next = func(i int) {
		if i == len(trials) {
			visit(stored)
			return
		}
		for k := 0; k <= trials[i]; k++ {
			stored[i] = k
			next(i + 1)
		}
	}
	next(0)
}

func mass(stored, trials []int, p []float64) float64 {
	log := 0.0
	for i := range trials {
		log += logBinomialPMF(stored[i], trials[i], p[i], 1-p[i])
	}
	return math.Exp(log)
}

// One load is the binomial test.
func TestCurveOfOneLoad(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c, p0 := drawProportion(t), drawProbability(t, "log-odds")
		stored, trials := []int{c.Successes}, []int{c.Trials}
		// Where p underflows z still compares.
		assert.InEpsilon(t, c.PValue(p0)+1e-290, CurvePValue(stored, trials, []float64{p0})+1e-290, 1e-10)
		assert.InDelta(t, c.Z(p0), CurveZ(stored, trials, []float64{p0}), 1e-8)
	})
}

// Tilting and convolution against plain enumeration of all outcomes.
func TestCurveAgainstEnumeration(t *testing.T) {
	trials := []int{4, 6, 5}
	for _, predicted := range [][]float64{
		{0.9, 0.4, 0.02}, {0.999, 0.998, 1e-9}, {0.5, 0.5, 0.5}, {1e-30, 0.3, 1 - 1e-12},
	} {
		loads, _, _ := curveLoads([]int{0, 0, 0}, trials, predicted)
		setWeights(loads)
		statistic := func(stored []int) int {
			sum := 0
			for i, k := range stored {
				sum += loads[i].weight * k
			}
			return sum
		}
		values, want := map[int]float64{}, map[int]float64{} // mass and p-value by statistic
		outcomes(trials, func(stored []int) { values[statistic(stored)] += mass(stored, trials, predicted) })
		for v := range values {
			below, above := 0.0, 0.0
			for w, m := range values {
				if w <= v {
					below += m
				}
				if w >= v {
					above += m
				}
			}
			want[v] = math.Min(1, 2*math.Min(below, above))
		}
		valid := map[float64]float64{}
		outcomes(trials, func(stored []int) {
			p := CurvePValue(stored, trials, predicted)
			assert.InEpsilon(t, want[statistic(stored)], p, 1e-9, "%v at %v", stored, predicted)
			valid[p] += mass(stored, trials, predicted)
		})
		for u := range valid { // P(p ≤ u) ≤ u
			sum := 0.0
			for p, m := range valid {
				if p <= u {
					sum += m
				}
			}
			assert.LessOrEqual(t, sum, u*(1+1e-9))
		}
	}
}

// The exact law of a statistic that sums over the loads, against plain enumeration.
func TestExceedanceAgainstEnumeration(t *testing.T) {
	trials := []int{4, 6, 5}
	for name, test := range map[string]struct {
		term   func(curveLoad, int) float64
		pValue func(stored, trials []int, predicted []float64) float64
	}{
		"deviance": {curveLoad.deviance, CurveDeviancePValue},
		"χ²": {curveLoad.chiSquare, func(stored, trials []int, predicted []float64) float64 {
			return CurveChiSquare(stored, trials, predicted).PValue
		}},
	} {
		for _, predicted := range [][]float64{{0.9, 0.4, 0.02}, {0.5, 0.5, 0.5}, {1e-30, 0.3, 1 - 1e-12}} {
			loads, _, _ := curveLoads([]int{0, 0, 0}, trials, predicted)
			// Beyond its bound the sum is not resolved: the p-value is that of the bound.
			statistic := func(stored []int) (sum int) {
				for i, k := range stored {
					sum += latticeUnits(test.term(loads[i], k))
				}
				return min(sum, latticeCap/latticeUnit)
			}
			byValue := map[int]float64{}
			outcomes(trials, func(stored []int) { byValue[statistic(stored)] += mass(stored, trials, predicted) })
			outcomes(trials, func(stored []int) {
				v, tail := statistic(stored), 0.0
				for w, m := range byValue {
					if w >= v {
						tail += m
					}
				}
				assert.InDelta(t, tail, test.pValue(stored, trials, predicted), 1e-12+1e-9*tail, name)
			})
		}
	}
}

func TestCurveLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 6).Draw(t, "loads")
		stored, trials, missed := make([]int, n), make([]int, n), make([]int, n)
		predicted, mirrored := make([]float64, n), make([]float64, n)
		for i := range n {
			trials[i] = rapid.IntRange(1, 40).Draw(t, "trials")
			stored[i] = rapid.IntRange(0, trials[i]).Draw(t, "stored")
			missed[i] = trials[i] - stored[i]
			predicted[i] = float64(rapid.IntRange(1, 63).Draw(t, "p")) / 64 // 1 − p exact
			mirrored[i] = 1 - predicted[i]
		}
		z := CurveZ(stored, trials, predicted)
		assert.InDelta(t, z, -CurveZ(missed, trials, mirrored), 1e-7, "mirror")
		p := CurvePValue(stored, trials, predicted)
		assert.InDelta(t, p, math.Exp(math.Ln2+extremes.LogSurvival(math.Abs(z))), 1e-9, "z and p")
		// Order of the loads, loads without trials and certain, met predictions do not matter.
		assert.InEpsilon(t, p, CurvePValue(
			append([]int{stored[n-1], 0, 3}, stored[:n-1]...), append([]int{trials[n-1], 0, 3}, trials[:n-1]...),
			append([]float64{predicted[n-1], math.NaN(), 1}, predicted[:n-1]...)), 1e-8)
	})
}

func TestCurveExtremes(t *testing.T) {
	// All stored where the theory says 1e-200 and 1e-100: P = 1e-9000, far below any float64.
	z := CurveZ([]int{30, 30}, []int{30, 30}, []float64{1e-200, 1e-100})
	assert.InDelta(t, 9000*math.Ln10, -extremes.LogSurvival(z), 1e-6)
	assert.Equal(t, math.Inf(1), CurveZ([]int{1}, []int{3}, []float64{0}))
	assert.Equal(t, math.Inf(-1), CurveZ([]int{1}, []int{3}, []float64{1}))
	assert.Equal(t, 0.0, CurveDeviancePValue([]int{1}, []int{3}, []float64{1}))
	assert.Equal(t, 1.0, CurvePValue([]int{0, 3}, []int{3, 3}, []float64{0, 1}))
	assert.True(t, math.IsNaN(CurvePValue([]int{0}, []int{0}, []float64{0.5})))
	assert.True(t, math.IsNaN(CurvePValue([]int{1}, []int{2}, []float64{math.NaN()})))
	assert.True(t, math.IsNaN(CurveDeviancePValue(nil, nil, nil)))
	assert.Panics(t, func() { CurvePValue([]int{1}, []int{2}, nil) })
	assert.Panics(t, func() { CurvePValue([]int{3}, []int{2}, []float64{0.5}) })
}

// Large counts take coarser weights, not another method: z agrees with the normal one there.
func TestCurveLargeCounts(t *testing.T) {
	trials := []int{20000, 20000, 20000, 20000, 20000}
	predicted := []float64{0.9, 0.7, 0.5, 0.3, 0.1}
	stored := []int{18060, 14080, 10090, 6070, 2050}
	loads, _, _ := curveLoads(stored, trials, predicted)
	setWeights(loads)
	difference, variance := 0.0, 0.0
	for _, c := range loads {
		difference += float64(c.weight) * (float64(c.stored) - float64(c.trials)*c.p)
		variance += float64(c.weight*c.weight) * float64(c.trials) * c.p * c.q
	}
	// Continuity and skewness: half a unit of a standard deviation near 130 units.
	assert.InDelta(t, difference/math.Sqrt(variance), CurveZ(stored, trials, predicted), 0.02)
}

// What the two tests of a curve see: the right curve is kept, a shift is found by the
// score, a wrong width by the deviance. Rates over a fixed stream.
func TestCurvePower(t *testing.T) {
	const replicates = 250
	loads := []float64{-2, -1, 0, 1, 2}
	transition := Transition{Loads: loads, Stored: make([]int, 5), Trials: []int{20, 20, 20, 20, 20}}
	rates := func(half, width float64) (score, deviance float64) {
		rng := stream.New(1, "stats test", "curve power", 0)
		for range replicates {
			s := simulate(rng, transition, half, width)
			predicted := s.Curve(0, 1)
			if CurvePValue(s.Stored, s.Trials, predicted) <= 0.05 {
				score += 1. / replicates
			}
			if CurveDeviancePValue(s.Stored, s.Trials, predicted) <= 0.05 {
				deviance += 1. / replicates
			}
		}
		return score, deviance
	}
	limit := 0.05 + 4*math.Sqrt(0.05*0.95/replicates)
	score, deviance := rates(0, 1)
	assert.Less(t, score, limit)
	assert.Less(t, deviance, limit)
	shiftScore, shiftDeviance := rates(0.5, 1) // 3.0 standard errors of the half-point: power Φ(3 − 1.96) = 0.85
	assert.InDelta(t, 0.85, shiftScore, 4*math.Sqrt(0.85*0.15/replicates))
	assert.Greater(t, shiftScore, shiftDeviance)
	// A curve 2.5 times as wide leaves the mean of T but raises its variance.
	widthScore, widthDeviance := rates(0, 2.5)
	was, is := 0.0, 0.0
	counts := make([]int, 5)
	predicted, wide := transition.Curve(0, 1), transition.Curve(0, 2.5)
	score5, _, _ := curveLoads(counts, transition.Trials, predicted)
	setWeights(score5)
	for i, c := range score5 {
		w2 := float64(c.weight * c.weight)
		was += w2 * predicted[i] * (1 - predicted[i])
		is += w2 * wide[i] * (1 - wide[i])
	}
	expected := math.Exp(math.Ln2 + extremes.LogSurvival(1.96*math.Sqrt(was/is)))
	assert.InDelta(t, expected, widthScore, 4*math.Sqrt(expected*(1-expected)/replicates))
	assert.Greater(t, widthDeviance, 0.9)
	t.Logf("true: %.3f %.3f; shifted: %.3f %.3f; wide: %.3f %.3f",
		score, deviance, shiftScore, shiftDeviance, widthScore, widthDeviance)
}
