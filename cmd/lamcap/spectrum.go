package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"lamcap/harness/measure"
	"lamcap/harness/spectrum"
	"lamcap/harness/table"
)

// fullSpectrum is the grid of --full, for flags that are not given.
var fullSpectrum = map[string]string{"d": "12,24,48,96", "kappa": "0.25,0.5,0.75,1", "load": "0.6,0.9,1.2,2", "trials": "40"}

func newSpectrum(o *output) *cobra.Command {
	var grid gridFlags
	var references, bins int
	var values, full bool
	c := &cobra.Command{
		Use:   "spectrum",
		Short: "Singular values of trained memories against the quarter circle",
		Long: `Train memories and compare their singular values, rescaled by the norm of W, with
the law that W is predicted to have at capacity: the quarter circle, at a rank m
below full cut to its top κ = m/d (Marchenko and Pastur's law for d_in ≠ d_out).

Distances are Kolmogorov and Smirnov's, sup |F_m − F|, and Wasserstein's W₁,
∫ |F_m − F| dx. Those of Gaussian matrices of the same size, cut and rescaled
likewise, stand beside them, and z says how far the means of both are apart. At a
rank below full so do those from the law of a product of Gaussian factors, with
which training begins, and from the law without its cut.

Beyond capacity training goes to the minimum of the cross-entropy; below, where there
is none, until the mean loss is --loss-tolerance; rule maxmargin goes to the largest
margin. With two or more d a second table fits how distances decrease.

With --values: the singular values themselves; or, with --histogram, how many are in
bins. --full is a larger grid: several minutes.`,
		Example: `  lamcap spectrum --d 24,48 --load 0.9,1.2
  lamcap spectrum --d 24 --kappa 0.25,0.5,0.75 --model dp --values --format csv
  lamcap spectrum --d 24 --rule lbfgs,adam,maxmargin --load 0.9`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if values && bins > 0 {
				return fmt.Errorf("histogram = %d: want --values or --histogram, not both", bins)
			}
			if full {
				for name, value := range fullSpectrum {
					if !cmd.Flags().Changed(name) && !(name == "kappa" && cmd.Flags().Changed("rank")) && !(name == "load" && cmd.Flags().Changed("p")) {
						if err := cmd.Flag(name).Value.Set(value); err != nil {
							return err
						}
					}
				}
			}
			var ms []spectrum.Measurement
			err := grid.run(cmd, o, func(ctx context.Context, cells []measure.Cell, e measure.Experiment) (err error) {
				ms, err = spectrum.Run(ctx, cells, spectrum.Options{
					Trials: e.Trials, References: references, Seed: e.Seed, Training: e.Training, Tick: e.Tick,
				})
				return err
			})
			if err != nil {
				return err
			}
			tables := []*table.Table{spectrum.Table(ms)}
			if exponents := spectrum.Exponents(ms); len(exponents.Rows) > 0 {
				tables = append(tables, exponents)
			}
			if values || bins > 0 {
				tables = nil
			}
			if values {
				tables = append(tables, spectrum.Profile(ms))
			}
			if bins > 0 {
				tables = append(tables, spectrum.Histogram(ms, bins))
			}
			return o.print(cmd.OutOrStdout(), tables...)
		},
	}
	grid.add(c, "24", "lbfgs", "0.9,1.2", 20)
	references = 1000
	c.Flags().Var(&integer{"references", 2, maxTrials, &references}, "references", "Gaussian matrices of each size")
	c.Flags().BoolVar(&values, "values", false, "the singular values, in place of their distances")
	c.Flags().Var(&integer{"histogram", 1, maxBins, &bins}, "histogram", "bins of a histogram, in place of distances")
	c.Flags().BoolVar(&full, "full", false, fmt.Sprintf("d = %s, κ = %s, p/p_c = %s, %s instances, where not given",
		fullSpectrum["d"], fullSpectrum["kappa"], fullSpectrum["load"], fullSpectrum["trials"]))
	return c
}
