package quartercircle_test

import (
	"fmt"

	"lamcap/quartercircle"
)

// A memory that keeps a quarter of the rank keeps 62% of the capacity.
func ExampleCapacity() {
	alpha, err := quartercircle.Capacity(0.25)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("alpha_c(0.25) = %.12f\n", alpha)
	_, err = quartercircle.Capacity(1.2)
	fmt.Println(err)
	// Output:
	// alpha_c(0.25) = 0.311456275639
	// kappa = 1.2: want 0 < kappa ≤ 1
}

func ExampleKappa() {
	kappa, err := quartercircle.Kappa(0.25)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("half of the full capacity at kappa = %.12f\n", kappa)
	// Output: half of the full capacity at kappa = 0.181690113816
}

func ExampleRectangular_Capacity() {
	law, err := quartercircle.NewRectangular(0.5)
	if err != nil {
		fmt.Println(err)
		return
	}
	alpha, err := law.Capacity(0.25)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.12f, to 12 digits: %t\n", alpha.Value, alpha.Error < 1e-13)
	// Output: 0.253168697917, to 12 digits: true
}

func ExampleSpectra_EffectiveDimension() {
	spectra := quartercircle.NewSpectra()
	for _, rank := range []int{6, 12, 24} {
		n, err := spectra.EffectiveDimension(24, 24, rank)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("rank %d: %.1f weights\n", rank, n.Value)
	}
	// Output:
	// rank 6: 361.8 weights
	// rank 12: 516.6 weights
	// rank 24: 576.0 weights
}
