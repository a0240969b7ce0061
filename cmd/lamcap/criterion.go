package main

import (
	"fmt"
	"math"

	"github.com/spf13/cobra"

	"lamcap/harness/predict"
	"lamcap/harness/table"
	"lamcap/internal/numlist"
)

// criterionFlags are the words of the command line.
type criterionFlags struct {
	memory                    memoryFlags
	n, fraction, p, top, tail string
}

func newCriterion(o *output) *cobra.Command {
	var f criterionFlags
	c := &cobra.Command{
		Use:   "criterion",
		Short: "Capacity when some inputs may fail, for top-k and tail averages",
		Long: `Capacity by other criteria than that all inputs be recalled as the best of n:

  --fraction  facts that can be loaded when a fraction ε of them may fail
  --p         the smallest fraction that must fail at these loads
  --top       facts when the target need only be among the k best
  --tail      the convex surrogate: the correct score above the mean of the top
              fraction r of its competitors (needs no memory)

The first three sets are not convex: the numbers are replica-symmetric predictions
and, as p → ∞, upper bounds on what can be stored (lower bounds on failures).`,
		Example: `  lamcap criterion --d 24 --fraction 0,0.01,0.1,0.5
  lamcap criterion --d 24 --p 120:200:20
  lamcap criterion --d 24 --top 1,2,5,10
  lamcap criterion --tail 0.5,0.01,1e-6`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			tables, err := f.tables(cmd)
			if err != nil {
				return err
			}
			return o.print(cmd.OutOrStdout(), tables...)
		},
	}
	flags := c.Flags()
	flags.SortFlags = false
	f.memory.add(c)
	candidatesFlag(c, &f.n)
	flags.StringVar(&f.fraction, "fraction", "", "fractions that may fail, 0 ≤ ε < 1: 0,0.01,0.1")
	flags.StringVar(&f.p, "p", "", "numbers of facts: 120:200:20")
	flags.StringVar(&f.top, "top", "", "k ≥ 1: 1,2,5,10")
	flags.StringVar(&f.tail, "tail", "", "tail fractions r, 1e-300 ≤ r ≤ 1: 0.5,0.01")
	return c
}

// tables computes a table for each criterion asked for.
func (f *criterionFlags) tables(cmd *cobra.Command) ([]*table.Table, error) {
	given := cmd.Flags().Changed
	var tables []*table.Table
	if given("fraction") || given("p") || given("top") {
		memories, err := f.memory.memories(cmd)
		if err != nil {
			return nil, err
		}
		q := predict.CriterionQuery{Memories: memories}
		if q.Candidates, err = candidates(cmd, f.n); err != nil {
			return nil, err
		}
		if given("fraction") {
			fractions, err := numlist.Floats("fraction", f.fraction, numlist.Range{Lo: 0, Hi: 1, HiOpen: true}, maxRows)
			if err != nil {
				return nil, err
			}
			if err := combinations(axis("d", len(memories)), axis("fraction", len(fractions))); err != nil {
				return nil, err
			}
			t, err := predict.Fractions(fractions, q)
			if err != nil {
				return nil, err
			}
			tables = append(tables, t)
		}
		if given("p") {
			facts, err := numlist.Floats("p", f.p, factsRange(), maxRows)
			if err != nil {
				return nil, err
			}
			if err := combinations(axis("d", len(memories)), axis("p", len(facts))); err != nil {
				return nil, err
			}
			t, err := predict.Errors(facts, q)
			if err != nil {
				return nil, err
			}
			tables = append(tables, t)
		}
		if given("top") {
			ks, err := numlist.Ints("top", f.top, 1, math.MaxInt32, maxRows)
			if err != nil {
				return nil, err
			}
			if err := combinations(axis("d", len(memories)), axis("top", len(ks))); err != nil {
				return nil, err
			}
			t, err := predict.Top(ks, q)
			if err != nil {
				return nil, err
			}
			tables = append(tables, t)
		}
	}
	if given("tail") {
		fractions, err := numlist.Floats("tail", f.tail, numlist.Range{Lo: 1e-300, Hi: 1}, maxRows)
		if err != nil {
			return nil, err
		}
		t, err := predict.TailAverages(fractions)
		if err != nil {
			return nil, err
		}
		tables = append(tables, t)
	}
	if given("tail") && len(tables) == 1 {
		for _, other := range []string{"d", "d-in", "d-out", "rank", "n"} {
			if given(other) {
				return nil, fmt.Errorf("--%s: want it with --fraction, --p or --top; --tail is the limit of large d", other)
			}
		}
	}
	if tables == nil {
		return nil, fmt.Errorf("want a criterion: --fraction, --p, --top or --tail")
	}
	return tables, nil
}
