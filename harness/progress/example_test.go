package progress_test

import (
	"fmt"
	"os"

	"lamcap/harness/progress"
)

func Example() {
	report := progress.New(os.Stderr, "trials", 1000)
	stored := 0
	for trial := range 1000 {
		if trial%4 != 0 {
			stored++
		}
		report.Add(1)
	}
	report.Done()
	fmt.Println(stored)
	// Output: 750
}
