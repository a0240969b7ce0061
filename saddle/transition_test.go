package saddle_test

import (
	"fmt"
	"math"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"lamcap/extremes"
	"lamcap/internal/status"
	"lamcap/saddle"
)

// The oracle: the p-fold convolution itself, positive terms only, so that tails
// lose no accuracy. convolutionPower keeps entries above 1e-290 of the largest.
func convolutionPower(v []float64, p int) (first int, c []float64) {
	convolve := func(fa int, a []float64, fb int, b []float64) (int, []float64) {
		out := make([]float64, len(a)+len(b)-1)
		largest := 0.0
		for i, x := range a {
			for j, y := range b {
				out[i+j] += x * y
			}
		}
		for _, x := range out {
			largest = math.Max(largest, x)
		}
		lo, hi := 0, len(out)
		for out[lo] < 1e-290*largest {
			lo++
		}
		for out[hi-1] < 1e-290*largest {
			hi--
		}
		return fa + fb + lo, out[lo:hi]
	}
	first, c = 0, []float64{1}
	base, baseFirst := v, 0
	for {
		if p&1 == 1 {
			first, c = convolve(first, c, baseFirst, base)
		}
		if p >>= 1; p == 0 {
			return first, c
		}
		baseFirst, base = convolve(baseFirst, base, baseFirst, base)
	}
}

// everySecond returns 2 Σ c_j over j = from, from + 2·direction, …
func everySecond(first int, c []float64, from, direction int) float64 {
	total := 0.0
	for i := range c {
		j := first + i
		if direction < 0 {
			j = first + len(c) - 1 - i
		}
		if (from-j)*direction <= 0 && (from-j)%2 == 0 {
			total += c[j-first]
		}
	}
	return 2 * total
}

func TestTransitionAgainstConvolution(t *testing.T) {
	for _, test := range []struct{ p, n int }{{1, 2}, {1, 40}, {2, 3}, {3, 10}, {7, 100}, {40, 40}, {150, 12}, {300, 300}, {500, 2}, {1000, 5}} {
		v, err := extremes.NewSimplex().IntrinsicVolumesDown(float64(test.n), 1e-300)
		require.NoError(t, err)
		mean := v.Mean().Value
		// The total is 1 to a few roundings, its p-th power is not.
		total := 0.0
		for _, x := range v.Mass {
			total += x
		}
		for k := range v.Mass {
			v.Mass[k] /= total
		}
		first, c := convolutionPower(v.Mass, test.p)
		p := float64(test.p)
		worst, least := 0.0, 1.0
		for _, z := range []float64{-36, -30, -20, -12, -7, -4, -2, -1, -0.3, 0, 0.3, 1, 2, 4, 7, 12, 20, 30, 36} {
			weights := int(math.Round(p*mean + z*math.Sqrt(p*v.Variance().Value)))
			if weights < 0 || weights > test.p*(test.n-1)+1 {
				continue
			}
			r, err := transition.Probability(float64(weights), p, float64(test.n))
			require.NoError(t, err)
			require.Equal(t, status.Converged, r.Status)
			want, got := everySecond(first, c, weights-1, -1), r.Value
			if r.Complement < r.Value {
				want, got = everySecond(first, c, weights+1, 1), r.Complement
			}
			if want < 1e-200 {
				continue
			}
			// The masses of both share their errors; p products of them in the
			// convolution round too.
			difference := math.Abs(got/want - 1)
			assert.LessOrEqual(t, difference, 2e-13, "%+v, N = %d: %v, %v", test, weights, got, want)
			assert.LessOrEqual(t, difference, r.Error+4e-16*p, "%+v, N = %d", test, weights)
			assert.LessOrEqual(t, r.Error, 1e-9)
			worst, least = math.Max(worst, difference), math.Min(least, want)
		}
		t.Logf("%+v: worst %.1e, down to %.0e", test, worst, least)
	}
}

// Cover's theorem with many facts: the tail of a binomial law, here as a series of
// ratios from its largest term, whose log is a difference of log Γ.
func TestCoversTheoremWithManyFacts(t *testing.T) {
	for _, p := range []float64{1000, 1e5, 1e6} {
		for _, z := range []float64{-30, -25, -10, -3, -1, 0, 1, 8, 29} {
			weights := math.Round(p/2 + z*math.Sqrt(p)/2)
			// By symmetry the smaller side is 2^{1−p} Σ_{k<m} C(p−1, k).
			m := math.Min(weights, p-weights)
			choose := logChoose(p-1, m-1)
			sum, term := 0.0, 1.0
			for k := m - 1; term > 1e-18*sum; k-- {
				sum += term
				term *= k / (p - k)
			}
			want := choose + (1-p)*math.Ln2 + math.Log(sum)
			r, err := transition.Probability(weights, p, 2)
			require.NoError(t, err)
			smaller := r.Value
			if weights > p-weights {
				smaller = r.Complement
			}
			// The log Γ of 10^6 is 1e7, known to a rounding.
			assert.InDelta(t, want, math.Log(smaller), 1e-12+4e-16*p*math.Log(p), "p = %v, N = %v", p, weights)
			assert.Less(t, r.Error, 1e-13*math.Sqrt(p)*(1+math.Abs(z)/10))
		}
	}
}

func logChoose(n, k float64) float64 {
	a, _ := math.Lgamma(n + 1)
	b, _ := math.Lgamma(k + 1)
	c, _ := math.Lgamma(n - k + 1)
	return a - b - c
}

// The normal form against the exact law, and the skewness that it leaves out: the
// difference is the Edgeworth term up to a share of order 1/√p, which it would not
// be with a continuity correction of half a step (0.2/√(pV) at z = 0).
func TestNormalFormOfTheTransition(t *testing.T) {
	for _, test := range []struct{ p, n float64 }{{100, 100}, {1000, 50}, {4000, 10}, {6000, 6000}, {1e6, 1e6}} {
		volumes, err := extremes.IntrinsicVolumes(test.n)
		require.NoError(t, err)
		d, v, k3 := volumes.Mean().Value, volumes.Variance().Value, volumes.Cumulant(3).Value
		for _, about := range []float64{-2.5, -1, 0, 0.7, 2.5} {
			weights := math.Round(test.p*d + about*math.Sqrt(test.p*v))
			z := (weights - test.p*d) / math.Sqrt(test.p*v)
			exact, err := transition.Probability(weights, test.p, test.n)
			require.NoError(t, err)
			normal, err := transition.Normal(weights, test.p, test.n)
			require.NoError(t, err)
			difference := exact.Value - normal.Value
			edgeworth := -math.Exp(extremes.LogDensity(z)) * k3 / (6 * math.Sqrt(test.p) * math.Pow(v, 1.5)) * (z*z - 1)
			t.Logf("p = %v, n = %v, z = %+.2f: exact %.8f, normal %+.1e, with skewness %+.1e", test.p, test.n, z, exact.Value, -difference, edgeworth-difference)
			assert.InDelta(t, edgeworth, difference, 0.1/(test.p*v)*(1+z*z), "%+v, z = %v", test, z)
			assert.LessOrEqual(t, math.Abs(difference), normal.Error*math.Min(normal.Value, normal.Complement), "%+v, z = %v", test, z)
		}
	}
	half, err := transition.Normal(1000*1361.0607217507592, 1000, 1e300)
	require.NoError(t, err)
	assert.InDelta(t, 0.5, half.Value, 1e-6)
}

// Where p D − N is lost in rounding, Error says so; where the answer is certain all
// the same, it is given.
func TestTransitionOfHugeMemories(t *testing.T) {
	d, err := extremes.ConeDimension(1e15)
	require.NoError(t, err)
	for p, most := range map[float64]float64{1e8: 1e-8, 1e15: 1e-4} {
		r, err := transition.Probability(math.Round(p*d.Value), p, 1e15)
		require.NoError(t, err)
		assert.InDelta(t, 0.5, r.Value, 0.5*r.Error+0.5/math.Sqrt(p), "p = %v", p)
		assert.Less(t, r.Error, most, "p = %v", p)
		assert.Greater(t, r.Error, 1e-14*math.Sqrt(p), "p = %v", p)
	}
	r, err := transition.Probability(1e100*d.Value, 1e100, 1e15)
	require.NoError(t, err)
	assert.Greater(t, r.Error, 1e10)
	assert.Equal(t, status.Roundoff, r.Status)
	r, err = transition.Probability(1e100*d.Value*(1+1e-9), 1e100, 1e15)
	require.NoError(t, err)
	assert.Equal(t, saddle.Probability{Value: 1, Complement: 0, Error: 1, Status: status.Converged}, r)
}

// Between integers Φ⁻¹(P) is a straight line, and P rises.
func TestTransitionBetweenIntegers(t *testing.T) {
	previous := -1.0
	for _, weights := range []float64{0, 0.3, 1, 1.5, 2, 30, 30.25, 30.5, 30.75, 31, 99, 99.5, 100} {
		r, err := transition.Probability(weights, 10, 12)
		require.NoError(t, err)
		assert.Greater(t, r.Value, previous, "N = %v", weights)
		assert.InDelta(t, 1, r.Value+r.Complement, 1e-15)
		if weights < 99 {
			previous = r.Value
		}
	}
}

func TestTransitionWrongArguments(t *testing.T) {
	for _, test := range []struct {
		weights, p, n float64
		want          string
	}{
		{-1, 5, 5, "weights = -1: want 0 ≤ weights ≤ 1e300"},
		{math.NaN(), 5, 5, "weights = NaN: want 0 ≤ weights ≤ 1e300"},
		{5, 0, 5, "p = 0: want an integer, 1 ≤ p ≤ 1e300"},
		{5, 2.5, 5, "p = 2.5: want an integer, 1 ≤ p ≤ 1e300"},
		{5, 5, 1, "n = 1: want an integer, 2 ≤ n ≤ 1e300"},
		{5, 5, 2.5, "n = 2.5: want an integer, 2 ≤ n ≤ 1e300"},
	} {
		r, err := transition.Probability(test.weights, test.p, test.n)
		assert.EqualError(t, err, test.want)
		assert.True(t, math.IsNaN(r.Value) && math.IsNaN(r.Complement))
		if test.p != 2.5 { // the normal form takes any p ≥ 1
			_, err = transition.Normal(test.weights, test.p, test.n)
			assert.Error(t, err)
		}
	}
}

// The size of the question: fifty loads at d = 256, from nothing.
func BenchmarkTransitionCurve(b *testing.B) {
	for b.Loop() {
		fresh := saddle.NewTransition()
		for i := range 50 {
			p := float64(5945 + 2*i)
			if _, err := fresh.Probability(256*256, p, p); err != nil {
				b.Fatal(err)
			}
		}
	}
}

func BenchmarkProbability(b *testing.B) {
	for _, size := range []float64{40, 115, 6000, 1e6, 1e300} {
		b.Run(fmt.Sprintf("p=n=%g", size), func(b *testing.B) {
			t := saddle.NewTransition()
			p := math.Min(size, 1e12)
			d, err := extremes.ConeDimension(size)
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				if _, err := t.Probability(math.Round(p*d.Value), p, size); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// One Transition from many goroutines gives what it gives alone.
func TestTransitionConcurrentUse(t *testing.T) {
	shared := saddle.NewTransition()
	loads := []float64{36, 38, 40, 42, 44}
	got := make([]saddle.Probability, 4*len(loads))
	var group sync.WaitGroup
	for i := range got {
		group.Go(func() {
			p := loads[i%len(loads)]
			got[i], _ = shared.Decoupled(12*(i%2)).Probability(144, p, p)
		})
	}
	group.Wait()
	for i, r := range got {
		p := loads[i%len(loads)]
		alone, err := saddle.NewTransition().Decoupled(12*(i%2)).Probability(144, p, p)
		require.NoError(t, err)
		assert.Equal(t, alone, r)
	}
}
