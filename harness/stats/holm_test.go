package stats

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"lamcap/internal/stream"
)

func TestHolmKnownValues(t *testing.T) {
	nan := math.NaN()
	// By hand: sorted 0.005 0.01 0.03 0.04 times 4, 3, 2, 1 = 0.02 0.03 0.06 0.04 → running maximum.
	got := Holm([]float64{0.01, nan, 0.04, 0.03, 0.005})
	want := []float64{0.03, nan, 0.06, 0.06, 0.02}
	for i := range want {
		if math.IsNaN(want[i]) {
			assert.True(t, math.IsNaN(got[i]))
			continue
		}
		assert.InDelta(t, want[i], got[i], 1e-15)
	}
	assert.Empty(t, Holm(nil))
	assert.Panics(t, func() { Holm([]float64{1.1}) })
}

func TestHolmLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.SliceOfN(rapid.Float64Range(0, 1), 1, 40).Draw(t, "p")
		adjusted := Holm(p)
		for i := range p {
			assert.GreaterOrEqual(t, adjusted[i], p[i])
			assert.LessOrEqual(t, adjusted[i], math.Min(1, float64(len(p))*p[i])) // Bonferroni
			for j := range p {
				if p[i] <= p[j] && adjusted[i] > adjusted[j] {
					t.Fatalf("order changed: %v → %v", p, adjusted)
				}
			}
		}
		// A row without a test changes no other row.
		with := Holm(append([]float64{math.NaN()}, p...))
		assert.Equal(t, adjusted, with[1:])
		// Larger p-values never give smaller adjusted ones.
		k := rapid.IntRange(0, len(p)-1).Draw(t, "k")
		larger := append([]float64(nil), p...)
		larger[k] = rapid.Float64Range(p[k], 1).Draw(t, "larger")
		for i, v := range Holm(larger) {
			assert.GreaterOrEqual(t, v, adjusted[i])
		}
	})
}

func TestVerdicts(t *testing.T) {
	got := Verdicts([]float64{0.3, math.NaN(), 0, 0.02}, 0.05)
	// 3 tests: 0 is certain; 2·0.02 = 0.04 ≤ 0.05; 0.3.
	assert.Equal(t, []Verdict{OK, Untested, Disagrees, Disagrees}, got)
	// Alone 0.03 would disagree: 2·0.03 = 0.06. At the rate a p-value does.
	assert.Equal(t, []Verdict{OK, OK}, Verdicts([]float64{0.03, 0.4}, 0.05))
	assert.Equal(t, []Verdict{Disagrees}, Verdicts([]float64{0.05}, 0.05))
	assert.Equal(t, "ok", OK.String())
	assert.Equal(t, "DISAGREES", Disagrees.String())
	assert.Equal(t, "-", Untested.String())
	assert.Panics(t, func() { Verdicts(nil, 1) })
}

// Over many families of true predictions, a false alarm anywhere stays at the rate; with one
// wrong prediction among them it is found.
func TestFamilyWiseRate(t *testing.T) {
	const families, rows, rate = 20000, 12, 0.05
	alarms, found := 0, 0
	rng := stream.New(3, "stats test", "Holm", 0)
	p := make([]float64, rows)
	for range families {
		for i := range p {
			p[i] = rng.Float64()
		}
		if contains(Verdicts(p, rate), Disagrees) {
			alarms++
		}
		p[5] = 1e-6
		if Verdicts(p, rate)[5] == Disagrees {
			found++
		}
	}
	// Independent uniforms: 1 − (1 − rate/rows)^rows = 0.0489 exactly; 4 standard errors.
	expected := 1 - math.Pow(1-rate/rows, rows)
	assert.InDelta(t, expected, float64(alarms)/families, 4*math.Sqrt(expected*(1-expected)/families))
	assert.Equal(t, families, found)
}

func contains(verdicts []Verdict, v Verdict) bool {
	for _, w := range verdicts {
		if w == v {
			return true
		}
	}
	return false
}
