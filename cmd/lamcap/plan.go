package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"lamcap/harness/predict"
	"lamcap/internal/numlist"
)

func newPlan(o *output) *cobra.Command {
	var memory memoryFlags
	var facts, n, kappa, reliability string
	c := &cobra.Command{
		Use:   "plan",
		Short: "How big must a memory be, or how many facts fit",
		Long: `With --facts: the smallest square memory that stores that many facts, all of them,
with probability ≥ 0.99 (--probability), at full rank and at rank κd.
With a memory (--d, or --d-in and --d-out, and --rank): how many facts it stores.
Beside both stands what the limit p log p/d² = 1/2 would say.

Facts are pairs of Gaussian keys and values; every stored output competes (n = p)
unless --n says how many candidates there are.`,
		Example: `  lamcap plan --facts 50000
  lamcap plan --d 768
  lamcap plan --d-in 768 --d-out 3072 --rank 64`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			given := cmd.Flags().Changed
			var q predict.PlanQuery
			probability, err := numlist.Floats("probability", reliability, probabilityRange(), 1)
			if err != nil {
				return err
			}
			q.Reliability = probability[0]
			if q.Kappas, err = numlist.Floats("kappa", kappa, kappaRange(), maxRows); err != nil {
				return err
			}
			if q.Candidates, err = candidates(cmd, n); err != nil {
				return err
			}
			if given("facts") {
				for _, other := range []string{"d", "d-in", "d-out", "rank"} {
					if given(other) {
						return fmt.Errorf("want either --facts or a memory, got both --facts and --%s", other)
					}
				}
				p, err := numlist.Floats("facts", facts, factsRange(), maxRows)
				if err != nil {
					return err
				}
				if err := combinations(axis("facts", len(p)), axis("kappa", len(q.Kappas))); err != nil {
					return err
				}
				t, err := predict.PlanMemory(p, q)
				if err != nil {
					return err
				}
				return o.print(cmd.OutOrStdout(), t)
			}
			if !given("d") && !given("d-in") && !given("d-out") {
				return fmt.Errorf("want --facts, or a memory: --d, or --d-in and --d-out")
			}
			if given("rank") && given("kappa") {
				return fmt.Errorf("kappa = %s: want either --rank or --kappa", kappa)
			}
			memories, err := memory.memories(cmd)
			if err != nil {
				return err
			}
			if err := combinations(axis("d", len(memories)), axis("kappa", len(q.Kappas))); err != nil {
				return err
			}
			t, err := predict.PlanFacts(memories, q)
			if err != nil {
				return err
			}
			return o.print(cmd.OutOrStdout(), t)
		},
	}
	c.Flags().SortFlags = false
	c.Flags().StringVar(&facts, "facts", "", "how many facts to store: 50000 or a list")
	memory.add(c)
	c.Flags().StringVar(&kappa, "kappa", "1,0.5,0.25,0.125", "rank fractions, 0 < κ ≤ 1")
	c.Flags().StringVar(&reliability, "probability", "0.99", "with which all facts are to be stored")
	candidatesFlag(c, &n)
	return c
}
