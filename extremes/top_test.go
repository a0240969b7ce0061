package extremes

import (
	"encoding/csv"
	"math"
	"os"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"lamcap/internal/stream"
)

// At k = n − 1 a single competitor counts and D is a one-dimensional integral.
func TestTopConeDimensionOfTheLastRanks(t *testing.T) {
	file, err := os.Open("testdata/top.csv")
	require.NoError(t, err)
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	require.NoError(t, err)
	require.Len(t, rows, 8)
	for _, row := range rows[1:] {
		var x [3]float64
		for i := range x {
			x[i], err = strconv.ParseFloat(row[i], 64)
			require.NoError(t, err)
		}
		d, err := TopConeDimension(x[0], x[1])
		require.NoError(t, err)
		assert.True(t, d.Status.OK(), "n = %v", x[0])
		assert.InEpsilon(t, x[2], d.Value, 1e-12, "n = %v", x[0])
		assert.InDelta(t, x[2], d.Value, d.Error+0x1p-53*x[2], "n = %v", x[0])
		assert.Less(t, d.Error, 1e-10*x[2], "n = %v", x[0])
	}
}

// A cap at 60 is none: D_n by another integral, and the value at k = 1.
func TestTopConeDimensionWithoutCap(t *testing.T) {
	for _, n := range []float64{2, 3, 10, 1e4, 1e12, 1e100, 1e300} {
		free := cappedDistance(60, n-1, 1e-12)
		d, err := ConeDimension(n)
		require.NoError(t, err)
		assert.InEpsilon(t, d.Value, free.Value, 1e-12, "n = %v", n)
		assert.InDelta(t, d.Value, free.Value, free.Error+d.Error, "n = %v", n)
		first, err := TopConeDimension(n, 1)
		require.NoError(t, err)
		assert.Equal(t, d, first)
		none, err := TopConeDimension(n, n)
		require.NoError(t, err)
		assert.Zero(t, none.Value)
	}
}

// Against the mean over projections of the scores without the k − 1 largest
// competitors, at 4.5 standard errors. What is rejected: k off by one.
func TestTopConeDimensionAgainstMonteCarlo(t *testing.T) {
	const draws = 20_000
	for _, c := range []struct{ n, k int }{{4, 2}, {40, 3}, {20, 15}} {
		rng := stream.New(11, "top ranks", "test", uint64(1000*c.n+c.k))
		scores := make([]float64, c.n)
		distances := make([]float64, draws)
		for i := range distances {
			for j := range scores {
				scores[j] = rng.NormFloat64()
			}
			slices.Sort(scores[1:])
			distances[i] = Project(slices.Clone(scores[:c.n-c.k+1])).DistanceSquared
		}
		mean, se := meanAndError(distances)
		d, err := TopConeDimension(float64(c.n), float64(c.k))
		require.NoError(t, err)
		assert.InDelta(t, mean, d.Value, 4.5*se, "n = %d, k = %d", c.n, c.k)
		other, err := TopConeDimension(float64(c.n), float64(c.k-1))
		require.NoError(t, err)
		assert.Greater(t, math.Abs(mean-other.Value), 4.5*se, "n = %d, k = %d", c.n, c.k)
	}
}

// With k = rn the pool becomes a fixed threshold z, Q(z) = r: D → E(z − t)_+². It
// comes from below like a power of 1/n, since the competitors near z give way.
func TestTopConeDimensionOfManyRanks(t *testing.T) {
	for _, r := range []float64{0.1, 0.9} {
		z, err := SurvivalQuantile(math.Log(r))
		require.NoError(t, err)
		limit := capSquare(z)
		last := math.Inf(1)
		for _, n := range []float64{1e3, 1e6} {
			d, err := TopConeDimension(n, math.Round(r*n))
			require.NoError(t, err)
			shortfall := 1 - d.Value/limit
			assert.Greater(t, shortfall, 0.0, "n = %v, r = %v", n, r)
			assert.Less(t, shortfall, last/20, "n = %v, r = %v", n, r)
			last = shortfall
		}
		d, err := TopConeDimension(1e300, r*1e300)
		require.NoError(t, err)
		assert.InEpsilon(t, limit, d.Value, 1e-13, "r = %v", r)
	}
}

func TestTopConeDimensionIsMonotone(t *testing.T) {
	for _, n := range []float64{50, 1e100} {
		last, err := ConeDimension(n)
		require.NoError(t, err)
		for _, k := range []float64{2, 29} {
			d, err := TopConeDimension(n, k)
			require.NoError(t, err)
			assert.True(t, d.Status.OK())
			assert.Less(t, d.Value, last.Value, "n = %v, k = %v", n, k)
			more, err := TopConeDimension(2*n, k)
			require.NoError(t, err)
			assert.Greater(t, more.Value, d.Value, "n = %v, k = %v", n, k)
			last = d
		}
	}
}

// Between integers: the cubic and the real power meet at n = k + 64.
func TestTopConeDimensionBetweenSizes(t *testing.T) {
	const k = 3
	below, err := TopConeDimension(k+64-1e-9, k)
	require.NoError(t, err)
	at, err := TopConeDimension(k+64, k)
	require.NoError(t, err)
	above, err := TopConeDimension(k+64.5, k)
	require.NoError(t, err)
	next, err := TopConeDimension(k+65, k)
	require.NoError(t, err)
	// dD/dn < 0.1 there.
	assert.InDelta(t, at.Value, below.Value, 1e-10+below.Error+at.Error)
	// The middle differs from the chord by D''/8 ≈ 1/(4n²).
	assert.InDelta(t, (at.Value+next.Value)/2, above.Value, 1e-4)
	assert.Greater(t, above.Value, (at.Value+next.Value)/2)
}

func TestTopConeDimensionWrongArguments(t *testing.T) {
	for _, c := range []struct {
		n, k float64
		want string
	}{
		{1, 1, "n = 1: want 2 ≤ n ≤ 1e300"},
		{1e301, 1, "n = 1e+301: want 2 ≤ n ≤ 1e300"},
		{math.NaN(), 1, "n = NaN: want 2 ≤ n ≤ 1e300"},
		{10, 0, "k = 0: want an integer, 1 ≤ k ≤ n = 10"},
		{10, 11, "k = 11: want an integer, 1 ≤ k ≤ n = 10"},
		{10, 2.5, "k = 2.5: want an integer, 1 ≤ k ≤ n = 10"},
		{10, math.NaN(), "k = NaN: want an integer, 1 ≤ k ≤ n = 10"},
	} {
		d, err := TopConeDimension(c.n, c.k)
		assert.ErrorContains(t, err, c.want)
		assert.True(t, math.IsNaN(d.Value) && math.IsInf(d.Error, 1) && !d.Status.OK())
	}
}

func BenchmarkTopConeDimension(b *testing.B) {
	for b.Loop() {
		if _, err := TopConeDimension(1000, 5); err != nil {
			b.Fatal(err)
		}
	}
}

// At n = 2k − 2 the middle of the pool, y = 0, is a node, and every second
// coefficient of a series vanishes there: the value lies between its neighbours,
// on a smooth curve.
func TestTopConeDimensionAtTheMedian(t *testing.T) {
	for _, k := range []float64{6, 7, 12, 26} {
		var d [3]float64
		for i := range d {
			v, err := TopConeDimension(2*k-3+float64(i), k)
			require.NoError(t, err)
			require.True(t, v.Status.OK())
			require.Less(t, v.Error, 1e-12)
			d[i] = v.Value
		}
		assert.Less(t, d[0], d[1])
		assert.Less(t, d[1], d[2])
		assert.InDelta(t, (d[0]+d[2])/2, d[1], 2e-4, "k = %v", k)
	}
	// A y barely above 0 leaves next to no room for its split.
	for _, delta := range []float64{1e-9, 1e-6, 1e-3} {
		v, err := TopConeDimension(512+delta, 257)
		require.NoError(t, err)
		assert.True(t, v.Status.OK(), "δ = %v: %v", delta, v)
		assert.InDelta(t, 0.4470845403, v.Value, 1e-9+2e-3*delta)
	}
}
