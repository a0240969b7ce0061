package extremes

import (
	"fmt"
	"testing"
)

func BenchmarkConeVariance(b *testing.B) {
	for _, n := range []float64{4, 100, 1e6, 1e20, 1e300} {
		b.Run(fmt.Sprintf("n=%g", n), func(b *testing.B) {
			for b.Loop() {
				if _, err := ConeVariance(n); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkMarginMoments(b *testing.B) {
	for _, n := range []float64{4, 100, 1e6, 1e20, 1e300} {
		b.Run(fmt.Sprintf("n=%g", n), func(b *testing.B) {
			for b.Loop() {
				if _, err := (MarginCone{N: n, Margin: 1}).Moments(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
