package learn

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
)

// math.Exp is accurate to 1 ulp (1.1e-16 to 2.2e-16 relative), so agreement to
// 6e-16 shows an error below 4e-16 up to the reference's own.
func TestExp(t *testing.T) {
	const steps = 200_000
	x, got := make([]float64, steps+1), make([]float64, steps+1)
	for i := range x {
		x[i] = logTiny * float64(i) / steps
	}
	sum := newExpTable().shifted(got, x, 0)
	worst, want := 0.0, 0.0
	for i := range x {
		worst = max(worst, math.Abs(got[i]/math.Exp(x[i])-1))
		want += math.Exp(x[i])
	}
	assert.Less(t, worst, 6e-16)
	t.Logf("worst relative difference %.2g", worst)
	assert.InEpsilon(t, want, sum, 1e-14)
	assert.Equal(t, 1.0, got[0])
}

func TestExpEdges(t *testing.T) {
	got := make([]float64, 5)
	sum := newExpTable().shifted(got, []float64{5, 5 + 1.01*logTiny, math.Inf(-1), math.NaN(), 5 - 5e-324}, 5)
	assert.Equal(t, []float64{1, 0, 0}, got[:3])
	assert.True(t, math.IsNaN(got[3]) && math.IsNaN(sum))
	assert.Equal(t, 1.0, got[4])
}

func BenchmarkExp(b *testing.B) {
	x := make([]float64, 128)
	for i := range x {
		x[i] = -float64(i) / 10
	}
	dst := make([]float64, len(x))
	b.Run("table", func(b *testing.B) {
		table := newExpTable()
		for range b.N {
			table.shifted(dst, x, 0)
		}
	})
	b.Run("math", func(b *testing.B) {
		for range b.N {
			for i, v := range x {
				dst[i] = math.Exp(v)
			}
		}
	})
}
