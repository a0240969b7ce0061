package saddle

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"

	"lamcap/extremes"
	"lamcap/internal/nnls"
	"lamcap/internal/stream"
)

// At variance 1 the masses of all faces are 1, and the responses to target and
// competitors add to f_AA c = 0 and f_AB c = E[k(d − k)], since OP is invariant
// under linear maps of its pool. Nothing in the integrals knows that.
func TestPoolResponseSums(t *testing.T) {
	for _, c := range []struct {
		n float64
		d int
	}{{40, 12}, {116, 24}, {1116, 96}, {5e5, 3000}} {
		s := newFaceTable(c.n, c.d).response(1)
		dimension, err := extremes.ConeDimension(c.n)
		require.NoError(t, err)
		variance, err := extremes.ConeVariance(c.n)
		require.NoError(t, err)
		want := dimension.Value*(float64(c.d)-dimension.Value) - variance.Value
		// Faces with k ≥ d are left out: 3e-4 of all at n = 40, d = 12.
		tolerance := 1e-8
		if c.d == 12 {
			tolerance = 1e-3
		}
		assert.InDelta(t, 1, s.mass, tolerance, "n = %v", c.n)
		assert.InDelta(t, 0, s.targetA+s.competitorA, tolerance*math.Abs(s.targetA), "n = %v", c.n)
		assert.InEpsilon(t, want, s.targetB+s.competitorB, 3*tolerance, "n = %v", c.n)
	}
	// The mass is that of all faces for any variance of one value.
	for _, square := range []float64{0.65, 0.9, 1.35} {
		assert.InDelta(t, 1, newFaceTable(116, 60).response(square).mass, 1e-8)
	}
}

// τ and γ against the projections themselves, in R^16, by their first two Laguerre
// coefficients over the length of u: eight z-scores, of which one is above 4.5
// in 5e-5 of all seeds.
func TestRadialResponseMonteCarlo(t *testing.T) {
	const n, d, pools, draws = 40, 16, 1500, 8
	rng := stream.New(1, "saddle", "radial response", 0)
	solver := nnls.New(d, n-1)
	pool, normals := make([]float64, n*d), make([]float64, (n-1)*d)
	g, delta := make([]float64, d), make([]float64, d)
	var sum, squares [8]float64
	alpha := (float64(d)+4)/2 - 1
	for range pools {
		for i := range pool {
			pool[i] = rng.NormFloat64()
		}
		var batch [8]float64
		for draw := range draws {
			target := pool[draw*d : (draw+1)*d]
			at := normals
			for rho := range n {
				if rho != draw {
					floats.SubTo(at[:d], target, pool[rho*d:(rho+1)*d])
					at = at[d:]
				}
			}
			for i := range g {
				g[i] = rng.NormFloat64()
			}
			r := solver.Project(g, normals, nil)
			require.True(t, r.Status.OK())
			floats.SubTo(delta, g, r.Point)
			for rho := range n {
				u := pool[rho*d : (rho+1)*d]
				length2, along := floats.Dot(u, u), floats.Dot(u, delta)
				values := [2]float64{
					2 * along * floats.Dot(u, r.Point),
					along*along - length2*floats.Dot(delta, delta)/d,
				}
				laguerre := [2]float64{1, (alpha + 1 - length2/2) / math.Sqrt(alpha+1)}
				for i, v := range values {
					for j, l := range laguerre {
						c := 2*i + j
						if rho != draw {
							c += 4
						}
						batch[c] += v * l / (draws * (d + 2) * (d - 1))
					}
				}
			}
		}
		for c, x := range batch {
			sum[c] += x
			squares[c] += x * x
		}
	}
	r := newRadialResponse(n, d)
	want := [8]float64{
		r.targetA[0], r.targetA[1], r.targetB[0], r.targetB[1],
		r.competitor[0][0], r.competitor[0][1], r.competitor[1][0], r.competitor[1][1],
	}
	for c, w := range want {
		mean := sum[c] / pools
		se := math.Sqrt((squares[c]/pools - mean*mean) / (pools - 1))
		assert.Less(t, math.Abs(mean-w)/se, 4.5, "component %d: %v ± %v, theory %v", c, mean, se, w)
		// Enough draws to tell it from nothing, but for the last two of the competitors.
		if c < 5 {
			assert.Greater(t, math.Abs(mean)/se, 8.0, "component %d", c)
		}
	}
}
