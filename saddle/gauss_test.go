package saddle

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"gonum.org/v1/gonum/integrate/quad"
)

// Gauss rules of many nodes overflow where their recurrences are not scaled, and then
// every weight is NaN, or 0. gonum's Legendre rule is used with depthSize nodes; it stays a
// rule with a thousand.
func TestGaussLegendre(t *testing.T) {
	for _, n := range []int{1, 2, depthSize, 100, 101, 1000} {
		x, w := make([]float64, n), make([]float64, n)
		quad.Legendre{}.FixedLocations(x, w, 0, 1)
		seen := map[float64]bool{} // beyond 100 nodes they do not rise
		for i := range x {
			assert.True(t, x[i] > 0 && x[i] < 1 && w[i] > 0, "n = %d: node %v, weight %v", n, x[i], w[i])
			seen[x[i]] = true
		}
		assert.Len(t, seen, n)
		for _, k := range []int{0, 1, 2, 3, n, 2*n - 1} {
			if k > 2*n-1 {
				continue
			}
			moment := 0.0
			for i := range x {
				moment += w[i] * math.Pow(x[i], float64(k))
			}
			assert.InEpsilon(t, 1/float64(k+1), moment, 1e-12, "n = %d: moment %d", n, k)
		}
	}
}

// What gonum's Hermite rule is with a thousand nodes, for those who would use it for
// Gaussian means in place of the trapezoidal rule that this package uses: finite, with the
// right moments; more than a quarter of its weights are 0.
func TestGaussHermiteOfAThousandNodes(t *testing.T) {
	const n = 1000
	x, w := make([]float64, n), make([]float64, n)
	quad.Hermite{}.FixedLocations(x, w, math.Inf(-1), math.Inf(1))
	var total, second float64
	zero := 0
	for i := range x {
		assert.False(t, math.IsNaN(x[i]+w[i]) || math.IsInf(x[i]+w[i], 0) || w[i] < 0, "node %v, weight %v", x[i], w[i])
		if w[i] == 0 {
			zero++
		}
		total += w[i]
		second += w[i] * x[i] * x[i]
	}
	assert.Less(t, zero, n/3, "far out e^{−x²} underflows, and the weights there are 0")
	assert.InEpsilon(t, math.Sqrt(math.Pi), total, 1e-12)
	assert.InEpsilon(t, math.Sqrt(math.Pi)/2, second, 1e-12)
}

// The Laguerre rule, of the one order in use, to the last of the moments that it has exactly.
func TestGaussLaguerre(t *testing.T) {
	g := newLaguerre()
	for i, y := range g.y {
		assert.True(t, y > 0 && g.w[i] > 0 && !math.IsInf(y, 0) && (i == 0 || y > g.y[i-1]), "node %v, weight %v", y, g.w[i])
	}
	for k := range 2 * len(g.y) {
		sum := 0.0
		for i, y := range g.y {
			sum += g.w[i] * math.Pow(y, float64(k))
		}
		assert.InEpsilon(t, math.Gamma(float64(k+1)), sum, 1e-10, "moment %d", k)
	}
}
