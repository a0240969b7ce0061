package saddle

import (
	"math"
	"sort"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"lamcap/extremes"
)

// distanceOf is Kolmogorov's, between draws and a law.
func distanceOf(x []float64, l ScoreLaw) float64 {
	x = append([]float64(nil), x...)
	sort.Float64s(x)
	n, d := float64(len(x)), 0.0
	for i, v := range x {
		c := l.CDF(v).Value
		d = math.Max(d, math.Max(c-float64(i)/n, float64(i+1)/n-c))
	}
	return d
}

// The laws against their moments, which other integrals gave, and against draws, whose
// distance exceeds 1.95/√n with probability 1e-3: 8 of them, with fixed seeds. A law that is
// shifted by a tenth of its standard deviation is rejected.
func TestScoreLaws(t *testing.T) {
	for _, c := range []struct {
		training Training
		draws    int
		// Pinned: density and CDF of the largest at its mean.
		density, cdf float64
	}{
		{Training{Weights: 100, Facts: 230, Candidates: 10}, 4000, 0.938901, 0.522415},
		{Training{Weights: 100, Facts: 1000, Candidates: 2}, 4000, 0.800418, 0.499626},
		{Training{Weights: 100, Facts: 20, Candidates: 10, Ridge: 0.1}, 4000, 0.225559, 0.512324},
		{Training{Weights: 100, Facts: 140, Candidates: 3, Ridge: 1, Loss: Hinge}, 4000, 0.285475, 0.507723},
	} {
		t.Run(c.training.String(), func(t *testing.T) {
			s, err := SolveTraining(c.training)
			require.NoError(t, err)
			laws, err := s.ScoreLaws()
			require.NoError(t, err)
			assert.InDelta(t, c.density, laws.Largest.Density(s.LargestMean.Value).Value, 1e-6)
			assert.InDelta(t, c.cdf, laws.Largest.CDF(s.LargestMean.Value).Value, 1e-6)
			mc, err := SampleTraining(c.training, s.Norm.Value, s.Chi.Value, c.draws, 3, c.training.String())
			require.NoError(t, err)
			for name, l := range map[string]struct {
				law       ScoreLaw
				mean, std extremes.Value
				drawn     []float64
			}{
				"correct": {laws.Correct, s.CorrectMean, s.CorrectStd, mc.Correct},
				"largest": {laws.Largest, s.LargestMean, s.LargestStd, mc.Largest},
			} {
				m, sd := l.mean.Value, l.std.Value
				// The trapezoidal rule of a density that decays, with its mass and moments.
				reach := 10 * math.Max(sd, s.Norm.Value)
				var mass, first, second float64
				h := sd / 12
				last := -1.0
				for y := -reach; y <= reach; y += h {
					f := l.law.Density(m + y)
					assert.GreaterOrEqual(t, f.Value, 0.0)
					mass += f.Value * h
					first += y * f.Value * h
					second += y * y * f.Value * h
					cdf := l.law.CDF(m + y)
					assert.GreaterOrEqual(t, cdf.Value, last-cdf.Error, name)
					assert.InDelta(t, mass-f.Value*h/2, cdf.Value, 2*cdf.Error+2e-3, name)
					last = cdf.Value
				}
				f, cdf := l.law.Density(m), l.law.CDF(m)
				t.Logf("%s: mass − 1 %.1e, mean %.1e, std %.1e; at the mean density %.9f ± %.1e, CDF %.9f ± %.1e, distance √n %.2f", name, mass-1, first/sd, math.Sqrt(second)/sd-1,
					f.Value, f.Error, cdf.Value, cdf.Error, distanceOf(l.drawn, l.law)*math.Sqrt(float64(c.draws)))
				assert.Less(t, cdf.Error, 1e-4, name)
				assert.InDelta(t, 1, mass, 1e-6, name)
				assert.InDelta(t, 0, first, 1e-5*sd+l.mean.Error, name)
				assert.InDelta(t, sd*sd, second, 2e-5*sd*sd+2*sd*l.std.Error, name)
				assert.Less(t, distanceOf(l.drawn, l.law), 1.95/math.Sqrt(float64(c.draws)), name)
				shifted := append([]float64(nil), l.drawn...)
				for i := range shifted {
					shifted[i] += 0.1 * sd
				}
				assert.Greater(t, distanceOf(shifted, l.law), 1.95/math.Sqrt(float64(c.draws)), name)
			}
		})
	}
}

// Gauss-Laguerre: factorials. And what is refused, and the max-margin laws where training has
// no minimum.
func TestScoreLawEdges(t *testing.T) {
	g := newLaguerre()
	for k, want := range []float64{1, 1, 2, 6, 24, 120} {
		sum := 0.0
		for i, y := range g.y {
			sum += g.w[i] * math.Pow(y, float64(k))
		}
		assert.InEpsilon(t, want, sum, 1e-11)
	}
	z := zeroMemory(Training{Weights: 576, Facts: 300, Candidates: 300, Loss: Hinge})
	_, err := z.ScoreLaws()
	assert.ErrorContains(t, err, "phase = zero: at W = 0")
	s, err := SolveTraining(Training{Weights: 576, Facts: 60})
	require.NoError(t, err)
	laws, err := s.ScoreLaws()
	require.NoError(t, err)
	var mass, first, second float64
	h := s.LargestStd.Value / 6
	for y := -12.0; y <= 12; y += h {
		f := laws.Largest.Density(s.LargestMean.Value + y).Value
		mass, first, second = mass+h*f, first+h*y*f, second+h*y*y*f
	}
	assert.InDelta(t, 1, mass, 1e-9)
	assert.InDelta(t, 0, first, 1e-8)
	assert.InDelta(t, s.LargestStd.Value, math.Sqrt(second), 1e-8)
	x := s.CorrectMean.Value
	want, err := s.Margin.Cone.CorrectCDF(x)
	require.NoError(t, err)
	assert.Equal(t, want.Value, laws.Correct.CDF(x).Value)
	// d/ds CDF = density.
	for _, l := range []ScoreLaw{laws.Correct, laws.Largest} {
		const step = 1e-4
		assert.InDelta(t, l.Density(2).Value, (l.CDF(2+step).Value-l.CDF(2-step).Value)/(2*step), 1e-7)
	}
}
