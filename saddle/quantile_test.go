package saddle_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"lamcap/extremes"
	"lamcap/internal/status"
	"lamcap/saddle"
)

// What a quantile means: P ≥ probability at Whole and not one further.
func TestQuantilesAreTheInverse(t *testing.T) {
	for _, weights := range []float64{1, 2, 3, 7, 30, 144, 576, 65536, 1e8} {
		for _, level := range []float64{1e-100, 1e-12, 0.01, 0.1, 0.5, 0.9, 0.99, 1 - 1e-12} {
			q, err := transition.Facts(weights, level)
			require.NoError(t, err)
			require.Equal(t, status.Converged, q.Status)
			at := func(p float64) float64 {
				if p < 2 {
					return 1
				}
				r, err := transition.Probability(weights, p, p)
				require.NoError(t, err)
				return r.Value
			}
			assert.GreaterOrEqual(t, at(q.Whole)*(1+1e-9), level, "N = %v, %v", weights, level)
			assert.Less(t, at(q.Whole+1), level, "N = %v, %v", weights, level)
			assert.True(t, q.Whole-q.Error <= q.Value && q.Value <= q.Whole+1+q.Error, "%+v", q)
			assert.Less(t, q.Error, 1e-13*math.Pow(weights, 1.1)+1e-10, "N = %v, %v", weights, level)

			need, err := transition.Weights(weights, 10, level)
			require.NoError(t, err)
			r, err := transition.Probability(need.Whole, weights, 10)
			require.NoError(t, err)
			assert.GreaterOrEqual(t, r.Value*(1+1e-9), level)
			if need.Whole > 0 {
				r, err = transition.Probability(need.Whole-1, weights, 10)
				require.NoError(t, err)
				assert.Less(t, r.Value, level)
			}
		}
	}
}

// Cover: 2N facts of two candidates are stored with probability 1/2, exactly.
func TestHalfPointOfCover(t *testing.T) {
	for _, weights := range []float64{1, 2, 5, 100, 12345, 1e6, 1e9} {
		q, err := transition.FactsAmong(weights, 2, 0.5)
		require.NoError(t, err)
		assert.Equal(t, 2*weights, q.Whole)
		assert.InDelta(t, 2*weights, q.Value, q.Error)
		q, err = transition.Weights(2*weights, 2, 0.5)
		require.NoError(t, err)
		assert.Equal(t, weights, q.Whole)
	}
}

// The width from p_0.9 to p_0.1 over the leading law 2·1.2816 √(pV)/(d(pD)/dp)
// tends to 1 like 1/p, and over 3.6/√N p_c slowly, in 1/log. A width ∝ 1/d with a
// factor √log d, or the Poisson width √(p D), is rejected.
func TestWidthOfTheTransition(t *testing.T) {
	previous := math.Inf(1)
	for _, weights := range []float64{576, 65536, 1e8, 1e12} {
		low, err := transition.Facts(weights, 0.1)
		require.NoError(t, err)
		high, err := transition.Facts(weights, 0.9)
		require.NoError(t, err)
		c, err := saddle.CriticalFacts(weights)
		require.NoError(t, err)
		p := math.Round(c.Facts)
		v, err := extremes.IntrinsicVolumes(p)
		require.NoError(t, err)
		above, err := extremes.IntrinsicVolumes(p + math.Ceil(p/100))
		require.NoError(t, err)
		below, err := extremes.IntrinsicVolumes(p - math.Ceil(p/100))
		require.NoError(t, err)
		step := math.Ceil(p / 100)
		slope := ((p+step)*above.Mean().Value - (p-step)*below.Mean().Value) / (2 * step)
		const z = 1.2815515655446004 // Φ⁻¹(0.9)
		leading := 2 * z * math.Sqrt(p*v.Variance().Value) / slope
		ratio := (low.Value - high.Value) / leading
		assert.InDelta(t, 1, ratio, 2/p+1e-4, "N = %v", weights)
		simple := (low.Value - high.Value) / p * math.Sqrt(weights) / (2 * math.Sqrt2 * z)
		t.Logf("N = %g: width %.6g of p_c, %.6f of the leading law, %.4f of 3.6/√N", weights, (low.Value-high.Value)/p, ratio, simple)
		assert.Less(t, math.Abs(simple-1), previous, "N = %v", weights)
		previous = math.Abs(simple - 1)
	}
}

// Up to 10^300 weights: either the quantile is right beside p_c, by its own
// account, or the account says that rounding hides the transition.
func TestQuantilesOfAnySize(t *testing.T) {
	for _, weights := range []float64{1e12, 1e15, 1e20, 1e30, 1e40, 1e100, 1e300} {
		for _, level := range []float64{0.01, 0.5, 1e-12} {
			q, err := transition.Facts(weights, level)
			require.NoError(t, err)
			c, err := saddle.CriticalFacts(weights)
			require.NoError(t, err)
			// The half-point is within a fact of p_c, and the transition 8√p wide.
			assert.InDelta(t, c.Facts, q.Value, q.Error+c.Error+8*math.Sqrt(c.Facts), "N = %v", weights)
			assert.Less(t, q.Error, 1e-11*c.Facts, "N = %v", weights)
			if q.Status == status.Converged {
				assert.Less(t, q.Error, math.Sqrt(c.Facts), "N = %v", weights)
			}
			assert.Equal(t, weights <= 1e20, q.Status == status.Converged, "N = %v: %+v", weights, q)
		}
	}
}

func TestQuantileWrongArguments(t *testing.T) {
	for _, test := range []struct {
		call func() (saddle.Quantile, error)
		want string
	}{
		{func() (saddle.Quantile, error) { return transition.Facts(0.5, 0.5) }, "weights = 0.5: want 1 ≤ weights ≤ 1e300"},
		{func() (saddle.Quantile, error) { return transition.Facts(100, 0) }, "probability = 0: want 0 < probability < 1"},
		{func() (saddle.Quantile, error) { return transition.FactsAmong(100, 1, 0.5) }, "n = 1: want an integer, 2 ≤ n ≤ 1e300"},
		{func() (saddle.Quantile, error) { return transition.FactsAmong(math.NaN(), 2, 0.5) }, "weights = NaN: want 1 ≤ weights ≤ 1e300"},
		{func() (saddle.Quantile, error) { return transition.FactsAmong(1e300, 2, 0.5) }, "probability = 0.5: it is not crossed between 0 and 1e+300"},
		{func() (saddle.Quantile, error) { return transition.Weights(0, 2, 0.5) }, "p = 0: want an integer, 1 ≤ p ≤ 1e300"},
		{func() (saddle.Quantile, error) { return transition.Weights(10, 2, 1) }, "probability = 1: want 0 < probability < 1"},
	} {
		q, err := test.call()
		assert.EqualError(t, err, test.want)
		assert.True(t, math.IsNaN(q.Value) && math.IsNaN(q.Whole))
	}
}

func BenchmarkFacts(b *testing.B) {
	for b.Loop() {
		if _, err := saddle.NewTransition().Facts(65536, 0.99); err != nil {
			b.Fatal(err)
		}
	}
}
