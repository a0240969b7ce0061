package saddle_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"lamcap/extremes"
	"lamcap/internal/quad"
	"lamcap/saddle"
)

// 1/γ_c = E(T − t)_+² by quadrature of the definition, and at T = 0 Cover's
// γ_c = 2.
func TestGardnerCapacity(t *testing.T) {
	c, err := saddle.Gardner{}.Capacity()
	require.NoError(t, err)
	assert.InDelta(t, 2, c.Value, 2e-15)
	rapid.Check(t, func(t *rapid.T) {
		T := rapid.Float64Range(-6, 12).Draw(t, "T")
		c, err := saddle.Gardner{Threshold: T}.Capacity()
		require.NoError(t, err)
		r := quad.Integrate(func(x float64) float64 {
			return (T - x) * (T - x) * math.Exp(extremes.LogDensity(x))
		}, -40, T, quad.Options{Rel: 1e-13, Breaks: []float64{T - 10, T - 3, T - 1, T - 0.2, -8, 0}})
		if !r.Status.OK() || !c.Status.OK() || !(math.Abs(c.Value*r.Value-1) <= c.Error/c.Value+r.Error/r.Value) {
			t.Fatalf("T = %v: γ_c = %+v, E(T−t)² = %+v, product − 1 = %.3g", T, c, r, c.Value*r.Value-1)
		}
		if !(c.Error <= 2e-13*c.Value) {
			t.Fatalf("T = %v: the bound %v says little about %v", T, c.Error, c.Value)
		}
		more, err := saddle.Gardner{Threshold: T + 1e-6}.Capacity()
		require.NoError(t, err)
		if !(more.Value < c.Value) {
			t.Fatalf("capacity rises with the threshold at T = %v: %v, %v", T, c.Value, more.Value)
		}
	})
}

// The overlap returned is a stationary point, and a minimum, of the free energy
// (computed without the derivative that was solved), and rises with the load.
func TestGardnerOverlapIsStationary(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := saddle.Gardner{Threshold: rapid.Float64Range(-1, 4).Draw(t, "T")}
		c, err := g.Capacity()
		require.NoError(t, err)
		load := rapid.Float64Range(0.05, 0.95).Draw(t, "load/capacity")
		s, err := g.Overlap(load * c.Value)
		require.NoError(t, err)
		if !s.Status.OK() || !(s.Overlap > 0 && s.Overlap < 1) || !(s.Error < 1e-9) || !(math.Abs(s.Residual) < 1e-9) {
			t.Fatalf("%v at %v of capacity: %+v", g, load, s)
		}
		at := func(q float64) float64 {
			v, err := g.FreeEnergy(q, load*c.Value)
			require.NoError(t, err)
			return v.Value
		}
		if energy := at(s.Overlap); energy != s.FreeEnergy {
			t.Fatalf("free energy %v, at the overlap it is %v", s.FreeEnergy, energy)
		}
		// Φ = Φ_0 + ½Φ''δ²: the first order, were there any, would be the larger.
		d := 1e-3 * math.Min(s.Overlap, 1-s.Overlap)
		up, down := at(s.Overlap+d)-s.FreeEnergy, at(s.Overlap-d)-s.FreeEnergy
		if !(up > 0 && down > 0) || !(math.Abs(up-down) <= 0.01*(up+down)) {
			t.Fatalf("%v at %v of capacity: Φ rises by %.3g above the overlap and %.3g below", g, load, up, down)
		}
		higher, err := g.Overlap(1.01 * load * c.Value)
		require.NoError(t, err)
		if !(higher.Overlap > s.Overlap) {
			t.Fatalf("%v: overlap %v at %v of capacity, %v at 1.01 of that", g, s.Overlap, load, higher.Overlap)
		}
	})
}

// Towards capacity the solutions close in on one, q → 1, and the free energy on
// −∞; at capacity there is none.
func TestGardnerTowardsCapacity(t *testing.T) {
	for _, T := range []float64{-0.5, 0, 1, 3, 5} {
		g := saddle.Gardner{Threshold: T}
		c, err := g.Capacity()
		require.NoError(t, err)
		lastOverlap, lastEnergy := 0.0, 0.0
		for _, distance := range []float64{0.5, 0.1, 0.01, 1e-3, 1e-4, 1e-5} {
			s, err := g.Overlap((1 - distance) * c.Value)
			require.NoError(t, err, "T = %v, distance %v", T, distance)
			assert.True(t, s.Status.OK())
			assert.Greater(t, s.Overlap, lastOverlap)
			assert.Less(t, s.FreeEnergy, lastEnergy)
			// 1 − q ≤ 2 (1 − γ/γ_c), with equality for thresholds far above 0 (the
			// limit law: q = 2α).
			assert.Less(t, 1-s.Overlap, 2*distance, "T = %v, distance %v", T, distance)
			lastOverlap, lastEnergy = s.Overlap, s.FreeEnergy
		}
		_, err = g.Overlap(c.Value)
		assert.ErrorContains(t, err, "the capacity at threshold")
	}
}

// T → ∞ is the paper's limit: γT² = 2α, so that capacity is α = 1/2, q = 2α and
// Φ = ½ log(1 − 2α). What is left falls like 1/T² in q; in Φ the log a of
// log Q(a) = −a²/2 − log a − … leaves γ log T = 2α (log T)/T² as well.
func TestGardnerTendsToTheLimit(t *testing.T) {
	const alpha = 0.3
	q, energy, err := saddle.Overlap(alpha)
	require.NoError(t, err)
	for _, T := range []float64{10, 20, 40, 80} {
		s, err := saddle.Gardner{Threshold: T}.Overlap(2 * alpha / (T * T))
		require.NoError(t, err)
		assert.InDelta(t, 0.84, (s.Overlap-q)*T*T, 0.01, "T = %v", T)
		assert.InDelta(t, 1.28+2*alpha*math.Log(T), (energy-s.FreeEnergy)*T*T, 0.01, "T = %v", T)
	}
}

func TestGardnerWithoutLoad(t *testing.T) {
	s, err := saddle.Gardner{Threshold: 1}.Overlap(0)
	require.NoError(t, err)
	assert.True(t, s.Status.OK())
	assert.Zero(t, s.Overlap)
	assert.Zero(t, s.FreeEnergy)
	v, err := saddle.Gardner{Threshold: 1}.FreeEnergy(0.5, 0)
	require.NoError(t, err)
	assert.InDelta(t, math.Log(0.5)/2+0.5, v.Value, 4e-16)
	// At q = 0 the average is a constant, log Q(T).
	v, err = saddle.Gardner{Threshold: 1}.FreeEnergy(0, 0.25)
	require.NoError(t, err)
	assert.InDelta(t, 0.25*extremes.LogSurvival(1), v.Value, v.Error)
}

func TestGardnerWrongArguments(t *testing.T) {
	for _, T := range []float64{-37.1, math.NaN(), math.Inf(1), math.Inf(-1)} {
		g := saddle.Gardner{Threshold: T}
		v, err := g.Capacity()
		assert.ErrorContains(t, err, "want −37 ≤ threshold ≤ 1e100")
		assert.True(t, math.IsNaN(v.Value) && !v.Status.OK())
		_, err = g.FreeEnergy(0.5, 0.1)
		assert.ErrorContains(t, err, "threshold")
		_, err = g.Overlap(0.1)
		assert.ErrorContains(t, err, "threshold")
	}
	g := saddle.Gardner{Threshold: 1}
	for _, q := range []float64{-0.1, 1, math.NaN()} {
		_, err := g.FreeEnergy(q, 0.1)
		assert.ErrorContains(t, err, "want 0 ≤ q < 1")
	}
	_, err := g.FreeEnergy(0.5, -1)
	assert.EqualError(t, err, "gamma = -1: want gamma ≥ 0")
	for _, gamma := range []float64{-0.1, 0.52, math.NaN()} {
		s, err := g.Overlap(gamma)
		assert.ErrorContains(t, err, "want 0 ≤ gamma < 0.519572")
		assert.True(t, math.IsNaN(s.Overlap) && !s.Status.OK())
	}
}

// Tiny overlaps: q → γ h(T)², with the error that is claimed; h(0)² = 2/π.
func TestSmallOverlap(t *testing.T) {
	for _, gamma := range []float64{1e-300, 1e-20, 1e-12, 1e-9} {
		s, err := saddle.Gardner{}.Overlap(gamma)
		require.NoError(t, err)
		assert.InEpsilon(t, gamma*2/math.Pi, s.Overlap, 3*gamma+1e-14)
		assert.LessOrEqual(t, s.Error, 1e-12*s.Overlap+1e-290)
		assert.LessOrEqual(t, math.Abs(s.Residual), 1e-12*s.Overlap)
		assert.True(t, s.Status.OK())
	}
	// It meets the general solution.
	below, err := saddle.Gardner{Threshold: 1}.Overlap(4.2e-9)
	require.NoError(t, err)
	above, err := saddle.Gardner{Threshold: 1}.Overlap(4.4e-9)
	require.NoError(t, err)
	h := extremes.Hazard(1)
	require.Less(t, 4.2e-9*h*h, 1e-8)
	require.Greater(t, 4.4e-9*h*h, 1e-8)
	assert.InEpsilon(t, 4.4/4.2, above.Overlap/below.Overlap, 1e-8)
	low, err := saddle.Gardner{Threshold: -10}.Overlap(1)
	require.NoError(t, err)
	assert.InEpsilon(t, math.Pow(extremes.Hazard(-10), 2), low.Overlap, 1e-12)
}
