package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/spf13/cobra"

	"lamcap/harness/learn"
	"lamcap/harness/measure"
	"lamcap/harness/pattern"
	"lamcap/harness/progress"
	"lamcap/internal/numlist"
	"lamcap/quartercircle"
)

// gridFlags say which memories to train and measure.
type gridFlags struct {
	d, model, rule, kappa, load, p string
	embedding                      string
	seed                           uint64
	dIn, dOut, rank                int
	trials, evaluations, restarts  int
	lossTolerance                  float64
}

// add adds them; d, rules and loads are what is measured unless they are given.
func (f *gridFlags) add(c *cobra.Command, d, rules, loads string, trials int) {
	flags := c.Flags()
	flags.SortFlags = false
	flags.StringVar(&f.d, "d", d, "dimension of keys and values: a list, 12,24,48")
	integerFlag(c, &f.dIn, "d-in", 1, "dimension of keys (default d)")
	integerFlag(c, &f.dOut, "d-out", 1, "dimension of values (default d)")
	flags.StringVar(&f.model, "model", "dp,op", "op (one shared pool), dp (a pool for each input) or both")
	flags.StringVar(&f.rule, "rule", rules, "rules: hebb, descent, adam, lbfgs, maxmargin")
	flags.StringVar(&f.kappa, "kappa", "1", "ranks as fractions of the smaller dimension: 0.25,0.5,1")
	integerFlag(c, &f.rank, "rank", 1, "rank m of W = QRᵀ, in place of --kappa")
	flags.StringVar(&f.load, "load", loads, "loads p/p_c: 0.9,1.2")
	flags.StringVar(&f.p, "p", "", "numbers of facts, in place of --load")
	embeddingFlag(c, &f.embedding)
	f.trials = trials
	flags.Var(&integer{"trials", 1, maxTrials, &f.trials}, "trials", "instances of each row")
	seedFlag(c, &f.seed, "seed of the draws")
	integerFlag(c, &f.evaluations, "max-evaluations", 1, fmt.Sprintf("budget of a training in passes over the data (default %d, adam and descent %d)", measure.DefaultEvaluations, measure.DefaultSteps))
	integerFlag(c, &f.restarts, "restarts", 1, fmt.Sprintf("random starts at a rank below full (default %d)", measure.DefaultRestarts))
	positiveFlag(c, &f.lossTolerance, "loss-tolerance", fmt.Sprintf("mean loss at which training below capacity ends (default %v)", measure.DefaultLossTolerance))
}

// cells reads the flags.
func (f *gridFlags) cells(cmd *cobra.Command) ([]measure.Cell, error) {
	given := cmd.Flags().Changed
	if given("kappa") && given("rank") {
		return nil, fmt.Errorf("rank = %d: want --kappa or --rank, not both", f.rank)
	}
	if given("load") && given("p") {
		return nil, fmt.Errorf("p = %s: want --load or --p, not both", f.p)
	}
	var g measure.Grid
	var err error
	if g.Models, err = list(f.model, pattern.ParseModel); err != nil {
		return nil, err
	}
	if g.Rules, err = list(f.rule, learn.ParseRule); err != nil {
		return nil, err
	}
	if g.Keys, g.Values, err = embeddings(f.embedding); err != nil {
		return nil, err
	}
	if g.Shapes, err = f.shapes(cmd); err != nil {
		return nil, err
	}
	if given("p") {
		g.Facts, err = numlist.Ints("p", f.p, 2, math.MaxInt32, maxRows)
	} else {
		g.Loads, err = numlist.Floats("load", f.load, numlist.Range{LoOpen: true, Hi: 1000}, maxRows)
	}
	if err != nil {
		return nil, err
	}
	err = combinations(axis("d and kappa", len(g.Shapes)), axis("load", max(1, len(g.Loads))), axis("p", max(1, len(g.Facts))),
		axis("model", len(g.Models)), axis("rule", len(g.Rules)))
	if err != nil {
		return nil, err
	}
	return g.Cells(quartercircle.NewSpectra())
}

// shapes reads dimensions and ranks.
func (f *gridFlags) shapes(cmd *cobra.Command) ([]measure.Shape, error) {
	given := cmd.Flags().Changed
	if given("d-in") && given("d-out") && given("d") {
		return nil, fmt.Errorf("d = %s: want --d, or both --d-in and --d-out, not all three", f.d)
	}
	dimensions, err := numlist.Ints("d", f.d, 1, math.MaxInt32, maxRows)
	if err != nil {
		return nil, err
	}
	if given("d-in") && given("d-out") {
		dimensions = dimensions[:1] // both are replaced
	}
	kappas, err := numlist.Floats("kappa", f.kappa, numlist.Range{LoOpen: true, Hi: 1}, maxRows)
	if err != nil {
		return nil, err
	}
	if err := combinations(axis("d", len(dimensions)), axis("kappa", len(kappas))); err != nil {
		return nil, err
	}
	var shapes []measure.Shape
	for _, d := range dimensions {
		s := measure.Shape{DOut: d, DIn: d}
		if given("d-in") {
			s.DIn = f.dIn
		}
		if given("d-out") {
			s.DOut = f.dOut
		}
		if given("rank") {
			s.Rank = f.rank
			shapes = append(shapes, s)
			continue
		}
		for _, kappa := range kappas {
			s.Rank = measure.RankAt(kappa, min(s.DOut, s.DIn))
			shapes = append(shapes, s)
		}
	}
	return shapes, nil
}

// run reads the flags and hands cells to an experiment, whose instances a bar counts.
func (f *gridFlags) run(cmd *cobra.Command, o *output, measured func(ctx context.Context, cells []measure.Cell, e measure.Experiment) error) error {
	cells, err := f.cells(cmd)
	if err != nil {
		return err
	}
	if err := numlist.Combinations(maxInstances, axis("rows", len(cells)), axis("trials", f.trials)); err != nil {
		return err
	}
	ctx, stop := interruptible()
	defer stop()
	bar := progress.New(o.stderr, "instances", len(cells)*f.trials)
	err = measured(ctx, cells, measure.Experiment{
		Trials: f.trials, Seed: f.seed, Tick: func() { bar.Add(1) },
		Training: measure.Options{MaxEvaluations: f.evaluations, Restarts: f.restarts, LossTolerance: f.lossTolerance},
	})
	bar.Done()
	if ctx.Err() != nil {
		return failure{errors.New("interrupted before the measurement was complete: nothing was printed")}
	}
	if err != nil {
		return failure{err}
	}
	return nil
}

// list parses words separated by commas, each once.
func list[T comparable](text string, parse func(string) (T, error)) ([]T, error) {
	var values []T
	seen := map[T]bool{}
	for word := range strings.SplitSeq(text, ",") {
		v, err := parse(strings.TrimSpace(word))
		if err != nil {
			return nil, err
		}
		if !seen[v] {
			values = append(values, v)
		}
		seen[v] = true
	}
	return values, nil
}

// What is measured of instances is kept until it is printed: some hundred bytes of each.
const (
	maxTrials    = 1_000_000
	maxInstances = 10_000_000
)

// maxBins bounds the bins of a histogram.
const maxBins = 10_000
