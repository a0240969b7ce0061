package extremes

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// drawSize draws an integer n on a log scale, from 2 to 1e300.
func drawSize(t *rapid.T) float64 {
	n := math.Floor(math.Pow(10, rapid.Float64Range(0.302, 300).Draw(t, "log10 n")))
	if rapid.Bool().Draw(t, "small") {
		n = float64(rapid.IntRange(2, 2000).Draw(t, "n"))
	}
	return math.Min(math.Max(2, n), MaxSize)
}

func TestMaximumMeanOfFew(t *testing.T) {
	for n, want := range map[float64]float64{
		1: 0,
		2: 1 / math.Sqrt(math.Pi),
		3: 1.5 / math.Sqrt(math.Pi),
		// Order statistics of five in closed form.
		5: 5 / (2 * math.Sqrt(math.Pi)) * (0.5 + 3/math.Pi*math.Asin(1.0/3)),
	} {
		v, err := MaximumMean(n)
		require.NoError(t, err)
		assert.True(t, v.Status.OK())
		assert.InDelta(t, want, v.Value, 4*ulp, "n = %v", n)
		assert.InDelta(t, want, v.Value, v.Error+2*ulp, "n = %v", n)
	}
}

// P(M ≤ x) = Φ(x)^n.
func TestMaximumQuantile(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := drawSize(t)
		l := -math.Pow(10, rapid.Float64Range(-30, 3).Draw(t, "log10 −logP"))
		x, err := MaximumQuantile(n, l)
		if err != nil {
			t.Fatal(err)
		}
		if math.IsInf(x, 0) {
			t.Fatalf("n = %v, log P = %v: x = %v", n, l, x)
		}
		// The rounding of x moves log Φ^n by n φ/Φ of it. Where Φ^n is next to 1,
		// −log Φ = Q may be below the smallest float64, and its log is compared.
		got, want := n*LogCDF(x), l
		sensitivity := n*Hazard(-x)*math.Abs(x) - l
		if l > -1e-17*n {
			got, want = math.Log(n)+LogSurvival(x), math.Log(-l)
			sensitivity = Hazard(x)*math.Abs(x) + math.Log(n) - LogSurvival(x)
		}
		if !(math.Abs(got-want) <= 16*ulp*sensitivity) {
			t.Fatalf("n = %v, log P = %v: x = %v, n log Φ(x) or its log is %v, not %v", n, l, x, got, want)
		}
	})
}

// The mean is above the median and increases with n.
func TestMaximumMeanIncreases(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, m := drawSize(t), drawSize(t)
		n, m = min(n, m), max(n, m)
		low, err := MaximumMean(n)
		require.NoError(t, err)
		high, err := MaximumMean(m)
		require.NoError(t, err)
		if !low.Status.OK() || !high.Status.OK() || !(low.Error <= 1e-13*low.Value) {
			t.Fatalf("%+v, %+v", low, high)
		}
		if !(low.Value <= high.Value+low.Error+high.Error) {
			t.Fatalf("E max of %v: %+v, of %v: %+v", n, low, m, high)
		}
		median, err := MaximumQuantile(n, -math.Ln2)
		require.NoError(t, err)
		if !(median < low.Value) {
			t.Fatalf("n = %v: median %v, mean %v", n, median, low.Value)
		}
	})
}

func TestGumbel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := drawSize(t)
		b, a, err := Gumbel(n)
		require.NoError(t, err)
		if got := LogSurvival(b) + math.Log(n); !(math.Abs(got) <= 16*ulp*(1+math.Log(n)+b*b)) {
			t.Fatalf("n = %v: log nQ(b) = %v", n, got)
		}
		if got := math.Log(a*n) + LogDensity(b); !(math.Abs(got) <= 16*ulp*(1+math.Log(n)+b*b)) {
			t.Fatalf("n = %v: log anφ(b) = %v", n, got)
		}
		if n < 100 {
			return
		}
		// M = b + a·Gumbel up to a/b²: E M = b + γa. (With b = √(2 log n) in place
		// of the exact location the error would be log log n/√(2 log n): 0.2 at
		// n = 1e300, 300 times what is allowed.)
		const eulerGamma = 0.5772156649015329
		mean, err := MaximumMean(n)
		require.NoError(t, err)
		if gap := mean.Value - (b + eulerGamma*a); !(math.Abs(gap) <= a/(b*b)) {
			t.Fatalf("n = %v: E M − (b + γa) = %v, a/b² = %v", n, gap, a/(b*b))
		}
	})
}

// math.Log of a subnormal number is wrong on amd64: with Q = 1e-322 the quantile
// came out at 37.5, and the mean of 1e300 maxima 3e-10 too small.
func TestQuantilesOfSubnormalProbabilities(t *testing.T) {
	x, err := MaximumQuantile(1e300, -1e-22)
	require.NoError(t, err)
	assert.InDelta(t, math.Log(1e-22)-math.Log(1e300), LogSurvival(x), 1e-12)
	x, err = SurvivalQuantile(-0x1p-1070)
	require.NoError(t, err)
	assert.InDelta(t, -1070*math.Ln2, LogCDF(x), 1e-12)
}

func TestSizeFromLog(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := float64(rapid.IntRange(1, 1e9).Draw(t, "n"))
		got, err := SizeFromLog(math.Log(n))
		require.NoError(t, err)
		if got != n {
			t.Fatalf("SizeFromLog(log %v) = %v", n, got)
		}
	})
	// 300 log 10, rounded, is a little more than log 1e300.
	for _, exponent := range []float64{20, 100, 299, 300} {
		for _, logN := range []float64{math.Log(math.Pow(10, exponent)), exponent * math.Ln10} {
			n, err := SizeFromLog(logN)
			require.NoError(t, err, "10^%v", exponent)
			assert.InEpsilon(t, math.Pow(10, exponent), n, 2e-13)
			assert.LessOrEqual(t, n, MaxSize)
		}
	}
	// Between integers it stays between them.
	n, err := SizeFromLog(1)
	require.NoError(t, err)
	assert.Equal(t, math.E, n)
	for _, l := range []float64{-0.1, 690.7756, 1e9, math.NaN(), math.Inf(1)} {
		_, err := SizeFromLog(l)
		assert.ErrorContains(t, err, "≤ n ≤ 1e300", "log n = %v", l)
	}
}

func TestMaximumWrongArguments(t *testing.T) {
	for _, n := range []float64{0, 0.999, -3, 1.1e300, math.Inf(1), math.NaN()} {
		v, err := MaximumMean(n)
		assert.ErrorContains(t, err, "want 1 ≤ n ≤ 1e300")
		assert.True(t, math.IsNaN(v.Value) && math.IsInf(v.Error, 1) && !v.Status.OK())
		_, err = MaximumQuantile(n, -1)
		assert.ErrorContains(t, err, "want 1 ≤ n ≤ 1e300")
		_, _, err = Gumbel(n)
		assert.ErrorContains(t, err, "want 2 ≤ n ≤ 1e300")
	}
	_, _, err := Gumbel(1)
	assert.EqualError(t, err, "n = 1: want 2 ≤ n ≤ 1e300")
	_, err = MaximumQuantile(10, 0.1)
	assert.ErrorContains(t, err, "want ≤ 0")
}
