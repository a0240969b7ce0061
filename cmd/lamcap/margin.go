package main

import (
	"fmt"
	"math"

	"github.com/spf13/cobra"

	"lamcap/extremes"
	"lamcap/harness/predict"
	"lamcap/internal/numlist"
)

func newMargin(o *output) *cobra.Command {
	var memory memoryFlags
	var p, n, margin, scores, embedding string
	q := predict.MarginQuery{}
	c := &cobra.Command{
		Use:   "margin",
		Short: "The max-margin solution below capacity: margin and scores",
		Long: `The largest margin K* that p facts can be stored with, p D_n(K*) = N, and the scores
of the solution that reaches it, in units of ‖W‖_F: mean and standard deviation of
the correct score, tight constraints per input.

This is the score level, exact as d → ∞ at fixed load. Lengths have finite-d
corrections that it lacks: at d = 24 the largest margins of Gaussian instances are
about 20% smaller (10 to 13% with embeddings of norm √d), that of the correct score
10 to 14%, and its standard deviation is 1.5 to 1.9 times as large. (lamcap train
stops at the first W that stores everything: its margin is not the largest.)

With --level vector: exact for d_in → ∞ at the given d_out, for keys and values of
the given --embedding, by Monte Carlo to the relative standard error --precision;
*_error are then standard errors (error_kind). Gaussian keys enter with the spread of
their lengths in d_in dimensions.

With --level corrected: the same margin without draws, the same for every seed: exact
for Gaussian values; for values of norm √d to first order in 1/d_out, with an estimate
of what is beyond. It has no scores, and tight constraints for Gaussian values only.

With --margin instead of --p: the load at which the margin is K.
With --scores: the laws of the scores at these values (one memory, one p).`,
		Example: `  lamcap margin --d 24 --p 60
  lamcap margin --d 24 --margin 0,0.5,1
  lamcap margin --d 24 --p 60 --level vector --embedding sphere
  lamcap margin --d 24 --p 60 --level corrected --embedding sphere,gaussian
  lamcap margin --d 24 --p 60 --scores 0:4:0.25 --format csv`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			memories, err := memory.memories(cmd)
			if err != nil {
				return err
			}
			given := cmd.Flags().Changed
			if given("p") == given("margin") {
				return fmt.Errorf("want one of --p, numbers of facts, and --margin, margins")
			}
			if given("scores") && given("margin") {
				return fmt.Errorf("scores = %s: want it with --p, not with --margin", scores)
			}
			q.Memories = memories
			if err := marginLevel(cmd, &q, embedding); err != nil {
				return err
			}
			if q.Candidates, err = candidates(cmd, n); err != nil {
				return err
			}
			if given("margin") {
				margins, err := numlist.Floats("margin", margin, numlist.Range{Lo: 0, Hi: extremes.MaxMargin}, maxRows)
				if err != nil {
					return err
				}
				if err := combinations(axis("d", len(memories)), axis("margin", len(margins))); err != nil {
					return err
				}
				t, err := predict.FactsAtMargins(margins, q)
				if err != nil {
					return err
				}
				return o.print(cmd.OutOrStdout(), t)
			}
			facts, err := numlist.Floats("p", p, factsRange(), maxRows)
			if err != nil {
				return err
			}
			if err := combinations(axis("d", len(memories)), axis("p", len(facts))); err != nil {
				return err
			}
			if given("scores") {
				if len(facts) != 1 || len(memories) != 1 {
					return fmt.Errorf("scores = %s: want it with one memory and one p, got %d and %d", scores, len(memories), len(facts))
				}
				at, err := numlist.Floats("scores", scores, numlist.Range{Lo: math.Inf(-1), Hi: math.Inf(1)}, maxRows)
				if err != nil {
					return err
				}
				t, err := predict.Scores(memories[0], facts[0], at, q.Candidates)
				if err != nil {
					return err
				}
				return o.print(cmd.OutOrStdout(), t)
			}
			t, err := predict.Margins(facts, q)
			if err != nil {
				return err
			}
			return o.print(cmd.OutOrStdout(), t)
		},
	}
	c.Flags().SortFlags = false
	memory.add(c)
	c.Flags().StringVar(&p, "p", "", "numbers of facts below p_c: 60 or 40:100:20")
	candidatesFlag(c, &n)
	c.Flags().StringVar(&margin, "margin", "", "margins K ≥ 0 in units of ‖W‖_F: 0,0.5,1")
	c.Flags().StringVar(&scores, "scores", "", "scores at which to give the laws: 0:4:0.25")
	c.Flags().StringVar(&q.Level, "level", "score", "score (d → ∞), vector or corrected (finite d_out, d_in → ∞)")
	embeddingFlag(c, &embedding)
	q.Precision = 0.01
	numberFlag(c, &q.Precision, "precision", numlist.Range{Lo: 1e-3, Hi: 1, HiOpen: true}, "relative standard error of margins at level vector")
	seedFlag(c, &q.Seed, "seed of the draws at level vector")
	return c
}

// marginLevel reads the flags of the levels that know d_out, and refuses those that
// have no meaning.
func marginLevel(cmd *cobra.Command, q *predict.MarginQuery, embedding string) (err error) {
	given := cmd.Flags().Changed
	drawn, vectors := q.Level == predict.VectorLevel, q.Level == predict.VectorLevel || q.Level == predict.CorrectedLevel
	if vectors && given("scores") {
		return fmt.Errorf("scores: want them with --level score")
	}
	if given("embedding") && !vectors {
		return fmt.Errorf("embedding: want it with --level vector or corrected; the score level does not depend on it")
	}
	for _, name := range []string{"precision", "seed"} {
		if given(name) && !drawn {
			return fmt.Errorf("%s: want it with --level vector; others have no draws", name)
		}
	}
	if !vectors {
		return nil
	}
	q.Keys, q.Values, err = embeddings(embedding)
	return err
}
