package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"lamcap/harness/compare"
	"lamcap/harness/progress"
	"lamcap/harness/table"
)

func newVerify(o *output) *cobra.Command {
	var options compare.Options
	c := &cobra.Command{
		Use:   "verify",
		Short: "Compare the theory with simulations of finite memories",
		Long: `Compare predictions with independent computations and with simulations of
finite memories. One to two minutes on two cores; --full takes some seven and
shows larger dimensions and more instances.

At full rank instances are decided: stored, with a witness, or not storable, with
a bound; the few that are neither within the budget are shown as undecided. At a
rank below full an instance that restarts do not store stays undecided, and the
tests hold for both readings.

Each row has predicted, measured, a 95% interval, the z and p-value of a test and
a verdict. The p-values of all rows are judged together (Holm): if the theory is
right, a run disagrees anywhere with a probability of about --rate at most. Below each
section stand wrong theories that the same data reject. json and csv hold one
record for each row and each rejection. Exit code 1 when a row disagrees.`,
		Example: `  lamcap verify
  lamcap verify --full --seed 2
  lamcap verify --format json | jq -c 'select(.verdict == "DISAGREES")'`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx, stop := interruptible()
			defer stop()
			total, err := compare.Instances(options)
			if err != nil {
				return err
			}
			bar := progress.New(o.stderr, "instances", total)
			options.Progress = bar
			report, err := compare.Verify(ctx, options)
			bar.Done()
			switch {
			case ctx.Err() != nil:
				return failure{errors.New("interrupted before the report was complete: nothing was printed")}
			case err != nil:
				return failure{err}
			}
			tables := report.Tables()
			if table.Format(o.format).Machine() {
				tables = []*table.Table{report.Records()}
			}
			if err := o.print(cmd.OutOrStdout(), tables...); err != nil {
				return err
			}
			if wrong := report.Disagreements(); len(wrong) > 0 {
				return failure{fmt.Errorf("%d rows disagree with the theory, the first: %s", len(wrong), wrong[0].Quantity)}
			}
			return nil
		},
	}
	seedFlag(c, &options.Seed, "seed of the draws")
	c.Flags().BoolVar(&options.Full, "full", false, "larger dimensions and more instances")
	options.Rate = compare.DefaultRate
	numberFlag(c, &options.Rate, "rate", probabilityRange(), "probability of any false alarm in a run")
	return c
}
