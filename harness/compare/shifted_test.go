package compare

import (
	"errors"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"lamcap/extremes"
	"lamcap/harness/stats"
)

// At whole loads the stretched curve is the theory, to round-off.
func TestStretchedAtWholeLoads(t *testing.T) {
	loads := []int{34, 40, 44}
	s := newStretched(Exact{}, 144, 0.06)
	for _, scale := range []float64{1, 0.5} {
		for i, p := range s.family(loads, 1).At(scale) {
			want, err := Exact{}.Storable(144, int(float64(loads[i])/scale))
			require.NoError(t, err)
			assert.InEpsilon(t, want, p, 1e-10) // down to 1e-26 at twice the load
		}
	}
	require.NoError(t, s.err)
	// Twice as wide: half the probit, so the half-point stays.
	wide, narrow := s.family(loads, 2).At(1), s.family(loads, 1).At(1)
	for i := range loads {
		assert.InDelta(t, probit(narrow[i])/2, probit(wide[i]), 1e-12)
	}
}

// smooth has a probit at real loads too, much like that of the theory: D_n ≈ 1.04 log n and V_n ≈ 1.1 D_n
// at n = 100.
type smooth struct{ Theory }

func (smooth) probit(weights, p float64) float64 {
	d := 1.04 * math.Log(p)
	return (weights - p*d) / math.Sqrt(1.1*p*d)
}

func (s smooth) Storable(weights float64, p int) (float64, error) {
	return math.Exp(extremes.LogCDF(s.probit(weights, float64(p)))), nil
}

// Between them it is interpolated to 1e-4 of a standard deviation of the transition.
func TestStretchedBetweenLoads(t *testing.T) {
	for weights, critical := range map[float64]float64{64: 22, 144: 40, 576: 116} {
		s := newStretched(smooth{}, weights, 0.05)
		for x := 0.9; x < 1.1; x += 0.013 {
			p := x * critical
			assert.InDelta(t, smooth{}.probit(weights, p), s.probit(p), 1e-4, "N = %v, p = %v", weights, p)
		}
	}
}

// Where float64 ends, probits are those next to it.
func TestProbit(t *testing.T) {
	assert.Equal(t, 8.2, probit(1))
	assert.Equal(t, -37.5, probit(0))
	assert.InDelta(t, 1.959963984540054, probit(0.975), 1e-12)
	assert.InDelta(t, -37, probit(5.725571e-300), 0.1)
	assert.InDelta(t, 0, probit(0.5), 1e-16)
}

type failing struct{ Theory }

func (failing) Storable(float64, int) (float64, error) { return 0, errors.New("no such load") }

func TestStretchedReportsErrors(t *testing.T) {
	s := newStretched(failing{}, 144, 0.05)
	s.family([]int{40}, 1).At(1)
	assert.EqualError(t, s.err, "no such load")
}

// Ends that the data leave open are not percentages.
func TestResolutionInWords(t *testing.T) {
	nan := math.NaN()
	for _, test := range []struct {
		kept, detectable stats.Interval
		want             string
	}{
		{stats.Interval{Lo: 0.99, Hi: 1.02}, stats.Interval{Lo: nan, Hi: nan}, "not rejected from -1.0% to +2.0%"},
		{stats.Interval{Lo: 0.99, Hi: 1.02}, stats.Interval{Lo: 0.985, Hi: 1.015},
			"not rejected from -1.0% to +2.0%; off by -1.5% or +1.5% is found with probability 0.9"},
		{stats.Interval{Lo: 0, Hi: 1.02}, stats.Interval{Lo: 0, Hi: 1.35},
			"not rejected from any share to +2.0%; off by +35.0% is found with probability 0.9"},
		{stats.Interval{Lo: 0, Hi: math.Inf(1)}, stats.Interval{Lo: 0, Hi: math.Inf(1)},
			"not rejected from any share to any share; no wrong p_c is found with probability 0.9"},
	} {
		assert.Equal(t, test.want, Resolution{Kept: test.kept, Detectable: test.detectable}.String())
	}
}
