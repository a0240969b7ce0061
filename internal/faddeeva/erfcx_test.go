package faddeeva

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"
)

func TestErfcxLimits(t *testing.T) {
	assert.True(t, math.IsInf(Erfcx(-27), 1))
	assert.True(t, math.IsInf(Erfcx(math.Inf(-1)), 1))
	assert.True(t, math.IsInf(Erfcx(-26.7), 1), "2 e^{26.7²} = e^{713.6}")
	assert.Zero(t, Erfcx(math.Inf(1)))
	assert.True(t, math.IsNaN(Erfcx(math.NaN())))
	assert.Equal(t, 1.0, Erfcx(0))
}

func TestLogErfcLimits(t *testing.T) {
	assert.Equal(t, math.Ln2, LogErfc(math.Inf(-1)))
	assert.True(t, math.IsInf(LogErfc(math.Inf(1)), -1))
	assert.True(t, math.IsNaN(LogErfc(math.NaN())))
	assert.Zero(t, LogErfc(0))
}

// erfcx decreases; a step of 1e-9 changes it by more than its error of 4e-16
// as long as |erfcx'/erfcx| ≥ 1/x > 1e-6.
func TestErfcxDecreases(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.Float64Range(-26, 1e5).Draw(t, "x")
		if next := x + 1e-9*math.Max(1, math.Abs(x)); !(Erfcx(next) < Erfcx(x)) {
			t.Fatalf("erfcx(%v) = %v, erfcx(%v) = %v", x, Erfcx(x), next, Erfcx(next))
		}
	})
}

// Whatever branches are taken, log erfc(x) + x² is log erfcx(x).
func TestLogErfcMatchesErfcx(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.Float64Range(-5, 26).Draw(t, "x")
		got, want := LogErfc(x)+x*x, math.Log(Erfcx(x))
		if math.Abs(got-want) > 2e-16*(2+2*x*x) {
			t.Fatalf("log erfc(%v) + x² = %v, log erfcx = %v", x, got, want)
		}
	})
}
