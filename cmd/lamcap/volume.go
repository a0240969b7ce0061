package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"lamcap/harness/predict"
	"lamcap/internal/numlist"
)

func newVolume(o *output) *cobra.Command {
	var memory memoryFlags
	var p, n string
	q := predict.VolumeQuery{}
	c := &cobra.Command{
		Use:   "volume",
		Short: "The volume of solutions below capacity: their overlap and entropy",
		Long: `What fraction of all W stores p facts, and how much alike two such W are, from the
replica-symmetric saddle point of the log of their volume per weight,

    Φ(q) = ½ log(1 − q) + q/(2(1 − q)) + γ E log P(√q t + √(1 − q) z ∈ C_n),

γ = p/(d_in d_out).

The overlap q is the cosine between two W that are uniform among those that store
everything: 2α in the limit (α = γ log n), at finite n below it, and 1 at capacity,
beyond which there is no W. Solutions form a convex cone: replica symmetry holds.

This is the score level, d → ∞ at fixed load; at d = 8 to 12 overlaps are some 0.006
smaller (lamcap verify, section i). Errors are standard errors of the sampled
disorder, t, and fall like 1/√draws. It takes seconds; more for larger n.

At a --rank below full only the capacity is known: such matrices are no linear space.`,
		Example: `  lamcap volume --d 24 --p 20,60,100
  lamcap volume --d-in 48 --d-out 24 --p 100 --n 20 --draws 300 --format json`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			var err error
			if q.Memories, err = memory.memories(cmd); err != nil {
				return err
			}
			if q.Candidates, err = candidates(cmd, n); err != nil {
				return err
			}
			if !cmd.Flags().Changed("p") {
				return fmt.Errorf("p is missing: give --p, numbers of facts")
			}
			if q.Facts, err = numlist.Floats("p", p, factsRange(), maxRows); err != nil {
				return err
			}
			if err := combinations(axis("d", len(q.Memories)), axis("p", len(q.Facts))); err != nil {
				return err
			}
			t, err := predict.Volumes(q)
			if err != nil {
				return err
			}
			return o.print(cmd.OutOrStdout(), t)
		},
	}
	c.Flags().SortFlags = false
	memory.add(c)
	c.Flags().StringVar(&p, "p", "", "numbers of facts below p_c: 60 or 20:100:20")
	candidatesFlag(c, &n)
	integerFlag(c, &q.Draws, "draws", 100, "draws of the disorder (default 1000)")
	seedFlag(c, &q.Seed, "seed of the draws")
	return c
}
