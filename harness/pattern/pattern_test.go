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
		"model = model(2): want op or dp":                                                 func(s *pattern.Spec) { s.Model = 2 },
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
// reading, and leave the generator in the same state.
func TestStreamedEqualsStored(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := specs().Draw(t, "spec")
		seed := rapid.Uint64().Draw(t, "seed")
		r1, r2 := stream.New(seed, "", "", 0), stream.New(seed, "", "", 0)
		a, b := pattern.Sample(r1, s), pattern.SampleStreamed(r2, s)
		assert.Equal(t, a.Keys(), b.Keys())
		assert.True(t, a.Stored())
		assert.Equal(t, s.Model == pattern.OP, b.Stored())
		buffer, target := make([]float64, s.N*s.DOut), make([]float64, s.DOut)
		for mu := s.P - 1; mu >= 0; mu-- {
			want := a.Pool(mu, nil)
			assert.Equal(t, want, b.Pool(mu, buffer))
			row := a.Target(mu)
			assert.Equal(t, want[row*s.DOut:(row+1)*s.DOut], a.TargetValue(mu, nil))
			assert.Equal(t, a.TargetValue(mu, nil), b.TargetValue(mu, target))
			assert.Equal(t, a.Keys()[mu*s.DIn:(mu+1)*s.DIn], a.Key(mu))
		}
		assert.Equal(t, r1.Uint64(), r2.Uint64())
	})
}

func TestTargets(t *testing.T) {
	op := pattern.Sample(stream.New(1, "", "", 0), pattern.Spec{Model: pattern.OP, DIn: 2, DOut: 2, P: 3, N: 3})
	dp := pattern.Sample(stream.New(1, "", "", 0), pattern.Spec{Model: pattern.DP, DIn: 2, DOut: 2, P: 3, N: 4})
	assert.Equal(t, 2, op.Target(2))
	assert.Equal(t, 0, dp.Target(2))
	assert.Equal(t, op.Pool(0, nil), op.Pool(1, nil), "OP shares its pool")
	assert.NotEqual(t, dp.Pool(0, nil), dp.Pool(1, nil), "pools of DP are independent")
}

// On the sphere of radius √d norms are exact to round-off; at d = 1 entries
// are ±1 exactly, so that equal values tie exactly.
func TestSphereNorms(t *testing.T) {
	for _, d := range []int{1, 2, 24, 100} {
		in := pattern.Sample(stream.New(1, "norms", "", 0), pattern.Spec{Model: pattern.OP,
			DIn: d, DOut: d, P: 50, N: 50, Keys: pattern.Sphere, Values: pattern.Sphere})
		for mu := range 50 {
			for _, v := range [][]float64{in.Key(mu), in.TargetValue(mu, nil)} {
				norm2 := 0.0
				for _, x := range v {
					norm2 += x * x
				}
				assert.InEpsilon(t, d, norm2, 1e-14)
				if d == 1 {
					assert.Equal(t, 1.0, math.Abs(v[0]))
				}
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
