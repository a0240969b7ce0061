package stats

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"lamcap/internal/stream"
)

func TestOutcomesCurveWithoutUndecidedIsACurve(t *testing.T) {
	curve := OutcomesCurve{{23, 0, 24}, {21, 0, 24}, {10, 0, 24}, {2, 0, 24}, {0, 0, 24}}
	stored, trials := []int{23, 21, 10, 2, 0}, []int{24, 24, 24, 24, 24}
	predicted, actual := []float64{0.994, 0.876, 0.449, 0.130, 0.010}, []float64{0.9, 0.7, 0.3, 0.05, 0.001}
	assert.Equal(t, CurvePValue(stored, trials, predicted), curve.PValue(predicted))
	assert.Equal(t, CurveZ(stored, trials, predicted), curve.Z(predicted))
	assert.Equal(t, CurveRejects("x", stored, trials, actual), curve.Rejects("x", actual))
	assert.Equal(t, CurvePower(trials, predicted, actual, 0.01), curve.Power(predicted, actual, 0.01))
}

func TestOutcomesCurveOfOneLoadIsOutcomes(t *testing.T) {
	for _, o := range []Outcomes{{4, 6, 10}, {4, 0, 10}, {0, 3, 10}, {10, 0, 10}} {
		for _, p0 := range []float64{0.01, 0.3, 0.99} {
			assert.InDelta(t, o.PValue(p0), OutcomesCurve{o}.PValue([]float64{p0}), 1e-12, "%v %v", o, p0)
		}
	}
	assert.InDelta(t, Power(0.3, 0.6, 40, 0.01), OutcomesCurve{{0, 0, 40}}.Power([]float64{0.3}, []float64{0.6}, 0.01), 1e-12)
}

// A prediction of 0 or 1 is met by some reading of undecided instances, or contradicted
// by all.
func TestOutcomesCurveOfCertainPredictions(t *testing.T) {
	predicted := []float64{1, 0.5, 0}
	assert.Greater(t, OutcomesCurve{{8, 2, 10}, {5, 0, 10}, {0, 2, 10}}.PValue(predicted), 0.5)
	assert.Zero(t, OutcomesCurve{{8, 1, 10}, {5, 0, 10}, {0, 2, 10}}.PValue(predicted), "one of ten is not storable")
	assert.Zero(t, OutcomesCurve{{8, 2, 10}, {5, 0, 10}, {1, 2, 10}}.PValue(predicted), "one of ten is stored")
	// What is undecided where the theory is certain hides nothing elsewhere.
	assert.InEpsilon(t, Proportion{10, 10}.PValue(0.5),
		OutcomesCurve{{8, 2, 10}, {10, 0, 10}, {0, 2, 10}}.PValue(predicted), 1e-9)
	assert.InDelta(t, 1-math.Pow(0.9, 10), OutcomesCurve{{0, 0, 10}}.Power([]float64{0}, []float64{0.1}, 0.01), 1e-12)
	// One of ten is hidden: two have to be stored.
	assert.InDelta(t, 1-math.Pow(0.9, 10)-10*0.1*math.Pow(0.9, 9),
		OutcomesCurve{{0, 1, 10}}.Power([]float64{0}, []float64{0.1}, 0.01), 1e-12)
	assert.InDelta(t, 1-math.Pow(0.9, 10)-10*0.1*math.Pow(0.9, 9),
		OutcomesCurve{{0, 1, 10}}.Power([]float64{1}, []float64{0.9}, 0.01), 1e-12)
}

func TestOutcomesCurveWithoutTest(t *testing.T) {
	assert.True(t, math.IsNaN(OutcomesCurve{}.PValue(nil)))
	assert.True(t, math.IsNaN(OutcomesCurve{{0, 0, 0}}.PValue([]float64{0.5})))
	assert.True(t, math.IsNaN(OutcomesCurve{{1, 0, 2}}.PValue([]float64{math.NaN()})))
	assert.Zero(t, OutcomesCurve{{0, 0, 0}}.Power([]float64{0.5}, []float64{0.1}, 0.01))
	assert.Panics(t, func() { OutcomesCurve{{1, 0, 2}}.PValue([]float64{0.5, 0.5}) })
	assert.Panics(t, func() { OutcomesCurve{{1, 2, 2}}.PValue([]float64{0.5}) })
	assert.Panics(t, func() { OutcomesCurve{{1, -1, 2}}.PValue([]float64{0.5}) })
}

// Whichever instances are undecided, as many rejections are seen as the power says, or more, and
// false alarms not more often than the level.
func TestOutcomesCurvePowerIsALowerBound(t *testing.T) {
	const replicates, level = 2000, 0.05
	trials, undecided := []int{20, 20, 20}, []int{2, 1, 3}
	predicted, actual := []float64{0.8, 0.5, 0.2}, []float64{0.95, 0.8, 0.5}
	shape := make(OutcomesCurve, 3)
	for i := range shape {
		shape[i] = Outcomes{Undecided: undecided[i], Trials: trials[i]}
	}
	rate := func(truth []float64, hideStored bool) float64 {
		rng := stream.New(1, "stats test", "outcomes curve power", 0)
		rejected := 0
		for range replicates {
			c := make(OutcomesCurve, 3)
			for i, n := range trials {
				storable := 0
				for range n {
					if rng.Float64() < truth[i] {
						storable++
					}
				}
				hidden := min(undecided[i], n-storable)
				if hideStored {
					hidden = undecided[i] - min(undecided[i], storable)
				}
				c[i] = Outcomes{Stored: storable - (undecided[i] - hidden), Undecided: undecided[i], Trials: n}
			}
			if c.PValue(predicted) <= level {
				rejected++
			}
		}
		return float64(rejected) / replicates
	}
	power := shape.Power(predicted, actual, level)
	noise := 4 * math.Sqrt(power*(1-power)/replicates)
	assert.InDelta(t, power, rate(actual, true), noise, "the worst case is the bound")
	assert.Greater(t, rate(actual, false), power-noise)
	assert.Less(t, power, CurvePower(trials, predicted, actual, level))
	assert.LessOrEqual(t, rate(predicted, true), level)
	assert.LessOrEqual(t, rate(predicted, false), level)
}

// A truth at the resolution is found out that often, and undecided instances hide some of it.
func TestOutcomesCurveResolution(t *testing.T) {
	loads := []float64{36, 38, 40, 42, 44}
	family := CurveFamily{Width: 0.06, At: func(scale float64) []float64 {
		return Transition{Loads: loads}.Curve(40*scale, 2.4)
	}}
	c := make(OutcomesCurve, 5)
	for i := range c {
		c[i] = Outcomes{Trials: 100}
	}
	found := c.Resolution(family, 1, 0.01, 0.9)
	for _, truth := range []float64{found.Lo, found.Hi} {
		assert.InDelta(t, 0.9, c.Power(family.At(1), family.At(truth), 0.01), 1e-3, "%v", truth)
	}
	for i := range c {
		c[i].Undecided = 5
	}
	hidden := c.Resolution(family, 1, 0.01, 0.9)
	assert.Less(t, hidden.Lo, found.Lo)
	assert.Greater(t, hidden.Hi, found.Hi)
}

// The reading of the undecided instances is the one of least deviance of all there are.
func TestOutcomesCurveDevianceIsTheLeastOfAllReadings(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		curve, predicted, trials := OutcomesCurve{}, []float64{}, []int{}
		for range 2 {
			n := rapid.IntRange(1, 12).Draw(t, "trials")
			stored := rapid.IntRange(0, n).Draw(t, "stored")
			curve = append(curve, Outcomes{stored, rapid.IntRange(0, n-stored).Draw(t, "undecided"), n})
			predicted = append(predicted, rapid.OneOf(rapid.Float64Range(0, 1), rapid.SampledFrom([]float64{0, 0.5, 1})).Draw(t, "predicted"))
			trials = append(trials, n)
		}
		largest := 0.
		for a := range curve[0].Undecided + 1 {
			for b := range curve[1].Undecided + 1 {
				p := CurveDeviancePValue([]int{curve[0].Stored + a, curve[1].Stored + b}, trials, predicted)
				largest = math.Max(largest, p)
			}
		}
		if math.IsNaN(largest) {
			assert.True(t, math.IsNaN(curve.DeviancePValue(predicted)))
			return
		}
		assert.InEpsilon(t, 1+largest, 1+curve.DeviancePValue(predicted), 1e-12)
	})
}
