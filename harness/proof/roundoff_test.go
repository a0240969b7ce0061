package proof

import (
	"math"
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"
)

// sharp has squares that a fused sum does not round: (1 + 2⁻³⁰)² = 1 + 2⁻²⁹ + 2⁻⁶⁰.
var sharp = []float64{1 + 0x1p-30, -(1 + 0x1p-29)}

// A compiler may fuse a·b + c where the processor can, as on arm64 or with GOAMD64=v3,
// after inlining also across functions: an error of a sum whose terms were never rounded
// is the error of another sum.
func TestSumsAndProductsAreNotFused(t *testing.T) {
	a, c := sharp[0], sharp[1]
	assert.Equal(t, 0x1p-60, math.FMA(a, a, c), "a fused sum is told from a rounded one")

	sum, low := twoSum(a*a, c)
	assert.Zero(t, sum)
	assert.Zero(t, low)
	sum, low = twoSum(c, a*a)
	assert.Zero(t, sum)
	assert.Zero(t, low)

	product, rest := twoProduct(a, a)
	assert.Zero(t, product+c)
	assert.Equal(t, 0x1p-60, rest)
}

// Sum and error together are the exact sum, product and error the exact product.
func TestErrorFreeTransformations(t *testing.T) {
	exact := func(x float64) *big.Float { return new(big.Float).SetPrec(2200).SetFloat64(x) }
	number := rapid.Map(rapid.Float64Range(-1, 1), func(x float64) float64 { return math.Ldexp(x, int(1e4*x)%200) })
	rapid.Check(t, func(t *rapid.T) {
		a, b, f := number.Draw(t, "a"), number.Draw(t, "b"), number.Draw(t, "f")
		rounded := float64(a * f)
		sum, low := twoSum(a*f, b)
		want := exact(0).Add(exact(rounded), exact(b))
		if exact(0).Add(exact(sum), exact(low)).Cmp(want) != 0 || sum != rounded+b {
			t.Fatalf("%v + %v: %v, %v", rounded, b, sum, low)
		}
		if math.Abs(rounded) < 0x1p-960 { // its error may be below the smallest float64
			return
		}
		product, rest := twoProduct(a, f)
		want = exact(0).Mul(exact(a), exact(f))
		if exact(0).Add(exact(product), exact(rest)).Cmp(want) != 0 || product != rounded {
			t.Fatalf("%v · %v: %v, %v", a, f, product, rest)
		}
	})
}
