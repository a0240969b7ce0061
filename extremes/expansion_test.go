package extremes

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// What the expansion leaves out of D_n falls like (log log n)/log n: in that
// unit it stays between 2 and 4 from 1e4 to 1e300.
func TestExpansionRemainder(t *testing.T) {
	last := math.Inf(1)
	for _, exponent := range []float64{4, 8, 20, 50, 100, 200, 300} {
		logN := exponent * math.Ln10
		n, err := SizeFromLog(logN)
		require.NoError(t, err)
		d, err := ConeDimension(n)
		require.NoError(t, err)
		remainder := d.Value - ConeDimensionExpansion(logN)
		assert.Positive(t, remainder)
		assert.Less(t, remainder, last)
		last = remainder
		unit := math.Log(logN) / logN
		assert.Greater(t, remainder/unit, 2.0, "n = 1e%v", exponent)
		assert.Less(t, remainder/unit, 5.0, "n = 1e%v", exponent)
		switch exponent {
		case 8:
			assert.InDelta(t, 0.65, remainder, 0.005)
		case 100:
			assert.InDelta(t, 0.10, remainder, 0.005)
		}
	}
}

func TestCapacityExpansion(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		logN := rapid.Float64Range(5, 700).Draw(t, "log n")
		got, want := CapacityExpansion(logN), logN/ConeDimensionExpansion(logN)
		if !(math.Abs(got-want) <= 1e-14*want) {
			t.Fatalf("log n = %v: α = %v, log n/D = %v", logN, got, want)
		}
	})
}
