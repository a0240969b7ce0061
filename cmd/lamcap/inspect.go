package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"lamcap/harness/facts"
	"lamcap/harness/learn"
	"lamcap/harness/progress"
	"lamcap/harness/vectors"
	"lamcap/internal/numlist"
)

// inspectFlags are the words of the command line.
type inspectFlags struct {
	recallFlags
	seed                          string
	rank, evaluations, references int
	gap                           float64
}

func newInspect(o *output) *cobra.Command {
	f := new(inspectFlags)
	c := &cobra.Command{
		Use:   "inspect",
		Short: "Is my trained W optimal?",
		Long: `Compare a memory that was trained anywhere, W of shape (d_out, d_in) in .npy,
with the best for the same facts: u @ W @ e is the score of value u for key e.

  recalled   facts whose value has the largest score, strictly and beyond
             round-off, beside a memory that stores all, or the proof that none
             does and the memory of least cross-entropy
  margin     the least lead of a fact, over ‖W‖_F, beside the largest margin
             there is, of any rank, which is known up to --gap
  loss       the mean cross-entropy, and that of the best multiple of W
  spectrum   distances of the singular values from their law (KS, W₁), the
             fourth moment m Σσ⁴/(Σσ²)², the stable rank Σσ²/σ₁² and the
             participation (Σσ²)²/Σσ⁴, beside Gaussian matrices of the size

Verdicts on recall and margin are proved; those on singular values are tests.

The law, the quarter circle cut to the rank of W, is that of the best W for
isotropic Gaussian keys and values near capacity (load = 1). Far from it, and for
other vectors, raw word vectors above all, there is another one: to differ is
then no fault. To agree proves nothing either: Hebb's W often does. Predictions
are for Gaussian vectors, too, of the ranks and lengths of the given ones.

Vectors are preprocessed as W.npy.json says, if lamcap store wrote W, else as
--preprocess-keys and --preprocess-values say.`,
		Example: `  lamcap inspect --weights W.npy --keys K.npy --values V.npy
  lamcap inspect --weights W.npy --keys G.txt --values G.txt --pairs pairs.csv
  lamcap inspect --weights W.npy --keys K.npy --values V.npy --gap 0.001`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd, o) },
	}
	flags := c.Flags()
	flags.SortFlags = false
	flags.StringVar(&f.weights, "weights", "", "`FILE` of W, .npy")
	f.add(c, true)
	integerFlag(c, &f.rank, "rank", 1, "rank m of the law of singular values (default: that of W, up to round-off)")
	positiveFlag(c, &f.gap, "gap", fmt.Sprintf("how near the largest margin is found, 1 − margin/margin_bound (default %v)", facts.DefaultGap))
	integerFlag(c, &f.references, "references", 2, fmt.Sprintf("Gaussian matrices drawn (default %d)", facts.DefaultReferences))
	integerFlag(c, &f.evaluations, "max-evaluations", 1, fmt.Sprintf("budget of each training in passes over the facts (default %d)", learn.DefaultMaxEvaluations))
	flags.StringVar(&f.seed, "seed", "1", "of the Gaussian matrices: any 64-bit number, decimal or 0x hexadecimal")
	integerFlag(c, &f.threads, "threads", 1, "threads (default: all for large sets); they change no result")
	return c
}

func (f *inspectFlags) run(cmd *cobra.Command, o *output) error {
	if f.weights == "" {
		return errors.New("weights are missing: give the file of W, --weights")
	}
	if err := f.required(); err != nil {
		return err
	}
	seed, err := numlist.Uint64("seed", f.seed)
	if err != nil {
		return err
	}
	w, memory, err := facts.ReadMemory(f.weights)
	if err != nil {
		return fmt.Errorf("weights = %w", err)
	}
	all, from, err := f.given(cmd, w, memory)
	if err != nil {
		return err
	}
	options := facts.InspectOptions{
		Best: facts.Options{MaxEvaluations: f.evaluations, Threads: f.threads, Gap: f.gap, Seed: seed},
		Rank: f.rank, References: f.references,
	}
	if err := options.Best.Validate(all); err != nil {
		return err
	}
	ctx, stop := interruptible()
	defer stop()
	if bar := progress.New(o.stderr, "passes", 0); bar != nil {
		defer bar.Done()
		options.Best.Progress = func() { bar.Add(1) }
	}
	r, err := all.Inspect(ctx, w, options)
	if err != nil {
		return err
	}
	if err := o.print(cmd.OutOrStdout(), all.InspectTables(r, from, o.rows())...); err != nil {
		return err
	}
	if err := r.Best.Interrupted(ctx); err != nil {
		return failure{err}
	}
	return nil
}

// given are the facts, of vectors preprocessed as the memory says, or the user.
func (f *inspectFlags) given(cmd *cobra.Command, w *vectors.Set, memory *facts.Memory) (*facts.Facts, facts.Sources, error) {
	stderr := cmd.ErrOrStderr()
	if memory == nil {
		all, from, err := f.facts(stderr)
		if err != nil {
			return nil, from, err
		}
		return all, from, facts.Match(w, all.Keys(), all.Values())
	}
	for _, name := range []string{"preprocess-keys", "preprocess-values"} {
		if cmd.Flags().Changed(name) {
			return nil, facts.Sources{}, fmt.Errorf("--%s: %s says how vectors were preprocessed: leave this out, or remove that", name, facts.Beside(f.weights))
		}
	}
	return f.remembered(w, memory, stderr)
}

// remembered are the facts of a memory that store wrote.
func (f *inspectFlags) remembered(w *vectors.Set, memory *facts.Memory, stderr io.Writer) (*facts.Facts, facts.Sources, error) {
	from := facts.Sources{Keys: memory.Keys, Values: memory.Values, Pairs: memory.Pairs}
	candidates, err := facts.ParseCandidates(f.candidates)
	if err != nil {
		return nil, from, err
	}
	keys, values, err := f.read()
	if err != nil {
		return nil, from, err
	}
	pairs, err := f.readPairs(keys, values, stderr)
	if err != nil {
		return nil, from, err
	}
	if err := facts.Match(w, keys, values); err != nil {
		return nil, from, err
	}
	from.Keys.Path, from.Values.Path = f.keys, f.values
	if keys, values, err = f.prepare(memory, keys, values, stderr); err != nil {
		return nil, from, err
	}
	all, err := facts.New(keys, values, pairs, candidates)
	return all, from, err
}
