package anisotropy

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"lamcap/extremes"
	"lamcap/internal/nnls"
	"lamcap/internal/status"
	"lamcap/internal/stream"
)

// alarm is the number of standard errors of each comparison: a false alarm has probability
// 6e-5, and seeds are fixed.
const alarm = 4

func normals(rng *rand.Rand, count int) []float64 {
	v := make([]float64, count)
	for i := range v {
		v[i] = rng.NormFloat64()
	}
	return v
}

func upTo(n int) []int {
	v := make([]int, n)
	for i := range v {
		v[i] = i
	}
	return v
}

// The working set finds what all constraints together do.
func TestProjectorAgainstAllConstraints(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d, n := rapid.IntRange(1, 12).Draw(t, "d"), rapid.IntRange(2, 150).Draw(t, "n")
		level := rapid.SampledFrom([]float64{0, 0.5}).Draw(t, "level")
		rng := stream.New(rapid.Uint64().Draw(t, "seed"), "projector", "", 0)
		pool, v0 := normals(rng, n*d), normals(rng, d)
		target := rng.IntN(n)
		var all, levels []float64
		for c := range n {
			if c == target {
				continue
			}
			for i := range d {
				all = append(all, pool[target*d+i]-pool[c*d+i])
			}
			levels = append(levels, level)
		}
		want := nnls.New(d, n-1).Project(v0, all, levels)
		p := newProjector(pool, d)
		got := p.project(target, v0, level)
		if got.Status.OK() != want.Status.OK() {
			t.Fatalf("%v: want %v", got.Status, want.Status)
		}
		if !want.Status.OK() {
			return
		}
		if len(got.Active) != len(want.Active) {
			t.Fatalf("%d constraints: want %d", len(got.Active), len(want.Active))
		}
		if math.Abs(got.Distance2-want.Distance2) > 1e-8*(1+want.Distance2) {
			t.Fatalf("distance² %v: want %v", got.Distance2, want.Distance2)
		}
	})
}

// Values that span a space of n − 1 dimensions are whitened to a regular simplex, whose cones
// are the winner-take-all cone itself: D_n and V_n, exactly, whatever the values. Raw
// coordinates of an irregular one give another number.
func TestSimplex(t *testing.T) {
	const n, d, draws = 40, 60, 100
	rng := stream.New(1, "simplex", "", 0)
	values := normals(rng, n*d)
	for i := range values {
		values[i] = (values[i] + 3) * math.Pow(float64(i%d+1), -2)
	}
	p, err := PoolDimension(values, d, upTo(n), PoolOptions{Draws: draws, Seed: 1})
	require.NoError(t, err)
	assert.True(t, p.Status.OK())
	assert.Equal(t, n-1, p.Rank)
	assert.Empty(t, p.Inside)
	want, err := extremes.ConeDimension(n)
	require.NoError(t, err)
	variance, err := extremes.ConeVariance(n)
	require.NoError(t, err)
	assert.InDelta(t, n*want.Value, p.Total.Value, alarm*p.Total.Error)
	assert.InDelta(t, n*variance.Value, p.Spread.Value, alarm*p.Spread.Error)
	assert.InDelta(t, math.Sqrt(n*variance.Value/draws), p.Total.Error, 0.05*p.Total.Error)
	raw, err := PoolDimension(values, d, upTo(n), PoolOptions{Draws: draws, Seed: 1, Raw: true})
	require.NoError(t, err)
	assert.Greater(t, math.Abs(raw.Total.Value-n*want.Value), 10*raw.Total.Error, "raw coordinates are rejected")
}

// The mean over isotropic Gaussian pools is D_n in raw and in whitened coordinates, but for
// targets in the hull, which are next to none here. Var |A| at a given pool is less than V_n by the variance of D_μ between
// values: long ones cost less. Both are told from an n off by 4%.
func TestGaussianPools(t *testing.T) {
	const n, d, draws, pools = 116, 24, 16, 12
	want, err := extremes.ConeDimension(n)
	require.NoError(t, err)
	variance, err := extremes.ConeVariance(n)
	require.NoError(t, err)
	for _, raw := range []bool{true, false} {
		var total, squares, spread float64
		for i := range uint64(pools) {
			p, err := PoolDimension(normals(stream.New(1, "pool", "", i), n*d), d, upTo(n), PoolOptions{Draws: draws, Seed: i, Raw: raw})
			require.NoError(t, err)
			require.True(t, p.Status.OK())
			require.Empty(t, p.Inside)
			total += p.Total.Value / pools
			squares += p.Total.Value * p.Total.Value / pools
			spread += p.Spread.Value / pools
		}
		deviation := math.Sqrt((squares - total*total) / (pools - 1))
		assert.InDelta(t, n*want.Value, total, alarm*deviation)
		other, err := extremes.ConeDimension(n * 1.04)
		require.NoError(t, err)
		if raw {
			assert.Greater(t, math.Abs(n*other.Value-total), alarm*deviation)
		}
		assert.Less(t, spread, 0.9*n*variance.Value)
		assert.Greater(t, spread, 0.75*n*variance.Value)
	}
}

// The covariance of the values changes nothing: whitened, power-law values cost what
// isotropic ones do. A participation ratio in place of d_out would make p_c smaller, by more
// than a factor 2.
func TestInvariance(t *testing.T) {
	const n, d, draws = 116, 24, 40
	values := normals(stream.New(2, "pool", "", 0), n*d)
	plain, err := PoolDimension(values, d, upTo(n), PoolOptions{Draws: draws, Seed: 1})
	require.NoError(t, err)
	trace, square := 0.0, 0.0
	for i := range values {
		lambda := math.Pow(float64(i%d+1), -1)
		values[i] = math.Sqrt(lambda)*values[i] + 5
		if i < d {
			trace += lambda
			square += lambda * lambda
		}
	}
	skewed, err := PoolDimension(values, d, upTo(n), PoolOptions{Draws: draws, Seed: 2})
	require.NoError(t, err)
	both := math.Hypot(plain.Total.Error, skewed.Total.Error)
	assert.InDelta(t, plain.Total.Value, skewed.Total.Value, alarm*both)
	a, err := plain.Critical(d)
	require.NoError(t, err)
	b, err := skewed.Critical(d)
	require.NoError(t, err)
	assert.InDelta(t, a.Value, b.Value, alarm*math.Hypot(a.Error, b.Error))
	assert.Less(t, a.Value*trace*trace/square/d, b.Value-20*b.Error, "the participation ratio is rejected")
}

// Of Gaussian values raw coordinates do not matter on average, even λ ∝ i^{−3} (see the package
// documentation): to 0.5%, where one candidate more or less is 0.4%.
func TestRawGaussianValues(t *testing.T) {
	const n, d, pools = 60, 12, 60
	want, err := extremes.ConeDimension(n)
	require.NoError(t, err)
	total, square := 0.0, 0.0
	for i := range uint64(pools) {
		values := normals(stream.New(4, "raw pool", "", i), n*d)
		for j := range values {
			values[j] *= math.Pow(float64(j%d+1), -1.5)
		}
		p, err := PoolDimension(values, d, upTo(n), PoolOptions{Draws: 10, Seed: i, Raw: true})
		require.NoError(t, err)
		total += p.Total.Value / n / pools
		square += p.Total.Value / n * p.Total.Value / n / pools
	}
	deviation := math.Sqrt((square - total*total) / (pools - 1))
	assert.Less(t, deviation, 0.005*want.Value)
	assert.InDelta(t, want.Value, total, 3*deviation)
}

// Targets in the hull of their competitors are found, on its boundary too, and so is one of
// two equal values.
func TestInside(t *testing.T) {
	const d = 3
	values := []float64{
		1, 1, 1, 1, 1, -1, 1, -1, 1, 1, -1, -1, -1, 1, 1, -1, 1, -1, -1, -1, 1, -1, -1, -1, // a cube
		0.1, 0.2, -0.3, // 8: inside
		1, 1, 0.5, // 9: on an edge
		1, 0.1, 0.2, // 10: on a face
		1, 1, 1, // 11: equal to 0
		1 + 1e-6, 0.3, 0.3, // 12: outside by little
	}
	for _, raw := range []bool{true, false} {
		p, err := PoolDimension(values, d, []int{1, 8, 9, 10, 11, 0, 12, 8}, PoolOptions{Draws: 200, Raw: raw})
		require.NoError(t, err)
		assert.True(t, p.Status.OK(), "%v", p.Status)
		assert.Equal(t, []int{1, 2, 3, 4, 5, 7}, p.Inside)
		assert.EqualValues(t, 3, p.Dimensions[1])
		assert.Less(t, p.Dimensions[0], 3.0)
		probability, err := p.Probability(100)
		require.NoError(t, err)
		assert.Zero(t, probability.Value)
	}
}

func TestProbability(t *testing.T) {
	p := Pool{Facts: 2, Rank: 10, Total: extremes.Value{Value: 100, Error: 1}, Spread: extremes.Value{Value: 25, Error: 1},
		Dimensions: []float64{49, 51}, Status: status.Converged}
	half, err := p.Probability(10)
	require.NoError(t, err)
	assert.InDelta(t, 0.5, half.Value, 1e-15)
	assert.InDelta(t, 0.2/math.Sqrt(2*math.Pi), half.Error, 1e-3)
	above, err := p.Probability(10.5)
	require.NoError(t, err)
	assert.InDelta(t, 0.8413447460685429, above.Value, 1e-14)
	critical, err := p.Critical(20)
	require.NoError(t, err)
	assert.InDelta(t, 4, critical.Value, 1e-14)
	assert.InDelta(t, 4*1/50.0, critical.Error, 1e-14)
	_, err = p.Critical(0)
	assert.ErrorContains(t, err, "want 0 < d_in")
}

func TestThreadsChangeNothing(t *testing.T) {
	values := normals(stream.New(3, "pool", "", 0), 300*20)
	one, err := PoolDimension(values, 20, upTo(300), PoolOptions{Threads: 1})
	require.NoError(t, err)
	many, err := PoolDimension(values, 20, upTo(300), PoolOptions{Threads: 4})
	require.NoError(t, err)
	assert.Equal(t, one, many)
}

func TestPoolErrors(t *testing.T) {
	good := []float64{1, 2, 3, 4, 5, 7}
	for want, call := range map[string]func() (Pool, error){
		"no whole number of values":  func() (Pool, error) { return PoolDimension(good, 4, []int{0}, PoolOptions{}) },
		"d_out = 0":                  func() (Pool, error) { return PoolDimension(good, 0, []int{0}, PoolOptions{}) },
		"at least 2 values":          func() (Pool, error) { return PoolDimension(good, 6, []int{0}, PoolOptions{}) },
		"no targets":                 func() (Pool, error) { return PoolDimension(good, 2, nil, PoolOptions{}) },
		"want 0 ≤ row < n = 3":       func() (Pool, error) { return PoolDimension(good, 2, []int{3}, PoolOptions{}) },
		"draws = 1":                  func() (Pool, error) { return PoolDimension(good, 2, []int{0}, PoolOptions{Draws: 1}) },
		"value 1, entry 0 is NaN":    func() (Pool, error) { return PoolDimension([]float64{1, 2, math.NaN(), 1}, 2, []int{0}, PoolOptions{}) },
		"all values of the pool are": func() (Pool, error) { return PoolDimension([]float64{1, 2, 1, 2}, 2, []int{0}, PoolOptions{}) },
	} {
		_, err := call()
		assert.ErrorContains(t, err, want)
	}
	// Sizes at the ends of the range of numbers make no difference.
	for _, scale := range []float64{1e-300, 1e300} {
		scaled := make([]float64, len(good))
		for i, x := range good {
			scaled[i] = x * scale
		}
		p, err := PoolDimension(scaled, 2, []int{0, 1, 2}, PoolOptions{Draws: 50})
		require.NoError(t, err)
		q, err := PoolDimension(good, 2, []int{0, 1, 2}, PoolOptions{Draws: 50})
		require.NoError(t, err)
		assert.InDelta(t, q.Total.Value, p.Total.Value, alarm*q.Total.Error)
	}
}
