package quartercircle

import (
	"math"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"lamcap/internal/stream"
)

// denseSums averages Σ_{i≤m} σ_i² over dense Gaussian matrices, m = 1 … min.
func denseSums(t *testing.T, dOut, dIn, samples int) (mean, standardError []float64) {
	rng := stream.New(7, "dense spectra", "test", uint64(dOut*1000+dIn))
	smaller := min(dOut, dIn)
	sum, square := make([]float64, smaller), make([]float64, smaller)
	g := mat.NewDense(dOut, dIn, nil)
	var svd mat.SVD
	for range samples {
		for i := range dOut {
			for j := range dIn {
				g.Set(i, j, rng.NormFloat64())
			}
		}
		require.True(t, svd.Factorize(g, mat.SVDNone))
		top := 0.0
		for i, s := range svd.Values(nil) {
			top += s * s
			sum[i] += top
			square[i] += top * top
		}
	}
	mean, standardError = make([]float64, smaller), make([]float64, smaller)
	n := float64(samples)
	for i := range sum {
		mean[i] = sum[i] / n
		standardError[i] = math.Sqrt((square[i]/n - mean[i]*mean[i]) / (n - 1))
	}
	return mean, standardError
}

// The bidiagonal model with the norm divided out has the law of dense matrices:
// 14 comparisons, at 4.5 standard errors together false once in 10,000 seeds.
// The same comparison rejects the limit d_out d_in I(κ), which at d = 6, m = 3
// is off by 2%.
func TestEffectiveDimensionAgainstDenseMatrices(t *testing.T) {
	spectra := NewSpectra()
	rejected := 0
	for _, shape := range [][2]int{{6, 6}, {3, 5}, {9, 4}, {5, 5}} {
		mean, se := denseSums(t, shape[0], shape[1], 6000)
		smaller, larger := min(shape[0], shape[1]), max(shape[0], shape[1])
		for m := 1; m < smaller; m++ {
			n, err := spectra.EffectiveDimension(shape[0], shape[1], m)
			require.NoError(t, err)
			require.Positive(t, n.Samples)
			require.Positive(t, n.StandardError)
			joint := math.Hypot(se[m-1], n.StandardError)
			assert.InDelta(t, mean[m-1], n.Value, 4.5*joint, "%v, m = %d", shape, m)
			i, err := mustRectangular(t, float64(smaller)/float64(larger)).TruncatedSecondMoment(float64(m) / float64(smaller))
			require.NoError(t, err)
			if math.Abs(mean[m-1]-float64(shape[0]*shape[1])*i.Value) > 4.5*joint {
				rejected++
			}
		}
	}
	assert.Positive(t, rejected, "the limit law would pass for the finite sum")
}

// For 2×2, σ_1² − σ_2² = (σ_1 + σ_2)(σ_1 − σ_2) is a product of two independent
// Rayleigh variables of mean √π each: E σ_1² = (4 + π)/2.
func TestEffectiveDimensionOfTwoByTwo(t *testing.T) {
	n, err := NewSpectra().EffectiveDimension(2, 2, 1)
	require.NoError(t, err)
	assert.InDelta(t, (4+math.Pi)/2, n.Value, 4*n.StandardError)
	assert.Less(t, n.StandardError, 0.01)
}

func TestEffectiveDimensionAtFullRankIsExact(t *testing.T) {
	spectra := NewSpectra()
	for _, shape := range [][2]int{{1, 1}, {1, 9}, {24, 24}, {12, 48}, {300, 200}, {100000, 3}} {
		n, err := spectra.EffectiveDimension(shape[0], shape[1], min(shape[0], shape[1]))
		require.NoError(t, err)
		assert.Equal(t, Estimate{Value: float64(shape[0] * shape[1])}, n)
	}
	assert.Empty(t, spectra.known, "nothing was sampled")
}

// The expansion that serves large matrices against samples where both can be
// had. Its term of order d is needed: without it the same comparison fails.
func TestExpansionAgainstSamples(t *testing.T) {
	spectra := NewSpectra()
	without := 0
	for _, shape := range [][2]int{{64, 64}, {128, 128}, {200, 100}} {
		larger, smaller := shape[0], shape[1]
		for _, share := range []int{16, 8, 4, 2} {
			for _, m := range []int{smaller / share, smaller - smaller/share, 1, smaller - 1} {
				sampled, err := spectra.EffectiveDimension(larger, smaller, m)
				require.NoError(t, err)
				expanded, err := expansion(larger, smaller, m)
				require.NoError(t, err)
				require.Zero(t, expanded.Samples)
				allowed := expanded.Bound + 4*sampled.StandardError
				assert.InDelta(t, sampled.Value, expanded.Value, allowed, "%v, m = %d", shape, m)
				// A bound of a standard deviation of one σ² at the edge, small
				// against the sum.
				assert.Less(t, expanded.Bound, 0.01*float64(larger*smaller))
				i, err := mustRectangular(t, float64(smaller)/float64(larger)).TruncatedSecondMoment(float64(m) / float64(smaller))
				require.NoError(t, err)
				if math.Abs(sampled.Value-float64(larger*smaller)*i.Value) > allowed {
					without++
				}
			}
		}
	}
	assert.Positive(t, without, "the term of order d would not be missed")
}

func TestExpansionServesLargeMatrices(t *testing.T) {
	spectra := NewSpectra()
	n, err := spectra.EffectiveDimension(1000, 400, 100)
	require.NoError(t, err)
	assert.Zero(t, n.Samples)
	assert.Zero(t, n.StandardError)
	assert.Positive(t, n.Bound)
	turned, err := spectra.EffectiveDimension(400, 1000, 100)
	require.NoError(t, err)
	assert.Equal(t, n, turned)
	// d → ∞ at fixed κ: the share of ‖G‖² tends to I(κ).
	limit, err := TruncatedSecondMoment(0.25)
	require.NoError(t, err)
	large, err := spectra.EffectiveDimension(1e6, 1e6, 250_000)
	require.NoError(t, err)
	assert.InEpsilon(t, limit, large.Value/1e12, 1e-6)
}

// No number depends on what was asked before, on the order of the dimensions or
// on who asks at the same time (run with -race).
func TestEffectiveDimensionIsReproducible(t *testing.T) {
	alone := map[[3]int]Estimate{}
	questions := [][3]int{{8, 8, 2}, {8, 8, 5}, {8, 6, 2}, {6, 8, 2}, {12, 5, 3}}
	for _, q := range questions {
		n, err := NewSpectra().EffectiveDimension(q[0], q[1], q[2])
		require.NoError(t, err)
		alone[q] = n
	}
	assert.Equal(t, alone[[3]int{8, 6, 2}], alone[[3]int{6, 8, 2}])
	shared := NewSpectra()
	var wait sync.WaitGroup
	for worker := range 8 {
		wait.Go(func() {
			for i := range questions {
				q := questions[(i+worker)%len(questions)]
				n, err := shared.EffectiveDimension(q[0], q[1], q[2])
				assert.NoError(t, err)
				assert.Equal(t, alone[q], n)
			}
		})
	}
	wait.Wait()
}

// The mean squared singular values descend, so N_eff is increasing and concave
// in m, and above the share m/min of the whole.
func TestEffectiveDimensionInRank(t *testing.T) {
	spectra := NewSpectra()
	const d = 24
	last, step := 0.0, math.Inf(1)
	for m := 1; m <= d; m++ {
		n, err := spectra.EffectiveDimension(d, d, m)
		require.NoError(t, err)
		assert.Greater(t, n.Value, last)
		assert.Less(t, n.Value-last, step)
		assert.GreaterOrEqual(t, n.Value, float64(m*d))
		last, step = n.Value, n.Value-last
	}
}

func TestEffectiveDimensionWrongArguments(t *testing.T) {
	spectra := NewSpectra()
	for _, q := range [][3]int{{0, 3, 1}, {3, 0, 1}, {-2, 3, 1}} {
		n, err := spectra.EffectiveDimension(q[0], q[1], q[2])
		assert.ErrorContains(t, err, "want both ≥ 1")
		assert.True(t, math.IsNaN(n.Value))
	}
	for _, m := range []int{0, -1, 4} {
		n, err := spectra.EffectiveDimension(3, 5, m)
		assert.ErrorContains(t, err, "want 1 ≤ rank ≤ min(d_out, d_in) = 3")
		assert.True(t, math.IsNaN(n.Value))
	}
}
