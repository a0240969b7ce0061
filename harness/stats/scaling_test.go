package stats

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"lamcap/internal/status"
	"lamcap/internal/stream"
)

var scalingSizes = []float64{12, 16, 24, 32, 48, 64, 96}

func TestPowerLawOfTwoPoints(t *testing.T) {
	// Four times the size, a quarter of the value; both signs.
	for _, sign := range []float64{1, -1} {
		f := Scaling{{12, sign, 0.01, 0}, {48, sign * 0.25, 0.01, 0}}.PowerLaw(0.95)
		require.Equal(t, status.Converged, f.Status)
		assert.InDelta(t, 1, f.Exponent, 1e-6)
		assert.InDelta(t, 24, f.Reference, 1e-12)
		assert.InDelta(t, sign*0.5, f.Amplitude, 1e-6)
		assert.InDelta(t, sign, f.At(12), 1e-6)
		assert.InDelta(t, 0, f.Fit.ChiSquare, 1e-9)
		assert.True(t, math.IsNaN(f.Fit.PValue), "nothing is left to test")
		assert.Less(t, f.None.PValue, 1e-100)
		// log ratio: ± 1.96 √(0.01² + 0.04²)/log 4, nearly.
		assert.InDelta(t, 1.96*0.0412/math.Log(4), (f.Interval.Hi-f.Interval.Lo)/2, 2e-3)
	}
}

// What cannot be said is left open.
func TestPowerLawWithoutAnswer(t *testing.T) {
	everywhere := everything()
	for name, s := range map[string]Scaling{
		"none": nil, "one": {{12, 1, 0.1, 0}}, "one size": {{12, 1, 0.1, 0}, {12, 2, 0.1, 0}},
		"no spread": {{12, 1, math.NaN(), 5}, {24, 1, 0, 5}, {48, 1, 1, 2}, {96, math.Inf(1), 1, 0}},
	} {
		f := s.PowerLaw(0.95)
		assert.Equal(t, status.NoBracket, f.Status, name)
		assert.Equal(t, everywhere, f.Interval, name)
		assert.True(t, math.IsNaN(f.Exponent), name)
		e := s.Extrapolate(0.95, 1, 2)
		assert.Equal(t, status.NoBracket, e.Status, name)
		assert.Equal(t, everywhere, e.Interval, name)
		assert.True(t, math.IsNaN(e.PValue(0)), name)
	}
	// Nothing but at the least size: any steep law fits.
	f := Scaling{{12, 1, 0.1, 0}, {24, 0, 0.1, 0}, {48, 0, 0.1, 0}}.PowerLaw(0.95)
	assert.Equal(t, math.Inf(1), f.Interval.Hi)
	assert.Greater(t, f.Interval.Lo, 1.5)
	assert.Panics(t, func() { Scaling{{0, 1, 1, 0}}.PowerLaw(0.95) })
	assert.Panics(t, func() { Scaling{{1, 1, 1, 0}}.Extrapolate(0.95, 0) })
}

func TestExtrapolationIsExact(t *testing.T) {
	var s Scaling
	for _, d := range scalingSizes {
		s = append(s, ScalingPoint{d, 0.3 + 2/d - 5/(d*d), 0.01 / d, 0})
	}
	f := s.Extrapolate(0.95, 1, 2)
	require.Equal(t, status.Converged, f.Status)
	assert.InDelta(t, 0.3, f.Value, 1e-12)
	assert.InDeltaSlice(t, []float64{2, -5}, f.Coefficients, 1e-9)
	assert.Equal(t, len(s)-3, f.Fit.Degrees)
	assert.Greater(t, f.Fit.PValue, 0.99)
	assert.InDelta(t, 0.3-f.StandardError*1.959964, f.Interval.Lo, 1e-8)
	// Without 1/d² the fit is denied.
	assert.Less(t, s.Extrapolate(0.95, 1).Fit.PValue, 1e-6)
	// Two points and a line: the standard error by hand. Δ_∞ = 2 y(24) − y(12).
	line := Scaling{{12, 3, 0.1, 0}, {24, 2, 0.2, 0}}.Extrapolate(0.95, 1)
	assert.InDelta(t, 1, line.Value, 1e-12)
	assert.InDelta(t, math.Sqrt(0.1*0.1+4*0.2*0.2), line.StandardError, 1e-12)
	assert.InDelta(t, 1/line.StandardError, line.Z(0), 1e-12)
	assert.InDelta(t, line.Z(0), line.Rejects("0", 0).Z, 1e-9)
}

func TestScalingLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var s, stretched Scaling
		c, unit := rapid.Float64Range(0.1, 10).Draw(t, "c"), rapid.Float64Range(0.1, 10).Draw(t, "unit")
		for i, d := range scalingSizes {
			v, e := rapid.Float64Range(-1, 1).Draw(t, "value"), rapid.Float64Range(0.05, 0.5).Draw(t, "error")
			p := ScalingPoint{d, v, e, float64(5 + i)}
			s = append(s, p)
			stretched = append(stretched, ScalingPoint{unit * d, c * v, c * e, p.DegreesOfFreedom})
		}
		f, g := s.PowerLaw(0.9), stretched.PowerLaw(0.9)
		assert.Equal(t, f.Status, g.Status)
		assert.InDelta(t, f.Fit.ChiSquare, g.Fit.ChiSquare, 1e-6*(1+math.Abs(f.Fit.ChiSquare)), "units change no fit")
		if f.Status.OK() {
			assert.True(t, f.Interval.Contains(f.Exponent))
			assert.LessOrEqual(t, f.Fit.ChiSquare, f.None.ChiSquare+1e-9)
		}
		a, b := s.Extrapolate(0.9, 1), stretched.Extrapolate(0.9, 1)
		assert.InDelta(t, c*a.Value, b.Value, 1e-9*c)
		assert.InDelta(t, c*a.StandardError, b.StandardError, 1e-9*c)
		assert.InDelta(t, a.Fit.PValue, b.Fit.PValue, 1e-9)
	})
}

// Coverage of both intervals when standard errors come from small samples of normal values.
// Over 600 draws 0.95 has a standard error of 0.009: false alarm below 1e-4 at 0.915.
func TestScalingCoverage(t *testing.T) {
	const draws, trials = 600, 8
	for k, truth := range []struct{ limit, c, a, noise float64 }{{0, 1, 1, 0.05}, {0, 1, 0.66, 0.2}, {0.05, 1, 1, 0.05}} {
		rng := stream.New(5, "stats", "scaling", uint64(k))
		exponent, limit, zero, good := 0, 0, 0, 0
		for range draws {
			var s Scaling
			for _, d := range scalingSizes {
				values := make([]float64, trials)
				for i := range values {
					values[i] = truth.limit + truth.c*math.Pow(d, -truth.a) + truth.noise*rng.NormFloat64()/d*6
				}
				s = append(s, NewSample(values).At(d))
			}
			f, e := s.PowerLaw(0.95), s.Extrapolate(0.95, truth.a)
			if f.Interval.Contains(truth.a) {
				exponent++
			}
			if e.Interval.Contains(truth.limit) {
				limit++
			}
			if e.Interval.Contains(0) {
				zero++
			}
			if e.Fit.PValue > 0.05 {
				good++
			}
		}
		assert.Greater(t, float64(limit)/draws, 0.915, "%+v", truth)
		assert.Greater(t, float64(good)/draws, 0.89, "χ² of a right fit: %+v", truth)
		if truth.limit == 0 {
			assert.Greater(t, float64(exponent)/draws, 0.915, "%+v", truth)
		} else {
			assert.Less(t, float64(zero)/draws, 0.1, "a limit of 0.05 must be told from 0")
		}
	}
}

func TestHalfPointAsPoint(t *testing.T) {
	p := HalfPoint{X: 120, Interval: Interval{118, 122}}.At(24, 115, 1./115, 0.95)
	assert.InDelta(t, 5./115, p.Value, 1e-15)
	assert.InDelta(t, 2/1.959964/115, p.StandardError, 1e-7)
	open := HalfPoint{X: 120, Interval: Interval{118, math.Inf(1)}}.At(24, 115, 1, 0.95)
	assert.Empty(t, Scaling{open}.points(), "a half-point without an upper end weighs nothing")
}
