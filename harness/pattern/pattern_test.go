package pattern_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"lamcap/harness/pattern"
	"lamcap/internal/stream"
)

func TestNames(t *testing.T) {
	for _, m := range []pattern.Model{pattern.OP, pattern.DP} {
		got, err := pattern.ParseModel(m.String())
		require.NoError(t, err)
		assert.Equal(t, m, got)
	}
	for _, e := range []pattern.Embedding{pattern.Gaussian, pattern.Sphere} {
		got, err := pattern.ParseEmbedding(e.String())
		require.NoError(t, err)
		assert.Equal(t, e, got)
	}
	m, err := pattern.ParseModel("DP")
	require.NoError(t, err)
	assert.Equal(t, pattern.DP, m)
	_, err = pattern.ParseModel("rp")
	assert.EqualError(t, err, `model = rp: want op or dp`)
	_, err = pattern.ParseEmbedding("")
	assert.EqualError(t, err, `embedding = : want gaussian or sphere`)
	assert.Equal(t, "model(7)", pattern.Model(7).String())
	assert.Equal(t, "embedding(-1)", pattern.Embedding(-1).String())
}

func TestValidate(t *testing.T) {
	good := pattern.Spec{Model: pattern.DP, DIn: 1, DOut: 1, P: 1, N: 1}
	require.NoError(t, good.Validate())
	for want, change := range map[string]func(*pattern.Spec){
		"model = model(3): want op or dp":                                                 func(s *pattern.Spec) { s.Model = 3 },
		"d_in = 0: want d_in ≥ 1":                                                         func(s *pattern.Spec) { s.DIn = 0 },
		"d_out = -1: want d_out ≥ 1":                                                      func(s *pattern.Spec) { s.DOut = -1 },
		"p = 0: want p ≥ 1":                                                               func(s *pattern.Spec) { s.P = 0 },
		"n = 0: want n ≥ 1":                                                               func(s *pattern.Spec) { s.N = 0 },
		"n = 3: want n = p = 4 in model op, whose pool all inputs share":                  func(s *pattern.Spec) { s.Model, s.P, s.N = pattern.OP, 4, 3 },
		"keys = embedding(9): want gaussian or sphere":                                    func(s *pattern.Spec) { s.Keys = 9 },
		"values = embedding(9): want gaussian or sphere":                                  func(s *pattern.Spec) { s.Values = 9 },
		"p = 1000000000 with d_in = 1, d_out = 1: want p(d_in + d_out) ≤ 1.073741823e+09": func(s *pattern.Spec) { s.P = 1e9 },
	} {
		s := good
		change(&s)
		assert.EqualError(t, s.Validate(), want)
		assert.Panics(t, func() { pattern.Sample(stream.New(0, "", "", 0), s) })
	}
	big := pattern.Spec{Model: pattern.DP, DIn: 100, DOut: 100, P: 1e5, N: 1e5}
	require.NoError(t, big.Validate())
	assert.False(t, big.Fits())
	assert.Equal(t, 1e12, big.PoolNumbers())
	// 1.5·2^30 numbers: 6 GiB of float32, 12 of float64.
	half := pattern.Spec{Model: pattern.DP, DIn: 1, DOut: 1 << 10, P: 1 << 10, N: 3 << 9}
	assert.True(t, half.Fits())
	half.N *= 2
	assert.False(t, half.Fits())
}

func specs() *rapid.Generator[pattern.Spec] {
	return rapid.Custom(func(t *rapid.T) pattern.Spec {
		s := pattern.Spec{
			Model:  pattern.Model(rapid.IntRange(0, 1).Draw(t, "model")),
			DIn:    rapid.IntRange(1, 5).Draw(t, "d_in"),
			DOut:   rapid.IntRange(1, 5).Draw(t, "d_out"),
			P:      rapid.IntRange(1, 6).Draw(t, "p"),
			N:      rapid.IntRange(1, 6).Draw(t, "n"),
			Keys:   pattern.Embedding(rapid.IntRange(0, 1).Draw(t, "keys")),
			Values: pattern.Embedding(rapid.IntRange(0, 1).Draw(t, "values")),
		}
		if s.Model == pattern.OP {
			s.N = s.P
		}
		return s
	})
}

// Stored and streamed instances must agree number for number, in any order of
// reading, for whole pools and any rows, as float64 and as float32, and leave
// the generator in the same state.
func TestStreamedEqualsStored(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := specs().Draw(t, "spec")
		seed := rapid.Uint64().Draw(t, "seed")
		r1, r2 := stream.New(seed, "", "", 0), stream.New(seed, "", "", 0)
		a, b := pattern.Sample(r1, s), pattern.SampleStreamed(r2, s)
		assert.Equal(t, a.Keys(), b.Keys())
		op := s.Model == pattern.OP
		assert.Equal(t, op, a.Stored())
		assert.Equal(t, op, b.Stored())
		assert.Equal(t, !op, a.Stored32())
		assert.False(t, b.Stored32())
		d := s.DOut
		buffer, target := make([]float64, s.N*d), make([]float64, d)
		buffer32 := make([]float32, s.N*d)
		for mu := s.P - 1; mu >= 0; mu-- {
			want := a.Pool(mu, nil)
			assert.Equal(t, want, b.Pool(mu, buffer))
			row := a.Target(mu)
			assert.Equal(t, want[row*d:(row+1)*d], a.TargetValue(mu, nil))
			assert.Equal(t, a.TargetValue(mu, nil), b.TargetValue(mu, target))
			assert.Equal(t, a.Keys()[mu*s.DIn:(mu+1)*s.DIn], a.Key(mu))
			want32 := a.Pool32(mu, nil)
			assert.Equal(t, want32, b.Pool32(mu, buffer32))
			for i, v := range want {
				assert.Equal(t, float32(v), want32[i])
				if !op {
					assert.Equal(t, v, float64(want32[i]), "pools of DP are float32 numbers")
				}
			}
			first := rapid.IntRange(0, s.N).Draw(t, "first")
			count := rapid.IntRange(0, s.N-first).Draw(t, "count")
			for _, in := range []*pattern.Instance{a, b} {
				rows, rows32 := want[first*d:(first+count)*d], want32[first*d:(first+count)*d]
				assert.Equal(t, rows, in.PoolRows(mu, first, count, buffer))
				assert.Equal(t, rows32, in.PoolRows32(mu, first, count, buffer32))
			}
		}
		assert.Equal(t, r1.Uint64(), r2.Uint64())
	})
}

// Pools larger than the strips in which they are converted to float64.
func TestLargePools(t *testing.T) {
	for _, e := range []pattern.Embedding{pattern.Gaussian, pattern.Sphere} {
		s := pattern.Spec{Model: pattern.DP, DIn: 1, DOut: 700, P: 2, N: 5, Values: e}
		a, b := pattern.Sample(stream.New(1, "", "", 0), s), pattern.SampleStreamed(stream.New(1, "", "", 0), s)
		for mu := range s.P {
			assert.Equal(t, a.Pool(mu, nil), b.Pool(mu, nil))
			assert.Equal(t, a.Pool32(mu, nil), b.Pool32(mu, nil))
			assert.Equal(t, a.Pool(mu, nil)[700:2100], b.PoolRows(mu, 1, 2, nil))
		}
	}
}

// Reading a pool allocates nothing, and copies nothing where that can be.
func TestReadingAllocatesNothing(t *testing.T) {
	s := pattern.Spec{Model: pattern.DP, DIn: 2, DOut: 12, P: 3, N: 40, Values: pattern.Sphere}
	buffer, buffer32 := make([]float64, s.N*s.DOut), make([]float32, s.N*s.DOut)
	stored, streamed := pattern.Sample(stream.New(1, "", "", 0), s), pattern.SampleStreamed(stream.New(1, "", "", 0), s)
	for _, in := range []*pattern.Instance{stored, streamed} {
		assert.Zero(t, testing.AllocsPerRun(10, func() {
			in.Pool(1, buffer)
			in.Pool32(1, buffer32)
			in.PoolRows(2, 3, 5, buffer)
			in.PoolRows32(2, 3, 5, buffer32)
			in.TargetValue(2, buffer)
		}))
	}
	assert.Same(t, &stored.Pool32(1, buffer32)[12], &stored.PoolRows32(1, 1, 1, nil)[0])
	assert.NotSame(t, &stored.Pool32(1, buffer32)[0], &buffer32[0])
}

func TestRowsOutsidePanic(t *testing.T) {
	in := pattern.SampleStreamed(stream.New(1, "", "", 0), pattern.Spec{Model: pattern.DP, DIn: 2, DOut: 2, P: 3, N: 4})
	for _, c := range [][3]int{{-1, 0, 1}, {3, 0, 1}, {0, -1, 1}, {0, 0, 5}, {0, 4, 1}, {0, 1, -1}} {
		assert.Panics(t, func() { in.PoolRows(c[0], c[1], c[2], nil) }, c)
		assert.Panics(t, func() { in.PoolRows32(c[0], c[1], c[2], nil) }, c)
	}
}

// A normal that is exactly 0 has no direction, and is drawn again at d = 1: row
// 96833657 of this pool is one (found by reading 2^28 rows; about 4 pairs of
// zeros are expected in them).
func TestZeroRowIsDrawnAgain(t *testing.T) {
	const zero = 96833657
	s := pattern.Spec{Model: pattern.DP, DIn: 1, DOut: 1, P: 1, N: 1 << 28}
	gaussian := pattern.SampleStreamed(stream.New(1, "zero", "", 0), s)
	require.Equal(t, []float32{0}, gaussian.PoolRows32(0, zero, 1, nil))
	again := s
	again.N = zero + 1<<28 + 1 // the same sub-stream, as far as the place of the new draw
	next := pattern.SampleStreamed(stream.New(1, "zero", "", 0), again).PoolRows32(0, zero+1<<28, 1, nil)[0]
	s.Values = pattern.Sphere
	sphere := pattern.SampleStreamed(stream.New(1, "zero", "", 0), s)
	want := float32(math.Copysign(1, float64(next)))
	assert.Equal(t, []float32{want}, sphere.PoolRows32(0, zero, 1, nil))
	assert.Equal(t, []float64{float64(want)}, sphere.PoolRows(0, zero, 1, nil))
}

// Pools are independent: the correlation of two has a standard error of 1/√n.
func TestPoolsAreIndependent(t *testing.T) {
	const n = 10_000
	in := pattern.Sample(stream.New(1, "independent", "", 0), pattern.Spec{Model: pattern.DP, DIn: 1, DOut: 10, P: 4, N: n / 10})
	other := pattern.Sample(stream.New(1, "independent", "", 1), in.Spec())
	pools := [][]float32{in.Pool32(0, nil), in.Pool32(1, nil), in.Pool32(2, nil), in.Pool32(3, nil), other.Pool32(0, nil)}
	for i, a := range pools {
		for _, b := range pools[:i] {
			sum := 0.0
			for k := range a {
				sum += float64(a[k]) * float64(b[k])
			}
			assert.Less(t, math.Abs(sum)/n, 5/math.Sqrt(n))
		}
	}
}

// The pools of DP that a seed draws. If this test fails, published numbers of
// DP have changed: see the version in lamcap/internal/counter.
func TestGoldenPools(t *testing.T) {
	s := pattern.Spec{Model: pattern.DP, DIn: 1, DOut: 3, P: 2, N: 2}
	in := pattern.Sample(stream.New(1, "golden", "", 0), s)
	assert.Equal(t, []float32{0.82041866, 0.6814703, -0.59262615}, in.PoolRows32(1, 1, 1, nil))
	s.Values = pattern.Sphere
	in = pattern.Sample(stream.New(1, "golden", "", 0), s)
	assert.Equal(t, []float32{1.1646446, 0.9673971, -0.84127635}, in.PoolRows32(1, 1, 1, nil))
}

func TestTargets(t *testing.T) {
	op := pattern.Sample(stream.New(1, "", "", 0), pattern.Spec{Model: pattern.OP, DIn: 2, DOut: 2, P: 3, N: 3})
	dp := pattern.Sample(stream.New(1, "", "", 0), pattern.Spec{Model: pattern.DP, DIn: 2, DOut: 2, P: 3, N: 4})
	assert.Equal(t, 2, op.Target(2))
	assert.Equal(t, 0, dp.Target(2))
	assert.Equal(t, op.Pool(0, nil), op.Pool(1, nil), "OP shares its pool")
	assert.NotEqual(t, dp.Pool(0, nil), dp.Pool(1, nil), "pools of DP are independent")
}

// On the sphere of radius √d norms are exact to round-off, of float64 in keys
// and OP, of float32 in the pools of DP; at d = 1 entries are ±1 exactly, so
// that equal values tie exactly.
func TestSphereNorms(t *testing.T) {
	for _, m := range []pattern.Model{pattern.OP, pattern.DP} {
		for _, d := range []int{1, 2, 24, 100} {
			in := pattern.Sample(stream.New(1, "norms", "", 0), pattern.Spec{Model: m,
				DIn: d, DOut: d, P: 50, N: 50, Keys: pattern.Sphere, Values: pattern.Sphere})
			check := func(v []float64, tolerance float64) {
				norm2 := 0.0
				for _, x := range v {
					norm2 += x * x
				}
				assert.InEpsilon(t, d, norm2, tolerance)
				if d == 1 {
					assert.Equal(t, 1.0, math.Abs(v[0]))
				}
			}
			tolerance := 1e-14
			if m == pattern.DP {
				tolerance = 1.2e-7 // twice the rounding of an entry
			}
			for mu := range 50 {
				check(in.Key(mu), 1e-14)
				check(in.TargetValue(mu, nil), tolerance)
				check(in.PoolRows(mu, 7, 1, nil), tolerance)
			}
		}
	}
}

// Moments of 10⁵ Gaussian entries: mean 0 ± 0.0032, variance 1 ± 0.0045,
// fourth moment 3 ± 0.031 (standard errors 1/√n, √(2/n), √(96/n)); bounds of
// five standard errors reject a variance of 1.03 or a uniform law (fourth
// moment 1.8).
func TestGaussianMoments(t *testing.T) {
	const n = 100_000
	in := pattern.Sample(stream.New(1, "moments", "", 0), pattern.Spec{Model: pattern.DP, DIn: 1, DOut: 10, P: 100, N: 100})
	var m1, m2, m4 float64
	for mu := range 100 {
		for _, x := range in.Pool(mu, nil) {
			m1 += x / n
			m2 += x * x / n
			m4 += x * x * x * x / n
		}
	}
	assert.InDelta(t, 0, m1, 5*math.Sqrt(1./n))
	assert.InDelta(t, 1, m2, 5*math.Sqrt(2./n))
	assert.InDelta(t, 3, m4, 5*math.Sqrt(96./n))
}

func TestFromData(t *testing.T) {
	s := pattern.Spec{Model: pattern.DP, DIn: 1, DOut: 1, P: 2, N: 2}
	in, err := pattern.FromData(s, []float64{1, 2}, []float64{3, 4, 5, 6})
	require.NoError(t, err)
	assert.Equal(t, []float64{5, 6}, in.Pool(1, nil))
	assert.Equal(t, []float64{5}, in.TargetValue(1, nil))
	assert.Equal(t, []float32{5, 6}, in.Pool32(1, nil))
	assert.Equal(t, []float64{6}, in.PoolRows(1, 1, 1, nil))
	assert.True(t, in.Stored())
	assert.False(t, in.Stored32())
	assert.Equal(t, s, in.Spec())
	_, err = pattern.FromData(s, []float64{1}, []float64{3, 4, 5, 6})
	assert.EqualError(t, err, "keys: 1 numbers: want p·d_in = 2")
	_, err = pattern.FromData(s, []float64{1, 2}, []float64{3})
	assert.EqualError(t, err, "pools: 1 numbers: want 4")
	_, err = pattern.FromData(s, []float64{1, math.NaN()}, []float64{3, 4, 5, 6})
	assert.EqualError(t, err, "keys[1] = NaN: want a finite number")
	s.P = 0
	_, err = pattern.FromData(s, nil, nil)
	assert.EqualError(t, err, "p = 0: want p ≥ 1")
}

func BenchmarkSample(b *testing.B) {
	s := pattern.Spec{Model: pattern.DP, DIn: 24, DOut: 24, P: 115, N: 115}
	b.ReportAllocs()
	for i := range b.N {
		pattern.Sample(stream.New(1, "benchmark", "", uint64(i)), s)
	}
}

// The shortest vectors that are not 0 count, each by itself.
func TestLeastScale(t *testing.T) {
	s := pattern.Spec{Model: pattern.DP, DIn: 2, DOut: 1, P: 3, N: 2}
	in, err := pattern.FromData(s, []float64{3, 3, 0, 0, 1e-9, 1e-9}, []float64{5, 5, 2, -2, 0, 0})
	require.NoError(t, err)
	assert.InEpsilon(t, 2e-9, in.LeastScale(), 1e-15)
	zero, err := pattern.FromData(s, make([]float64, 6), make([]float64, 6))
	require.NoError(t, err)
	assert.Zero(t, zero.LeastScale())
	drawn := pattern.Sample(stream.New(1, "scale", "", 0), pattern.Spec{Model: pattern.OP, DIn: 50, DOut: 50, P: 30, N: 30})
	assert.InDelta(t, drawn.Scale(), drawn.LeastScale(), 0.4) // of 30 Gaussian lengths
}
