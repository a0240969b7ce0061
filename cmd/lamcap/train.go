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
		Args: cobra.NoArgs,
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
	flags.IntVar(&f.d, "d", 0, "dimension of keys and values")
	flags.IntVar(&f.dIn, "d-in", 0, "dimension of keys (default d)")
	flags.IntVar(&f.dOut, "d-out", 0, "dimension of values (default d)")
	flags.IntVar(&f.p, "p", 0, "number of facts")
	flags.IntVar(&f.n, "n", 0, "candidates per input, the target among them (default p)")
	flags.StringVar(&f.embedding, "embedding", "gaussian", "gaussian or sphere (norm √d); keys,values when they differ")
	flags.StringVar(&f.rule, "rule", "lbfgs", "hebb, adam or lbfgs")
	flags.IntVar(&f.rank, "rank", 0, "rank m of W = QRᵀ (default full)")
	flags.StringVar(&f.seed, "seed", "1", "any 64-bit number, decimal or 0x hexadecimal")
	flags.Float64Var(&f.rate, "learning-rate", 0, "Adam's step size (default 0.01)")
	flags.IntVar(&f.evaluations, "max-evaluations", 0, "budget of each training in passes over the data (default 5000)")
	flags.IntVar(&f.restarts, "restarts", 0, "random starts of a low-rank training (default 5)")
	flags.Float64Var(&f.tolerance, "tolerance", 0, "normalised margin below which an instance is not storable (default 1e-6)")
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
	// A zero asks the packages for their defaults; on the command line that is
	// said by leaving the flag out.
	for name, value := range map[string]float64{
		"rank": float64(f.rank), "restarts": float64(f.restarts), "max-evaluations": float64(f.evaluations),
		"learning-rate": f.rate, "tolerance": f.tolerance,
	} {
		if value == 0 && cmd.Flags().Changed(name) {
			return trial.Options{}, fmt.Errorf("%s = 0: want > 0; leave --%s out for its default", name, name)
		}
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
	t := &table.Table{Name: "train", Columns: []table.Column{
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
