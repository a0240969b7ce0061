package solutions

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"lamcap/harness/pattern"
	"lamcap/internal/stream"
)

// One fact of two candidates leaves a half-space: E W/‖W‖ is along the wall's normal,
// E|cos| of a uniform direction in R^N long, so the overlap is Γ(N/2)²/(π Γ((N+1)/2)²).
func TestHalfSpace(t *testing.T) {
	rng := stream.New(1, "solutions", "half-space", 0)
	in := pattern.Sample(rng, pattern.Spec{Model: pattern.DP, DIn: 3, DOut: 2, P: 1, N: 2})
	got, err := Overlap(rng, in, Options{Samples: 20000, BurnIn: 20})
	require.NoError(t, err)
	a, _ := math.Lgamma(3)
	b, _ := math.Lgamma(3.5)
	want := math.Exp(2*(a-b)) / math.Pi
	// The mean's components along the wall have a standard deviation below 1/√Samples each.
	assert.InDelta(t, want, got, 0.01)
	assert.Less(t, want, 0.2)
}

// Every state is inside the cone, and a state of the dynamics keeps w·w + v·v.
func TestChainStaysInside(t *testing.T) {
	rng := stream.New(2, "solutions", "inside", 0)
	in := pattern.Sample(rng, pattern.Spec{Model: pattern.DP, DIn: 5, DOut: 4, P: 3, N: 5})
	c := newCone(in)
	require.Equal(t, 12, c.m)
	w := make([]float64, c.size)
	// Far inside: the sum of all walls' normals, if that is.
	for j := range c.m {
		for i, x := range c.row(j) {
			w[i] += x
		}
	}
	chain := c.start(w)
	chain.products()
	inside := func() float64 {
		least := math.Inf(1)
		for j := range c.m {
			dot := 0.0
			for i, x := range c.row(j) {
				dot += x * chain.w[i]
			}
			least = math.Min(least, dot)
		}
		return least
	}
	require.Positive(t, inside())
	for range 200 {
		chain.move(rng)
		require.Greater(t, inside(), -1e-10)
	}
}

func TestErrors(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	crowded := pattern.Sample(rng, pattern.Spec{Model: pattern.DP, DIn: 2, DOut: 2, P: 20, N: 20})
	_, err := Overlap(rng, crowded, Options{})
	assert.ErrorContains(t, err, "no weights that store")
	_, err = Overlap(rng, crowded, Options{Samples: -1})
	assert.ErrorContains(t, err, "samples = -1")
}
