package main

import (
	"fmt"
	"math"

	"github.com/spf13/cobra"

	"lamcap/extremes"
	"lamcap/harness/predict"
	"lamcap/internal/numlist"
)

// memoryFlags say which memories a prediction is for.
type memoryFlags struct {
	d               string
	dIn, dOut, rank int
}

func (f *memoryFlags) add(c *cobra.Command) {
	flags := c.Flags()
	flags.StringVar(&f.d, "d", "", "dimension of keys and values: a list, 12,24,48")
	integerFlag(c, &f.dIn, "d-in", 1, "dimension of keys (default d)")
	integerFlag(c, &f.dOut, "d-out", 1, "dimension of values (default d)")
	integerFlag(c, &f.rank, "rank", 1, "rank m of W = QRᵀ (default full)")
}

// memories reads the flags: one memory for each d, or the one of d-in and d-out.
func (f *memoryFlags) memories(cmd *cobra.Command) ([]predict.Memory, error) {
	given := cmd.Flags().Changed
	dimensions := []int{0}
	if given("d") {
		var err error
		if dimensions, err = numlist.Ints("d", f.d, 1, math.MaxInt32, maxRows); err != nil {
			return nil, err
		}
	} else if !(given("d-in") && given("d-out")) {
		return nil, fmt.Errorf("d is missing: give --d, or both --d-in and --d-out")
	}
	if given("d-in") && given("d-out") && given("d") {
		return nil, fmt.Errorf("d = %s: want --d, or both --d-in and --d-out, not all three", f.d)
	}
	var out []predict.Memory
	for _, d := range dimensions {
		m := predict.Memory{In: d, Out: d, Rank: f.rank}
		if given("d-in") {
			m.In = f.dIn
		}
		if given("d-out") {
			m.Out = f.dOut
		}
		out = append(out, m)
	}
	return out, nil
}

// candidatesFlag adds --n, one number of candidates; without it n = p.
func candidatesFlag(c *cobra.Command, text *string) {
	c.Flags().StringVar(text, "n", "", "candidates per input, the target among them, 2 ≤ n ≤ 1e300 (default p)")
}

// candidates reads --n; 0 stands for n = p.
func candidates(cmd *cobra.Command, text string) (float64, error) {
	if !cmd.Flags().Changed("n") {
		return 0, nil
	}
	n, err := numlist.Floats("n", text, candidateRange(false), 1)
	if err != nil {
		return 0, err
	}
	return n[0], nil
}

// factsRange is what --p may hold in predictions.
func factsRange() numlist.Range {
	return numlist.Range{Lo: 1, Hi: extremes.MaxSize, Integer: true}
}
