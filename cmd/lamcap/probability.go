package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"lamcap/harness/predict"
	"lamcap/internal/numlist"
)

func newProbability(o *output) *cobra.Command {
	var memory memoryFlags
	var p, n, quantile string
	c := &cobra.Command{
		Use:   "probability",
		Short: "The whole transition: the probability that p facts can be stored",
		Long: `The probability that a memory can store p facts with n candidates each, exact for
score vectors that form a uniformly random subspace, and its normal form:

  P(storable) = 2 Σ_{j = N−1, N−3, …} c_j,   N = d_in d_out,

c the p-fold convolution of the conic intrinsic volumes of the winner-take-all cone
(Cover's theorem at n = 2). It holds for DP, where each input has its own candidates:
at full rank with the probability that a target lies inside the convex hull of its
competitors (small d_out); at --rank below full with N_eff for N, a prediction.

With --quantile instead of --p: the p stored with these probabilities, and the width
of the transition.`,
		Example: `  lamcap probability --d 24 --p 98:139:1
  lamcap probability --d-in 8 --d-out 72 --p 106,116,125 --format json
  lamcap probability --d 12,24,48,96,192 --quantile 0.01,0.5,0.99`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			memories, err := memory.memories(cmd)
			if err != nil {
				return err
			}
			given := cmd.Flags().Changed
			if given("p") == given("quantile") {
				return fmt.Errorf("want one of --p, numbers of facts, and --quantile, probabilities")
			}
			size, err := candidates(cmd, n)
			if err != nil {
				return err
			}
			if given("quantile") {
				probabilities, err := numlist.Floats("quantile", quantile, probabilityRange(), maxRows)
				if err != nil {
					return err
				}
				if err := combinations(axis("d", len(memories)), axis("quantile", len(probabilities))); err != nil {
					return err
				}
				tables, err := predict.Quantiles(predict.QuantileQuery{Memories: memories, Probabilities: probabilities, Candidates: size})
				if err != nil {
					return err
				}
				return o.print(cmd.OutOrStdout(), tables...)
			}
			facts, err := numlist.Floats("p", p, factsRange(), maxRows)
			if err != nil {
				return err
			}
			if err := combinations(axis("d", len(memories)), axis("p", len(facts))); err != nil {
				return err
			}
			t, err := predict.Probability(predict.ProbabilityQuery{Memories: memories, Facts: facts, Candidates: size})
			if err != nil {
				return err
			}
			return o.print(cmd.OutOrStdout(), t)
		},
	}
	c.Flags().SortFlags = false
	memory.add(c)
	c.Flags().StringVar(&p, "p", "", "numbers of facts: a list and ranges, 98:139:1")
	candidatesFlag(c, &n)
	c.Flags().StringVar(&quantile, "quantile", "", "probabilities: 0.01,0.5,0.99")
	return c
}

// probabilityRange is what a probability may be.
func probabilityRange() numlist.Range {
	return numlist.Range{Lo: 0, LoOpen: true, Hi: 1, HiOpen: true}
}
