package extremes_test

import (
	"fmt"
	"math"

	"lamcap/extremes"
)

// The exact capacity with a million candidates: 41% above the limit 1/2.
func ExampleConeDimension() {
	const n = 1e6
	d, err := extremes.ConeDimension(n)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("D = %.10f, alpha_c = %.10f\n", d.Value, math.Log(n)/d.Value)
	fmt.Println("all digits certain:", d.Error < 5e-11)
	// Output:
	// D = 19.5975875365, alpha_c = 0.7049597575
	// all digits certain: true
}

func ExampleIntrinsicVolumes() {
	v, err := extremes.IntrinsicVolumes(4)
	if err != nil {
		fmt.Println(err)
		return
	}
	for k, p := range v.Mass {
		fmt.Printf("P(|A| = %d) = %.12f\n", k, p)
	}
	// Output:
	// P(|A| = 0) = 0.250000000000
	// P(|A| = 1) = 0.456130085977
	// P(|A| = 2) = 0.250000000000
	// P(|A| = 3) = 0.043869914023
}

// Skewness and excess kurtosis of the number of tight constraints at the end of the
// supported range: nearly, but not quite, normal.
func ExampleVolumes_Cumulant() {
	v, err := extremes.IntrinsicVolumes(1e300)
	if err != nil {
		fmt.Println(err)
		return
	}
	variance := v.Variance().Value
	fmt.Printf("D = %.9f, V = %.6f\n", v.Mean().Value, variance)
	fmt.Printf("skewness %.6f, excess %.6f\n", v.Cumulant(3).Value/math.Pow(variance, 1.5), v.Cumulant(4).Value/(variance*variance))
	// Output:
	// D = 1361.060721751, V = 2712.165313
	// skewness 0.038347, excess 0.001470
}

func ExampleMaximumMean() {
	n, err := extremes.SizeFromLog(100 * math.Ln10)
	if err != nil {
		fmt.Println(err)
		return
	}
	mean, err := extremes.MaximumMean(n)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("the largest of 1e100 normals: %.12f\n", mean.Value)
	// Output: the largest of 1e100 normals: 21.300425915226
}

// A probability far below the smallest float64, by its log.
func ExampleLogSurvival() {
	l := extremes.LogSurvival(1000)
	x, err := extremes.SurvivalQuantile(l)
	fmt.Printf("log Q(1000) = %.10f, back to %.10f, %v\n", l, x, err)
	// Output: log Q(1000) = -500007.8266948122, back to 1000.0000000000, <nil>
}
