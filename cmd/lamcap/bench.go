package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"lamcap/harness/bench"
	"lamcap/harness/progress"
)

func newBench(o *output) *cobra.Command {
	var options bench.Options
	c := &cobra.Command{
		Use:   "bench",
		Short: "Measure how fast this machine trains and decides",
		Long: `Measure, as medians over repeats in one run: what the registers can do and what
matrix products reach; a full-batch Adam step; and the time until an instance is
decided with proof, at loads of 0.9 to 1.03 of the capacity. d = 64, 128 and 256,
with --full 512. It takes some minutes, with --full half an hour.

--torch does the same in PyTorch where it is installed, in turns: the step, and
full-batch Adam until all is recalled at the best of a grid of learning rates.

LAMCAP_SIMD = portable, avx2 or avx512 forces an instruction set in steps and
decisions. Figures hold for this machine and how busy it is: compare ratios.`,
		Example: `  lamcap bench
  lamcap bench --part steps,decisions --torch python3`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			// Not as if they were not given: an empty variable of a script, say.
			switch given := cmd.Flags().Changed; {
			case given("part") && len(options.Parts) == 0:
				return errors.New(`part = "": want kernels, steps or decisions`)
			case given("torch") && options.Torch == "":
				return errors.New(`torch = "": want a Python interpreter`)
			}
			if err := options.Validate(); err != nil {
				return err
			}
			ctx, stop := interruptible()
			defer stop()
			bar := progress.New(o.stderr, "measurements", 0)
			if bar != nil {
				options.Progress = bar
			}
			tables, err := bench.Run(ctx, options)
			bar.Done()
			switch {
			case err != nil && ctx.Err() != nil:
				return failure{errors.New("interrupted before all was measured: nothing was printed")}
			case errors.Is(err, bench.ErrTorch):
				return err
			case err != nil:
				return failure{err}
			}
			return o.print(cmd.OutOrStdout(), tables...)
		},
	}
	flags := c.Flags()
	flags.SortFlags = false
	flags.StringSliceVar(&options.Parts, "part", nil, "kernels, steps, decisions (default all)")
	flags.BoolVar(&options.Full, "full", false, "d = 512 too")
	integerFlag(c, &options.Repeats, "repeats", 1, fmt.Sprintf("measurements behind each median of kernels and steps (default %d); decisions: 5, 3, 1 instances at d ≤ 128, 256, 512", bench.DefaultRepeats))
	flags.StringVar(&options.Torch, "torch", "", "`PYTHON` interpreter whose PyTorch is measured beside")
	seedFlag(c, &options.Seed, "seed of the draws")
	return c
}
