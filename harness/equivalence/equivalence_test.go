package equivalence

import (
	"context"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"lamcap/harness/pattern"
	"lamcap/harness/stats"
	"lamcap/harness/table"
	"lamcap/harness/trial"
	"lamcap/internal/stream"
)

func small() Options {
	return Options{
		Seed: 11,
		Storages: []Storage{
			{Shape: Shape{8, 8}, Trials: 40, DPTrials: 40, NearTrials: 60},
			{Shape: Shape{12, 12}, Trials: 40, DPTrials: 40, NearTrials: 60},
			{Shape: Shape{18, 8}, Trials: 20},
		},
		Trainings: []Training{{Shape{8, 8}, 1.6, 20}, {Shape{12, 12}, 1.6, 20}, {Shape{16, 16}, 1.6, 12}},
	}
}

// counter counts what is reported as done.
type counter struct{ n int }

func (c *counter) Add(n int) { c.n += n }
func (c *counter) Done()     {}

func TestMeasure(t *testing.T) {
	o := small()
	c := &counter{}
	o.Progress = c
	r, err := Measure(context.Background(), o)
	require.NoError(t, err)
	total, err := Instances(o)
	require.NoError(t, err)
	assert.Equal(t, total, c.n)

	// DP is where its theory says, with the width that it says: two exact tests, false alarm
	// below 2e-4.
	for _, x := range r.Transitions[:2] {
		assert.Less(t, math.Abs(x.DP.Counts().ZKnownWidth(x.TheoryHalf, x.Width)), 3.9, "d = %v", x.Shape)
		assert.Equal(t, 60, x.Pairs.Pairs())
	}
	// OP stores more: by 3 to 4% at d = 12, some four standard errors of 5 × 40 trials.
	assert.Greater(t, r.Transitions[1].OP.Counts().ZKnownWidth(r.Transitions[1].TheoryHalf, r.Transitions[1].Width), 3.0)
	assert.Empty(t, r.Transitions[2].DP.Loads)
	for _, x := range r.Trainings {
		require.Len(t, x.Difference, int(quantities))
		assert.Greater(t, x.Pairs, x.Trials*3/4, "beyond capacity nearly all have a minimum")
		assert.InDelta(t, x.OP[Loss].Mean-x.DP[Loss].Mean, x.Difference[Loss].Mean, 1e-12)
		assert.Greater(t, x.Within.Mean, 0.0)
		assert.Less(t, math.Abs(x.Spectra.Mean), x.Within.Mean)
	}
	laws := r.Laws()
	var names []string
	for _, l := range laws {
		names = append(names, l.String())
		assert.GreaterOrEqual(t, len(l.Points), 2, l.String())
	}
	assert.Contains(t, names, "half_point_excess")
	assert.Contains(t, names, "stored_near")
	assert.Contains(t, names, "accuracy at 1.6 p_c")
	assert.Contains(t, names, "spectra at 1.6 p_c")
	assert.Len(t, laws, 2*(2+int(quantities)+1))

}

func TestSameForAnyThreads(t *testing.T) {
	if testing.Short() {
		t.Skip("twice the same")
	}
	o := Options{Seed: 2, Storages: []Storage{{Shape: Shape{8, 8}, Trials: 6, DPTrials: 6, NearTrials: 6}}, Trainings: []Training{{Shape{8, 8}, 1.6, 6}}}
	r, err := Measure(context.Background(), o)
	require.NoError(t, err)
	previous := runtime.GOMAXPROCS(1)
	defer runtime.GOMAXPROCS(previous)
	again, err := Measure(context.Background(), o)
	require.NoError(t, err)
	assert.Equal(t, printed(t, r), printed(t, again), "GOMAXPROCS = 1")
}

func printed(t *testing.T, r *Report) string {
	t.Helper()
	var b strings.Builder
	require.NoError(t, table.Write(&b, table.JSON, r.Tables()...))
	return b.String()
}

// Trial t of both problems has the same keys, which is what pairs share.
func TestPairsShareKeys(t *testing.T) {
	o := Options{Seed: 3}
	s := Shape{6, 5}
	draw := func(m pattern.Model, trialNumber uint64) *pattern.Instance {
		return trial.Draw(stream.New(o.Seed, "equivalence", "cell", trialNumber), o.spec(m, s, 9), 0)
	}
	assert.Equal(t, draw(pattern.OP, 4).Keys(), draw(pattern.DP, 4).Keys())
	assert.NotEqual(t, draw(pattern.OP, 4).Keys(), draw(pattern.OP, 5).Keys())
}

// The energy distance is 0 on average for equal laws, also when the members of a pair depend
// on each other, and positive for different ones.
func TestEnergy(t *testing.T) {
	const couples, values = 400, 12
	distance := func(shift, scale float64) stats.Sample {
		rng := stream.New(2, "equivalence", "energy", 0)
		draw := func(common []float64, shift, scale float64) []float64 {
			x := make([]float64, values)
			for i := range x {
				x[i] = shift + scale*(rng.NormFloat64()+common[i])
			}
			slices.SortFunc(x, func(a, b float64) int { return -cmpFloat(a, b) })
			return x
		}
		all := make([]float64, couples)
		for k := range all {
			one, two := make([]float64, values), make([]float64, values)
			for i := range one {
				one[i], two[i] = rng.NormFloat64(), rng.NormFloat64()
			}
			a, x := draw(one, 0, 1), draw(one, shift, scale)
			b, y := draw(two, 0, 1), draw(two, shift, scale)
			all[k] = energy(a, b, x, y)
		}
		return stats.NewSample(all)
	}
	same := distance(0, 1)
	assert.Less(t, math.Abs(same.Z(0)), 3.9, "false alarm 1e-4")
	assert.Greater(t, distance(0.5, 1).Z(0), 4.0)
	assert.Greater(t, distance(0, 1.3).Z(0), 4.0)
}

func cmpFloat(a, b float64) int {
	if a < b {
		return -1
	} else if a > b {
		return 1
	}
	return 0
}

func TestOptionsAreChecked(t *testing.T) {
	for want, o := range map[string]Options{
		"confidence = 1: want 0 < confidence < 1, or 0 for 0.95": {Confidence: 1},
		"d = 3: want d ≥ 4":                                     {Storages: []Storage{{Shape: Shape{3, 3}}}},
		"load = 0: want a finite multiple of p_c above 0":       {Trainings: []Training{{Shape: Shape{8, 8}, Trials: 4}}},
		"d = 8: 1 pairs: want ≥ 2, to see how much they differ": {Trainings: []Training{{Shape{8, 8}, 1.5, 1}}},
		"d = 8×9: -1, 0 and 0 trials: want ≥ 0":                 {Storages: []Storage{{Shape: Shape{8, 9}, Trials: -1}}},
	} {
		_, err := Measure(context.Background(), o)
		assert.EqualError(t, err, want)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := Measure(ctx, small())
	assert.ErrorIs(t, err, context.Canceled)
}

// The laws are fits of the report's differences: a report made up to shrink like 1/d says so.
func TestLawsOfAMadeUpReport(t *testing.T) {
	r := &Report{Level: Level}
	rng := stream.New(1, "equivalence", "made up", 0)
	for _, d := range []int{12, 16, 24, 32, 48, 64} {
		x := Trained{Training: Training{Shape: Shape{d, d}, Load: 1.3}, Critical: float64(d * d)}
		for range quantities {
			values := make([]float64, 50)
			for i := range values {
				values[i] = -2/float64(d) + 0.01*rng.NormFloat64()
			}
			x.Difference = append(x.Difference, stats.NewSample(values))
		}
		x.Spectra = x.Difference[0]
		r.Trainings = append(r.Trainings, x)
	}
	for _, l := range r.Laws() {
		// Five standard errors: ten laws, false alarm below 1e-5.
		assert.InDelta(t, 1, l.PowerLaw.Exponent, 0.1, l.String())
		assert.Less(t, math.Abs(l.Linear.Z(0)), 5.0, l.String())
		assert.InDelta(t, -2, l.Linear.Coefficients[0], 0.3)
		assert.Less(t, l.PowerLaw.None.PValue, 1e-10)
	}
}

func TestPlan(t *testing.T) {
	for _, full := range []bool{false, true} {
		s, trainings := Plan(nil, 0, full)
		o := Options{Storages: s, Trainings: trainings}
		require.NoError(t, o.Validate())
		assert.Greater(t, len(s), len(trainings))
	}
	s, trainings := Plan([]int{10}, 7, false)
	assert.Equal(t, []Storage{{Shape: Shape{10, 10}, Trials: 7, DPTrials: 7, NearTrials: 7}}, s)
	assert.Equal(t, []Training{{Shape{10, 10}, TrainingLoad, 7}}, trainings)
}
