package anisotropy

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"lamcap/internal/stream"
	"lamcap/saddle"
)

// recalled simulates the recall of one item by its definition.
func recalled(h Hebb, shared bool, instances int) (rate, deviation float64) {
	rng := stream.New(7, "hebb simulated", "", 0)
	vector := func(spectrum, mean []float64) []float64 {
		v := make([]float64, len(spectrum))
		for i, x := range spectrum {
			v[i] = math.Sqrt(x) * rng.NormFloat64()
			if mean != nil {
				v[i] += mean[i]
			}
		}
		return v
	}
	dot := func(x, y []float64) float64 {
		s := 0.0
		for i, v := range x {
			s += v * y[i]
		}
		return s
	}
	hits := 0.0
	for range instances {
		key := vector(h.Keys, h.KeyMean)
		w := make([]float64, len(h.Values)) // W e_0
		var pool [][]float64
		for fact := range int(h.Facts) {
			e, u := key, vector(h.Values, h.ValueMean)
			if fact > 0 {
				e = vector(h.Keys, h.KeyMean)
			}
			c := dot(e, key)
			for i, x := range u {
				w[i] += c * x
			}
			if fact == 0 || shared {
				pool = append(pool, u)
			}
		}
		for len(pool) < int(h.Candidates) {
			pool = append(pool, vector(h.Values, h.ValueMean))
		}
		correct, best := dot(pool[0], w), math.Inf(-1)
		for _, u := range pool[1:] {
			best = math.Max(best, dot(u, w))
		}
		if correct > best {
			hits++
		}
	}
	rate = hits / float64(instances)
	return rate, math.Sqrt(rate * (1 - rate) / float64(instances))
}

func constant(d int, x float64) []float64 {
	v := make([]float64, d)
	for i := range v {
		v[i] = x
	}
	return v
}

// The law of DP is exact: power laws, two levels, with and without means, d from 16 to 48. Each
// case rejects d_in d_out in place of the effective dimension, and the leading order.
func TestHebbAgainstSimulation(t *testing.T) {
	for name, c := range map[string]struct {
		h       Hebb
		leading bool // that the leading order is rejected too
	}{
		"a = 0.5":               {Hebb{Spectra: Spectra{Keys: powerLaw(24, 0.5), Values: powerLaw(24, 0.5)}, Facts: 40, Candidates: 40}, true},
		"a = 1":                 {Hebb{Spectra: Spectra{Keys: powerLaw(48, 1), Values: powerLaw(32, 1)}, Facts: 10, Candidates: 60}, false},
		"two levels":            {Hebb{Spectra: Spectra{Keys: twoLevels(24, 6), Values: twoLevels(24, 6)}, Facts: 20, Candidates: 20}, true},
		"two levels of keys":    {Hebb{Spectra: Spectra{Keys: twoLevels(24, 6), Values: constant(24, 1)}, Facts: 30, Candidates: 30}, true},
		"mean of keys":          {Hebb{Spectra: Isotropic(24, 24), KeyMean: constant(24, 0.5), Facts: 50, Candidates: 50}, true},
		"mean of values":        {Hebb{Spectra: Isotropic(16, 24), ValueMean: constant(24, 0.5), Facts: 30, Candidates: 30}, true},
		"mean of both":          {Hebb{Spectra: Isotropic(24, 24), KeyMean: constant(24, 0.5), ValueMean: constant(24, 0.5), Facts: 50, Candidates: 50}, false},
		"two facts, many pools": {Hebb{Spectra: Isotropic(3, 4), Facts: 2, Candidates: 10}, true},
		"one fact":              {Hebb{Spectra: Isotropic(3, 4), Facts: 1, Candidates: 10}, false},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := c.h.ItemRecall()
			require.NoError(t, err)
			rate, deviation := recalled(c.h, false, 4000)
			both := math.Hypot(deviation, got.Error)
			assert.InDelta(t, rate, got.Value, alarm*both, "± %.2g", both)
			weights := float64(len(c.h.Keys) * len(c.h.Values))
			isotropic, err := saddle.HebbItemRecall(math.Sqrt(weights), c.h.Facts, c.h.Candidates)
			require.NoError(t, err)
			assert.Greater(t, math.Abs(rate-isotropic.Value), alarm*both, "d_in d_out is rejected")
			leading, err := saddle.HebbItemRecall(math.Sqrt(c.h.Dimension()), c.h.Facts, c.h.Candidates)
			require.NoError(t, err)
			if c.leading {
				assert.Greater(t, math.Abs(rate-leading.Value), alarm*both, "the leading order is rejected")
			}
		})
	}
}

// At many dimensions the leading order is the law: its error falls as 1/√N.
func TestHebbLeadingOrder(t *testing.T) {
	last := math.Inf(1)
	for _, d := range []int{32, 256, 2048} {
		h := Hebb{Spectra: Spectra{Keys: powerLaw(d, 0.3), Values: powerLaw(d, 0.3)}, Candidates: 4, Draws: 4000}
		h.Facts = math.Round(h.Dimension() / 2)
		got, err := h.ItemRecall()
		require.NoError(t, err)
		leading, err := saddle.HebbItemRecall(math.Sqrt(HebbDimension(h.Keys, h.Values)), h.Facts, 4)
		require.NoError(t, err)
		miss := math.Abs(got.Value - leading.Value)
		assert.Less(t, miss, math.Max(last/2, alarm*got.Error))
		last = miss
	}
	assert.Less(t, last, 0.02)
}

// In OP competitors are stored too, and recall is less: the law is one of DP.
func TestHebbOriginal(t *testing.T) {
	h := Hebb{Spectra: Spectra{Keys: powerLaw(24, 0.5), Values: powerLaw(24, 0.5)}, Facts: 40, Candidates: 40}
	got, err := h.ItemRecall()
	require.NoError(t, err)
	rate, deviation := recalled(h, true, 2000)
	assert.Greater(t, got.Value-rate, alarm*math.Hypot(deviation, got.Error))
}

// N_Hebb with means: known cases, and 1/p when both have one.
func TestHebbDimension(t *testing.T) {
	assert.InEpsilon(t, 24.0*24, HebbDimension(constant(24, 2), constant(24, 5)), 1e-14)
	h := Hebb{Spectra: Spectra{Keys: powerLaw(24, 1), Values: powerLaw(10, 2)}, Facts: 7}
	assert.InEpsilon(t, HebbDimension(h.Keys, h.Values), h.Dimension(), 1e-13)
	// Keys 1 with mean m along one axis: the second moments are (1 + m²) once and 1 else.
	second := constant(24, 1)
	second[0] += 4
	mean := make([]float64, 24)
	mean[0] = 2
	with := Hebb{Spectra: Isotropic(24, 16), KeyMean: mean, Facts: 7}
	assert.InEpsilon(t, HebbDimension(second, constant(16, 1)), with.Dimension(), 1e-13)
	with.ValueMean = constant(16, 1)
	with.Facts = 1e6
	few := with.Dimension()
	with.Facts = 2e6
	assert.InEpsilon(t, few/2, with.Dimension(), 1e-3)
}

func TestHebbErrors(t *testing.T) {
	good := Hebb{Spectra: Isotropic(3, 3), Facts: 5, Candidates: 5}
	for want, change := range map[string]func(*Hebb){
		"want p = 1 or 2 ≤ p":                  func(h *Hebb) { h.Facts = 1.5 },
		"n = NaN":                              func(h *Hebb) { h.Candidates = math.NaN() },
		"key mean has 2 components":            func(h *Hebb) { h.KeyMean = []float64{1, 2} },
		"value mean, component 1 is NaN":       func(h *Hebb) { h.ValueMean = []float64{1, math.NaN(), 1} },
		"draws = 1":                            func(h *Hebb) { h.Draws = 1 },
		"values: eigenvalue 0 is +Inf: want 0": func(h *Hebb) { h.Values = []float64{math.Inf(1)} },
	} {
		h := good
		change(&h)
		_, err := h.ItemRecall()
		assert.ErrorContains(t, err, want)
	}
	a, err := good.ItemRecall()
	require.NoError(t, err)
	for i := range good.Keys {
		good.Keys[i], good.Values[i] = 1e60, 1e-60
	}
	b, err := good.ItemRecall()
	require.NoError(t, err)
	assert.InEpsilon(t, a.Value, b.Value, 1e-9, "recall has no units")
}
