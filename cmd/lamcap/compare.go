package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"lamcap/harness/accuracy"
	"lamcap/harness/equivalence"
	"lamcap/harness/learn"
	"lamcap/harness/measure"
	"lamcap/harness/pattern"
	"lamcap/harness/progress"
	"lamcap/harness/scores"
	"lamcap/harness/spectrum"
	"lamcap/harness/table"
	"lamcap/internal/numlist"
	"lamcap/quartercircle"
)

// comparison is one subject of lamcap compare, ready to run.
type comparison struct {
	instances int
	run       func(ctx context.Context, bar progress.Reporter) ([]*table.Table, error)
}

// comparisonOptions are what all subjects share.
type comparisonOptions struct {
	dimensions   []int // nil: the default grid
	trials       int   // 0: the default numbers
	seed         uint64
	full         bool
	keys, values pattern.Embedding
}

// subjects names what can be compared, in the order in which it is printed.
var subjects = []struct {
	name  string
	about func(o comparisonOptions) (comparison, error)
}{
	{"accuracy", compareAccuracy},
	{"equivalence", compareEquivalence},
	{"spectra", compareSpectra},
	{"scores", compareScores},
}

func subjectNames() string {
	var names []string
	for _, s := range subjects {
		names = append(names, s.name)
	}
	return strings.Join(names, ",")
}

func newCompare(o *output) *cobra.Command {
	var subject, d, embedding string
	var options comparisonOptions
	c := &cobra.Command{
		Use:   "compare",
		Short: "Trained memories beside the theory, and OP against DP",
		Long: `Train memories and put what they are beside the theory.

  accuracy     recall against α = p log p/d², beyond capacity too: trained to
               the minimum of the cross-entropy, the saddle point's, Hebb's,
               the limit's
  equivalence  OP, with one pool of values for all inputs, against DP, with a
               pool each: half-points, fractions stored, accuracy, norm, scores
               and spectra as paired differences, the exponents with which they
               shrink, their limits
  spectra      distances of spectra from the quarter circle (lamcap spectrum)
  scores       correct and largest wrong scores, their laws (lamcap scores)

Same seed, same numbers, whatever the number of threads. The default grid takes
about a minute and a half on two cores, a minute of it for accuracy; there d = 128
trains DP up to alpha = 0.75 only. --full takes about an hour or more.`,
		Example: `  lamcap compare --table accuracy --d 24
  lamcap compare --table equivalence --d 12,16,24 --trials 40 --format json`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			chosen, err := chosenSubjects(subject)
			if err != nil {
				return err
			}
			if cmd.Flags().Changed("d") {
				if options.dimensions, err = numlist.Ints("d", d, 4, 1024, maxRows); err != nil {
					return err
				}
			}
			if options.keys, options.values, err = embeddings(embedding); err != nil {
				return err
			}
			var work []comparison
			total := 0
			for _, i := range chosen {
				w, err := subjects[i].about(options)
				if err != nil {
					return err
				}
				work = append(work, w)
				total += w.instances
			}
			if total > maxInstances {
				return fmt.Errorf("%d instances: want at most %d: give fewer --trials, --d or tables", total, maxInstances)
			}
			ctx, stop := interruptible()
			defer stop()
			bar := progress.New(o.stderr, "instances", total)
			defer bar.Done()
			var tables []*table.Table
			for _, w := range work {
				t, err := w.run(ctx, bar)
				switch {
				case ctx.Err() != nil: // what is complete is not lost
					bar.Done()
					if err := o.print(cmd.OutOrStdout(), tables...); err != nil {
						return err
					}
					return failure{errors.New("interrupted before the comparison was complete: only complete tables were printed")}
				case err != nil:
					return failure{err}
				}
				tables = append(tables, t...)
			}
			bar.Done()
			return o.print(cmd.OutOrStdout(), tables...)
		},
	}
	c.Flags().SortFlags = false
	c.Flags().StringVar(&subject, "table", subjectNames(), "which to print, in a list")
	c.Flags().StringVar(&d, "d", "", "dimensions of keys and values: a list (default: a grid)")
	c.Flags().Var(&integer{"trials", 2, maxTrials, &options.trials}, "trials", "instances of each kind at each load (default: more where they are small)")
	seedFlag(c, &options.seed, "seed of the draws")
	c.Flags().BoolVar(&options.full, "full", false, "larger dimensions and more instances")
	embeddingFlag(c, &embedding)
	return c
}

// chosenSubjects reads --table, in the order of subjects.
func chosenSubjects(text string) ([]int, error) {
	var out []int
	for _, name := range strings.Split(text, ",") {
		i := slices.IndexFunc(subjects, func(s struct {
			name  string
			about func(o comparisonOptions) (comparison, error)
		}) bool {
			return strings.EqualFold(s.name, strings.TrimSpace(name))
		})
		if i < 0 {
			return nil, fmt.Errorf("table = %s: want some of %s", name, subjectNames())
		}
		out = append(out, i)
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}

func compareAccuracy(o comparisonOptions) (comparison, error) {
	options := accuracy.Options{Seed: o.seed, Keys: o.keys, Values: o.values, Curves: accuracy.Plan(o.dimensions, o.trials, o.full)}
	instances, err := accuracy.Instances(options)
	return comparison{instances, func(ctx context.Context, bar progress.Reporter) ([]*table.Table, error) {
		options.Progress = bar
		r, err := accuracy.Measure(ctx, options)
		if err != nil {
			return nil, err
		}
		return []*table.Table{r.Table()}, nil
	}}, err
}

func compareEquivalence(o comparisonOptions) (comparison, error) {
	options := equivalence.Options{Seed: o.seed, Keys: o.keys, Values: o.values}
	options.Storages, options.Trainings = equivalence.Plan(o.dimensions, o.trials, o.full)
	instances, err := equivalence.Instances(options)
	return comparison{instances, func(ctx context.Context, bar progress.Reporter) ([]*table.Table, error) {
		options.Progress = bar
		r, err := equivalence.Measure(ctx, options)
		if err != nil {
			return nil, err
		}
		return r.Tables(), nil
	}}, err
}

// cells are full-rank memories of both problems.
func (o comparisonOptions) cells(dimensions, fullDimensions []int, rules []learn.Rule, loads []float64) ([]measure.Cell, error) {
	if o.full {
		dimensions = fullDimensions
	}
	if o.dimensions != nil {
		dimensions = o.dimensions
	}
	g := measure.Grid{Models: []pattern.Model{pattern.DP, pattern.OP}, Rules: rules, Loads: loads, Keys: o.keys, Values: o.values}
	for _, d := range dimensions {
		g.Shapes = append(g.Shapes, measure.Shape{DOut: d, DIn: d, Rank: d})
	}
	return g.Cells(quartercircle.NewSpectra())
}

// number chooses between the default numbers of instances and --trials.
func (o comparisonOptions) number(short, full int) int {
	switch {
	case o.trials > 0:
		return o.trials
	case o.full:
		return full
	}
	return short
}

func compareSpectra(o comparisonOptions) (comparison, error) {
	cells, err := o.cells([]int{12, 24}, []int{12, 24, 48}, []learn.Rule{learn.LBFGS}, []float64{0.9, 1.2})
	trials := o.number(12, 40)
	return comparison{len(cells) * trials, func(ctx context.Context, bar progress.Reporter) ([]*table.Table, error) {
		const references = 1000
		ms, err := spectrum.Run(ctx, cells, spectrum.Options{Trials: trials, References: references, Seed: o.seed, Tick: func() { bar.Add(1) }})
		if err != nil {
			return nil, err
		}
		tables := []*table.Table{spectrum.Table(ms)}
		if exponents := spectrum.Exponents(ms); len(exponents.Rows) > 0 {
			tables = append(tables, exponents)
		}
		return tables, nil
	}}, err
}

func compareScores(o comparisonOptions) (comparison, error) {
	cells, err := o.cells([]int{24}, []int{24, 48}, []learn.Rule{learn.Hebb, learn.LBFGS, learn.MaxMargin}, []float64{0.5})
	trials := o.number(10, 40)
	return comparison{len(cells) * trials, func(ctx context.Context, bar progress.Reporter) ([]*table.Table, error) {
		ms, err := scores.Run(ctx, cells, scores.Options{Trials: trials, Seed: o.seed, Tick: func() { bar.Add(1) }})
		if err != nil {
			return nil, err
		}
		return []*table.Table{scores.Table(ms)}, nil
	}}, err
}
