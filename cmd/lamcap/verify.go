package main

import (
	"context"
	"fmt"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"lamcap/harness/compare"
	"lamcap/harness/progress"
	"lamcap/internal/numlist"
)

func newVerify(o *output) *cobra.Command {
	var seedText string
	var options compare.Options
	c := &cobra.Command{
		Use:   "verify",
		Short: "Compare the theory with simulations of finite memories",
		Long: `Compare parameter-free predictions with independent computations and with
simulations, every instance of which is decided. About a minute on two cores;
--full takes longer and shows more.

Each row has predicted, measured, a 95% interval, the z and p-value of an exact
test and a verdict. The verdicts of all rows are judged together (Holm): if the
theory is right, a run disagrees anywhere with a probability below --rate.
Exit code 1 when a row disagrees.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			seed, err := numlist.Uint64("seed", seedText)
			if err != nil {
				return err
			}
			options.Seed = seed
			if !(options.Rate > 0 && options.Rate < 1) {
				return fmt.Errorf("rate = %v: want 0 < rate < 1, the probability of any false alarm", options.Rate)
			}
			total, err := compare.Instances(options)
			if err != nil {
				return err
			}
			ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
			defer stop()
			bar := progress.New(o.stderr, "instances", total)
			options.Progress = bar
			report, err := compare.Verify(ctx, options)
			bar.Done()
			if err != nil {
				return failure{err}
			}
			if err := o.print(cmd.OutOrStdout(), report.Tables()...); err != nil {
				return err
			}
			if wrong := report.Disagreements(); len(wrong) > 0 {
				return failure{fmt.Errorf("%d rows disagree with the theory, the first: %s", len(wrong), wrong[0].Quantity)}
			}
			return nil
		},
	}
	c.Flags().StringVar(&seedText, "seed", "1", "any 64-bit number, decimal or 0x hexadecimal")
	c.Flags().BoolVar(&options.Full, "full", false, "larger dimensions and more instances")
	c.Flags().Float64Var(&options.Rate, "rate", compare.DefaultRate, "probability of any false alarm in a run")
	return c
}
