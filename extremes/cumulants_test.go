package extremes

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A fair coin (n = 2) and the rational law of n = 3.
func TestCumulantsOfSmallCones(t *testing.T) {
	two, err := IntrinsicVolumes(2)
	require.NoError(t, err)
	for r, want := range []float64{1: 1.0 / 2, 2: 1.0 / 4, 3: 0, 4: -1.0 / 8, 5: 0, 6: 1.0 / 4} {
		if r > 0 {
			got := two.Cumulant(r)
			assert.InDelta(t, want, got.Value, got.Error, "κ_%d", r)
			assert.Less(t, got.Error, 1e-13)
		}
	}
	three, err := IntrinsicVolumes(3)
	require.NoError(t, err)
	// M_2 = 17/36, M_3 = 2/27 by hand, M_4 = 1/3 (5/6)^4 + 1/2 (1/6)^4 + 1/6 (7/6)^4.
	m4 := math.Pow(5.0/6, 4)/3 + math.Pow(1.0/6, 4)/2 + math.Pow(7.0/6, 4)/6
	for r, want := range []float64{1: 5.0 / 6, 2: 17.0 / 36, 3: 2.0 / 27, 4: m4 - 3*17.0*17/36/36} {
		if r > 0 {
			got := three.Cumulant(r)
			assert.InDelta(t, want, got.Value, got.Error, "κ_%d", r)
			assert.Less(t, got.Error, 1e-13)
		}
	}
	assert.Equal(t, three.Mean(), three.Cumulant(1))
	assert.Equal(t, three.Variance(), three.Cumulant(2))
}

// Factorial moments by contour integrals, which know nothing of volumes. At
// order 4 the conversion loses D^4/κ_4 of their accuracy, which bounds what this
// can see.
func TestCumulantsAgainstFactorialMoments(t *testing.T) {
	for _, n := range []float64{10, 100, 1e4, 1e6} {
		v, err := IntrinsicVolumes(n)
		require.NoError(t, err)
		var f [4]float64 // E|A|(|A|−1)…
		bound := 0.0
		for pairs := range f {
			m := factorialMoment(n, pairs)
			f[pairs] = m.Value
			bound = math.Max(bound, m.Error/m.Value)
		}
		d := f[0]
		m2, m3, m4 := f[1]+f[0], f[2]+3*f[1]+f[0], f[3]+6*f[2]+7*f[1]+f[0]
		k3 := m3 - 3*d*m2 + 2*d*d*d
		k4 := m4 - 4*d*m3 - 3*m2*m2 + 12*d*d*m2 - 6*d*d*d*d
		for r, want := range map[int]float64{3: k3, 4: k4} {
			got := v.Cumulant(r)
			// Sum of the moduli of the terms above, 6 + 12 + 3 + 4 + 1 = 26 times D^4.
			lost := 26 * math.Pow(d, float64(r)) * (1 + 3/d) * (bound + 0x1p-52)
			assert.InDelta(t, want, got.Value, got.Error+lost, "n = %v, κ_%d", n, r)
			assert.Less(t, got.Error+lost, 0.01*got.Value, "n = %v, κ_%d: the comparison is blind", n, r)
			assert.Less(t, got.Error, 1e-9*got.Value, "n = %v, κ_%d", n, r)
		}
	}
}

func TestCumulantWrongOrder(t *testing.T) {
	assert.PanicsWithValue(t, "extremes: cumulant of order 0: want 1 ≤ order ≤ 40", func() { Volumes{}.Cumulant(0) })
}
