package saddle

import (
	"encoding/csv"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"lamcap/extremes"
	"lamcap/internal/stream"
)

// vectorReference calls f for every row of the given kind in hebb_vector.csv.
func vectorReference(t *testing.T, kind string, f func(a, b, c, want float64)) {
	t.Helper()
	file, err := os.Open("testdata/hebb_vector.csv")
	require.NoError(t, err)
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	require.NoError(t, err)
	found := 0
	for _, row := range rows {
		if row[0] != kind {
			continue
		}
		var x [4]float64
		for i, cell := range row[1:] {
			x[i], _ = strconv.ParseFloat(cell, 64) // the third is empty for some kinds
		}
		found++
		f(x[0], x[1], x[2], x[3])
	}
	require.Greater(t, found, 5, kind)
}

// Budget: 5e-13 relative (d log d roundings in the logs of the integrand).
func TestHebbDecoupledReference(t *testing.T) {
	vectorReference(t, "law", func(d, p, n, want float64) {
		v, err := HebbItemRecallDecoupled(int(d), p, n)
		require.NoError(t, err)
		assert.InEpsilon(t, want, v.Value, 5e-13, "d=%v p=%v n=%v", d, p, n)
		assert.LessOrEqual(t, math.Abs(v.Value-want), v.Error, "bound at d=%v p=%v n=%v", d, p, n)
		assert.True(t, v.Status.OK())
	})
}

// Budget: 1e-12 relative in both tails; near the equator absolute.
func TestTailReference(t *testing.T) {
	worst := 0.0
	vectorReference(t, "tail", func(d, phi, _, want float64) {
		sine, cosine := math.Sincos(phi)
		got := newSphere(int(d)).tail(cosine, sine)
		worst = math.Max(worst, math.Abs(got-want)/want)
		assert.InEpsilon(t, want, got, 1e-12, "d=%v phi=%v", d, phi)
	})
	t.Logf("largest relative error %.1e", worst)
}

// All three branches: recurrence up (m ≥ 0 and slightly below), continued fraction.
// Budget: 1e-13 in the log, relative where the log is large.
func TestGaussianMomentReference(t *testing.T) {
	vectorReference(t, "moment", func(k, m, _, want float64) {
		got := logGaussianMoment(int(k), m)
		assert.InDelta(t, want, got, 1e-13*math.Max(1, math.Abs(want)), "k=%v m=%v", k, m)
	})
}

// The law's definition, a/√(a² + x), drawn directly: an independent check of the
// change to polar coordinates. 40,000 draws give a standard error of 0.0015 (spread of
// F^{n−1} about 0.3); the limit law is 0.046 off.
func TestHebbDecoupledDefinition(t *testing.T) {
	const d, p, draws = 24, 80, 40_000
	rng := stream.New(1, "hebb definition", "d=24 p=80", 0)
	s := newSphere(d)
	mean, square := 0.0, 0.0
	for range draws {
		a := d*math.Sqrt(d) + math.Sqrt((p-1)*d)*rng.NormFloat64()
		x := 0.0
		for range d - 1 {
			z := rng.NormFloat64()
			x += z * z
		}
		x *= (p - 1) * d
		length := math.Sqrt(a*a + x)
		f := math.Exp((p - 1) * math.Log1p(-s.tail(a/length, math.Sqrt(x)/length)))
		mean += f / draws
		square += f * f / draws
	}
	se := math.Sqrt((square - mean*mean) / draws)
	v, err := HebbItemRecallDecoupled(d, p, p)
	require.NoError(t, err)
	assert.InDelta(t, v.Value, mean, 4*se)
	limit, err := HebbItemRecall(d, p, p)
	require.NoError(t, err)
	assert.Greater(t, math.Abs(limit.Value-mean), 10*se, "the limit law must be rejected")
}

// The Gauss rules integrate the moments of their laws.
func TestRules(t *testing.T) {
	for _, d := range []int{2, 3, 8, 100} {
		r := cosineRule(d, 6)
		var m [5]float64
		for i, x := range r.nodes {
			for k := range m {
				m[k] += r.weights[i] * math.Pow(x, float64(k))
			}
		}
		x := float64(d)
		want := []float64{1, 0, 1 / x, 0, 3 / (x * (x + 2))}
		assert.InDeltaSlice(t, want, m[:], 1e-14, "d=%d", d)
	}
	// Var |b|² of p − 1 vectors on the sphere, in units of (E|b|²)², from
	// Σ ε⁴ and the pairs; the rule for τ must give it with a χ² law of d.
	for _, d := range []int{3, 12, 100} {
		const others = 30
		x := float64(d)
		exact := (2*(x-1)/(x+2) + 2*(others-1)/x) / others
		r := noiseRule(d, others, 5)
		assert.InEpsilon(t, exact, (1+r.variance())*(1+2/x)-1, 1e-12, "d=%d", d)
	}
	assert.Len(t, noiseRule(2, 10, 5).nodes, 1)
}

// simulateHebb returns the fractions of items recalled in OP and in DP (given the
// angle of W e_μ and u_μ the chance F_d^{p−1} is exact), with standard errors over
// instances, for keys and values of norm √d.
func simulateHebb(rng *rand.Rand, d, p, instances int) (original, originalError, decoupled, decoupledError float64) {
	draw := func() []float64 {
		x := make([]float64, d)
		length := 0.0
		for i := range x {
			x[i] = rng.NormFloat64()
			length += x[i] * x[i]
		}
		for i := range x {
			x[i] *= math.Sqrt(float64(d) / length)
		}
		return x
	}
	inner := func(a, b []float64) (sum float64) {
		for i, x := range a {
			sum += x * b[i]
		}
		return sum
	}
	s := newSphere(d)
	var sums, squares [2]float64
	values, keys := make([][]float64, p), make([][]float64, p)
	output := make([]float64, d)
	for range instances {
		for mu := range p {
			values[mu], keys[mu] = draw(), draw()
		}
		var recalled [2]float64
		for mu := range p {
			clear(output)
			for nu, u := range values {
				overlap := inner(keys[nu], keys[mu])
				for i, x := range u {
					output[i] += overlap * x
				}
			}
			score := inner(values[mu], output)
			best := 1.0
			for nu, u := range values {
				if nu != mu && inner(u, output) >= score {
					best = 0
					break
				}
			}
			cosine := score / math.Sqrt(float64(d)*inner(output, output))
			recalled[0] += best / float64(p)
			tail := s.tail(cosine, math.Sqrt(1-cosine*cosine))
			recalled[1] += math.Exp(float64(p-1)*math.Log1p(-tail)) / float64(p)
		}
		for i, x := range recalled {
			sums[i] += x
			squares[i] += x * x
		}
	}
	n := float64(instances)
	spread := func(i int) float64 {
		return math.Sqrt((squares[i]/n - sums[i]*sums[i]/n/n) / n)
	}
	return sums[0] / n, spread(0), sums[1] / n, spread(1)
}

// Full instances against both laws. 4,000 instances of 20 items give 0.0016 (OP)
// and 0.001 (DP); rejected are the Gaussian vector law in DP (0.0078 too low) and
// the DP law in OP (0.10 too high).
func TestHebbAgainstInstances(t *testing.T) {
	const d, p, instances = 12, 20, 4000
	rng := stream.New(1, "hebb instances", "d=12 p=20", 0)
	original, originalError, decoupled, decoupledError := simulateHebb(rng, d, p, instances)

	corrected, err := HebbItemRecallDecoupledCorrected(d, p, p)
	require.NoError(t, err)
	assert.InDelta(t, corrected.Value, decoupled, 4*decoupledError+0.0003)
	gaussian, err := HebbItemRecallDecoupled(d, p, p)
	require.NoError(t, err)
	assert.Greater(t, decoupled-gaussian.Value, 5*decoupledError, "the Gaussian law must be rejected")

	pool, err := HebbItemRecallOriginal(d, p)
	require.NoError(t, err)
	assert.InDelta(t, pool.Value, original, 4*originalError+0.0015)
	assert.Greater(t, corrected.Value-original, 20*originalError, "the DP law must be rejected")
}

func TestHebbVectorLimits(t *testing.T) {
	// A single fact has no interference.
	v, err := HebbItemRecallDecoupled(24, 1, 1e6)
	require.NoError(t, err)
	assert.Equal(t, 1.0, v.Value)

	// Large d at fixed d/√p and n: the limit law, from below, with a difference ∝ 1/d.
	difference := func(d int) float64 {
		p := float64(d) * float64(d) / 9
		v, err := HebbItemRecallDecoupled(d, p, 100)
		require.NoError(t, err)
		limit, err := HebbItemRecall(float64(d), p, 100)
		require.NoError(t, err)
		return limit.Value - v.Value
	}
	near, far := difference(1000), difference(4000)
	assert.Greater(t, near, 0.0)
	assert.InDelta(t, 4, near/far, 0.1)

	// Small values keep relative accuracy: n competitors in d = 2 come as
	// close as 1/n in angle, so P ∝ 1/n for a density of cos φ finite at 1.
	at := func(n float64) extremes.Value {
		v, err := HebbItemRecallDecoupled(2, 10, n)
		require.NoError(t, err)
		return v
	}
	assert.InEpsilon(t, 1e100, at(1e100).Value/at(1e200).Value, 1e-9)
}
