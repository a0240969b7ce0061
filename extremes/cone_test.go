package extremes

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"lamcap/internal/stream"
)

// project returns dist²(t, C_n) and |A| for one vector of scores, the correct
// one first, from the definition: m solves m − t_0 = Σ (t_ρ − m)_+.
func project(scores []float64) (distance float64, active int) {
	rest := slices.Clone(scores[1:])
	slices.SortFunc(rest, func(a, b float64) int {
		switch {
		case a > b:
			return -1
		case a < b:
			return 1
		}
		return 0
	})
	m := scores[0]
	total := scores[0]
	for _, x := range rest {
		if x <= m {
			break
		}
		// With one competitor more above, m is the mean of t_0 and those above.
		total += x
		active++
		m = total / float64(active+1)
	}
	distance = (m - scores[0]) * (m - scores[0])
	for _, x := range rest[:active] {
		distance += (x - m) * (x - m)
	}
	return distance, active
}

// D_n = E dist² = E|A| and V_n = Var|A| against 20,000 projections each. Six
// comparisons per n at 4.5 standard errors; 2 log n, the leading term, is
// rejected by more than 50 of them.
func TestConeAgainstMonteCarlo(t *testing.T) {
	const draws = 20_000
	for _, n := range []int{2, 5, 40, 200} {
		rng := stream.New(3, "winner cone", "test", uint64(n))
		scores := make([]float64, n)
		var distances, counts []float64
		for range draws {
			for i := range scores {
				scores[i] = rng.NormFloat64()
			}
			distance, active := project(scores)
			distances = append(distances, distance)
			counts = append(counts, float64(active))
		}
		d, err := ConeDimension(float64(n))
		require.NoError(t, err)
		v, err := ConeVariance(float64(n))
		require.NoError(t, err)
		mean, se := meanAndError(distances)
		assert.InDelta(t, mean, d.Value, 4.5*se, "E dist², n = %d", n)
		mean, se = meanAndError(counts)
		assert.InDelta(t, mean, d.Value, 4.5*se, "E|A|, n = %d", n)
		assert.Greater(t, math.Abs(mean-2*math.Log(float64(n))), 50*se, "n = %d", n)
		squares := make([]float64, draws)
		for i, x := range counts {
			squares[i] = (x - d.Value) * (x - d.Value)
		}
		if n > 2 { // for n = 2 every square is 1/4
			mean, se = meanAndError(squares)
			assert.InDelta(t, mean, v.Value, 4.5*se, "Var|A|, n = %d", n)
		}
		volumes, err := IntrinsicVolumes(float64(n))
		require.NoError(t, err)
		for k, p := range volumes.Mass[:min(n, 12)] {
			got := 0.0
			for _, x := range counts {
				if int(x) == k {
					got++
				}
			}
			assert.InDelta(t, p, got/draws, 4.5*math.Sqrt(p*(1-p)/draws)+1.0/draws, "v_%d, n = %d", k, n)
		}
	}
}

func meanAndError(x []float64) (mean, standardError float64) {
	n := float64(len(x))
	for _, v := range x {
		mean += v / n
	}
	for _, v := range x {
		standardError += (v - mean) * (v - mean) / (n * (n - 1))
	}
	return mean, math.Sqrt(standardError)
}

func TestConesOfFew(t *testing.T) {
	for _, test := range []struct{ n, d, v float64 }{
		{2, 1.0 / 2, 1.0 / 4},
		{3, 5.0 / 6, 17.0 / 36},
	} {
		d, err := ConeDimension(test.n)
		require.NoError(t, err)
		assert.InDelta(t, test.d, d.Value, 4*ulp)
		v, err := ConeVariance(test.n)
		require.NoError(t, err)
		assert.InDelta(t, test.v, v.Value, 8*ulp)
	}
}

// D_n increases with n, V_n is below 2 D_n (both leading terms are reached from
// below), and the bound is better than the 1e-9 that is asked for everywhere.
func TestConeDimensionIncreases(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, m := drawSize(t), drawSize(t)
		if n == m {
			t.Skip("one size twice")
		}
		n, m = min(n, m), max(n, m)
		low, err := ConeDimension(n)
		require.NoError(t, err)
		high, err := ConeDimension(m)
		require.NoError(t, err)
		for _, d := range []Value{low, high} {
			if !d.Status.OK() || !(d.Error <= 1e-9*d.Value) {
				t.Fatalf("n = %v or %v: %+v", n, m, d)
			}
		}
		// D_{n+1} − D_n ≥ 1/n for all n seen; what the bounds leave must be less.
		if !(low.Value-low.Error < high.Value+high.Error) || (m-n) > 1e-6*n && !(low.Value < high.Value) {
			t.Fatalf("D(%v) = %+v, D(%v) = %+v", n, low, m, high)
		}
		if !(high.Value < 2*math.Log(m)) {
			t.Fatalf("D(%v) = %v, 2 log n = %v", m, high.Value, 2*math.Log(m))
		}
	})
}

// A size between two integers lies on a curve through their values, smooth
// across 64, where the cubic gives way to the integral.
func TestConeDimensionBetweenIntegers(t *testing.T) {
	known := map[float64]Value{} // 70 integrals in place of 600
	atInteger := func(n float64) Value {
		v, ok := known[n]
		if !ok {
			var err error
			v, err = ConeDimension(n)
			require.NoError(t, err)
			known[n] = v
		}
		return v
	}
	rapid.Check(t, func(t *rapid.T) {
		n := float64(rapid.IntRange(2, 63).Draw(t, "n"))
		low, high := atInteger(n), atInteger(n+1)
		share := rapid.Float64Range(0.001, 0.999).Draw(t, "share")
		between := BetweenSizes(n+share, atInteger)
		if !(between.Value > low.Value && between.Value < high.Value) || !between.Status.OK() || !(between.Error < 1e-12) {
			t.Fatalf("D(%v) = %+v between %+v and %+v", n+share, between, low, high)
		}
		// Concave: above the chord, by no more than the bend of 2 log n.
		chord := low.Value + share*(high.Value-low.Value)
		if bend := between.Value - chord; !(bend >= 0 && bend <= 1/(4*n*n)) {
			t.Fatalf("D(%v) is %v above the chord", n+share, bend)
		}
	})
	for _, n := range []float64{2.5, 17.25, 63.999} {
		direct, err := ConeDimension(n)
		require.NoError(t, err)
		assert.Equal(t, BetweenSizes(n, atInteger), direct)
	}
	// The integral at 64.5 and 100.5 against the cubic: the fourth difference of
	// 2 log n is 12/n⁴ < 1e-6, of which the cubic misses 3/128.
	for _, n := range []float64{64.5, 100.5} {
		direct, err := ConeDimension(n)
		require.NoError(t, err)
		cubic := 0.0
		for i, weight := range []float64{-1.0 / 16, 9.0 / 16, 9.0 / 16, -1.0 / 16} {
			cubic += weight * atInteger(n-1.5+float64(i)).Value
		}
		assert.InDelta(t, cubic, direct.Value, 3e-8, "n = %v", n)
	}
}

func TestConeWrongArguments(t *testing.T) {
	for _, n := range []float64{1.999, 0, -2, 1.1e300, math.Inf(1), math.NaN()} {
		for _, f := range []func(float64) (Value, error){ConeDimension, ConeVariance} {
			v, err := f(n)
			assert.EqualError(t, err, fmt.Sprintf("n = %v: want 2 ≤ n ≤ 1e300", n))
			assert.True(t, math.IsNaN(v.Value) && math.IsInf(v.Error, 1) && !v.Status.OK())
		}
	}
}

func BenchmarkConeDimension(b *testing.B) {
	for _, n := range []float64{4, 100, 1e6, 1e20, 1e300} {
		b.Run(fmt.Sprintf("n=%g", n), func(b *testing.B) {
			for b.Loop() {
				if _, err := ConeDimension(n); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
