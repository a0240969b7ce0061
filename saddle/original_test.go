package saddle_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"lamcap/saddle"
)

// The half-points of some hundred to 2,400 decided instances of the original problem
// each; p_c alone, the theory that a shared pool does not matter, is 4 to 30
// standard errors off.
func TestOriginalFacts(t *testing.T) {
	for _, c := range []struct {
		dIn, dOut     int
		simulated, se float64
	}{
		{12, 12, 41.42, 0.06},
		{16, 16, 63.46, 0.08},
		{24, 24, 118.77, 0.12},
		{32, 32, 186.79, 0.27},
		{12, 48, 123.53, 0.25},
		{36, 16, 117.72, 0.13},
	} {
		o, err := saddle.OriginalFacts(c.dIn, c.dOut)
		require.NoError(t, err)
		require.True(t, o.Facts.Status.OK())
		assert.InDelta(t, c.simulated, o.Facts.Value, o.Facts.Error+2*c.se, "%d×%d", c.dIn, c.dOut)
		assert.Greater(t, c.simulated, o.Decoupled.Facts+4*c.se, "%d×%d", c.dIn, c.dOut)
		assert.Greater(t, o.FirstOrder, o.Decoupled.Facts+o.Decoupled.Error, "%d×%d", c.dIn, c.dOut)
		assert.Greater(t, o.Facts.Value, o.FirstOrder, "%d×%d", c.dIn, c.dOut)
	}
}

// The two problems meet for d → ∞: the excess over p_c falls like d_out/p, with a
// coefficient that itself falls slowly beyond d = 100.
func TestOriginalFactsMeetsDecoupled(t *testing.T) {
	last := 0.0
	for i, d := range []int{96, 400, 1600} {
		o, err := saddle.OriginalFacts(d, d)
		require.NoError(t, err)
		excess := o.Facts.Value/o.Decoupled.Facts - 1
		if i > 0 {
			assert.Less(t, excess, last/2, "d = %d", d)
		}
		assert.Less(t, o.Facts.Error, excess*o.Decoupled.Facts, "d = %d", d)
		last = excess
	}
}

func TestOriginalFactsRange(t *testing.T) {
	for _, c := range []struct {
		dIn, dOut int
		want      string
	}{
		{0, 24, "d_in = 0, d_out = 24: want d_in ≥ 1, d_out ≥ 3"},
		{24, 2, "d_in = 24, d_out = 2: want d_in ≥ 1, d_out ≥ 3"},
		{5, 48, "d_out = 48: p_c = 58.7: want d_out < 3/4 p_c; everything is storable at d_out ≥ p − 1"},
		{72, 8, "d_out = 8: 16 targets inside the hull of their pool: want a larger d_out"},
	} {
		o, err := saddle.OriginalFacts(c.dIn, c.dOut)
		assert.EqualError(t, err, c.want)
		assert.True(t, math.IsNaN(o.Facts.Value))
	}
}

// G by Monte Carlo over whole pools, G p/(d_out N), against its single-value part: what
// several values add is 3.5 ± 1 over d_out. A part that is wrong by 30% is off by 3 and more.
func TestOriginalPairs(t *testing.T) {
	for _, c := range []struct {
		dIn, dOut int
		whole, se float64
	}{
		{12, 12, 0.0976, 0.0010},
		{16, 16, 0.1141, 0.0009},
		{36, 16, 0.1413, 0.0015},
		{24, 24, 0.1354, 0.0011},
		{32, 32, 0.1485, 0.0034},
		{12, 48, 0.1201, 0.0016},
	} {
		o, err := saddle.OriginalFacts(c.dIn, c.dOut)
		require.NoError(t, err)
		d := float64(c.dOut)
		assert.InDelta(t, 3.5, d*(c.whole/o.Pairs-1), 1+2*d*c.se/o.Pairs, "%d×%d", c.dIn, c.dOut)
	}
}
