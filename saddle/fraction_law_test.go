package saddle

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"lamcap/extremes"
	"lamcap/internal/stream"
)

// The law of dist² as a mixture of χ²_k against 40,000 projections, at 4.5
// standard errors. One χ² with D_n degrees of freedom would be rejected.
func TestDistancesAgainstMonteCarlo(t *testing.T) {
	const draws = 40_000
	for _, c := range []struct {
		n   int
		cut float64
	}{{3, 0.5}, {3, 4}, {40, 2}, {40, 6}} {
		law, err := newDistances(extremes.NewSimplex(), float64(c.n))
		require.NoError(t, err)
		m := law.at(c.cut)
		rng := stream.New(12, "distances", "test", uint64(c.n))
		scores := make([]float64, c.n)
		var above, within, active, squares float64
		for range draws {
			for i := range scores {
				scores[i] = rng.NormFloat64()
			}
			p := extremes.Project(scores)
			if p.DistanceSquared > c.cut {
				above++
				continue
			}
			within += p.DistanceSquared
			squares += p.DistanceSquared * p.DistanceSquared
			active += float64(p.Active)
		}
		within, squares, active = within/draws, squares/draws, active/draws
		se := math.Sqrt(m.above * (1 - m.above) / draws)
		assert.InDelta(t, m.above, above/draws, 4.5*se, "n = %d, c = %v", c.n, c.cut)
		assert.InDelta(t, m.within, within, 4.5*math.Sqrt((squares-within*within)/draws), "n = %d, c = %v", c.n, c.cut)
		// |A| ≤ 12 or so here, with a standard deviation below 2.5.
		assert.InDelta(t, m.within+2*m.density, active, 4.5*2.5/math.Sqrt(draws), "n = %d, c = %v", c.n, c.cut)
		if c.cut < 3 { // near the mean the two laws cross
			single := newChiSquares(c.cut, c.n).above[int(math.Round(law.dimension.Value))]
			assert.Greater(t, math.Abs(single-above/draws), 4.5*se, "n = %d, c = %v", c.n, c.cut)
		}
	}
}

// leastErrorsOnCircle returns the smallest number of inputs that a two-dimensional
// weight vector leaves unrecalled: it changes only where two scores of one input
// meet, so one direction in each arc between is enough.
func leastErrorsOnCircle(scores [][][2]float64) int {
	var angles []float64
	for _, input := range scores {
		for _, x := range input[1:] {
			a := math.Atan2(input[0][1]-x[1], input[0][0]-x[0]) + math.Pi/2
			angles = append(angles, math.Mod(a+2*math.Pi, 2*math.Pi), math.Mod(a+3*math.Pi, 2*math.Pi))
		}
	}
	least := len(scores)
	for i, a := range angles {
		// Up to the next angle, anticlockwise.
		gap := 2 * math.Pi
		for j, b := range angles {
			if d := math.Mod(b-a+4*math.Pi, 2*math.Pi); j != i && d > 0 {
				gap = math.Min(gap, d)
			}
		}
		sin, cos := math.Sincos(a + gap/2)
		errors := 0
		for _, input := range scores {
			target := input[0][0]*cos + input[0][1]*sin
			for _, x := range input[1:] {
				if x[0]*cos+x[1]*sin >= target {
					errors++
					break
				}
			}
		}
		least = min(least, errors)
	}
	return least
}

// The theorem behind the bound, at finite size and where everything can be
// decided, N = 2: P(at most m errors) ≤ 2 P(Z ≤ χ²_2) = 2 E e^{−Z/2}, Z the sum of the
// p − m smallest dist². The bound is loose at this size, but Z of all p, the bound
// for m = 0, is broken by the instances with up to m errors where half have those. The mean of the least
// number of errors is above p ε, ε the replica-symmetric fraction.
func TestErrorsBoundOnTinyInstances(t *testing.T) {
	const instances, draws = 400, 20_000
	for _, c := range []struct{ p, n, errors int }{{12, 2, 3}, {14, 2, 1}, {10, 3, 4}, {10, 3, 1}, {12, 5, 7}, {12, 5, 3}} {
		rng := stream.New(13, "errors bound", "test", uint64(100*c.p+10*c.n+c.errors))
		within, total := 0, 0
		for range instances {
			scores := make([][][2]float64, c.p)
			for mu := range scores {
				scores[mu] = make([][2]float64, c.n)
				for rho := range scores[mu] {
					scores[mu][rho] = [2]float64{rng.NormFloat64(), rng.NormFloat64()}
				}
			}
			least := leastErrorsOnCircle(scores)
			total += least
			if least <= c.errors {
				within++
			}
		}
		var bound, boundOfNone float64
		scores := make([]float64, c.n)
		distances := make([]float64, c.p)
		for range draws {
			for mu := range distances {
				for i := range scores {
					scores[i] = rng.NormFloat64()
				}
				distances[mu] = extremes.Project(scores).DistanceSquared
			}
			bound += 2 * math.Exp(-sumOfSmallest(distances, c.p-c.errors)/2) / draws
			boundOfNone += 2 * math.Exp(-sumOfSmallest(distances, c.p)/2) / draws
		}
		fraction := float64(within) / instances
		se := math.Sqrt(0.25 / instances)
		assert.LessOrEqual(t, fraction, bound+3*se, "%+v", c)
		e, err := MinimalErrors(float64(c.p)/2, float64(c.n))
		require.NoError(t, err)
		mean := float64(total) / instances
		assert.Greater(t, mean, float64(c.p)*e.Fraction, "%+v", c)
		t.Logf("p = %d, n = %d: at most %d errors in %.3f of instances, bound %.3f (for none %.3f); mean %.2f, replica-symmetric %.2f",
			c.p, c.n, c.errors, fraction, bound, boundOfNone, mean, float64(c.p)*e.Fraction)
		if fraction > 0.5 {
			assert.Greater(t, fraction, boundOfNone+3*se, "%+v", c)
		}
	}
}

func sumOfSmallest(x []float64, count int) float64 {
	total := 0.0
	taken := make([]bool, len(x))
	for range count {
		best := -1
		for i, v := range x {
			if !taken[i] && (best < 0 || v < x[best]) {
				best = i
			}
		}
		taken[best] = true
		total += x[best]
	}
	return total
}
