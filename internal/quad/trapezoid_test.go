package quad

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"

	"lamcap/internal/quad/testquad"
	"lamcap/internal/status"
)

func TestTrapezoidKnownIntegrals(t *testing.T) {
	for _, p := range testquad.Decaying() {
		for _, center := range []float64{0, 0.3, -2} {
			for _, step := range []float64{0.25, 1, 3} {
				r := Trapezoid(p.F, center, step, Options{})
				t.Logf("%s from %v by %v: %.17g error %.1e (true %.1e) in %d", p.Name, center, step, r.Value, r.Error, math.Abs(r.Value-p.Value), r.Evaluations)
				assert.Equal(t, status.Converged, r.Status)
				assert.LessOrEqual(t, math.Abs(r.Value-p.Value), r.Error+epsilon*p.Value, p.Name)
				assert.LessOrEqual(t, r.Error, 1e-12*p.Value*(1+1e-9), p.Name)
			}
		}
	}
}

// At a step of 1/2 the trapezoidal rule has an error of 2e^{−2π²/h²} = 1e−34 for
// the normal density: two or three levels must do.
func TestTrapezoidIsExponential(t *testing.T) {
	r := Trapezoid(gaussian(0, 1), 0, 1, Options{})
	assert.Less(t, r.Evaluations, 150)
	assert.InDelta(t, 1, r.Value, 1e-15)
}

func TestTrapezoidFindsPeakOffCenter(t *testing.T) {
	r := Trapezoid(gaussian(50, 1), 0, 1, Options{})
	assert.Equal(t, status.Converged, r.Status)
	assert.InDelta(t, 1, r.Value, 1e-14)
}

func TestTrapezoidStatus(t *testing.T) {
	slow := Trapezoid(func(x float64) float64 { return 1 / (1 + x*x) }, 0, 1, Options{MaxEvaluations: 1000})
	assert.Equal(t, status.MaxIterations, slow.Status)
	assert.True(t, math.IsInf(slow.Error, 1))
	assert.Equal(t, 1000, slow.Evaluations)

	infinite := Trapezoid(func(x float64) float64 { return math.Exp(-x*x) / x }, 0, 1, Options{})
	assert.Equal(t, status.Diverged, infinite.Status)
	assert.True(t, math.IsNaN(infinite.Value))

	zero := Trapezoid(func(float64) float64 { return 0 }, 0, 1, Options{})
	assert.Equal(t, status.Converged, zero.Status)
	assert.Zero(t, zero.Value)

	// An odd integrand: the tolerance is relative to 0, round-off ends it.
	odd := Trapezoid(func(x float64) float64 { return x * math.Exp(-x*x) }, 0.3, 1, Options{})
	assert.Equal(t, status.Roundoff, odd.Status)
	assert.LessOrEqual(t, math.Abs(odd.Value), odd.Error)
	assert.Less(t, odd.Error, 1e-14)

	assert.Panics(t, func() { Trapezoid(math.Exp, 0, 0, Options{}) })
}

func BenchmarkTrapezoid(b *testing.B) {
	f := testquad.Decaying()[0].F
	for i := 0; i < b.N; i++ {
		Trapezoid(f, 0, 0.5, Options{})
	}
}
