package stats

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestOutcomesWithoutUndecidedAreAProportion(t *testing.T) {
	o, c := Outcomes{Stored: 8, Trials: 10}, Proportion{8, 10}
	assert.Equal(t, c.Wilson(0.95), o.Interval(0.95))
	for _, p0 := range []float64{0.1, 0.5, 0.8, 0.99} {
		assert.Equal(t, c.PValue(p0), o.PValue(p0))
		assert.Equal(t, c.Z(p0), o.Z(p0))
	}
}

// With undecided instances the test must be valid for every way in which they
// could have turned out: never smaller than the least p-value of the readings
// whose tail it takes, and blind on the side that they leave open.
func TestOutcomesWithUndecided(t *testing.T) {
	o := Outcomes{Stored: 4, Undecided: 6, Trials: 10}
	i := o.Interval(0.95)
	assert.Equal(t, Proportion{4, 10}.Wilson(0.95).Lo, i.Lo)
	assert.Equal(t, Proportion{10, 10}.Wilson(0.95).Hi, i.Hi)
	// All ten may be storable: a prediction near 1 cannot be rejected.
	assert.Equal(t, 1.0, o.PValue(0.99))
	assert.Equal(t, 0.0, o.Z(0.99))
	// Four are stored for sure: P(X ≥ 4 | 0.01) = 2.0e-6, doubled.
	assert.InEpsilon(t, 2*Proportion{4, 10}.PValueGreater(0.01), o.PValue(0.01), 1e-12)
	assert.Less(t, o.PValue(0.01), 1e-5)
	assert.Positive(t, o.Z(0.01))
	for hidden := 0; hidden <= o.Undecided; hidden++ {
		truth := Proportion{o.Stored + hidden, o.Trials}
		for _, p0 := range []float64{0.01, 0.2, 0.39} {
			assert.GreaterOrEqual(t, o.PValue(p0)*(1+1e-12), truth.PValue(p0), "hidden %d, p0 %v", hidden, p0)
		}
	}
}
