package main

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"lamcap/harness/facts"
	"lamcap/harness/learn"
	"lamcap/harness/progress"
	"lamcap/harness/proof"
	"lamcap/harness/table"
	"lamcap/harness/trial"
	"lamcap/internal/files"
	"lamcap/internal/numlist"
)

// storeFlags are the words of the command line.
type storeFlags struct {
	vectorFlags
	out, certificate, seed               string
	rank, evaluations, restarts, threads int
	tolerance, gap                       float64
	double                               bool
}

func newStore(o *output) *cobra.Command {
	f := new(storeFlags)
	c := &cobra.Command{
		Use:   "store",
		Short: "Store your own vectors, and prove whether they fit",
		Long: `Read keys and values, decide with proof whether a linear memory can store the
facts, pairs of a key and a value, and write one:

  stored         W recalls every fact; at full rank the W of largest margin,
                 up to --gap
  not_storable   none does, by multipliers with Σ λ X = 0, if exact is yes; if
                 it is no, none with a margin above margin_bound, at most
                 --tolerance for numbers near 1: one that round-off would hide
                 is not excluded. W is that of least cross-entropy, and the
                 facts it does not recall are named
  undecided      neither was shown: budget spent, or a rank below the full one

A fact is recalled when its value has the largest score of all candidates,
strictly: u @ W @ e in NumPy, with u a row of the values, e a row of the keys and
W = np.load("W.npy"), of shape (d_out, d_in). Vectors are preprocessed first if
that is asked for, by means and matrices that are kept in W.npy.json, where lamcap
recall finds them. Centring values, and unit norm of keys, change no ranking: of
these W serves for the raw vectors as well.

Facts that contradict each other are named before anything is trained: equal
values, equal keys or positive multiples with several values, keys that are 0.

Beside the result stands what theory expects of random vectors that span as many
dimensions, N = rank(K) rank(V − mean) weights, and of the values as they are
(pool); and beside the margin that of Gaussian vectors of these ranks, and of these
spectra.

--certificate writes the proof to a file; lamcap check verifies it, given the same
vectors. Exit code 0 whatever the outcome, 1 when it was interrupted undecided or
something could not be written.`,
		Example: `  lamcap store --keys K.npy --values V.npy --out W.npy
  lamcap store --keys G.txt --values G.txt --pairs pairs.csv --out W.npy
  lamcap store --keys K.npy --values V.npy --preprocess-keys centre --out W.npy
  lamcap store --keys K.npy --values V.npy --rank 20 --out W.npy
  lamcap store --keys K.npy --values V.npy --out W.npy --certificate proof.json`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd, o) },
	}
	flags := c.Flags()
	flags.SortFlags = false
	f.add(c, true)
	flags.StringVar(&f.out, "out", "", "`FILE` to write W to, .npy; there may be none of that name")
	integerFlag(c, &f.rank, "rank", 1, "rank m of W = QRᵀ (default full)")
	flags.StringVar(&f.certificate, "certificate", "", "`FILE` to write the proof to")
	integerFlag(c, &f.evaluations, "max-evaluations", 1, fmt.Sprintf("budget of each training in passes over the facts (default %d)", learn.DefaultMaxEvaluations))
	integerFlag(c, &f.restarts, "restarts", 1, fmt.Sprintf("random starts at a rank below full (default %d)", trial.DefaultRestarts))
	flags.StringVar(&f.seed, "seed", "1", "of the random starts: any 64-bit number, decimal or 0x hexadecimal")
	positiveFlag(c, &f.gap, "gap", fmt.Sprintf("how near the margin comes to the largest, 1 − margin/margin_bound (default %v)", facts.DefaultGap))
	flags.BoolVar(&f.double, "double", false, "train in float64 where float32 would do (what is claimed is verified in float64)")
	integerFlag(c, &f.threads, "threads", 1, "threads (default: all for large sets); they change no result")
	positiveFlag(c, &f.tolerance, "tolerance", fmt.Sprintf("bound on all margins that a proof of not_storable aims at, ≤ 1e-10 (default %v)", proof.DefaultBound))
	return c
}

// shownRows is the most rows of a list in formats that people read.
const shownRows = 20

// rows is how many rows of a list are printed; 0 means all.
func (o *output) rows() int {
	if table.Format(o.format).Machine() {
		return 0
	}
	return shownRows
}

func (f *storeFlags) run(cmd *cobra.Command, o *output) error {
	if err := f.required(); err != nil {
		return err
	}
	seed, err := numlist.Uint64("seed", f.seed)
	if err != nil {
		return err
	}
	if err := f.files(cmd); err != nil {
		return err
	}
	all, from, err := f.facts(cmd.ErrOrStderr())
	if err != nil {
		return err
	}
	options := facts.Options{
		Rank: f.rank, MaxEvaluations: f.evaluations, Restarts: f.restarts, Threads: f.threads,
		Tolerance: f.tolerance, Double: f.double, Gap: f.gap, Seed: seed,
	}
	if err := options.Validate(all); err != nil {
		return err
	}
	theory, err := all.Theory(f.rank)
	if err != nil {
		return err
	}
	ctx, stop := interruptible()
	defer stop()
	if bar := progress.New(o.stderr, "passes", 0); bar != nil {
		defer bar.Done()
		options.Progress = func() { bar.Add(1) }
	}
	r, err := all.Store(ctx, options)
	if err != nil {
		return failure{err}
	}
	interrupted := r.Interrupted(ctx)
	if interrupted != nil && r.Outcome == trial.Undecided {
		interrupted = fmt.Errorf("%w: no memory was written", interrupted)
	} else {
		err = f.write(cmd.ErrOrStderr(), all, r, from)
	}
	if r.Method == facts.MaxMargin {
		all.PredictMargins(ctx, theory)
	}
	// After the files, which would be lost to whoever closes a pipe.
	if failed := o.print(cmd.OutOrStdout(), all.Tables(r, theory, from, o.rows())...); failed != nil {
		err = errors.Join(failed, err)
	}
	if err = errors.Join(err, interrupted); err != nil {
		return failure{err}
	}
	return nil
}

// ranksRaw tells whether W ranks raw vectors as it does preprocessed ones.
func ranksRaw(from facts.Sources) bool {
	return (from.Keys.Preprocessing == "none" || from.Keys.Preprocessing == "unit") &&
		(from.Values.Preprocessing == "none" || from.Values.Preprocessing == "centre")
}

// write writes the memory, and the proof if that was asked for.
func (f *storeFlags) write(stderr io.Writer, all *facts.Facts, r *facts.Stored, from facts.Sources) error {
	err := all.Write(f.out, r, from)
	if err != nil {
		err = fmt.Errorf("out = %w", err)
	} else if !ranksRaw(from) {
		fmt.Fprintf(stderr, "lamcap: %s scores preprocessed vectors: lamcap recall prepares them by %s, u @ W @ e of raw ones has other answers\n", f.out, facts.Beside(f.out))
	}
	if f.certificate != "" {
		err = errors.Join(err, f.certify(r))
	}
	return err
}

// files looks at what is to be written before any work is done.
func (f *storeFlags) files(cmd *cobra.Command) error {
	switch {
	case f.out == "":
		return errors.New("out is missing: give the file of W, --out")
	case cmd.Flags().Changed("certificate") && f.certificate == "":
		return errors.New(`certificate = "": want the name of a file`)
	}
	written := map[string]string{"out": f.out}
	if f.certificate != "" {
		written["certificate"] = f.certificate
		for _, other := range []string{f.out, facts.Beside(f.out)} {
			if files.Same(f.certificate, other) {
				return fmt.Errorf("certificate = %s: want another file than %s, which --out writes", f.certificate, other)
			}
		}
	}
	for _, flag := range []string{"out", "certificate"} {
		path, ok := written[flag]
		if !ok {
			continue
		}
		for _, in := range f.inputs() {
			if in != "" && (files.Same(path, in) || flag == "out" && files.Same(facts.Beside(path), in)) {
				return fmt.Errorf("%s = %s: it would replace %s, which is read: choose another name", flag, path, in)
			}
		}
		if err := files.RefuseExisting(flag, path); err != nil {
			return err
		}
		if flag == "out" {
			if err := files.RefuseExisting(flag, facts.Beside(path)); err != nil {
				return err
			}
		}
		if err := files.RefuseUnwritable(flag, path); err != nil {
			return err
		}
	}
	if !strings.HasSuffix(f.out, ".npy") {
		return fmt.Errorf("out = %s: W is written in NumPy's format, whose files np.save names .npy: want a name that ends so, as %s.npy", f.out, strings.TrimSuffix(f.out, filepath.Ext(f.out)))
	}
	return nil
}

// certify writes the proof.
func (f *storeFlags) certify(r *facts.Stored) error {
	if r.Certificate == nil {
		return errors.New("no certificate was written: the facts are undecided; raise --max-evaluations or --restarts, or give up the rank")
	}
	if err := files.Create(f.certificate, r.Certificate.Write); err != nil {
		return fmt.Errorf("certificate = %s: %w", f.certificate, files.Cause(err))
	}
	return nil
}
