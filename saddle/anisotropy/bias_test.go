package anisotropy

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/stat"

	"lamcap/extremes"
	"lamcap/internal/stream"
	"lamcap/saddle"
)

// lengthened returns values whose other coordinates are the longer the larger the first is.
func lengthened(n, d int) []float64 {
	rng := stream.New(5, "lengthened", "", 0)
	var v []float64
	for range n {
		x := rng.NormFloat64()
		v = append(v, x)
		for range d - 1 {
			v = append(v, math.Exp(x/2)*rng.NormFloat64())
		}
	}
	return v
}

// The shift found is the minimum of the draws it was found with: no step in any direction falls.
func TestBiasIsTheMinimum(t *testing.T) {
	const n, d = 50, 6
	coordinates, _, _, err := coordinatesOf(lengthened(n, d), n, d, false)
	require.NoError(t, err)
	for _, beta := range []float64{0.5, 2, math.Inf(1)} {
		s := &sweep{coordinates: coordinates, dimension: d, targets: upTo(n), draws: 4, gain: newGain(beta)}
		shift, fluctuations, st := s.bias()
		require.True(t, st.OK())
		assert.Greater(t, fluctuations, 0.1*d)
		assert.Less(t, fluctuations, 1.3*d)
		at := s.slopes("pool bias", shift)
		assert.Less(t, s.slopes("pool bias", make([]float64, d)).value, 10*at.value)
		for i := range d {
			for _, h := range []float64{-0.1, 0.1} {
				moved := append([]float64{}, shift...)
				moved[i] += h
				assert.Greater(t, s.slopes("pool bias", moved).value, at.value)
			}
			// The gradient is that of the value.
			moved, back := append([]float64{}, shift...), append([]float64{}, shift...)
			moved[i] += 0.3 + 1e-5
			back[i] += 0.3 - 1e-5
			middle := append([]float64{}, shift...)
			middle[i] += 0.3
			difference := (s.slopes("pool bias", moved).value - s.slopes("pool bias", back).value) / 2e-5
			assert.InDelta(t, difference, 2*s.slopes("pool bias", middle).gradient[i], 1e-3*(1+math.Abs(difference)))
		}
	}
}

// For a mean that goes to 0 the bias is worth what its direction is worth among the others; the more mean there is, the
// cheaper are values that a linear function tells. Few draws say what many do.
func TestBiasOfAPool(t *testing.T) {
	const n, d = 80, 12
	values := lengthened(n, d)
	measure := func(beta float64, draws int) Pool {
		p, err := PoolDimension(values, d, upTo(n), PoolOptions{Draws: draws, Seed: 3, KeyMean: beta})
		require.NoError(t, err)
		require.True(t, p.Status.OK(), "%v", p.Status)
		return p
	}
	const many = 32
	none := measure(0, many)
	assert.Nil(t, none.Bias)
	small, one, free := measure(1e-3, many), measure(1, many), measure(math.Inf(1), many)
	assert.InDelta(t, none.Total.Value, small.Total.Value, alarm*math.Hypot(none.Total.Error, small.Total.Error)+0.1*d)
	assert.Less(t, one.Total.Value, none.Total.Value-4*none.Total.Error)
	assert.Less(t, free.Total.Value, one.Total.Value-4*one.Total.Error)
	first := make([]float64, n)
	for i := range first {
		first[i] = values[i*d]
	}
	assert.Less(t, stat.Correlation(first, free.Bias, nil), -0.8, "short values are helped")
	few := measure(math.Inf(1), 6)
	assert.InDelta(t, free.Total.Value, few.Total.Value, alarm*few.Total.Error)
	assert.Less(t, alarm*few.Total.Error, none.Total.Value-free.Total.Value, "that there is no bias is told apart")
	_, err := PoolDimension(values, d, upTo(n), PoolOptions{KeyMean: 1, Adaptation: true})
	assert.ErrorContains(t, err, "mean 0")
	for _, beta := range []float64{-1, math.NaN()} {
		_, err := PoolDimension(values, d, upTo(n), PoolOptions{KeyMean: beta})
		assert.ErrorContains(t, err, "want 0 ≤ β ≤ ∞")
	}
}

// Gaussian pools gain what saddle.OriginalFacts has for them; 61.65 facts are p_c at d = 16.
func TestAdaptation(t *testing.T) {
	const n, d, pools = 62, 16, 32
	var all []float64
	for i := range uint64(pools) {
		p, err := PoolDimension(normals(stream.New(6, "adaptation", "", i), n*d), d, upTo(n), PoolOptions{Seed: i, Adaptation: true})
		require.NoError(t, err)
		all = append(all, p.Adaptation)
	}
	gain, deviation := stat.Mean(all, nil), stat.StdDev(all, nil)/math.Sqrt(pools)
	original, err := saddle.OriginalFacts(d, d)
	require.NoError(t, err)
	at, err := extremes.ConeDimension(n)
	require.NoError(t, err)
	next, err := extremes.ConeDimension(n + 1)
	require.NoError(t, err)
	p := original.Decoupled.Facts
	facts := (original.Facts.Value - p) * (p - d) / p // before its higher orders
	want := facts * ((n+1)*next.Value - n*at.Value)
	assert.InDelta(t, want, gain, 3*deviation)
	assert.Less(t, 3*deviation, 0.5*want, "that there is none is rejected")
}
