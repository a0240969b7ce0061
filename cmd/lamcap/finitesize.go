package main

import (
	"github.com/spf13/cobra"

	"lamcap/harness/predict"
	"lamcap/internal/numlist"
)

func newFiniteSize(o *output) *cobra.Command {
	var n string
	c := &cobra.Command{
		Use:   "finite-size",
		Short: "The exact capacity at n candidates and its approach to the limit 1/2",
		Long: `The statistical dimension D_n of the winner-take-all cone with its error bound,
the exact full-rank capacity α_c = log n/D_n, its expansion for large n, Gardner's
form with the mean of the largest competitor as a threshold, and the limit 1/2.`,
		Example: `  lamcap finite-size --n 10,1e3,1e300`,
		Args:    noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			ns, err := numlist.Floats("n", n, candidateRange(false), maxRows)
			if err != nil {
				return err
			}
			t, err := predict.FiniteSize(ns)
			if err != nil {
				return err
			}
			return o.print(cmd.OutOrStdout(), t)
		},
	}
	c.Flags().StringVar(&n, "n", "2,3,10,100,1e3,1e4,1e6,1e9,1e12,1e20,1e50,1e100,1e300", "candidates per input, 2 ≤ n ≤ 1e300")
	return c
}
