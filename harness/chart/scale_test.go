package chart

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"lamcap/internal/logarithm"
)

// anyFloat draws every kind of float64, special ones often.
func anyFloat() *rapid.Generator[float64] {
	return rapid.OneOf(
		rapid.Float64(),
		rapid.Float64Range(-10, 10),
		rapid.SampledFrom([]float64{0, 1, -1, math.NaN(), math.Inf(1), math.Inf(-1), 1e-300, 1e300, 5e-324,
			math.MaxFloat64, -math.MaxFloat64, 0.5, 1 + 1e-15}),
	)
}

func anyAxis() *rapid.Generator[Axis] {
	return rapid.Custom(func(t *rapid.T) Axis {
		a := Axis{Label: "x", Scale: Scale(rapid.IntRange(0, 1).Draw(t, "scale"))}
		if rapid.Bool().Draw(t, "given") {
			a.Min, a.Max = anyFloat().Draw(t, "min"), anyFloat().Draw(t, "max")
		}
		return a
	})
}

// Whatever the ends and the data, the scale is increasing, its ends are at 0 and 1, and all
// data it was made for lie between, if the ends are free.
func TestScaleLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := anyAxis().Draw(t, "axis")
		var points, curves extent
		data := rapid.SliceOfN(anyFloat(), 0, 5).Draw(t, "data")
		for i, x := range data {
			if a.Scale.holds(x) {
				if i%2 == 0 {
					points.add(x)
				} else {
					curves.add(x)
				}
			}
		}
		s := a.scaled(curves, points)
		require.Less(t, s.lo, s.hi)
		require.False(t, math.IsInf(s.lo, 0) || math.IsInf(s.hi, 0))
		freeLo, freeHi := a.free()
		for _, x := range data {
			u := s.place(x)
			require.False(t, math.Abs(u) > outside)
			if !a.Scale.holds(x) {
				continue
			}
			if freeLo && freeHi {
				require.True(t, within(u), "%g at %g of %+v", x, u, s)
			}
			for _, y := range data {
				if a.Scale.holds(y) && x < y {
					require.LessOrEqual(t, u, s.place(y))
				}
			}
		}
		if !s.log {
			assert.InDelta(t, 0, s.place(s.lo), 1e-12)
			assert.InDelta(t, 1, s.place(s.hi), 1e-12)
		}
	})
}

func TestScaleEnds(t *testing.T) {
	data := extent{lo: 2, hi: 4, any: true}
	for _, c := range []struct {
		axis           Axis
		curves, points extent
		lo, hi         float64
	}{
		{Axis{}, extent{}, extent{}, 0, 1},
		{Axis{}, data, extent{}, 2, 4},
		{Axis{}, extent{}, data, 2 - 2*margin, 4 + 2*margin},
		{Axis{Min: 1, Max: 5}, extent{}, data, 1, 5},
		{Axis{Min: 0, Max: math.NaN()}, data, extent{}, 0, 4},
		{Axis{Min: math.NaN(), Max: 5}, data, extent{}, 2, 5},
		{Axis{Min: 5, Max: 1}, data, extent{}, 2, 4}, // not below the other
		{Axis{Scale: Log}, extent{}, extent{}, 0, 1},
		{Axis{Scale: Log, Min: 1, Max: 100}, data, extent{}, 0, 2},
		{Axis{Scale: Log, Min: -1, Max: 100}, extent{lo: 10, hi: 20, any: true}, extent{}, 1, 2}, // not allowed by the scale
		{Axis{}, extent{}, extent{lo: 3, hi: 3, any: true}, 2.7, 3.3},
		{Axis{}, extent{}, extent{lo: 0, hi: 0, any: true}, -1, 1},
	} {
		s := c.axis.scaled(c.curves, c.points)
		assert.InDelta(t, c.lo, s.lo, 1e-12, "%+v", c)
		assert.InDelta(t, c.hi, s.hi, 1e-12, "%+v", c)
	}
}

// What is not positive has no place on a logarithmic axis, and is no panic.
func TestLogHasNoPlace(t *testing.T) {
	s := Axis{Scale: Log, Min: 1, Max: 100}.scaled(extent{}, extent{})
	assert.InDelta(t, 0.5, s.place(10), 1e-15)
	for _, x := range []float64{0, -1, -1e300, math.NaN()} {
		assert.True(t, math.IsNaN(s.place(x)), x)
	}
	assert.EqualValues(t, -outside, s.place(math.Inf(-1)))
	assert.EqualValues(t, outside, s.place(math.Inf(1)))
}

func TestLog10(t *testing.T) {
	assert.InDelta(t, -323.306215, logarithm.Decimal(5e-324), 1e-6)
	assert.InDelta(t, -307.953685, logarithm.Decimal(0x1p-1023), 1e-6)
	for k := -307; k <= 308; k++ {
		assert.InDelta(t, float64(k), logarithm.Decimal(math.Pow(10, float64(k))), 1e-12)
	}
}
