package quad

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"lamcap/internal/quad/testquad"
	"lamcap/internal/status"
)

// The error bound holds and the tolerance is met, at every tolerance, with and
// without hints.
func TestIntegrateKnownIntegrals(t *testing.T) {
	for _, p := range testquad.All() {
		for _, rel := range []float64{1e-3, 1e-6, 1e-12} {
			for _, breaks := range [][]float64{nil, p.Breaks} {
				t.Run(fmt.Sprintf("%s/%.0e/%v", p.Name, rel, breaks), func(t *testing.T) {
					r := Integrate(p.F, p.A, p.B, Options{Rel: rel, Breaks: breaks})
					t.Logf("value %.17g error %.1e (true %.1e) in %d: %v", r.Value, r.Error, math.Abs(r.Value-p.Value), r.Evaluations, r.Status)
					require.True(t, r.Status.OK(), "%v", r.Status)
					// The expected value is itself rounded.
					assert.LessOrEqual(t, math.Abs(r.Value-p.Value), r.Error+epsilon*math.Abs(p.Value))
					if r.Status == status.Converged {
						assert.LessOrEqual(t, r.Error, rel*math.Abs(r.Value)*(1+1e-5))
					}
				})
			}
		}
	}
}

func gaussian(mean, deviation float64) func(float64) float64 {
	return func(x float64) float64 {
		z := (x - mean) / deviation
		return math.Exp(-0.5*z*z) / (deviation * math.Sqrt(2*math.Pi))
	}
}

// A peak anywhere is found without a hint as long as it is not narrower than
// what the documentation promises: a grid of 9% sees a normal density, which
// underflows 38 deviations out, if the deviation is above 0.045/38 = 1/840 of
// the mean.
func TestIntegrateFindsPeaks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		mean := math.Exp(rapid.Float64Range(math.Log(1e-3), math.Log(1e5)).Draw(t, "log mean"))
		deviation := mean * math.Exp(rapid.Float64Range(math.Log(1.0/500), math.Log(2)).Draw(t, "log deviation/mean"))
		mean *= float64(1 - 2*rapid.IntRange(0, 1).Draw(t, "sign"))
		r := Integrate(gaussian(mean, deviation), math.Inf(-1), math.Inf(1), Options{})
		if !r.Status.OK() || math.Abs(r.Value-1) > r.Error || r.Error > 1e-11 {
			t.Fatalf("∫ N(%v, %v) = %v ± %v: %v", mean, deviation, r.Value, r.Error, r.Status)
		}
	})
}

func TestIntegrateLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		at := func(name string) float64 { return rapid.Float64Range(-4, 4).Draw(t, name) }
		a, b, c, omega := at("a"), at("b"), at("c"), at("omega")
		f := func(x float64) float64 { return math.Exp(-x*x/2) * math.Cos(omega*x) }
		ab, bc, ac := Integrate(f, a, b, Options{}), Integrate(f, b, c, Options{}), Integrate(f, a, c, Options{})
		// The sum of three is rounded as well.
		rounding := epsilon * (math.Abs(ab.Value) + math.Abs(bc.Value))
		if gap := math.Abs(ab.Value + bc.Value - ac.Value); gap > ab.Error+bc.Error+ac.Error+rounding {
			t.Fatalf("∫_a^b + ∫_b^c − ∫_a^c = %v, bounds %v %v %v", gap, ab.Error, bc.Error, ac.Error)
		}
		if ba := Integrate(f, b, a, Options{}); ba.Value != -ab.Value {
			t.Fatalf("∫_b^a = %v, −∫_a^b = %v", ba.Value, -ab.Value)
		}
	})
}

func TestIntegrateStatus(t *testing.T) {
	t.Run("empty range", func(t *testing.T) {
		assert.Equal(t, Result{Status: status.Converged}, Integrate(math.Exp, 2, 2, Options{}))
	})
	t.Run("integrand NaN", func(t *testing.T) {
		r := Integrate(math.Sqrt, -1, 1, Options{})
		assert.Equal(t, status.Diverged, r.Status)
		assert.True(t, math.IsNaN(r.Value))
		assert.True(t, math.IsInf(r.Error, 1))
	})
	t.Run("limit NaN", func(t *testing.T) {
		assert.Equal(t, status.Diverged, Integrate(math.Exp, math.NaN(), 1, Options{}).Status)
	})
	t.Run("not integrable", func(t *testing.T) {
		// Bisection towards 0 runs into 1/5e−324.
		r := Integrate(func(x float64) float64 { return 1 / x }, 0, 1, Options{})
		assert.Equal(t, status.Diverged, r.Status)
	})
	t.Run("budget", func(t *testing.T) {
		r := Integrate(math.Log, 0, 1, Options{MaxEvaluations: 200})
		assert.Equal(t, status.MaxIterations, r.Status)
		assert.LessOrEqual(t, r.Evaluations, 200)
		assert.LessOrEqual(t, math.Abs(r.Value+1), r.Error, "the bound holds all the same")
	})
	t.Run("round-off", func(t *testing.T) {
		r := Integrate(math.Exp, 0, 1, Options{Rel: 1e-17})
		assert.Equal(t, status.Roundoff, r.Status)
		// 4ε∫|f| + ε·(f(1) − f(0)) = 1.9e-15, and the difference of the rules.
		assert.Less(t, r.Error, 2.5e-15)
	})
	t.Run("noise in the integrand", func(t *testing.T) {
		// Relative noise of 1e-11: 1e-13 cannot be had and must not be claimed.
		for phase := 0.0; phase < 30; phase++ {
			f := func(x float64) float64 { return math.Exp(x) * (1 + 1e-11*math.Sin(1e9*x+phase)) }
			r := Integrate(f, 0, 1, Options{Rel: 1e-13})
			assert.Equal(t, status.Roundoff, r.Status)
			assert.LessOrEqual(t, math.Abs(r.Value-(math.E-1)), r.Error)
			assert.Less(t, r.Error, 1e-10)
			assert.Less(t, r.Evaluations, 5000, "it gives up early")
		}
	})
	t.Run("singularity away from 0", func(t *testing.T) {
		// 1 − x has a resolution of 1e-16: the last 1e-8 of the integral is lost.
		r := Integrate(func(x float64) float64 { return 1 / math.Sqrt(1-x) }, 0, 1, Options{})
		assert.Equal(t, status.Roundoff, r.Status)
		assert.LessOrEqual(t, math.Abs(r.Value-2), r.Error)
		assert.Less(t, r.Error, 1e-6)
	})
	t.Run("absolute tolerance", func(t *testing.T) {
		r := Integrate(math.Sin, -1, 1, Options{Abs: 1e-10})
		assert.Equal(t, status.Converged, r.Status)
	})
	t.Run("negative tolerance", func(t *testing.T) {
		assert.Panics(t, func() { Integrate(math.Sin, 0, 1, Options{Rel: -1}) })
		assert.Panics(t, func() { Integrate(math.Sin, 0, 1, Options{Abs: math.NaN()}) })
	})
}

// The limit that the documentation states: two peaks, one of which no sample
// meets. A hint finds it.
func TestIntegrateHiddenPeakNeedsHint(t *testing.T) {
	near, far := gaussian(0, 1), gaussian(800, 1)
	f := func(x float64) float64 { return near(x) + far(x) }
	without := Integrate(f, math.Inf(-1), math.Inf(1), Options{})
	assert.InDelta(t, 1, without.Value, 1e-11)
	with := Integrate(f, math.Inf(-1), math.Inf(1), Options{Breaks: []float64{800, 0}})
	assert.InDelta(t, 2, with.Value, with.Error)
	assert.Equal(t, status.Converged, with.Status)
}

func TestBreaks(t *testing.T) {
	// Outside, at the ends, infinite, twice, unsorted: none of it matters.
	want := Integrate(math.Exp, 0, 1, Options{Breaks: []float64{0.25, 0.5}})
	got := Integrate(math.Exp, 0, 1, Options{Breaks: []float64{0.5, 7, 0, 1, 0.25, 0.5, math.Inf(1), math.NaN(), -3}})
	assert.Equal(t, want, got)
	require.InDelta(t, math.E-1, got.Value, got.Error)
}

func BenchmarkIntegrate(b *testing.B) {
	for _, p := range append(testquad.Decaying(), testquad.Smooth()[0], testquad.Singular()[0]) {
		b.Run(p.Name, func(b *testing.B) {
			b.ReportAllocs()
			evaluations := 0
			for i := 0; i < b.N; i++ {
				evaluations = Integrate(p.F, p.A, p.B, Options{}).Evaluations
			}
			b.ReportMetric(float64(evaluations), "evals/op")
		})
	}
}
