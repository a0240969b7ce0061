package roundoff_test

import (
	"fmt"
	"math"
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"

	"lamcap/internal/roundoff"
)

// Against k u/(1 − k u) in rational arithmetic, to two roundings.
func TestGammaAgainstDefinition(t *testing.T) {
	for _, c := range []struct {
		gamma func(int) float64
		bits  uint
	}{{roundoff.Gamma, 53}, {roundoff.GammaSingle, 24}} {
		for _, k := range []int{0, 1, 2, 3, 1000, 1<<20 + 1, 1<<24 - 1} {
			u := new(big.Rat).SetFrac(big.NewInt(1), new(big.Int).Lsh(big.NewInt(1), c.bits))
			ku := u.Mul(u, new(big.Rat).SetInt64(int64(k)))
			want, _ := new(big.Rat).Quo(ku, new(big.Rat).Sub(big.NewRat(1, 1), ku)).Float64()
			assert.InDelta(t, want, c.gamma(k), want*0x1p-51, "u = 2^-%d, k = %d", c.bits, k)
		}
	}
}

// Where γ is not defined, nothing is bounded.
func TestGammaWithoutBound(t *testing.T) {
	assert.Equal(t, math.Inf(1), roundoff.GammaSingle(1<<24))
	assert.Equal(t, math.Inf(1), roundoff.GammaSingle(1<<24+1))
	assert.Equal(t, math.Inf(1), roundoff.GammaSingle(math.MaxInt32))
	assert.Less(t, roundoff.Gamma(math.MaxInt32), 1e-6)
}

func ExampleGamma() {
	// A sum of a thousand products, each rounded a thousand times at most.
	fmt.Printf("%.3g in float64, %.3g in float32\n", roundoff.Gamma(1000), roundoff.GammaSingle(1000))
	// Output: 1.11e-13 in float64, 5.96e-05 in float32
}
