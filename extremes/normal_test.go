package extremes

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// ulp is the relative rounding of one operation.
const ulp = 0x1p-53

// x = quantile(log Q(x)): the rounding of log Q moves x by it over the hazard.
func TestSurvivalQuantileInvertsLogSurvival(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.Float64Range(-37, 1e4).Draw(t, "x")
		if rapid.Bool().Draw(t, "central") {
			x = rapid.Float64Range(-10, 10).Draw(t, "x near 0")
		}
		l := LogSurvival(x)
		tolerance := 16 * ulp * (math.Abs(x) - l/Hazard(x))
		for name, f := range map[string]func(float64) (float64, error){
			"SurvivalQuantile": SurvivalQuantile,
			"−CDFQuantile":     func(l float64) (float64, error) { x, err := CDFQuantile(l); return -x, err },
		} {
			got, err := f(l)
			if err != nil || !(math.Abs(got-x) <= tolerance) {
				t.Fatalf("%s(log Q(%v) = %v) = %v, %v: off by %.2g, allowed %.2g", name, x, l, got, err, got-x, tolerance)
			}
		}
	})
}

// log Q(quantile(l)) = l: the rounding of x moves log Q by hazard times it.
func TestLogSurvivalInvertsQuantile(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := -math.Pow(10, rapid.Float64Range(-300, 10).Draw(t, "log10 −l"))
		if rapid.Bool().Draw(t, "central") {
			l = -rapid.Float64Range(1e-3, 100).Draw(t, "−l near 0")
		}
		x, err := SurvivalQuantile(l)
		if err != nil {
			t.Fatal(err)
		}
		tolerance := 16 * ulp * (-l + Hazard(x)*math.Abs(x))
		if got := LogSurvival(x); !(math.Abs(got-l) <= tolerance) {
			t.Fatalf("l = %v: x = %v, log Q(x) = %v, off by %.2g, allowed %.2g", l, x, got, got-l, tolerance)
		}
	})
}

func TestTailsAddUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.Float64Range(-40, 40).Draw(t, "x")
		if s := math.Exp(LogSurvival(x)) + math.Exp(LogCDF(x)); !(math.Abs(s-1) <= 8*ulp) {
			t.Fatalf("Q(%v) + Φ(%v) − 1 = %.3g", x, x, s-1)
		}
	})
}

// −d log Q/dx is the hazard; it lies between Mills' bounds.
func TestHazard(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.Float64Range(-8, 1000).Draw(t, "x")
		h := Hazard(x)
		const d = 1e-3 // a central difference is off by d²/6 (log Q)''' < d²/6
		slope := (LogSurvival(x-d) - LogSurvival(x+d)) / (2 * d)
		if noise := 4 * ulp * math.Abs(LogSurvival(x)) / d; !(math.Abs(slope-h) <= d*d/6+noise) {
			t.Fatalf("hazard(%v) = %v, slope of −log Q %v", x, h, slope)
		}
		if x > 0 && !(h >= x && h <= (x+math.Sqrt(x*x+4))/2) {
			t.Fatalf("hazard(%v) = %v is outside of Mills' bounds", x, h)
		}
	})
}

func TestNormalEnds(t *testing.T) {
	assert.Equal(t, -logSqrt2Pi, LogDensity(0))
	assert.Equal(t, -logSqrt2Pi-2, LogDensity(-2))
	assert.InDelta(t, -math.Ln2, LogSurvival(0), ulp)
	assert.Zero(t, LogSurvival(math.Inf(-1)))
	assert.True(t, math.IsInf(LogSurvival(math.Inf(1)), -1))
	assert.InEpsilon(t, math.Sqrt(2/math.Pi), Hazard(0), 2*ulp)
	for l, want := range map[float64]float64{0: math.Inf(-1), math.Inf(-1): math.Inf(1)} {
		x, err := SurvivalQuantile(l)
		require.NoError(t, err)
		assert.Equal(t, want, x)
		x, err = CDFQuantile(l)
		require.NoError(t, err)
		assert.Equal(t, -want, x)
	}
	for _, l := range []float64{1e-300, 1, math.Inf(1), math.NaN()} {
		x, err := SurvivalQuantile(l)
		assert.ErrorContains(t, err, "want ≤ 0")
		assert.True(t, math.IsNaN(x))
		x, err = CDFQuantile(l)
		assert.ErrorContains(t, err, "want ≤ 0")
		assert.True(t, math.IsNaN(x))
	}
}
