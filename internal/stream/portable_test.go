package stream

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"
)

// Both are within two ulp of those of package math, which are within one.
func TestPortableFunctions(t *testing.T) {
	near := func(t *rapid.T, got, want float64) {
		if !(math.Abs(got-want) <= 2*0x1p-52*math.Abs(want)) {
			t.Fatalf("%v: want %v", got, want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.Float64Range(-700, 700).Draw(t, "x")
		near(t, exponential(x), math.Exp(x))
		y := math.Exp(x)
		near(t, logarithm(y), math.Log(y))
	})
	for _, x := range []float64{0x1p-53, 0.5, 1, 1 - 0x1p-53, 1 + 0x1p-52, math.Sqrt2, math.Sqrt2 / 2, 0x1p-1022, math.MaxFloat64} {
		assert.InDelta(t, math.Log(x), logarithm(x), 2*0x1p-52*math.Abs(math.Log(x)), "log %v", x)
	}
	assert.Equal(t, 1.0, exponential(0))
}
