package main

import (
	"fmt"
	"math"
	"strings"

	"github.com/spf13/cobra"

	"lamcap/harness/predict"
	"lamcap/internal/numlist"
	"lamcap/saddle"
)

func newSaddle(o *output) *cobra.Command {
	var memory memoryFlags
	var p, n, ridge, loss, embedding, scores string
	q := predict.SaddleQuery{}
	c := &cobra.Command{
		Use:   "saddle",
		Short: "Accuracy, loss, norm and scores, below and beyond capacity",
		Long: `The minimum of the training loss for p facts, from the saddle point of its free
energy: accuracy, mean loss, norm of W, and mean and standard deviation of the
correct score and of the largest wrong one, each with its error.

The loss is summed over inputs, with the ridge (λ/2)‖W‖² if one is given. phase says
what the minimum is: unstorable (beyond capacity, a finite W), storable (below, no
finite minimum of the cross-entropy: the max-margin solution is what training tends
to, its scores are given in units of ‖W‖), storable_ridge (below capacity, made
finite by the ridge) or zero (the hinge at loads where W = 0 is its minimiser).

Level score is the limit d → ∞ at the load p/N, with bounds on errors; level vector
knows d_out and the embeddings, by Monte Carlo, with standard errors (error_kind).
Level corrected is score level to first order in 1/d, without draws, for the
cross-entropy where W is finite; its errors are estimates of the next order, and it
has no largest wrong score (null in JSON). It is refused where the first order
changes ‖W‖, χ or the spread of scores by more than a half, as close to capacity.

With --scores: density and distribution function of the correct score and of the
largest wrong one at these values (one memory, one p, one ridge), at levels
score and vector.`,
		Example: `  lamcap saddle --d 48 --p 300,422,527,703
  lamcap saddle --d 24 --p 139 --ridge 0.1,1,10
  lamcap saddle --d 48 --p 422 --scores 0:14:1 --format csv`,
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
			if q.Loss, err = saddle.ParseLoss(loss); err != nil {
				return err
			}
			if q.Keys, q.Values, err = embeddings(embedding); err != nil {
				return err
			}
			ridges, err := numlist.Floats("ridge", ridge, numlist.Range{Lo: 0, Hi: math.MaxFloat64}, maxRows)
			if err != nil {
				return err
			}
			if err := combinations(axis("d", len(q.Memories)), axis("p", len(q.Facts)), axis("ridge", len(ridges))); err != nil {
				return err
			}
			q.Ridges = ridges
			if cmd.Flags().Changed("scores") {
				if len(q.Facts) != 1 || len(q.Memories) != 1 || len(ridges) != 1 {
					return fmt.Errorf("scores = %s: want it with one memory, one p and one ridge, got %d, %d and %d", scores, len(q.Memories), len(q.Facts), len(ridges))
				}
				at, err := numlist.Floats("scores", scores, numlist.Range{Lo: math.Inf(-1), Hi: math.Inf(1)}, maxRows)
				if err != nil {
					return err
				}
				t, err := predict.SaddleScores(q, at)
				if err != nil {
					return err
				}
				return o.print(cmd.OutOrStdout(), t)
			}
			t, err := predict.Saddles(q)
			if err != nil {
				return err
			}
			return o.print(cmd.OutOrStdout(), t)
		},
	}
	c.Flags().SortFlags = false
	memory.add(c)
	c.Flags().StringVar(&p, "p", "", "numbers of facts: 422 or 300:700:100")
	candidatesFlag(c, &n)
	c.Flags().StringVar(&ridge, "ridge", "0", "ridges λ ≥ 0 of the objective Σ ℓ + (λ/2)‖W‖²: 0,0.1,1")
	c.Flags().StringVar(&loss, "loss", saddle.CrossEntropy.String(), strings.Join(saddle.Losses(), "|"))
	c.Flags().StringVar(&q.Level, "level", predict.ScoreLevel, strings.Join(predict.Levels(), "|"))
	c.Flags().StringVar(&scores, "scores", "", "scores at which to give their laws: 0:14:1")
	embeddingFlag(c, &embedding)
	q.Precision = 0.01
	numberFlag(c, &q.Precision, "precision", numlist.Range{Lo: 1e-3, Hi: 1, HiOpen: true}, "relative standard error at level vector")
	seedFlag(c, &q.Seed, "seed of the draws at level vector")
	return c
}
