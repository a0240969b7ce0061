package anisotropy_test

import (
	"fmt"
	"math"

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

// Word vectors have spectra like i^−½: the largest margin of 500 facts, the margin that the same
// traces would give if all directions were alike, and the directions it uses.
func ExampleMargin() {
	spectrum := make([]float64, 100)
	for i := range spectrum {
		spectrum[i] = 1 / math.Sqrt(float64(i+1))
	}
	m, err := anisotropy.Margin(anisotropy.Spectra{Keys: spectrum, Values: spectrum}, 500, 1000)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("margin %.4f (equal %.4f), N_eff %.0f of %.0f, Hebb's %.0f\n",
		m.Margin, m.Equal, m.Dimension, m.Weights, anisotropy.HebbDimension(spectrum, spectrum))
	// Output:
	// margin 0.2867 (equal 0.3388), N_eff 9561 of 10000, Hebb's 4438
}
