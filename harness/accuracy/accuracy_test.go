package accuracy

import (
	"context"
	"math"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"lamcap/harness/stats"
	"lamcap/harness/table"
)

func small() Options {
	return Options{Seed: 5, Curves: []Curve{{D: 12, Loads: []float64{0.5, 1, 1.6, 2.5}, OP: 12, DP: 12, Hebb: 60, Draws: 512}}}
}

func TestMeasure(t *testing.T) {
	r, err := Measure(context.Background(), small())
	require.NoError(t, err)
	require.Len(t, r.Points, 4)
	for i, x := range r.Points {
		assert.InDelta(t, small().Curves[0].Loads[i], x.Alpha, 0.05)
		// Hebb's laws: z of 8 means, false alarm below 1e-4 at 4.5.
		if len(x.HebbDP.Warnings) == 0 {
			assert.Less(t, math.Abs(x.HebbDP.Z(x.HebbDPTheory.Value)), 4.5, "α = %v", x.Alpha)
			assert.Less(t, math.Abs(x.HebbOP.Z(x.HebbOPTheory.Value)), 4.5, "α = %v", x.Alpha)
		}
		assert.GreaterOrEqual(t, x.DP.Mean, x.HebbDP.Mean-0.02, "what is trained recalls no less than Hebb's rule")
		if i > 0 {
			assert.LessOrEqual(t, x.DP.Mean, r.Points[i-1].DP.Mean)
			assert.LessOrEqual(t, x.OP.Mean, r.Points[i-1].OP.Mean)
		}
	}
	// Below capacity, α = 0.5, all is stored, by witnesses, where the limit's step is;
	// beyond it some is lost, and not all as the limit says.
	below, above := r.Points[0], r.Points[3]
	assert.Equal(t, 12, below.DP.Stored)
	assert.Equal(t, 1.0, below.DP.Mean)
	assert.Equal(t, 1.0, below.OP.Mean)
	assert.Zero(t, above.DP.Stored)
	assert.Greater(t, above.DP.Interval(0.95).Lo, above.Limit)
	assert.Less(t, above.DP.Interval(0.95).Hi, 0.9)
	// Far above capacity theory is right at d = 12 already, at both levels, to 0.02, and nothing
	// less than Hebb's law, 0.13, or 0 would be.
	assert.Equal(t, 1.0, below.Score.Value)
	assert.Equal(t, 1.0, below.Vector.Value)
	assert.InDelta(t, above.DP.Mean, above.Score.Value, 0.02+4*above.DP.StandardError())
	assert.InDelta(t, above.DP.Mean, above.Vector.Value, 0.02+4*(above.DP.StandardError()+above.Vector.Error))
	assert.Positive(t, above.VectorDraws)

	if testing.Short() {
		return
	}
	previous := runtime.GOMAXPROCS(1)
	defer runtime.GOMAXPROCS(previous)
	again, err := Measure(context.Background(), small())
	require.NoError(t, err)
	assert.Equal(t, printed(t, r), printed(t, again), "GOMAXPROCS = 1")
}

func printed(t *testing.T, r *Report) string {
	t.Helper()
	var b strings.Builder
	require.NoError(t, table.Write(&b, table.JSON, r.Table()))
	return b.String()
}

func TestFactsInvertsLoad(t *testing.T) {
	for _, d := range []int{4, 32, 256} {
		for _, alpha := range []float64{0.05, 0.25, 0.5, 1, 2, 10} {
			p := Facts(alpha, d)
			if p == 2 {
				continue
			}
			// p is the nearest integer in p itself.
			assert.LessOrEqual(t, Load(p-1, d), alpha)
			assert.GreaterOrEqual(t, Load(p+1, d), alpha)
		}
	}
	assert.Equal(t, 2, Facts(1e-9, 8))
}

func TestRecallInterval(t *testing.T) {
	all := Recall{Sample: stats.NewSample([]float64{1, 1, 1, 1})}
	assert.Equal(t, stats.Proportion{Successes: 4, Trials: 4}.Wilson(0.95), all.Interval(0.95))
	some := Recall{Sample: stats.NewSample([]float64{1, 0.9, 1, 1})}
	assert.Equal(t, 1.0, some.Interval(0.95).Hi)
}

func TestOptionsAreChecked(t *testing.T) {
	for want, o := range map[string]Options{
		"confidence = 2: want 0 < confidence < 1, or 0 for 0.95": {Confidence: 2},
		"d = 2: want d ≥ 4":                                {Curves: []Curve{{D: 2}}},
		"alpha = 0: want a finite load p log p/d² above 0": {Curves: []Curve{{D: 8, Loads: []float64{0}}}},
	} {
		_, err := Measure(context.Background(), o)
		assert.EqualError(t, err, want)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := Measure(ctx, small())
	assert.ErrorIs(t, err, context.Canceled)
}

func TestPlan(t *testing.T) {
	for _, full := range []bool{false, true} {
		o := Options{Curves: Plan(nil, 0, full)}
		require.NoError(t, o.Validate())
	}
	assert.Equal(t, []int{32, 64, 128, 128}, dimensions(Plan(nil, 0, false)), "128 in two parts")
	assert.Equal(t, []int{32, 64, 128, 128, 256}, dimensions(Plan(nil, 0, true)))
	for _, c := range Plan(nil, 5, false) {
		for _, n := range []int{c.OP, c.DP, c.Hebb} {
			assert.Contains(t, []int{0, 5}, n)
		}
		assert.Equal(t, 5, c.OP)
		assert.Positive(t, c.Draws)
	}
	c := Plan([]int{24}, 3, false)
	require.Len(t, c, 1)
	assert.Equal(t, 3, c[0].OP)
	assert.Equal(t, 3, c[0].DP)
}

func dimensions(curves []Curve) []int {
	var out []int
	for _, c := range curves {
		out = append(out, c.D)
	}
	return out
}

// Next to capacity, where a few draws do not tell the phase, the vector level is left empty.
func TestVectorLevelNextToCapacity(t *testing.T) {
	o := Options{Seed: 5, Curves: []Curve{{D: 12, Loads: []float64{1.25}, Draws: 16}}}
	r, err := Measure(context.Background(), o)
	require.NoError(t, err)
	require.Len(t, r.Points, 1)
	assert.Greater(t, float64(r.Points[0].P)/r.Points[0].Critical, 1+nearCapacity)
	assert.True(t, math.IsNaN(r.Points[0].Vector.Value))
	o.Curves[0].Draws = 2048
	if r, err = Measure(context.Background(), o); assert.NoError(t, err) {
		assert.False(t, math.IsNaN(r.Points[0].Vector.Value))
	}
}

// 43 instances of 20 inputs, of which 5 are missed on average by a law of 0.9942: one sample in 30
// has a single one, and its own spread would reject the true law at z = 3.7.
func TestAccuracyNearOneIsTestedFairly(t *testing.T) {
	const law, instances, inputs, samples = 0.9942, 43, 20, 3000
	r := rand.New(rand.NewPCG(1, 2))
	alarms, naive := 0, 0
	for range samples {
		values := make([]float64, instances)
		for i := range values {
			recalled := 0
			for range inputs {
				if r.Float64() < law {
					recalled++
				}
			}
			values[i] = float64(recalled) / inputs
		}
		recall := Recall{Sample: stats.NewSample(values)}
		if _, p := recall.Test(stats.Prediction{Value: law}); p < 1e-3 {
			alarms++
		}
		if recall.PValue(law) < 1e-3 {
			naive++
		}
	}
	assert.LessOrEqual(t, alarms, 9, "3 expected")
	assert.Greater(t, naive, 60, "what the test is for")

	// Where the spread is that of the law nothing changes; too few recalled are told all the same.
	half := Recall{Sample: stats.NewSample([]float64{0.4, 0.5, 0.6, 0.45, 0.55})}
	z, p := half.Test(stats.Prediction{Value: 0.3})
	assert.Equal(t, half.Z(0.3), z)
	assert.Equal(t, half.PValue(0.3), p)
	low := Recall{Sample: stats.NewSample([]float64{0.9, 0.95, 0.85, 0.9, 0.95, 0.9, 0.85, 0.9})}
	_, p = low.Test(stats.Prediction{Value: law})
	assert.Less(t, p, 1e-3)
}
