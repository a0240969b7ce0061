package measure_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"lamcap/harness/measure"
)

func TestFactsAt(t *testing.T) {
	assert.Equal(t, 58, measure.FactsAt(0.5, 115.467))
	assert.Equal(t, 2, measure.FactsAt(1e-9, 115.467), "one fact has no competitor")
	assert.Equal(t, math.MaxInt32, measure.FactsAt(1000, 1e300))
	assert.Equal(t, 12, measure.RankAt(0.5, 24))
	assert.Equal(t, 1, measure.RankAt(1e-9, 24))
	assert.Equal(t, 24, measure.RankAt(1, 24))
}

// No other p has p log p nearer to half a step than the one returned.
func TestFactsAtAlpha(t *testing.T) {
	assert.Equal(t, 2, measure.FactsAtAlpha(1e-300, 1, 1))
	assert.Equal(t, math.MaxInt32, measure.FactsAtAlpha(1000, math.MaxInt32, math.MaxInt32))
	rapid.Check(t, func(t *rapid.T) {
		alpha := rapid.Float64Range(1e-3, 10).Draw(t, "alpha")
		dIn, dOut := rapid.IntRange(1, 5000).Draw(t, "d_in"), rapid.IntRange(1, 5000).Draw(t, "d_out")
		p := float64(measure.FactsAtAlpha(alpha, dIn, dOut))
		target := alpha * float64(dIn) * float64(dOut)
		below, above := p-0.5, p+0.5
		if p > 2 && below*math.Log(below) > target*(1+1e-12) || above*math.Log(above) < target*(1-1e-12) {
			t.Fatalf("p = %v: p log p = %v, want %v", p, p*math.Log(p), target)
		}
	})
}
