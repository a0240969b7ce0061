package saddle_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"lamcap/extremes"
	"lamcap/saddle"
)

// Against incomplete gamma functions and volumes of 40 digits. The load is
// rounded, which moves ε by δγ/(γ²c).
func TestMinimalErrors(t *testing.T) {
	for _, row := range numbers(t, "fraction.csv") {
		n, cutoff, load, fraction, replicon := row[0], row[1], row[2], row[3], row[4]
		e, err := saddle.MinimalErrors(load, n)
		require.NoError(t, err)
		assert.True(t, e.Status.OK())
		rounded := 0x1p-53 / (load * cutoff)
		assert.InDelta(t, fraction, e.Fraction, e.Error+rounded, "n = %v, c = %v", n, cutoff)
		assert.InDelta(t, fraction, e.Fraction, 1e-13*fraction+20*rounded, "n = %v, c = %v", n, cutoff)
		assert.Less(t, e.Error, 1e-12, "n = %v, c = %v", n, cutoff)
		assert.Less(t, math.Abs(e.Residual), 1e-12)
		if fraction > 1e-7 { // c is as good as the distance to capacity
			assert.InEpsilon(t, cutoff, e.Cutoff, 1e-7, "n = %v, c = %v", n, cutoff)
			assert.InEpsilon(t, replicon, e.Replicon, 1e-7, "n = %v, c = %v", n, cutoff)
		}
	}
}

// The perceptron, n = 2 ([gardner, derrida]): 1/γ = ∫_0^√c t² φ dt, ε = Φ(−√c).
func TestMinimalErrorsOfThePerceptron(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.Float64Range(0.05, 7).Draw(t, "√c")
		within := math.Erf(x/math.Sqrt2)/2 - x*math.Exp(-x*x/2)/math.Sqrt(2*math.Pi)
		e, err := saddle.MinimalErrors(1/within, 2)
		require.NoError(t, err)
		// The difference above has an absolute error of 1e-16: δε = δ/c.
		assert.InDelta(t, math.Erfc(x/math.Sqrt2)/2, e.Fraction, 4e-16/(x*x)+e.Error)
	})
}

// ε rises from 0 at capacity to what random weights leave; replica symmetry is
// unstable everywhere between.
func TestMinimalErrorsRiseFromCapacity(t *testing.T) {
	for _, n := range []float64{2, 3, 50, 1e6, 1e100} {
		c, err := saddle.CriticalFactsAmong(1, n)
		require.NoError(t, err)
		below, err := saddle.MinimalErrors(c.Facts*(1-1e-9), n)
		require.NoError(t, err)
		assert.Zero(t, below.Fraction)
		assert.True(t, math.IsInf(below.Cutoff, 1))
		assert.Less(t, below.Replicon, 1.0)
		last := 0.0
		for _, factor := range []float64{1 + 1e-9, 1 + 1e-6, 1.001, 1.1, 2, 10, 1e6, 1e100} {
			e, err := saddle.MinimalErrors(c.Facts*factor, n)
			require.NoError(t, err)
			assert.True(t, e.Status.OK())
			assert.Greater(t, e.Fraction, last, "n = %v, %v × capacity", n, factor)
			assert.LessOrEqual(t, e.Fraction, 1-1/n+1e-15, "n = %v, %v × capacity", n, factor)
			assert.Greater(t, e.Replicon, 1.0, "n = %v, %v × capacity", n, factor)
			last = e.Fraction
			// dε/dγ = 1/(γ²c) and c falls: less than the tangent at the end.
			assert.Greater(t, e.Fraction, (factor-1)/factor/factor/(c.Facts*e.Cutoff)*0.1)
		}
		if n < 1e10 {
			assert.InDelta(t, 1-1/n, last, 1e-15)
		}
	}
	zero, err := saddle.MinimalErrors(0, 10)
	require.NoError(t, err)
	assert.Zero(t, zero.Fraction)
}

// Facts with errors invert the errors of a load, and join the capacity.
func TestFactsWithErrors(t *testing.T) {
	for _, fraction := range []float64{1e-30, 1e-9, 1e-3, 0.05, 0.5, 0.9} {
		c, err := saddle.FactsWithErrorsAmong(1000, 300, fraction)
		require.NoError(t, err)
		assert.Less(t, c.Error, 1e-11*c.Facts)
		e, err := saddle.MinimalErrors(c.Facts/1000, 300)
		require.NoError(t, err)
		assert.InDelta(t, fraction, e.Fraction, 1e-12*fraction+2*e.Error, "ε = %v", fraction)
	}
	exact, err := saddle.CriticalFacts(576)
	require.NoError(t, err)
	last := exact.Facts
	for _, fraction := range []float64{0, 1e-100, 1e-12, 1e-6, 0.01, 0.05, 0.1, 0.5, 0.99} {
		c, err := saddle.FactsWithErrors(576, fraction)
		require.NoError(t, err)
		assert.True(t, c.Status.OK())
		assert.GreaterOrEqual(t, c.Facts, last-c.Error, "ε = %v", fraction)
		assert.Less(t, c.Error, 1e-10*c.Facts, "ε = %v", fraction)
		assert.InDelta(t, 576, c.Facts*c.Dimension.Value, 1e-9)
		if fraction <= 1e-12 {
			// The part beyond c is below 100 ε of D = 5.
			assert.InDelta(t, exact.Facts, c.Facts, exact.Facts*20*fraction+c.Error+exact.Error, "ε = %v", fraction)
		}
		last = c.Facts
		// At the nearest integer n the load gives the fraction back: dε/dp is
		// 1/(pγc), so half a candidate changes little.
		if fraction >= 0.01 {
			e, err := saddle.MinimalErrors(c.Facts/576, math.Round(c.Facts))
			require.NoError(t, err)
			assert.InDelta(t, fraction, e.Fraction, 2e-3, "ε = %v", fraction)
		}
	}
}

// γ log n → 1/(2(1 − ε)) like 1/√log n, with the stated first correction.
func TestFactsWithErrorsInTheLimit(t *testing.T) {
	const fraction = 0.1
	quantile, err := extremes.CDFQuantile(math.Log(fraction))
	require.NoError(t, err)
	last := math.Inf(1)
	for _, logN := range []float64{20, 80, 320, 690} {
		n, err := extremes.SizeFromLog(logN)
		require.NoError(t, err)
		n = math.Floor(n)
		c, err := saddle.FactsWithErrorsAmong(1, n, fraction)
		require.NoError(t, err)
		distance := c.Facts*logN*2*(1-fraction) - 1
		assert.Greater(t, distance, 0.0, "log n = %v", logN)
		assert.Less(t, distance, last, "log n = %v", logN)
		last = distance
		d, err := extremes.ConeDimension(n)
		require.NoError(t, err)
		v, err := extremes.ConeVariance(n)
		require.NoError(t, err)
		first := math.Exp(extremes.LogDensity(quantile)) * math.Sqrt(v.Value+2*d.Value)
		// What is left of E[dist²; dist² ≤ c] is of order 1: skewness.
		assert.InDelta(t, (1-fraction)*d.Value-first, c.Dimension.Value, 1, "log n = %v", logN)
		assert.Greater(t, first, 1.0)
	}
	assert.Less(t, last, 0.05)
}

func TestFractionWrongArguments(t *testing.T) {
	for _, load := range []float64{-1, math.NaN(), math.Inf(1)} {
		e, err := saddle.MinimalErrors(load, 10)
		assert.ErrorContains(t, err, "want 0 ≤ load ≤ 1e300")
		assert.True(t, math.IsNaN(e.Fraction) && math.IsInf(e.Error, 1) && !e.Status.OK())
	}
	for _, n := range []float64{1, 2.5, 1e301, math.NaN()} {
		_, err := saddle.MinimalErrors(1, n)
		assert.ErrorContains(t, err, "2 ≤ n ≤ 1e300")
	}
	for _, fraction := range []float64{-0.1, 1, math.NaN()} {
		_, err := saddle.FactsWithErrors(576, fraction)
		assert.ErrorContains(t, err, "want 0 ≤ fraction < 1")
		_, err = saddle.FactsWithErrorsAmong(576, 10, fraction)
		assert.ErrorContains(t, err, "want 0 ≤ fraction < 1")
	}
	_, err := saddle.FactsWithErrorsAmong(576, 10, 0.9)
	assert.ErrorContains(t, err, "want fraction < 0.9, which random weights leave of n = 10 candidates")
	_, err = saddle.FactsWithErrors(0.5, 0.1)
	assert.ErrorContains(t, err, "want 1 ≤ weights ≤ 1e300")
	_, err = saddle.FactsWithErrorsAmong(-1, 10, 0.1)
	assert.ErrorContains(t, err, "want 0 < weights ≤ 1e300")
	_, err = saddle.FactsWithErrors(1e300, 0.9999)
	assert.ErrorContains(t, err, "no p up to 1e300")
}

// A few weights, and fractions at which the equation is solved next to the n that
// random weights recall, or next to ε = 0.
func TestFactsWithErrorsOfFewWeights(t *testing.T) {
	for _, weights := range []float64{1, 2, 3, 4, 7} {
		last := 0.0
		for _, fraction := range []float64{0, 1e-17, 1e-16, 2e-16, 1e-15, 1e-3, 0.1, 0.3, 0.6267620035836057, 0.65, 0.7215400323407826, 0.8, 0.95} {
			c, err := saddle.FactsWithErrors(weights, fraction)
			require.NoError(t, err, "N = %v, ε = %v", weights, fraction)
			assert.True(t, c.Status.OK())
			assert.GreaterOrEqual(t, c.Facts, last*(1-1e-9), "N = %v, ε = %v", weights, fraction)
			assert.Less(t, math.Abs(c.Residual), 1e-9)
			last = c.Facts
		}
	}
}
