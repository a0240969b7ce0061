package stats

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"lamcap/extremes"
	"lamcap/internal/stream"
)

func TestSampleKnownValues(t *testing.T) {
	// 1 … 5: mean 3, variance 2.5, standard error √0.5; t_{0.975}(4) = 2.7764451051977987.
	s := NewSample([]float64{5, 2, 3, 4, 1})
	assert.Empty(t, s.Warnings)
	assert.Equal(t, 3.0, s.Mean)
	assert.InDelta(t, math.Sqrt(0.5), s.StandardError(), 1e-15)
	interval := s.Interval(0.95)
	assert.InDelta(t, 3-2.7764451051977987*math.Sqrt(0.5), interval.Lo, 1e-13)
	assert.InDelta(t, 3+2.7764451051977987*math.Sqrt(0.5), interval.Hi, 1e-13)
	assert.InDelta(t, 0.05, s.PValue(interval.Lo), 1e-12)
	assert.InDelta(t, 0.05, s.PValue(interval.Hi), 1e-12)
	assert.Positive(t, s.Z(2))
	assert.Negative(t, s.Z(4))
	assert.Equal(t, 0.0, s.Z(3))
}

func TestTooSmallASample(t *testing.T) {
	for _, c := range []struct {
		values []float64
		want   error
	}{
		{nil, ErrTooFew},
		{[]float64{7}, ErrTooFew},
		{[]float64{0.1, 0.1, 0.1}, ErrNoSpread},
		{[]float64{1, 1 + 0x1p-52, 1}, ErrNoSpread}, // round-off is not spread
		{[]float64{1, math.NaN(), 2}, ErrNotFinite},
		{[]float64{1, math.Inf(1), 2}, ErrNotFinite},
	} {
		s := NewSample(c.values)
		require.Len(t, s.Warnings, 1, "%v", c.values)
		assert.ErrorIs(t, s.Warnings[0], c.want)
		assert.Equal(t, Interval{math.Inf(-1), math.Inf(1)}, s.Interval(0.95))
		assert.True(t, math.IsNaN(s.PValue(1)))
		assert.True(t, math.IsNaN(s.Z(1)))
		assert.True(t, math.IsNaN(s.StandardError()))
	}
	assert.Equal(t, 7.0, NewSample([]float64{7}).Mean)
}

func TestSampleLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.Float64Range(-1, 1), 3, 20).Draw(t, "values")
		s := NewSample(values)
		if len(s.Warnings) > 0 || s.StandardDeviation < 1e-3 {
			return
		}
		// Moving and stretching the data moves and stretches the answers.
		moved := make([]float64, len(values))
		for i, v := range values {
			moved[i] = 8*v + 3
		}
		m := NewSample(moved)
		level := rapid.Float64Range(0.5, 0.999).Draw(t, "level")
		assert.InDelta(t, 8*s.Interval(level).Lo+3, m.Interval(level).Lo, 1e-9*(1+math.Abs(m.Interval(level).Lo)))
		mean := rapid.Float64Range(-1, 1).Draw(t, "mean")
		p := s.PValue(mean)
		assert.InDelta(t, p, m.PValue(8*mean+3), 1e-9)
		assert.InDelta(t, p, math.Exp(math.Ln2+extremes.LogSurvival(math.Abs(s.Z(mean)))), 1e-12)
		// An uncertain prediction is harder to reject in standard errors.
		uncertain := s.PValueOf(Prediction{Value: mean, StandardError: 10 * s.StandardError()})
		if p < 0.9 && math.Abs(s.Mean-mean) < 5*s.StandardError() {
			assert.Greater(t, uncertain, p)
		}
	})
}

// Student's tails meet across the change of method at 1000 degrees of freedom, and the
// normal law at infinity.
func TestStudentJoins(t *testing.T) {
	for _, x := range []float64{0.1, 1, 3, 10, 30} {
		below, above := logStudentTwoSided(x, hillDegrees-1e-9), logStudentTwoSided(x, hillDegrees)
		// 1e-9 of a degree moves log p by t⁴/(4ν²)·1e-9 < 3e-10 itself.
		assert.InDelta(t, below, above, 1e-12*(1-below)+x*x*x*x*2.5e-16, "t = %v", x)
		assert.Equal(t, math.Ln2+extremes.LogSurvival(x), logStudentTwoSided(x, math.Inf(1)))
	}
	assert.Equal(t, math.Inf(-1), logStudentTwoSided(math.Inf(1), 3))
	assert.InDelta(t, math.Log(2/math.Pi)-200*math.Ln10, logStudentTwoSided(1e200, 1), 1e-12)
}

// Normal data: intervals cover and p-values are uniform, down to two values; with a
// Monte-Carlo prediction the Welch test keeps its level closely.
func TestSampleCalibration(t *testing.T) {
	const replicates = 20000
	for _, n := range []int{2, 5} {
		rng := stream.New(1, "stats test", "sample", uint64(n))
		rejected, welch := 0, 0
		values := make([]float64, n)
		for r := range replicates {
			for i := range values {
				values[i] = 4 + 0.5*rng.NormFloat64()
			}
			s := NewSample(values)
			outside := s.PValue(4) <= 0.1
			if outside {
				rejected++
			}
			if r < 1000 { // the slower way to say the same
				assert.Equal(t, !outside, s.Interval(0.9).Contains(4))
			}
			other := make([]float64, 8)
			for i := range other {
				other[i] = 4 + rng.NormFloat64()
			}
			o := NewSample(other)
			if s.PValueOf(Prediction{o.Mean, o.StandardError(), 7}) <= 0.1 {
				welch++
			}
		}
		bound := 4 * math.Sqrt(0.1*0.9/replicates) // four standard errors: 0.0085
		assert.InDelta(t, 0.1, float64(rejected)/replicates, bound, "n = %d", n)
		// Welch's degrees of freedom are themselves estimated: a per cent off at n = 2.
		assert.InDelta(t, 0.1, float64(welch)/replicates, bound+0.015, "n = %d", n)
		t.Logf("n = %d: false alarms at 10%%: Student %.4f, Welch %.4f", n, float64(rejected)/replicates, float64(welch)/replicates)
	}
}
