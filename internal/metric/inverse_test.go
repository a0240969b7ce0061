package metric_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"lamcap/internal/metric"
)

// The product with the matrix and its ridge is 1, also for fewer vectors than
// dimensions.
func TestInverseOfMoments(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := rapid.IntRange(1, 9).Draw(t, "d")
		square := make([]float64, d*d)
		for range rapid.IntRange(1, 2*d).Draw(t, "vectors") {
			x := rapid.SliceOfN(rapid.Float64Range(0.5, 2), d, d).Draw(t, "x")
			for i := range d {
				for j := range d {
					square[i*d+j] += x[i] * x[j]
				}
			}
		}
		trace := 0.0
		for i := range d {
			trace += square[i*d+i]
		}
		inverse := metric.Inverse(append([]float64(nil), square...), d)
		for i := range d {
			square[i*d+i] += 0.01 * trace / float64(d)
		}
		for i := range d {
			for j := range d {
				sum := 0.0
				for k := range d {
					sum += square[i*d+k] * inverse[k*d+j]
				}
				want := 0.0
				if i == j {
					want = 1
				}
				// Condition numbers are at most 1 + d/0.01.
				if !(math.Abs(sum-want) < 1e-11) || inverse[i*d+j] != inverse[j*d+i] {
					t.Fatalf("entry %d, %d: %g, want %g", i, j, sum, want)
				}
			}
		}
	})
}

func TestNoInverse(t *testing.T) {
	assert.Nil(t, metric.Inverse(make([]float64, 9), 3))
	for _, x := range []float64{math.NaN(), math.Inf(1), -1} {
		assert.Nil(t, metric.Inverse([]float64{x, 0, 0, x}, 2), x)
	}
	assert.Panics(t, func() { metric.Inverse(make([]float64, 5), 2) })
}

func ExampleInverse() {
	inverse := metric.Inverse([]float64{2, 0, 0, 6}, 2) // 0.01·(2 + 6)/2 is added
	fmt.Printf("%.4f %.4f\n", inverse[0], inverse[3])
	// Output: 0.4902 0.1656
}
