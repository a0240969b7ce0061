package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"lamcap/harness/learn"
	"lamcap/harness/pattern"
	"lamcap/harness/table"
	"lamcap/harness/trial"
	"lamcap/internal/numlist"
)

// trainFlags are the words of the command line, parsed by spec and options.
type trainFlags struct {
	model, rule, embedding, seed string
	d, dIn, dOut, p, n           int
	rank, restarts, evaluations  int
	rate, tolerance              float64
}

func newTrain(o *output) *cobra.Command {
	var f trainFlags
	c := &cobra.Command{
		Use:   "train",
		Short: "Train one finite memory and decide whether it stores all its facts",
		Long: `Draw one instance, train a memory on it and decide:

  stored         the trained W recalls every input, beyond round-off
  not_storable   no W at all has a normalised margin above --tolerance
                 (margin_bound, the duality bound, is below it)
  undecided      neither was shown: budget spent, or a rule that proves nothing

The criterion is all inputs; accuracy is the fraction recalled by the W returned.`,
		Example: `  lamcap train --model dp --d 24 --p 100
  lamcap train --model op --d 24 --p 80 --rank 12 --format json
  lamcap train --model op --d 100 --p 289 --rule hebb --embedding sphere`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			spec, err := f.spec(cmd)
			if err != nil {
				return err
			}
			options, err := f.options(cmd, spec)
			if err != nil {
				return err
			}
			seed, err := numlist.Uint64("seed", f.seed)
			if err != nil {
				return err
			}
			r := trial.One(spec, options, seed, "train", "", 0)
			return o.print(cmd.OutOrStdout(), trainTable(spec, options, r))
		},
	}
	flags := c.Flags()
	flags.SortFlags = false
	flags.StringVar(&f.model, "model", "dp", "op (one shared pool) or dp (a pool for each input)")
	integerFlag(c, &f.d, "d", 1, "dimension of keys and values")
	integerFlag(c, &f.dIn, "d-in", 1, "dimension of keys (default d)")
	integerFlag(c, &f.dOut, "d-out", 1, "dimension of values (default d)")
	integerFlag(c, &f.p, "p", 1, "number of facts")
	integerFlag(c, &f.n, "n", 1, "candidates per input, the target among them (default p)")
	flags.StringVar(&f.embedding, "embedding", "gaussian", "gaussian or sphere (norm √d); keys,values when they differ")
	flags.StringVar(&f.rule, "rule", "lbfgs", "hebb, adam or lbfgs")
	integerFlag(c, &f.rank, "rank", 1, "rank m of W = QRᵀ (default full)")
	flags.StringVar(&f.seed, "seed", "1", "any 64-bit number, decimal or 0x hexadecimal")
	positiveFlag(c, &f.rate, "learning-rate", fmt.Sprintf("Adam's step size (default %v)", learn.DefaultLearningRate))
	integerFlag(c, &f.evaluations, "max-evaluations", 1, fmt.Sprintf("budget of each training in passes over the data (default %d)", learn.DefaultMaxEvaluations))
	integerFlag(c, &f.restarts, "restarts", 1, fmt.Sprintf("random starts of a training at a rank below full (default %d)", trial.DefaultRestarts))
	positiveFlag(c, &f.tolerance, "tolerance", fmt.Sprintf("normalised margin below which an instance is not storable (default %v)", trial.DefaultTolerance))
	return c
}

// spec reads which instance to draw.
func (f *trainFlags) spec(cmd *cobra.Command) (pattern.Spec, error) {
	var s pattern.Spec
	var err error
	if s.Model, err = pattern.ParseModel(f.model); err != nil {
		return s, err
	}
	keys, values, two := strings.Cut(f.embedding, ",")
	if !two {
		values = keys
	}
	if s.Keys, err = pattern.ParseEmbedding(keys); err != nil {
		return s, err
	}
	if s.Values, err = pattern.ParseEmbedding(values); err != nil {
		return s, err
	}
	given := cmd.Flags().Changed
	s.DIn, s.DOut, s.P, s.N = f.d, f.d, f.p, f.p
	if given("d-in") {
		s.DIn = f.dIn
	}
	if given("d-out") {
		s.DOut = f.dOut
	}
	if given("n") {
		s.N = f.n
	}
	switch {
	case !given("d") && !(given("d-in") && given("d-out")):
		return s, fmt.Errorf("d is missing: give --d, or both --d-in and --d-out")
	case !given("p"):
		return s, fmt.Errorf("p is missing: give the number of facts, --p")
	}
	return s, s.Validate()
}

// options reads how the instance is decided.
func (f *trainFlags) options(cmd *cobra.Command, s pattern.Spec) (trial.Options, error) {
	rule, err := learn.ParseRule(f.rule)
	if err != nil {
		return trial.Options{}, err
	}
	given := cmd.Flags().Changed
	switch {
	case given("learning-rate") && rule != learn.Adam:
		return trial.Options{}, fmt.Errorf("learning-rate = %v: want it with --rule adam only", f.rate)
	case given("restarts") && (f.rank == 0 || f.rank >= min(s.DIn, s.DOut)):
		return trial.Options{}, fmt.Errorf("restarts = %d: want it with a --rank below full only, full rank is convex", f.restarts)
	}
	o := trial.Options{
		Rule: rule, Rank: f.rank, Restarts: f.restarts, MaxEvaluations: f.evaluations,
		LearningRate: f.rate, Tolerance: f.tolerance,
	}
	return o, o.Validate(s)
}

// trainTable is one record: the outcome, and all that the numbers depend on.
func trainTable(s pattern.Spec, o trial.Options, r trial.Result) *table.Table {
	rank := o.Rank
	if full := min(s.DIn, s.DOut); rank == 0 || rank > full {
		rank = full
	}
	t := &table.Table{Name: "train", Vertical: true, Columns: []table.Column{
		{Key: "outcome"},
		{Key: "recalled"},
		{Key: "accuracy", Digits: 4},
		{Key: "margin", Digits: 4},
		{Key: "margin_bound", Digits: 4},
		{Key: "evaluations"},
		{Key: "seconds", Digits: 3},
		{Key: "seed"},
		{Key: "status"},
		{Key: "model"},
		{Key: "d_in"},
		{Key: "d_out"},
		{Key: "p"},
		{Key: "n"},
		{Key: "rank"},
		{Key: "rule"},
		{Key: "keys_embedding"},
		{Key: "values_embedding"},
		{Key: "criterion"},
	}}
	t.Append(r.Outcome, r.Recalled, r.Accuracy, r.Margin, r.MarginBound, r.Evaluations, r.Seconds, r.Seed, r.Status,
		s.Model, s.DIn, s.DOut, s.P, s.N, rank, o.Rule, s.Keys, s.Values, "all")
	return t
}
