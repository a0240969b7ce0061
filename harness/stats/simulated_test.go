package stats_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"

	"lamcap/harness/stats"
	"lamcap/internal/stream"
)

func TestSimulatedByHand(t *testing.T) {
	s := stats.NewSimulated([]float64{3, 1, 2, 2})
	for x, want := range map[float64]float64{
		0: 0.4, 0.5: 0.4, 1: 0.8, 2: 1, 2.5: 0.8, 3: 0.8, 4: 0.4, // 2(1 + smaller tail)/5, tails with the observation
	} {
		assert.InDelta(t, want, s.PValue(x), 1e-15, "x = %v", x)
	}
	assert.Equal(t, 2.0, s.Sample.Mean)
	assert.Equal(t, stats.Prediction{Value: 2, StandardError: s.Sample.StandardError(), DegreesOfFreedom: 3}, s.Prediction())
	assert.Equal(t, stats.Interval{Lo: 1, Hi: 3}, s.Central(0.95))
	assert.True(t, math.IsNaN(s.PValue(math.NaN())))
	assert.True(t, math.IsNaN(stats.NewSimulated(nil).PValue(1)))
	assert.True(t, math.IsInf(stats.NewSimulated(nil).Central(0.5).Hi, 1))
}

// p-values by rank are valid, P(p ≤ u) ≤ u, and no more than the lattice of N + 1
// allows below it; and the central interval holds its share. 20,000 cases, 5
// standard deviations.
func TestSimulatedIsValid(t *testing.T) {
	const cases, draws = 20_000, 39
	low, inside := 0, 0
	for k := range uint64(cases) {
		rng := stream.New(1, "simulated", "", k)
		x := make([]float64, draws)
		for i := range x {
			x[i] = rng.NormFloat64()
		}
		s, one := stats.NewSimulated(x), rng.NormFloat64()
		if s.PValue(one) <= 0.1 {
			low++
		}
		if s.Central(0.9).Contains(one) {
			inside++
		}
	}
	assert.InDelta(t, 0.1*cases, low, 5*math.Sqrt(0.09*cases))
	assert.InDelta(t, 0.9*cases, inside, 5*math.Sqrt(0.09*cases))
}
