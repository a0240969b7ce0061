package vector

import (
	"errors"
	"math"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"lamcap/extremes"
	"lamcap/internal/embedding"
	"lamcap/internal/quad"
	"lamcap/internal/root"
	"lamcap/internal/status"
	"lamcap/saddle"
)

// alarm is the number of standard errors of each comparison: a false alarm has
// probability 6e-5, and seeds are fixed.
const alarm = 4

func within(t *testing.T, want float64, got extremes.Value, name string) {
	t.Helper()
	assert.InDelta(t, want, got.Value, alarm*got.Error, "%s ± %.2g", name, got.Error)
}

// Two candidates are one constraint, a = (u_0 − u_1)/√d: dist² = (K/‖a‖ − z)_+² with z normal
// and, for Gaussian values, ‖a‖² = 2χ²_d/d; times ρ² = χ²_{d_in}/d_in for Gaussian keys.
// So D(K) is an integral, here over the norms of a, and D'(K) tells what errors must be.
func TestTwoCandidates(t *testing.T) {
	chi := func(d float64) func(x float64) float64 { // density of √(χ²_d/d)
		c := math.Log(2) - d/2*math.Log(2/d)
		lg, _ := math.Lgamma(d / 2)
		return func(x float64) float64 { return math.Exp(c - lg + (d-1)*math.Log(x) - d*x*x/2) }
	}
	squares := func(c float64) float64 { // E (c − z)_+²
		return (1+c*c)*math.Exp(extremes.LogCDF(c)) + c*math.Exp(-c*c/2)/math.Sqrt(2*math.Pi)
	}
	const dOut, dIn, weights, p = 6, 5, 300.0, 80.0
	for _, c := range []struct {
		name string
		e    Ensemble
		d    func(k float64) float64
	}{
		{"keys of norm √d_in", Ensemble{DOut: dOut}, func(k float64) float64 {
			f := chi(dOut)
			return quad.Integrate(func(x float64) float64 { return f(x) * squares(k/(math.Sqrt2*x)) }, 1e-3, 6, quad.Options{}).Value
		}},
		{"gaussian keys", Ensemble{DOut: dOut, KeyDimension: dIn}, func(k float64) float64 {
			f, g := chi(dOut), chi(dIn)
			return quad.Integrate(func(y float64) float64 {
				return g(y) * quad.Integrate(func(x float64) float64 { return f(x) * squares(k/(math.Sqrt2*x*y)) }, 1e-3, 6, quad.Options{}).Value
			}, 1e-3, 6, quad.Options{}).Value
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			want := root.Find(func(k float64) float64 { return p*c.d(k)/weights - 1 }, 0, 4, root.Options{RelX: 1e-8}).X
			c.e.Seed = 1
			got, err := Margin(weights, p, 2, c.e, Precision{Target: 0.005})
			require.NoError(t, err)
			assert.Equal(t, status.Converged, got.Status)
			within(t, want, got.Margin, "K*")
			assert.LessOrEqual(t, got.Margin.Error, 0.005*got.Margin.Value)
			assert.Less(t, math.Abs(got.Residual), 1e-12)
			score, err := saddle.Margin(weights, p, 2)
			require.NoError(t, err)
			assert.Greater(t, math.Abs(score.Margin-got.Margin.Value), 10*got.Margin.Error, "score level is rejected")
		})
	}
}

// As d_out → ∞ the vector level becomes the score level: at d_out = 600 and n = 4 the
// difference, of order (s_0² − 1)/d_out, is below the standard error of 0.4%.
func TestManyDimensions(t *testing.T) {
	const n, perFact = 4, 2.5
	want, err := saddle.Margin(1000*perFact, 1000, n)
	require.NoError(t, err)
	got, err := Margin(1000*perFact, 1000, n, Ensemble{DOut: 600, Values: embedding.Sphere, Seed: 1}, Precision{Target: 0.008, MaxDraws: 1 << 14})
	require.NoError(t, err)
	within(t, want.Margin, got.Margin, "K*")
	within(t, want.CorrectMean, got.CorrectMean, "correct score")
	within(t, want.CorrectStd, got.CorrectStd, "its deviation")
	within(t, want.Active, got.Active, "active")
}

// Values of norm √d: what another program had, from plain draws, to 0.7%.
func TestKnownMargin(t *testing.T) {
	got, err := Margin(576, 60, 60, Ensemble{DOut: 24, Values: embedding.Sphere, Seed: 1}, Precision{Target: 0.005, MaxDraws: 1500})
	require.NoError(t, err)
	assert.InDelta(t, 1.192, got.Margin.Value, alarm*math.Hypot(got.Margin.Error, 0.007))
	gaussian, err := Margin(576, 60, 60, Ensemble{DOut: 24, Seed: 1}, Precision{Target: 0.005, MaxDraws: 1500})
	require.NoError(t, err)
	assert.Greater(t, got.Margin.Value, gaussian.Margin.Value+5*got.Margin.Error, "lengths of values matter")
	score, err := saddle.Margin(576, 60, 60)
	require.NoError(t, err)
	assert.Greater(t, score.Margin, got.Margin.Value+10*got.Margin.Error, "score level is rejected")
}

// At K = 0 lengths do not matter: D(0) of Gaussian values is D_n, as long as hulls
// stay open.
func TestCapacity(t *testing.T) {
	const n, draws = 30, 4000
	want, err := extremes.ConeDimension(n)
	require.NoError(t, err)
	m, err := newMarginProblem(1, 1, n, Ensemble{DOut: 16, Seed: 1})
	require.NoError(t, err)
	m.resize(draws)
	require.Equal(t, status.Converged, m.evaluate(0))
	within(t, want.Value, m.dimension(), "D(0)")

	var above *AboveCapacityError
	_, err = Margin(100, 100, n, Ensemble{DOut: 16, Seed: 1}, Precision{})
	require.True(t, errors.As(err, &above))
	within(t, 100/want.Value, above.Critical, "p_c")
	assert.ErrorContains(t, err, "no margin above capacity")
}

// Many candidates in few dimensions: some target is inside the hull of its competitors.
func TestClosedHulls(t *testing.T) {
	_, err := Margin(1000, 100, 30, Ensemble{DOut: 3, Seed: 1}, Precision{})
	var above *AboveCapacityError
	require.True(t, errors.As(err, &above))
	hull, err := saddle.NewTransition().Hull(3, 30)
	require.NoError(t, err)
	assert.InDelta(t, hull.Value, above.Inside, alarm*math.Sqrt(hull.Value*(1-hull.Value)/firstBatch))
}

// Results do not depend on the number of threads.
func TestThreads(t *testing.T) {
	run := func() MaxMargin {
		m, err := Margin(64, 12, 12, Ensemble{DOut: 8, Seed: 3}, Precision{MaxDraws: 600})
		require.NoError(t, err)
		return m
	}
	want := run()
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	got := run()
	assert.Equal(t, want.Margin, got.Margin)
	assert.Equal(t, want.CorrectStd, got.CorrectStd)
}

func TestMarginErrors(t *testing.T) {
	e := Ensemble{DOut: 4}
	for want, f := range map[string]func() error{
		"weights = 0: want":        func() error { _, err := Margin(0, 1, 2, e, Precision{}); return err },
		"p = -1: want":             func() error { _, err := Margin(1, -1, 2, e, Precision{}); return err },
		"n = 2.5: want an integer": func() error { _, err := Margin(1, 1, 2.5, e, Precision{}); return err },
		"n = 1: want":              func() error { _, err := Margin(1, 1, 1, e, Precision{}); return err },
		"d_out = 0: want":          func() error { _, err := Margin(1, 1, 2, Ensemble{}, Precision{}); return err },
		"key dimension = -1: want": func() error { _, err := Margin(1, 1, 2, Ensemble{DOut: 1, KeyDimension: -1}, Precision{}); return err },
		"values = embedding(5)":    func() error { _, err := Margin(1, 1, 2, Ensemble{DOut: 1, Values: 5}, Precision{}); return err },
		"keys = embedding(5)":      func() error { _, err := Margin(1, 1, 2, Ensemble{DOut: 1, Keys: 5}, Precision{}); return err },
		"target = 2: want":         func() error { _, err := Margin(1, 1, 2, e, Precision{Target: 2}); return err },
		"max draws = 3: want":      func() error { _, err := Margin(1, 1, 2, e, Precision{MaxDraws: 3}); return err },
	} {
		assert.ErrorContains(t, f(), want)
	}
}
