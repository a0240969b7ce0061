package main

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"lamcap/harness/learn"
	"lamcap/harness/pattern"
	"lamcap/harness/progress"
	"lamcap/harness/proof"
	"lamcap/harness/table"
	"lamcap/harness/trial"
	"lamcap/internal/files"
	"lamcap/internal/status"
	"lamcap/internal/stream"
)

// trainFlags are the words of the command line, parsed by spec and options.
type trainFlags struct {
	model, rule, embedding string
	seed                   uint64
	d, dIn, dOut, p, n     int

	rank, restarts, evaluations, memory, threads int
	rate, tolerance, ridge, momentum             float64
	beta1, beta2, epsilon                        float64
	schedule                                     string
	double                                       bool

	certificate, checkpoint string

	// save writes a checkpoint; another function in tests.
	save func(path string, s *trial.Saved) error
}

func newTrain(o *output) *cobra.Command {
	return (&trainFlags{save: writeCheckpoint}).command(o)
}

func (f *trainFlags) command(o *output) *cobra.Command {
	c := &cobra.Command{
		Use:   "train",
		Short: "Train one finite memory and decide whether it stores all its facts",
		Long: `Draw one instance, train a memory on it and decide:

  stored         the trained W recalls every input, beyond round-off: a witness
  not_storable   no W at all has a normalised margin above margin_bound, by
                 multipliers with Σ λ X = 0 to round-off; if exact is true, no
                 W recalls every input whatever its margin
  undecided      neither was shown: budget spent, or a rule that proves nothing

The criterion is all inputs; accuracy is the fraction recalled by the W returned.
Rule maxmargin decides as lbfgs does and goes on from a witness to the W of
largest margin, to 0.1% of margin_bound; evaluations do not count that work.

--certificate writes the proof of either outcome to a file, which lamcap check
verifies. --checkpoint saves the training every few minutes, when it is
interrupted and when its budget ends, and goes on with one that was saved.
Interrupted twice, it ends at once and saves nothing.

Exit code 1 when it was interrupted undecided, or the certificate asked for or
the checkpoint could not be written; the result is printed all the same.`,
		Example: `  lamcap train --model dp --d 24 --p 100
  lamcap train --model op --d 24 --p 80 --rank 12 --format json
  lamcap train --model op --d 100 --p 289 --rule hebb --embedding sphere
  lamcap train --model op --d 128 --p 1900 --certificate proof.json`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd, o) },
	}
	flags := c.Flags()
	flags.SortFlags = false
	flags.StringVar(&f.model, "model", "dp", "op (one shared pool) or dp (a pool for each input)")
	integerFlag(c, &f.d, "d", 1, "dimension of keys and values")
	integerFlag(c, &f.dIn, "d-in", 1, "dimension of keys (default d)")
	integerFlag(c, &f.dOut, "d-out", 1, "dimension of values (default d)")
	integerFlag(c, &f.p, "p", 1, "number of facts")
	integerFlag(c, &f.n, "n", 1, "candidates per input, the target among them (default p)")
	embeddingFlag(c, &f.embedding)
	flags.StringVar(&f.rule, "rule", "lbfgs", "hebb, descent, adam, lbfgs or maxmargin")
	integerFlag(c, &f.rank, "rank", 1, "rank m of W = QRᵀ (default full)")
	seedFlag(c, &f.seed, "seed of the draws")
	positiveFlag(c, &f.rate, "learning-rate", fmt.Sprintf("step size of adam (default %v) and descent (default %v)", learn.DefaultLearningRate, learn.DefaultDescentRate))
	flags.StringVar(&f.schedule, "schedule", "constant", "constant, root, linear or cosine: the learning rate in time, over the budget")
	positiveFlag(c, &f.beta1, "beta1", fmt.Sprintf("adam's decay of the mean gradient (default %v)", learn.DefaultBeta1))
	positiveFlag(c, &f.beta2, "beta2", fmt.Sprintf("adam's decay of the squared gradient (default %v)", learn.DefaultBeta2))
	positiveFlag(c, &f.epsilon, "epsilon", fmt.Sprintf("adam's ε (default %v)", learn.DefaultEpsilon))
	positiveFlag(c, &f.momentum, "momentum", "descent's momentum, below 1 (default 0)")
	positiveFlag(c, &f.ridge, "ridge", "λ of λ‖W‖²/2 added to the summed loss (default 0); with it an instance may stay undecided")
	integerFlag(c, &f.memory, "memory", 1, "steps that lbfgs remembers (default: at most 100)")
	integerFlag(c, &f.evaluations, "max-evaluations", 1, fmt.Sprintf("budget of each training in passes over the data (default %d)", learn.DefaultMaxEvaluations))
	integerFlag(c, &f.restarts, "restarts", 1, fmt.Sprintf("random starts of a training at a rank below full (default %d)", trial.DefaultRestarts))
	flags.BoolVar(&f.double, "double", false, "train in float64 where float32 would do (multipliers are searched in float32; what is claimed is verified in float64)")
	integerFlag(c, &f.threads, "threads", 1, "threads (default: all for a large instance); they change no result")
	flags.StringVar(&f.certificate, "certificate", "", "`FILE` to write the proof to")
	flags.StringVar(&f.checkpoint, "checkpoint", "", "`FILE` to save the training to, and to go on from")
	positiveFlag(c, &f.tolerance, "tolerance", fmt.Sprintf("bound on all margins that a proof of not_storable aims at, ≤ 1e-10 (default %v)", proof.DefaultBound))
	return c
}

// trainExperiment is the experiment in the address of the instances of train:
// the stream (seed, "train", "", 0).
const trainExperiment = "train"

// saveEvery is how often a training with a checkpoint is saved.
const saveEvery = 3 * time.Minute

// run draws, decides, writes what was asked for and prints.
func (f *trainFlags) run(cmd *cobra.Command, o *output) error {
	spec, err := f.spec(cmd)
	if err != nil {
		return err
	}
	options, err := f.options(cmd, spec)
	if err != nil {
		return err
	}
	session, err := f.files(cmd)
	if err != nil {
		return err
	}
	ctx, stop := interruptible()
	defer stop()
	bar := progress.New(o.stderr, "passes", 0)
	if bar != nil {
		options.Progress = func(learn.Evaluation) { bar.Add(1) }
	}
	address := proof.Address{Seed: f.seed, Experiment: trainExperiment}
	rng := stream.New(address.Seed, address.Experiment, address.Cell, address.Trial)
	in := trial.Draw(rng, spec, options.Rule)
	evidence, r, err := trial.TrainSession(ctx, rng, in, options, session)
	bar.Done()
	var unsaved failure // the result is as good without a checkpoint
	if err != nil && !errors.As(err, &unsaved) {
		return fmt.Errorf("checkpoint = %s: %w; give the flags of that training, or another file", f.checkpoint, err)
	}
	r.Seed = f.seed
	if err := o.print(cmd.OutOrStdout(), trainTable(spec, options, r)); err != nil {
		return err
	}
	interrupted := ctx.Err() != nil && r.Status == status.Unknown
	if f.certificate != "" && (r.Outcome != trial.Undecided || !interrupted && unsaved.error == nil) {
		err = errors.Join(err, f.certify(in, address, options, &evidence, r))
	}
	switch {
	case err != nil:
		return failure{err}
	case interrupted && r.Outcome != trial.Undecided:
		return failure{errors.New("interrupted before the largest margin was found")}
	case interrupted && f.checkpoint != "":
		return failure{fmt.Errorf("interrupted: the training is saved in %s, and the same command goes on with it", f.checkpoint)}
	case interrupted:
		return failure{errors.New("interrupted before the instance was decided")}
	}
	return nil
}

// files looks at the files to write before any work is done, and reads the
// training to go on with.
func (f *trainFlags) files(cmd *cobra.Command) (trial.Session, error) {
	var session trial.Session
	given := cmd.Flags().Changed
	switch {
	case given("certificate") && f.certificate == "":
		return session, errors.New(`certificate = "": want the name of a file`)
	case given("checkpoint") && f.checkpoint == "":
		return session, errors.New(`checkpoint = "": want the name of a file`)
	case given("certificate") && given("checkpoint") && files.Same(f.certificate, f.checkpoint):
		return session, fmt.Errorf("checkpoint = %s: want another file than that of --certificate", f.checkpoint)
	}
	if f.certificate != "" {
		if err := files.RefuseExisting("certificate", f.certificate); err != nil {
			return session, err
		}
		if err := files.RefuseUnwritable("certificate", f.certificate); err != nil {
			return session, err
		}
	}
	if f.checkpoint != "" {
		var err error
		if session.Resume, err = readCheckpoint(f.checkpoint); err != nil {
			return session, err
		}
		if err := files.RefuseUnwritable("checkpoint", f.checkpoint); err != nil {
			return session, err
		}
		session.Every = saveEvery
		session.Save = func(s *trial.Saved) error {
			if err := f.save(f.checkpoint, s); err != nil {
				return failure{err}
			}
			return nil
		}
	}
	return session, nil
}

// spec reads which instance to draw.
func (f *trainFlags) spec(cmd *cobra.Command) (pattern.Spec, error) {
	var s pattern.Spec
	var err error
	if s.Model, err = pattern.ParseModel(f.model); err != nil {
		return s, err
	}
	if s.Keys, s.Values, err = embeddings(f.embedding); err != nil {
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
	case given("d") && given("d-in") && given("d-out"):
		return s, fmt.Errorf("d = %d: want --d, or both --d-in and --d-out, not all three", f.d)
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
	for _, flag := range []struct {
		name  string
		rules []learn.Rule
	}{
		{"learning-rate", []learn.Rule{learn.Adam, learn.GradientDescent}},
		{"schedule", []learn.Rule{learn.Adam, learn.GradientDescent}},
		{"beta1", []learn.Rule{learn.Adam}},
		{"beta2", []learn.Rule{learn.Adam}},
		{"epsilon", []learn.Rule{learn.Adam}},
		{"momentum", []learn.Rule{learn.GradientDescent}},
		{"memory", []learn.Rule{learn.LBFGS}},
		{"ridge", []learn.Rule{learn.LBFGS, learn.Adam, learn.GradientDescent}},
		{"max-evaluations", []learn.Rule{learn.LBFGS, learn.Adam, learn.GradientDescent}},
		{"checkpoint", []learn.Rule{learn.LBFGS, learn.Adam, learn.GradientDescent}},
	} {
		if given(flag.name) && !slices.Contains(flag.rules, rule) {
			return trial.Options{}, fmt.Errorf("%s = %v: want it with --rule %s only", flag.name, cmd.Flag(flag.name).Value, joinRules(flag.rules))
		}
	}
	schedule, err := learn.ParseSchedule(f.schedule)
	if err != nil {
		return trial.Options{}, err
	}
	switch {
	case given("restarts") && (f.rank == 0 || f.rank >= min(s.DIn, s.DOut)):
		return trial.Options{}, fmt.Errorf("restarts = %d: want it with a --rank below full only, full rank is convex", f.restarts)
	}
	o := trial.Options{
		Rule: rule, Rank: f.rank, Restarts: f.restarts, MaxEvaluations: f.evaluations, Memory: f.memory,
		LearningRate: f.rate, Schedule: schedule, Beta1: f.beta1, Beta2: f.beta2, Epsilon: f.epsilon,
		Momentum: f.momentum, Ridge: f.ridge, Tolerance: f.tolerance, Double: f.double, Threads: f.threads,
	}
	return o, o.Validate(s)
}

// joinRules writes "adam", "adam or descent", "lbfgs, adam or descent".
func joinRules(rules []learn.Rule) string {
	text := rules[0].String()
	for i, r := range rules[1:] {
		if i == len(rules)-2 {
			text += " or " + r.String()
		} else {
			text += ", " + r.String()
		}
	}
	return text
}

// trainTable is one record: the outcome, and all that the numbers depend on.
func trainTable(s pattern.Spec, o trial.Options, r trial.Result) *table.Table {
	rank := o.Rank
	if full := min(s.DIn, s.DOut); rank == 0 || rank > full {
		rank = full
	}
	var exact any
	if r.Outcome == trial.NotStorable {
		exact = r.Exact
	}
	// How far the margin can be from the largest: only rule maxmargin closes it.
	var gap any
	if r.Outcome == trial.Stored && !math.IsInf(r.MarginBound, 0) {
		gap = 1 - r.Margin/r.MarginBound
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
		{Key: "exact"},
		{Key: "gap", Digits: 2},
		{Key: "refutations"},
		{Key: "proof_seconds", Digits: 3},
	}}
	t.Append(r.Outcome, r.Recalled, r.Accuracy, r.Margin, r.MarginBound, r.Evaluations, r.Seconds, r.Seed, r.Status,
		s.Model, s.DIn, s.DOut, s.P, s.N, rank, o.Rule, s.Keys, s.Values, "all", exact, gap, r.Refutations, r.ProofSeconds)
	return t
}
