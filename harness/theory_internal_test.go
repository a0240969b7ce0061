package harness

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"

	"lamcap/extremes"
	"lamcap/saddle"
)

// Φ(η) = P for tails down to the smallest float64, whose logarithm math.Log gets wrong.
func TestProbitOfTinyTails(t *testing.T) {
	for _, tail := range []float64{0.3, 1e-300, 1e-310, 5e-324} {
		below := probit(saddle.Probability{Value: tail, Complement: 1})
		above := probit(saddle.Probability{Value: 1, Complement: tail})
		assert.Equal(t, -below, above)
		assert.InEpsilon(t, math.Log2(tail)*math.Ln2, extremes.LogSurvival(above), 1e-14, "%v", tail)
	}
	assert.Equal(t, math.Inf(-1), probit(saddle.Probability{Value: 0, Complement: 1}))
}
