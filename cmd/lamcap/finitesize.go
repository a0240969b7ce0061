package main

import (
	"github.com/spf13/cobra"

	"lamcap/harness/predict"
	"lamcap/internal/numlist"
)

func newFiniteSize(o *output) *cobra.Command {
	var n string
	var expansion bool
	c := &cobra.Command{
		Use:   "finite-size",
		Short: "Capacity at n candidates, and its approach to the limit 1/2",
		Long: `The statistical dimension D_n of the winner-take-all cone with its error bound,
the exact full-rank capacity α_c = log n/D_n, its expansion for large n, Gardner's
form with the mean of the largest competitor as a threshold, and the limit 1/2.

--expansion shows how good the expansion is, in place of that: the error of D_n
by order at each n, as a series in 1/log n, as a series in 1/T with an implicit T,
and as a continued fraction; and what fits of α_c over a range of n extrapolate to
(fixed ranges, whatever --n).`,
		Example: `  lamcap finite-size --n 10,1e3,1e300
  lamcap finite-size --expansion`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			ns, err := numlist.Floats("n", n, candidateRange(false), maxRows)
			if err != nil {
				return err
			}
			if expansion {
				tables, err := predict.Expansion(ns)
				if err != nil {
					return err
				}
				return o.print(cmd.OutOrStdout(), tables...)
			}
			t, err := predict.FiniteSize(ns)
			if err != nil {
				return err
			}
			return o.print(cmd.OutOrStdout(), t)
		},
	}
	c.Flags().StringVar(&n, "n", "2,3,10,100,1e3,1e4,1e6,1e9,1e12,1e20,1e50,1e100,1e300", "candidates per input, 2 ≤ n ≤ 1e300")
	c.Flags().BoolVar(&expansion, "expansion", false, "the error of the expansion for large n, by order")
	return c
}
