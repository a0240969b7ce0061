package maxmargin

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"lamcap/harness/constraint"
	"lamcap/harness/pattern"
	"lamcap/internal/stream"
)

// The guess is the solution of its equation, up to the tenth that it is asked for,
// for any penalty; no active pair leaves 1.
func TestPreconditioner(t *testing.T) {
	in := pattern.Sample(stream.New(1, "precondition", "", 0), pattern.Spec{Model: pattern.DP, DIn: 9, DOut: 7, P: 12, N: 4})
	set := constraint.Select(in, make([]float64, 63), func(_ int, _ []float64, target int, add func(int)) {
		for c := range 4 {
			if c != target {
				add(c)
			}
		}
	})
	multiplier := make([]float64, set.Len())
	b := newPreconditioner(7, 9)
	b.prepare(set, multiplier, 1, 3)
	for _, x := range b.inverse {
		assert.Equal(t, 1., x)
	}
	k := 0.0
	for i := range multiplier {
		multiplier[i] = float64(i % 3) // two thirds of 36 are active: they see 24 of 63 directions
		k += min(1, multiplier[i])
	}
	for _, sigma := range []float64{1e-6, 1e-2, 1, 1e4, 1e9} {
		b.prepare(set, multiplier, 4, sigma)
		trace, seen, c := 0.0, 0.0, (1/b.inverse[5]-1)/b.moments[5]
		for i, a := range b.moments {
			trace += a * b.inverse[i]
			seen += 1 - b.inverse[i]
			assert.InEpsilon(t, 1/(1+c*a), b.inverse[i], 1e-9)
		}
		assert.InEpsilon(t, sigma*k, c*(1+sigma*trace), 0.1)
		assert.LessOrEqual(t, seen, 1.1*k)
	}
}
