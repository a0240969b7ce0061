package main

import (
	"context"

	"github.com/spf13/cobra"

	"lamcap/harness/measure"
	"lamcap/harness/scores"
	"lamcap/harness/table"
)

func newScores(o *output) *cobra.Command {
	var grid gridFlags
	var bins int
	c := &cobra.Command{
		Use:   "scores",
		Short: "Scores of trained memories, correct and wrong, against their laws",
		Long: `Train memories and compare their normalised scores, S/‖W‖_F, with the laws that
theory has for them: those of the targets, and the largest of the others.

Hebb's rule gives correct scores mean d/√p and variance 1 (hebb_limit; hebb_vector with
the finite d of W e_μ), and the largest wrong one is that of n − 1 normals. The
solution of largest margin (max_margin) raises correct scores to just above the level
that it pushes the largest competitors down to: they are narrow, and below √(2 log p).
Below capacity the cross-entropy tends to that solution. json and csv have √(2 log p),
E max of n − 1 normals and E m* beside them, and the Kolmogorov-Smirnov distance of
all scores together.

Errors, intervals and tests are over instances. With --bins: the histogram, and the
laws'.`,
		Example: `  lamcap scores --d 24 --p 60
  lamcap scores --d 24 --load 0.9 --rule maxmargin --model dp --bins 30`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			var ms []scores.Measurement
			err := grid.run(cmd, o, func(ctx context.Context, cells []measure.Cell, e measure.Experiment) (err error) {
				ms, err = scores.Run(ctx, cells, e)
				return err
			})
			if err != nil {
				return err
			}
			tables := []*table.Table{scores.Table(ms)}
			if bins > 0 {
				tables = append(tables, scores.Histogram(ms, bins))
			}
			return o.print(cmd.OutOrStdout(), tables...)
		},
	}
	grid.add(c, "24", "hebb,lbfgs,maxmargin", "0.5", 20)
	c.Flags().Var(&integer{"bins", 1, maxBins, &bins}, "bins", "bins of a histogram of the scores")
	return c
}
