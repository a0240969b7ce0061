package anisotropy_test

import (
	"fmt"

	"lamcap/internal/stream"
	"lamcap/saddle/anisotropy"
)

// A pool of 200 values with 20 entries: how many facts it takes at d_in = 20.
func ExamplePoolDimension() {
	rng := stream.New(1, "example", "", 0)
	values := make([]float64, 200*20)
	for i := range values {
		values[i] = rng.NormFloat64()
	}
	targets := make([]int, 80)
	for i := range targets {
		targets[i] = i
	}
	pool, err := anisotropy.PoolDimension(values, 20, targets, anisotropy.PoolOptions{Draws: 20})
	if err != nil {
		fmt.Println(err)
		return
	}
	critical, err := pool.Critical(20)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("rank %d, inside %v, p_c = %.0f ± %.0f\n", pool.Rank, pool.Inside, critical.Value, critical.Error)
	// Output:
	// rank 20, inside [], p_c = 68 ± 2
}
