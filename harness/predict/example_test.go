package predict_test

import (
	"fmt"
	"os"

	"lamcap/harness/predict"
	"lamcap/harness/table"
)

func ExampleCapacity() {
	t, err := predict.Capacity(predict.CapacityQuery{Kappas: []float64{0.25, 0.5, 1}})
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := table.Write(os.Stdout, table.Markdown, t); err != nil {
		fmt.Println(err)
	}
	// Output:
	// |    κ |   n |    α_limit |        α_c | γ_c |
	// | ---: | --: | ---------: | ---------: | --: |
	// | 0.25 | inf | 0.31145628 | 0.31145628 |   0 |
	// |  0.5 | inf | 0.44686540 | 0.44686540 |   0 |
	// |    1 | inf | 0.50000000 | 0.50000000 |   0 |
}
