package maxmargin_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"lamcap/harness/maxmargin"
	"lamcap/harness/pattern"
	"lamcap/internal/status"
	"lamcap/internal/stream"
	"lamcap/saddle"
)

// meanMargin solves instances of an ensemble and returns the mean of their
// largest margins with its standard error.
func meanMargin(t *testing.T, s pattern.Spec, instances int) (mean, standardError float64) {
	squares := 0.0
	for i := range instances {
		r := maxmargin.Solve(pattern.Sample(stream.New(1, "mean margin", "", uint64(i)), s), maxmargin.Options{})
		require.Equal(t, status.Converged, r.Status)
		require.False(t, r.NotStorable)
		delta := r.Margin - mean
		mean += delta / float64(i+1)
		squares += delta * (r.Margin - mean)
	}
	return mean, math.Sqrt(squares / float64(instances*(instances-1)))
}

// vectorDistance returns E dist²(v, C), v standard normal in R^d and C the
// outputs v that meet (u_0 − u_ρ)·v/√d ≥ margin for a pool u of n standard
// normal values, from draws of (v, pool). Projections are by coordinate ascent
// on the multipliers.
func vectorDistance(d, n int, margin float64, draws int) float64 {
	rng := stream.New(1, "vector level", "", 0)
	sum := 0.0
	u, v, shift := make([]float64, n*d), make([]float64, d), make([]float64, d)
	lambda := make([]float64, n)
	for range draws {
		for i := range u {
			u[i] = rng.NormFloat64()
		}
		for i := range v {
			v[i] = rng.NormFloat64()
		}
		clear(lambda)
		clear(shift)
		for range 30 { // more change the sum by less than 1e-3
			for c := 1; c < n; c++ {
				lead, size := 0.0, 0.0
				for i := range d {
					x := (u[i] - u[c*d+i]) / math.Sqrt(float64(d))
					lead += x * (v[i] + shift[i])
					size += x * x
				}
				step := max(-lambda[c], (margin-lead)/size)
				lambda[c] += step
				for i := range d {
					shift[i] += step * (u[i] - u[c*d+i]) / math.Sqrt(float64(d))
				}
			}
		}
		sum += dot(shift, shift)
	}
	return sum / float64(draws)
}

// At vector level, exact for d_in → ∞, the largest margin K* solves
//
//	p E dist²(v, C_K*) = N,   N = d_out d_in,
//
// with keys of norm √d_in. The mean over instances has a standard error of
// about 1.7%, and the Monte-Carlo value one of about 1%: margins that are 10%
// off are rejected, and so is score level, 40% off here.
func TestVectorLevel(t *testing.T) {
	const dIn, dOut, p, n = 60, 6, 110, 4
	low, high := 0.5, 2.5
	for range 9 {
		k := (low + high) / 2
		if vectorDistance(dOut, n, k, 5_000) < dIn*dOut/float64(p) {
			low = k
		} else {
			high = k
		}
	}
	want := (low + high) / 2
	got, e := meanMargin(t, pattern.Spec{Model: pattern.DP, DIn: dIn, DOut: dOut, P: p, N: n, Keys: pattern.Sphere}, 30)
	score, err := saddle.Margin(dIn*dOut, p, n)
	require.NoError(t, err)
	t.Logf("margin %.4f ± %.4f, vector level %.4f, score level %.4f", got, e, want, score.Margin)
	assert.InDelta(t, want, got, 0.06*want)
	assert.Greater(t, score.Margin, got+10*e, "score level is rejected")
}
