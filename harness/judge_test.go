package harness_test

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"lamcap/harness"
	"lamcap/harness/pattern"
	"lamcap/harness/predict"
	"lamcap/harness/stats"
	"lamcap/internal/stream"
)

// step is a theory whose transition is a probit.
func step(name string, half, width float64) harness.Theory {
	return harness.Theory{Name: name, Storable: func(p float64) float64 {
		return 0.5 * math.Erfc((p-half)/(width*math.Sqrt2))
	}}
}

// draw counts instances that are stored as a theory says; of each load some are undecided,
// those that could be stored first.
func draw(truth harness.Theory, replicate uint64, trials, undecided int) []harness.Count {
	rng := stream.New(1, "harness test", truth.Name, replicate)
	counts := []harness.Count{{Load: 36}, {Load: 40}, {Load: 44}}
	for i := range counts {
		c := &counts[i]
		c.Trials, c.Undecided = trials, undecided
		for range trials {
			if rng.Float64() < truth.Storable(c.Load) {
				c.Stored++
			}
		}
		c.Stored = max(0, c.Stored-undecided)
	}
	return counts
}

// A right theory is contradicted at the stated rate at most, a wrong truth is found with
// the stated power, and with undecided instances at least as often as stated.
func TestCalibration(t *testing.T) {
	const replicates = 400
	right, wrong := step("right", 40, 3), step("wrong", 38.6, 3)
	o := harness.Judge{Rate: 0.05}
	rate := func(truth harness.Theory, undecided int) (share float64, last harness.Judgement) {
		for r := range uint64(replicates) {
			last = o.Curve(right, draw(truth, r, 40, undecided), wrong)
			if last.Verdict == stats.Disagrees {
				share += 1. / replicates
			}
		}
		return share, last
	}
	for _, undecided := range []int{0, 3} {
		alarms, j := rate(right, undecided)
		assert.LessOrEqual(t, alarms, 0.05+4*math.Sqrt(0.05*0.95/replicates))
		if undecided == 0 {
			assert.Greater(t, alarms, 0.02, "a test of size 0 has no power")
		}
		found, _ := rate(wrong, undecided)
		power := j.Against[0].Power
		noise := 4 * math.Sqrt(power*(1-power)/replicates)
		assert.Greater(t, found, power-noise, "%d undecided", undecided)
		if undecided == 0 {
			assert.InDelta(t, power, found, noise)
			assert.InDelta(t, 0.85, power, 0.1, "neither 0 nor 1, or this test shows little")
		}
	}
}

// One load is the exact binomial test.
func TestCountsAreABinomialTest(t *testing.T) {
	j := harness.JudgeCounts(0.5, 36, 40, harness.Alternative{Name: "x", Predicted: 0.9}, harness.Alternative{Name: "y", Predicted: 0.6})
	c := stats.Proportion{Successes: 36, Trials: 40}
	assert.InEpsilon(t, c.PValue(0.5), j.PValue, 1e-9)
	assert.InEpsilon(t, c.Z(0.5), j.Z, 1e-9)
	assert.Equal(t, c.Wilson(harness.Confidence), j.Fraction)
	assert.InDelta(t, stats.Power(0.5, 0.9, 40, harness.DefaultRate), j.Against[0].Power, 1e-12)
	assert.InDelta(t, stats.Power(0.5, 0.6, 40, harness.DefaultRate), j.Against[1].Power, 1e-12)
	assert.InEpsilon(t, c.PValue(0.6), j.Against[1].PValue, 1e-9)
	assert.Equal(t, stats.Disagrees, j.Verdict)
	require.ErrorIs(t, j.Err(), harness.ErrDisagrees)
	assert.ErrorContains(t, j.Err(), "36 of 40 stored, 20 predicted: DISAGREES, p = 1.9e-07")
}

func TestPower(t *testing.T) {
	near, far := harness.Alternative{Name: "near", Predicted: 0.55}, harness.Alternative{Name: "far", Predicted: 0.99}
	j := harness.JudgeCounts(0.5, 20, 40, near, far)
	require.ErrorIs(t, j.Err(), harness.ErrPowerless)
	assert.ErrorContains(t, j.Err(), "the data could not have told the theory from near: power 0.018, want 0.9")
	require.Len(t, j.Weak(), 1)
	assert.Equal(t, "near", j.Weak()[0].Theory)
	require.NoError(t, harness.JudgeCounts(0.5, 20, 40, far).Err())
	require.NoError(t, harness.Judge{Power: 0.01}.Counts(0.5, 20, 40, near, far).Err())
	// It is what was planned, not what was seen.
	assert.Equal(t, j.Against[0].Power, harness.JudgeCounts(0.5, 3, 40, near).Against[0].Power)
}

// Undecided instances hide rejections and power, and are said.
func TestUndecided(t *testing.T) {
	at := func(undecided int) harness.Judgement {
		return harness.JudgeCurve(harness.At("mine", 0.9), []harness.Count{{Load: 40, Stored: 20, Undecided: undecided, Trials: 40}}, harness.At("other", 0.5))
	}
	assert.Equal(t, stats.Disagrees, at(0).Verdict)
	assert.Equal(t, stats.OK, at(14).Verdict, "34 of 40 may be storable")
	assert.Greater(t, at(0).Against[0].Power, 0.99)
	assert.Less(t, at(14).Against[0].Power, 0.1)
	assert.Contains(t, at(14).String(), "mine: 20 of 40 stored, 14 undecided at load 40, 36 predicted: ok")
	assert.Equal(t, 6, at(14).Counts[0].NotStorable())
}

func TestCertainPredictions(t *testing.T) {
	require.NoError(t, harness.JudgeCounts(1, 40, 40).Err())
	require.NoError(t, harness.JudgeCounts(0, 0, 40).Err())
	j := harness.JudgeCounts(1, 39, 40)
	require.ErrorIs(t, j.Err(), harness.ErrDisagrees)
	assert.Zero(t, j.PValue)
	assert.True(t, math.IsInf(j.Z, -1))
	assert.ErrorContains(t, j.Err(), "z = < -30")
	assert.True(t, math.IsInf(harness.JudgeCounts(0, 1, 40).Z, 1))
	// 1 − 0.99⁴⁰
	assert.InDelta(t, 0.33103, harness.JudgeCounts(1, 40, 40, harness.Alternative{Name: "x", Predicted: 0.99}).Against[0].Power, 1e-5)
}

// What cannot be tested says why, and is never ok.
func TestUntested(t *testing.T) {
	count := []harness.Count{{Load: 40, Stored: 1, Trials: 2}}
	for want, j := range map[string]harness.Judgement{
		"no trials":  harness.JudgeCounts(0.5, 0, 0),
		"no trials ": harness.JudgeCurve(harness.At("x", 0.5), nil),
		"the theory predicts NaN: want a probability":                                  harness.JudgeCounts(math.NaN(), 1, 2),
		"the theory predicts 1.5: want a probability, 0 ≤ P ≤ 1":                       harness.JudgeCounts(1.5, 1, 2),
		"x predicts NaN: want a probability":                                           harness.JudgeCounts(0.5, 1, 2, harness.Alternative{Name: "x", Predicted: math.NaN()}),
		"x predicts -1 at load 40: want":                                               harness.JudgeCurve(harness.At("x", -1), count),
		"3 stored and 0 undecided of 2: want":                                          harness.JudgeCounts(0.5, 3, 2),
		"-1 stored and 0 undecided of 2: want":                                         harness.JudgeCounts(0.5, -1, 2),
		"1 stored and 2 undecided of 2: want":                                          harness.JudgeCurve(harness.At("x", 0.5), []harness.Count{{Stored: 1, Undecided: 2, Trials: 2}}),
		"load = NaN: want a finite one":                                                harness.JudgeCurve(harness.At("x", 0.5), []harness.Count{{Load: math.NaN(), Trials: 2}}),
		"rate = 2: want 0 < rate < 1":                                                  harness.Judge{Rate: 2}.Counts(0.5, 1, 2),
		"power = NaN: want 0 < power < 1":                                              harness.Judge{Power: math.NaN()}.Counts(0.5, 1, 2),
		fmt.Sprintf("%d stored and 1 undecided of 2: want", math.MinInt):               harness.JudgeCurve(harness.At("x", 0.5), []harness.Count{{Stored: math.MinInt, Undecided: 1, Trials: 2}}),
		fmt.Sprintf("1 stored and %d undecided of %d: want", math.MaxInt, math.MaxInt): harness.JudgeCurve(harness.At("x", 0.5), []harness.Count{{Stored: 1, Undecided: math.MaxInt, Trials: math.MaxInt}}),
	} {
		require.ErrorIs(t, j.Err(), harness.ErrUntested, want)
		require.ErrorContains(t, j.Err(), strings.TrimSpace(want))
		assert.Equal(t, stats.Untested, j.Verdict)
		assert.True(t, math.IsNaN(j.PValue))
		half, predicted := j.HalfPoint()
		assert.True(t, math.IsNaN(half.X) && math.IsNaN(predicted))
		assert.Equal(t, stats.Interval{Lo: 0, Hi: math.Inf(1)}, j.Resolution())
	}
}

// A load that was planned and not tried asks the theory nothing and changes nothing.
func TestLoadWithoutTrials(t *testing.T) {
	picky := harness.Theory{Name: "picky", Storable: func(p float64) float64 {
		if p > 50 {
			return math.NaN()
		}
		return step("", 40, 3).Storable(p)
	}}
	counts := draw(picky, 1, 40, 0)
	with, without := harness.JudgeCurve(picky, append(counts, harness.Count{Load: 60})), harness.JudgeCurve(picky, counts)
	require.NoError(t, with.Err())
	assert.Equal(t, without.PValue, with.PValue)
	_, predicted := with.HalfPoint()
	_, want := without.HalfPoint()
	assert.Equal(t, want, predicted)
	assert.InDelta(t, 40, predicted, 1e-6)
	assert.Equal(t, without.String(), with.String())
}

// A truth at the resolution is found with the wanted power.
func TestResolution(t *testing.T) {
	right := step("right", 40, 3)
	counts := draw(right, 1, 100, 0)
	r := harness.JudgeCurve(right, counts).Resolution()
	for _, factor := range []float64{r.Lo, r.Hi} {
		j := harness.JudgeCurve(right, counts, right.Scaled("edge", factor))
		assert.InDelta(t, 0.9, j.Against[0].Power, 1e-3)
	}
	assert.Less(t, r.Lo, 1.)
	assert.Greater(t, r.Hi, 1.)
	assert.Equal(t, stats.Interval{Lo: 0, Hi: math.Inf(1)}, harness.JudgeCounts(0.5, 1, 2).Resolution())
}

// recorder is a TB.
type recorder struct {
	logged, failed string
}

func (*recorder) Helper()             {}
func (r *recorder) Log(args ...any)   { r.logged = fmt.Sprint(args...) }
func (r *recorder) Fatal(args ...any) { r.failed = fmt.Sprint(args...) }

func TestPin(t *testing.T) {
	var good, bad recorder
	harness.Pin(&good, harness.JudgeCounts(0.5, 20, 40))
	assert.Contains(t, good.logged, "20 of 40 stored")
	assert.Empty(t, good.failed)
	harness.Pin(&bad, harness.JudgeCounts(0.9, 20, 40))
	assert.Contains(t, bad.failed, "DISAGREES")
	assert.Empty(t, bad.logged)
	harness.Pin(t, harness.JudgeCounts(0.5, 20, 40)) // a *testing.T is one
}

// Between integers the theory of DP goes on, monotonically, and its name says whose it is.
func TestDecoupled(t *testing.T) {
	theory, err := harness.Decoupled(predict.Memory{In: 12, Out: 12}, 0)
	require.NoError(t, err)
	last := 1.
	for p := 20.; p <= 80; p += 0.25 {
		v := theory.Storable(p)
		assert.LessOrEqual(t, v, last, "p = %v", p)
		assert.Positive(t, v)
		last = v
	}
	// 0.50461 recomputed independently; the hulls of twelve dimensions take 0.0007 of it.
	assert.InDelta(t, 0.50461-0.0007, theory.Storable(40), 1e-4)
	assert.InDelta(t, theory.Storable(40), theory.Scaled("", 2).Storable(80), 1e-15)
	assert.True(t, math.IsNaN(theory.Storable(1)), "no competitor and n = p")
	fixed, err := harness.Decoupled(predict.Memory{In: 6, Out: 24}, 2)
	require.NoError(t, err)
	assert.InDelta(t, 0.5, fixed.Storable(288), 1e-9, "Cover: half at p = 2N")
	for _, n := range []float64{1, 2.5, math.NaN(), math.Inf(1), -3} {
		_, err = harness.Decoupled(predict.Memory{In: 12, Out: 12}, n)
		assert.ErrorContains(t, err, "want an integer 2 ≤ n", n)
	}
	for _, m := range []predict.Memory{{}, {In: 12}, {In: 12, Out: 12, Rank: 13}, {In: 12, Out: 12, Rank: -1}} {
		_, err = harness.Decoupled(m, 0)
		assert.Error(t, err, m)
	}
	assert.Panics(t, func() { theory.Scaled("", 0) })
}

func TestDecide(t *testing.T) {
	ctx := context.Background()
	spec := pattern.Spec{Model: pattern.OP, DIn: 6, DOut: 6}
	counts, err := harness.DecideLoads(ctx, spec, []int{8, 30}, 1, 5)
	require.NoError(t, err)
	assert.Equal(t, []harness.Count{{Load: 8, Stored: 5, Trials: 5}, {Load: 30, Stored: 0, Trials: 5}}, counts)
	spec.P, spec.N = 30, 30
	one, err := harness.Decide(ctx, spec, 1, 5)
	require.NoError(t, err)
	assert.Equal(t, counts[1], one, "the same instances alone")
	_, err = harness.DecideLoads(ctx, spec, []int{0}, 1, 5)
	assert.ErrorContains(t, err, "p = 0: want p ≥ 1")
	_, err = harness.Decide(ctx, spec, 1, -1)
	assert.ErrorContains(t, err, "trials = -1: want trials ≥ 0")
	cancelled, stop := context.WithCancel(ctx)
	stop()
	_, err = harness.Decide(cancelled, spec, 1, 5)
	assert.ErrorIs(t, err, context.Canceled)
}

// A theory that is right on the sum of all loads and wrong at each is contradicted, unless
// what is undecided could make it right; the right one is not.
func TestShape(t *testing.T) {
	counts := []harness.Count{{Load: 37, Stored: 166, Trials: 200}, {Load: 40, Stored: 101, Trials: 200}, {Load: 43, Stored: 38, Trials: 200}}
	flat := harness.At("flat", 0.51)
	j := harness.JudgeCurve(flat, counts)
	assert.Equal(t, stats.Disagrees, j.Verdict)
	assert.Greater(t, j.PValue, 0.9)
	assert.Less(t, j.Shape, 1e-30)
	require.ErrorIs(t, j.Err(), harness.ErrDisagrees)
	assert.ErrorContains(t, j.Err(), "flat: 305 of 600 stored at 3 loads from 37 to 43, 306 predicted: DISAGREES load by load, p = ")

	right := harness.JudgeCurve(step("right", 40, 3.3), counts)
	require.NoError(t, right.Err())
	assert.Greater(t, right.Shape, 0.1)
	assert.Contains(t, right.String(), "; no wrong theory was named, so what")

	unknown := []harness.Count{{Load: 37, Stored: 99, Undecided: 10, Trials: 200}, {Load: 40, Stored: 102, Trials: 200}, {Load: 43, Stored: 38, Undecided: 70, Trials: 200}}
	assert.Equal(t, stats.OK, harness.JudgeCurve(flat, unknown).Verdict)
	unknown[2].Undecided = 0
	assert.Equal(t, stats.Disagrees, harness.JudgeCurve(flat, unknown).Verdict)

	// One load has no shape, nor has one that was tried and one that was not.
	assert.True(t, math.IsNaN(harness.JudgeCurve(flat, counts[1:2]).Shape))
	assert.True(t, math.IsNaN(harness.JudgeCurve(flat, []harness.Count{counts[1], {Load: 50}}).Shape))
}
