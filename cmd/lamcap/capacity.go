package main

import (
	"strings"

	"github.com/spf13/cobra"

	"lamcap/extremes"
	"lamcap/harness/predict"
	"lamcap/internal/numlist"
)

// maxRows bounds the rows a list on the command line may ask for.
const maxRows = 100_000

// combinations refuses tables of more rows than a list may ask for.
func combinations(axes ...numlist.Axis) error { return numlist.Combinations(maxRows, axes...) }

func axis(name string, length int) numlist.Axis { return numlist.Axis{Name: name, Length: length} }

// candidateRange is what --n may hold.
func candidateRange(allowInf bool) numlist.Range {
	return numlist.Range{Lo: 2, Hi: extremes.MaxSize, Integer: true, AllowInf: allowInf}
}

// kappaRange is what a rank fraction may be.
func kappaRange() numlist.Range { return numlist.Range{Lo: 0, LoOpen: true, Hi: 1} }

func newCapacity(o *output) *cobra.Command {
	var kappa, n string
	var d int
	c := &cobra.Command{
		Use:   "capacity",
		Short: "Capacity by rank fraction κ, candidates n and dimension d",
		Long: `Capacity by rank fraction κ, number of candidates n and dimension d.

Loads are α = γ log n with γ = p/d² facts per weight. α_limit = I(κ)/2 is the limit
n → ∞; α_c = log n·I(κ)/D_n and γ_c = I(κ)/D_n hold at n candidates for d → ∞ at
fixed κ: exact at κ = 1, an upper bound and the prediction below. With --d also
what holds at that d: the rank m = κd (rounded, at least 1), the effective number
of weights N_eff and the capacity p_c in facts, p_c·D_n = N_eff.
Without --n, n = p (as many candidates as facts) when --d is given, else the limit.`,
		Example: `  lamcap capacity --kappa 0.25,0.5,1 --d 24
  lamcap capacity --kappa 0.1:1:0.1 --n 1e3,1e6,inf`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			kappas, err := numlist.Floats("kappa", kappa, kappaRange(), maxRows)
			if err != nil {
				return err
			}
			q := predict.CapacityQuery{Kappas: kappas, D: d}
			if n = strings.TrimSpace(n); cmd.Flags().Changed("n") {
				if q.Candidates, err = numlist.Floats("n", n, candidateRange(true), maxRows); err != nil {
					return err
				}
				if err := combinations(axis("kappa", len(kappas)), axis("n", len(q.Candidates))); err != nil {
					return err
				}
			}
			t, err := predict.Capacity(q)
			if err != nil {
				return err
			}
			return o.print(cmd.OutOrStdout(), t)
		},
	}
	c.Flags().StringVar(&kappa, "kappa", "1", "rank fractions, 0 < κ ≤ 1: a list and ranges, 0.25,0.5,1 or 0.1:1:0.1")
	c.Flags().StringVar(&n, "n", "", "candidates per input, 2 ≤ n ≤ 1e300 or inf: 1e3,1e6,inf")
	integerFlag(c, &d, "d", 1, "dimension of keys and values, d ≥ 1")
	return c
}
