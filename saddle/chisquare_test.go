package saddle

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"gonum.org/v1/gonum/mathext"
)

// Against gonum's incomplete gamma functions, which by 40-digit arithmetic lose up
// to 8e-13 in their tails at k = 2000 and 4e-14 at small k; and P + Q = 1.
func TestChiSquares(t *testing.T) {
	for _, c := range []float64{1e-6, 0.3, 2, 31, 33, 150, 700, 1400, 1e4} {
		const largest = 2000
		x := newChiSquares(c, largest)
		for _, k := range []int{1, 2, 3, 10, 31, 33, 64, 101, 400, 1001, largest} {
			a, y := float64(k)/2, c/2
			budget := 5e-14 + 1e-15*float64(k)
			for _, p := range []struct{ want, got float64 }{
				{mathext.GammaIncReg(a, y), x.below[k]},
				{mathext.GammaIncRegComp(a, y), x.above[k]},
			} {
				if p.want > 1e-290 {
					assert.InEpsilon(t, p.want, p.got, budget, "k = %d, c = %v", k, c)
				}
			}
			assert.InDelta(t, 1, x.below[k]+x.above[k], 4e-15, "k = %d, c = %v", k, c)
		}
		assert.Zero(t, x.above[0])
		// k = 2: the density of c is e^{−c/2}/2.
		assert.InDelta(t, c/2*math.Exp(-c/2), x.density[2], 1e-15*c, "c = %v", c)
	}
}
