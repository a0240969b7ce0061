package quartercircle_test

import (
	"testing"

	"lamcap/quartercircle"
)

// A table α_c(κ) of 10,000 rank fractions.
func BenchmarkCapacityTable(b *testing.B) {
	const rows = 10_000
	table := make([]float64, rows)
	for b.Loop() {
		for i := range table {
			alpha, err := quartercircle.Capacity(float64(i+1) / rows)
			if err != nil {
				b.Fatal(err)
			}
			table[i] = alpha
		}
	}
}
