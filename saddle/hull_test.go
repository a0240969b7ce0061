package saddle_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"lamcap/internal/status"
	"lamcap/internal/stream"
	"lamcap/saddle"
)

// decoupled is P(storable) of a full-rank dOut × dIn memory.
func decoupled(t *saddle.Transition, dOut, dIn int, p, n float64) (saddle.Probability, error) {
	return t.Decoupled(dOut).Probability(float64(dOut*dIn), p, n)
}

// In one dimension the target is a vertex if it is the largest or the smallest of
// n; in R^{n−1} and above always. A single fact with any dIn is stored iff it is a
// vertex, which is also P for N = dOut without projection.
func TestHullProbability(t *testing.T) {
	for _, n := range []float64{3, 4, 10, 115, 6000} {
		line, err := transition.Hull(1, n)
		require.NoError(t, err)
		assert.InEpsilon(t, 1-2/n, line.Value, 1e-12)
		assert.InEpsilon(t, 2/n, line.Complement, 1e-12)
		for _, dOut := range []int{1, 2, 3, 8, 12, 24} {
			hull, err := transition.Hull(dOut, n)
			require.NoError(t, err)
			single, err := decoupled(transition, dOut, 5, 1, n)
			require.NoError(t, err)
			assert.InDelta(t, hull.Complement, single.Value, 1e-12*hull.Complement, "d_out = %d, n = %v", dOut, n)
			plain, err := transition.Probability(float64(dOut), 1, n)
			require.NoError(t, err)
			assert.InDelta(t, hull.Complement, plain.Value, 1e-12*hull.Complement, "d_out = %d, n = %v", dOut, n)
			if float64(dOut) >= n-1 {
				assert.Zero(t, hull.Value)
			}
		}
	}
	// The values of theory §6 for n = 115.
	for dOut, want := range map[int]float64{8: 0.0998, 12: 0.0041, 24: 9e-10} {
		hull, err := transition.Hull(dOut, 115)
		require.NoError(t, err)
		assert.InEpsilon(t, want, hull.Value, 0.05)
	}
}

// In the plane the number of vertices of the hull of n points is counted directly:
// the target is one iff the others leave a gap of more than π in their directions.
func TestHullInThePlane(t *testing.T) {
	const n, draws = 12, 40_000
	rng := stream.New(1, "saddle", "hull in the plane", 0)
	vertices := 0
	angles := make([]float64, n-1)
	for range draws {
		x, y := rng.NormFloat64(), rng.NormFloat64()
		for i := range angles {
			angles[i] = math.Atan2(rng.NormFloat64()-y, rng.NormFloat64()-x)
		}
		if gapAbovePi(angles) {
			vertices++
		}
	}
	hull, err := transition.Hull(2, n)
	require.NoError(t, err)
	p := hull.Complement
	got := float64(vertices) / draws
	assert.InDelta(t, p, got, 4.5*math.Sqrt(p*(1-p)/draws))
	// Without the factor 2 of π, or with one index more, it is off by far.
	assert.Greater(t, math.Abs(1-hull.Value/2-got), 0.1)
}

func gapAbovePi(angles []float64) bool {
	// Some direction a has all others within (0, π) to its left.
	for _, a := range angles {
		all := true
		for _, b := range angles {
			if turn := math.Mod(b-a+2*math.Pi, 2*math.Pi); turn > math.Pi {
				all = false
				break
			}
		}
		if all {
			return true
		}
	}
	return false
}

// The conditioned law is a law with Gauss-Bonnet: with so many weights that all
// open hulls are stored P = (1 − π)^p, and P grows with dIn to that.
func TestDecoupledEnds(t *testing.T) {
	for _, test := range []struct {
		dOut int
		p, n float64
	}{{1, 7, 5}, {2, 10, 12}, {8, 40, 40}, {8, 109, 109}, {12, 40, 40}, {50, 40, 40}} {
		hull, err := transition.Hull(test.dOut, test.n)
		require.NoError(t, err)
		ceiling := math.Exp(test.p * math.Log(hull.Complement))
		r, err := decoupled(transition, test.dOut, int(test.p), test.p, test.n)
		require.NoError(t, err)
		assert.InEpsilon(t, ceiling, r.Value, 1e-11, "%+v", test)
		previous := 0.0
		for dIn := 1; dIn < int(test.p); dIn++ {
			r, err := decoupled(transition, test.dOut, dIn, test.p, test.n)
			require.NoError(t, err)
			if r.Complement > 0x1p-1000 { // far from the smallest float64
				assert.Equal(t, status.Converged, r.Status)
			}
			assert.GreaterOrEqual(t, r.Value, previous*(1-1e-11), "%+v, d_in = %d", test, dIn)
			assert.InDelta(t, 1, r.Value+r.Complement, 1e-12)
			assert.LessOrEqual(t, r.Value, ceiling*(1+1e-11))
			previous = r.Value
		}
	}
	// Where dOut does not matter it is the sum of the theory.
	plain, err := transition.Probability(24*24, 115, 115)
	require.NoError(t, err)
	r, err := decoupled(transition, 24, 24, 115, 115)
	require.NoError(t, err)
	assert.InEpsilon(t, plain.Value, r.Value, 3e-7) // p π = 1e-7
	r, err = decoupled(transition, 256, 256, 6000, 6000)
	require.NoError(t, err)
	plain, err = transition.Probability(256*256, 6000, 6000)
	require.NoError(t, err)
	assert.InEpsilon(t, plain.Value, r.Value, 1e-12)
}

// Theory §6, N = 576 with d_in = 8 and d_out = 72, and the other way round.
func TestDecoupledOfTheTheory(t *testing.T) {
	for p, want := range map[float64]float64{106: 0.994, 111: 0.876, 116: 0.449, 120: 0.130, 125: 0.010} {
		r, err := decoupled(transition, 72, 8, p, p)
		require.NoError(t, err)
		assert.InDelta(t, want, r.Value, 5.1e-4, "p = %v", p)
		r, err = decoupled(transition, 8, 72, p, p)
		require.NoError(t, err)
		assert.Less(t, r.Value, 1e-4, "p = %v", p)
	}
}

// Quantiles are those of the probability with its hulls: at the whole number it is
// still reached, at the next no longer.
func TestDecoupledQuantiles(t *testing.T) {
	for _, test := range []struct{ dOut, dIn int }{{4, 10}, {8, 12}, {12, 12}, {24, 24}, {8, 72}} {
		small := transition.Decoupled(test.dOut)
		weights := float64(test.dOut * test.dIn)
		for _, level := range []float64{0.01, 0.5, 0.9, 0.99} {
			q, err := small.Facts(weights, level)
			require.NoError(t, err)
			at, err := small.Probability(weights, max(2, q.Whole), max(2, q.Whole))
			require.NoError(t, err)
			next, err := small.Probability(weights, q.Whole+1, q.Whole+1)
			require.NoError(t, err)
			if q.Whole >= 2 {
				assert.GreaterOrEqual(t, at.Value, level, "%+v, %v", test, level)
			}
			assert.Less(t, next.Value, level, "%+v, %v", test, level)
			apart, err := transition.Facts(weights, level)
			require.NoError(t, err)
			assert.LessOrEqual(t, q.Value, apart.Value, "hulls do not help")

			needed, err := small.Weights(15, 15, level)
			if ceiling, _ := transition.Hull(test.dOut, 15); math.Pow(ceiling.Complement, 15) < level {
				assert.ErrorContains(t, err, "outside the hulls of their competitors")
				continue
			}
			require.NoError(t, err)
			enough, err := small.Probability(needed.Whole, 15, 15)
			require.NoError(t, err)
			less, err := small.Probability(needed.Whole-1, 15, 15)
			require.NoError(t, err)
			assert.GreaterOrEqual(t, enough.Value, level)
			assert.Less(t, less.Value, level)
		}
	}
}

// The output dimension goes as it came, and what was computed is shared.
func TestDecoupledIsAView(t *testing.T) {
	plain, err := transition.Probability(96, 15, 15)
	require.NoError(t, err)
	again, err := transition.Decoupled(4).Decoupled(0).Probability(96, 15, 15)
	require.NoError(t, err)
	assert.Equal(t, plain, again)
}

func TestDecoupledWrongArguments(t *testing.T) {
	assert.PanicsWithValue(t, "saddle: Decoupled(-1): want d_out ≥ 0", func() { transition.Decoupled(-1) })
	_, err := decoupled(transition, 5, 5, 5, 1)
	assert.EqualError(t, err, "n = 1: want an integer, 2 ≤ n ≤ 1e300")
	_, err = decoupled(transition, 5, 5, 0.5, 5)
	assert.Error(t, err)
	_, err = transition.Hull(0, 5)
	assert.EqualError(t, err, "d_out = 0: want d_out ≥ 1")
}
