package anisotropy

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"lamcap/extremes"
	"lamcap/internal/embedding"
	"lamcap/internal/stream"
	"lamcap/saddle"
)

// Equal eigenvalues: saddle.Margin, times σ, to round-off.
func TestIsotropicMargin(t *testing.T) {
	rng := stream.New(1, "isotropic margin", "", 0)
	for range 12 {
		dIn, dOut, n := 1+rng.IntN(60), 1+rng.IntN(60), float64(2+rng.IntN(1000))
		d, err := extremes.ConeDimension(n)
		require.NoError(t, err)
		p := float64(dIn*dOut) / d.Value * (0.01 + 0.989*rng.Float64())
		sigma := math.Exp(50 * (rng.Float64() - 0.5))
		s := Isotropic(dIn, dOut)
		for i := range s.Keys {
			s.Keys[i] = sigma * sigma
		}
		got, err := Margin(s, p, n)
		require.NoError(t, err)
		want, err := saddle.Margin(float64(dIn*dOut), p, n)
		require.NoError(t, err)
		assert.True(t, got.Status.OK())
		assert.InEpsilon(t, want.Margin, got.Margin/sigma, 1e-13)
		assert.InEpsilon(t, want.CorrectMean, got.CorrectMean/sigma, 1e-13)
		assert.InEpsilon(t, got.Margin, got.Equal, 1e-13)
	}
}

// The solution is the minimum of ‖w‖² subject to r√(pD(1/r)) ≤ Σ hσw, r² = Σσ²w²: other
// weights, near it or not, have a smaller margin.
func TestMarginIsLargest(t *testing.T) {
	rng := stream.New(1, "largest margin", "", 0)
	spectrum := func() []float64 {
		v := make([]float64, 3+rng.IntN(4))
		for i := range v {
			v[i] = math.Exp(-5 * rng.Float64())
		}
		return v
	}
	const n = 8
	d, err := extremes.ConeDimension(n)
	require.NoError(t, err)
	tried := 0
	for range 6 {
		s := Spectra{Keys: spectrum(), Values: spectrum()}
		p := s.Weights() / d.Value * (0.05 + 0.8*rng.Float64())
		best, err := Margin(s, p, n)
		require.NoError(t, err)
		require.True(t, best.Status.OK())
		for range 10 {
			tilt := 0.2 * (2*rng.Float64() - 1)
			nu := 1 / best.Filter * math.Exp(rng.Float64()-0.5)
			// Margin of w: K from pD(K) = (Σσw)²/Σσ²w² (h² = 1), margin K r/‖w‖.
			var along, scores, length float64
			for _, k := range s.Keys {
				for _, v := range s.Values {
					w := math.Pow(k*v, 0.5+tilt) / (1 + nu*k*v)
					along += math.Sqrt(k*v) * w
					scores += k * v * w * w
					length += w * w
				}
			}
			dimension := along * along / scores
			if dimension <= p*d.Value*1.0001 {
				continue // no margin
			}
			m, err := saddle.Margin(dimension, p, n)
			require.NoError(t, err)
			other := m.Margin * math.Sqrt(scores/length)
			assert.LessOrEqual(t, other, best.Margin*(1+1e-9))
			assert.Greater(t, other, 0.3*best.Margin, "a competitor that counts")
			tried++
		}
	}
	assert.Greater(t, tried, 30)
}

// Laws: units, the order of eigenvalues, zeros, keys for values, the limits of N_eff, and
// anisotropy never raises the margin.
func TestMarginLaws(t *testing.T) {
	s := Spectra{Keys: powerLaw(12, 1), Values: twoLevels(10, 3)}
	m := func(s Spectra, p float64) MarginSolution {
		t.Helper()
		out, err := Margin(s, p, 30)
		require.NoError(t, err)
		require.True(t, out.Status.OK())
		assert.Less(t, math.Abs(out.Residual), 1e-10)
		return out
	}
	base := m(s, 20)
	swapped := m(Spectra{Keys: s.Values, Values: s.Keys}, 20)
	assert.InEpsilon(t, base.Margin, swapped.Margin, 1e-12)
	reversed := slices.Clone(s.Keys)
	slices.Reverse(reversed)
	for i := range reversed {
		reversed[i] *= 1e40
	}
	other := m(Spectra{Keys: append(reversed, 0, 0), Values: s.Values}, 20)
	assert.InEpsilon(t, base.Margin*1e20, other.Margin, 1e-12)
	assert.EqualValues(t, 120, other.Weights)
	assert.Less(t, base.Margin, base.Equal)

	d, err := extremes.ConeDimension(30)
	require.NoError(t, err)
	critical := 120 / d.Value
	last := 0.0
	for _, load := range []float64{1e-4, 0.01, 0.1, 0.3, 0.6, 0.9, 0.99, 0.999999} {
		r := m(s, load*critical)
		assert.Greater(t, r.Dimension, last)
		last = r.Dimension
		assert.InEpsilon(t, HebbDimension(s.Keys, s.Values), r.Participation, 1e-12)
	}
	assert.InEpsilon(t, base.Participation, m(s, 1e-6*critical).Dimension, 1e-2)
	// Near capacity margins are those of the isotropic problem over √⟨1/σ²⟩.
	inverse := 0.0
	for _, k := range s.Keys {
		for _, v := range s.Values {
			inverse += 1 / (k * v) / 120
		}
	}
	iso, err := saddle.Margin(120, 0.99999*critical, 30)
	require.NoError(t, err)
	assert.InEpsilon(t, iso.Margin/math.Sqrt(inverse), m(s, 0.99999*critical).Margin, 1e-3)
}

// p·Active is the number of degrees of freedom of the filter.
func TestDegreesOfFreedom(t *testing.T) {
	s := Spectra{Keys: powerLaw(20, 0.8), Values: powerLaw(16, 1.3)}
	m, err := Margin(s, 25, 40)
	require.NoError(t, err)
	freedom := 0.0
	for _, k := range s.Keys {
		for _, v := range s.Values {
			freedom += k * v / (m.Filter + k*v)
		}
	}
	assert.InEpsilon(t, freedom, 25*m.Active, 1e-11)
}

func TestMarginErrors(t *testing.T) {
	good := Isotropic(4, 4)
	for _, c := range []struct {
		s    Spectra
		p, n float64
		want string
	}{
		{Spectra{Keys: []float64{0}, Values: []float64{1}}, 1, 2, "keys: no positive eigenvalue"},
		{Spectra{Keys: []float64{1}, Values: []float64{-1}}, 1, 2, "values: eigenvalue 0 is -1"},
		{Spectra{Keys: []float64{1, math.NaN()}, Values: []float64{1}}, 1, 2, "keys: eigenvalue 1 is NaN"},
		{good, 33, 2, "want p ≤ p_c = 32"},
		{good, -1, 2, "want 0 < p"},
		{good, 1, 1, "n = 1"},
	} {
		_, err := Margin(c.s, c.p, c.n)
		assert.ErrorContains(t, err, c.want)
	}
	// A condition number of 1e24 still has its margin, with an error that says so.
	m, err := Margin(Spectra{Keys: powerLaw(10, 12), Values: powerLaw(10, 12)}, 10, 30)
	require.NoError(t, err)
	assert.True(t, m.Status.OK())
	assert.Less(t, m.Error, 1e-9*m.Margin)
}

// For isotropic vectors the margin at given dimensions is saddle.MarginOfKeys, to round-off.
func TestMarginAtDimensions(t *testing.T) {
	got, err := MarginAtDimensions(Isotropic(20, 24), 40, 60)
	require.NoError(t, err)
	want, err := saddle.MarginOfKeys(480, 40, 60, 24, 20, embedding.Gaussian)
	require.NoError(t, err)
	assert.InEpsilon(t, want.Margin, got.Value, 1e-12)
	assert.Less(t, got.Value, 0.9*want.Score)
	_, err = MarginAtDimensions(Isotropic(4, 24), 10, 60)
	assert.ErrorContains(t, err, "d_in = 4")
}
