package anisotropy

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// powerLaw is λ_i = i^{−a}.
func powerLaw(d int, a float64) []float64 {
	v := make([]float64, d)
	for i := range v {
		v[i] = math.Pow(float64(i+1), -a)
	}
	return v
}

// twoLevels has many eigenvalues 1 and few 0.1.
func twoLevels(d, high int) []float64 {
	v := make([]float64, d)
	for i := range v {
		v[i] = 1
		if i >= high {
			v[i] = 0.1
		}
	}
	return v
}

// A participation ratio is between 1 and the number of eigenvalues, and has no unit.
func TestParticipation(t *testing.T) {
	assert.EqualValues(t, 5, Participation([]float64{2, 2, 0, 2, 2, 2}))
	assert.EqualValues(t, 1, Participation([]float64{0, 3}))
	assert.InDelta(t, 1.8, Participation([]float64{1, 2}), 1e-15)
	assert.True(t, math.IsNaN(Participation([]float64{0})))
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.SliceOfN(rapid.Float64Range(1e-60, 1e60), 1, 20).Draw(t, "spectrum")
		r := Participation(s)
		if !(r >= 1-1e-12 && r <= float64(len(s))*(1+1e-12)) {
			t.Fatalf("%v", r)
		}
		for i := range s {
			s[i] *= 1e5
		}
		if q := Participation(s); math.Abs(q/r-1) > 1e-12 {
			t.Fatalf("%v in other units: want %v", q, r)
		}
	})
}

// Sums over gathered products are those over all pairs, for spectra of condition number up to
// 1e24 and filters in the whole range.
func TestGatheredProducts(t *testing.T) {
	for _, s := range []Spectra{
		{Keys: powerLaw(150, 1), Values: powerLaw(140, 0.7)},
		{Keys: powerLaw(120, 5.8), Values: powerLaw(180, 5.3)},
		{Keys: powerLaw(150, 0.01), Values: powerLaw(140, 0.02)},
	} {
		law := newProducts(s)
		require.Less(t, len(law.nodes), len(s.Keys)*len(s.Values))
		assert.EqualValues(t, len(s.Keys)*len(s.Values), law.count)
		for x := -5.0; x < 60; x += 5 {
			nu := math.Exp(x)
			var want filtered
			for _, k := range s.Keys {
				for _, v := range s.Values {
					f := k * v / (1 + nu*k*v)
					want.sum += f
					want.square += f * f
					want.rest += f / (1 + nu*k*v)
				}
			}
			mean, off := want.sum/law.count, 0.0
			for _, k := range s.Keys {
				for _, v := range s.Values {
					c := k*v/(1+nu*k*v)/mean - 1
					want.spread += c * c / law.count
					off += c / law.count
				}
			}
			want.spread -= off * off
			got := law.filter(nu)
			assert.InEpsilon(t, want.sum, got.sum, 1e-12)
			assert.InEpsilon(t, want.square, got.square, 1e-12)
			assert.InEpsilon(t, want.rest, got.rest, 1e-12)
			// Of deviations c the sums have errors of 2e-16 or so in each c.
			assert.InDelta(t, 1, got.spread/want.spread, 1e-11+1e-14/math.Sqrt(want.spread), "ν = %v", nu)
		}
	}
}
