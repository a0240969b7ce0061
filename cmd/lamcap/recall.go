package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"lamcap/harness/facts"
	"lamcap/harness/vectors"
)

// recallFlags are the words of the command line.
type recallFlags struct {
	vectorFlags
	weights       string
	topk, threads int
}

func newRecall(o *output) *cobra.Command {
	f := &recallFlags{topk: 5}
	c := &cobra.Command{
		Use:   "recall",
		Short: "Ask a memory: the values with the largest scores",
		Long: `Score each key against all values, uᵀ W e, and print the values with the largest
scores. Vectors are preprocessed as those that were stored, by what store kept in
W.npy.json; without that file they are taken as they are.

With --pairs, also how many of these facts are recalled: their value has the
largest score, or one of the --topk largest. A tie is no recall: scores that
round-off could exchange count as equal, and are marked.

Any matrix of shape (d_out, d_in) in .npy will do for W.`,
		Example: `  lamcap recall --weights W.npy --keys Q.npy --values V.npy
  lamcap recall --weights W.npy --keys K.npy --values V.npy --format csv
  lamcap recall --weights W.npy --keys G.txt --values G.txt --pairs pairs.csv`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd, o) },
	}
	flags := c.Flags()
	flags.SortFlags = false
	flags.StringVar(&f.weights, "weights", "", "`FILE` of W, .npy")
	f.add(c, false)
	c.Flag("pairs").Usage = "CSV `FILE` of facts to count, key,value: rows counted from 0, or words"
	flags.Var(&integer{"topk", 1, 1 << 20, &f.topk}, "topk", "values printed for each key")
	integerFlag(c, &f.threads, "threads", 1, "threads (default: all for large sets); they change no result")
	return c
}

func (f *recallFlags) run(cmd *cobra.Command, o *output) error {
	if f.weights == "" {
		return errors.New("weights are missing: give the file of W, --weights")
	}
	if err := f.required(); err != nil {
		return err
	}
	candidates, err := facts.ParseCandidates(f.candidates)
	if err != nil {
		return err
	}
	w, memory, err := facts.ReadMemory(f.weights)
	if err != nil {
		return fmt.Errorf("weights = %w", err)
	}
	keys, values, err := f.read()
	if err != nil {
		return err
	}
	var pairs []facts.Pair
	stderr := cmd.ErrOrStderr()
	if f.pairs != "" {
		if pairs, err = f.readPairs(keys, values, stderr); err != nil {
			return err
		}
	}
	if err := facts.Match(w, keys, values); err != nil {
		return err
	}
	if keys, values, err = f.prepare(memory, keys, values, stderr); err != nil {
		return err
	}
	r, err := facts.Recall(w, keys, values, pairs, candidates, f.topk, f.threads)
	if err != nil {
		return err
	}
	return o.print(cmd.OutOrStdout(), r.Tables(o.rows())...)
}

// prepare treats vectors as those that were stored, and says so.
func (f *recallFlags) prepare(m *facts.Memory, keys, values *vectors.Set, stderr io.Writer) (*vectors.Set, *vectors.Set, error) {
	beside := facts.Beside(f.weights)
	if m == nil {
		fmt.Fprintf(stderr, "lamcap: there is no %s: vectors are taken as they are\n", beside)
		return keys, values, nil
	}
	for _, side := range []struct {
		name string
		set  **vectors.Set
		from facts.Source
	}{{"keys", &keys, m.Keys}, {"values", &values, m.Values}} {
		if side.from.Preprocessing != "none" {
			fmt.Fprintf(stderr, "lamcap: %s are preprocessed as those stored: %s (%s)\n", side.name, side.from.Preprocessing, beside)
		}
		prepared, err := side.from.Transform.Apply(*side.set)
		if err != nil {
			return nil, nil, fmt.Errorf("%s = %s: %w", side.name, (*side.set).Source, err)
		}
		*side.set = prepared
	}
	if same, err := facts.SameFile(f.values, m.Values); err != nil {
		return nil, nil, err
	} else if !same {
		fmt.Fprintf(stderr, "lamcap: values = %s: other ones than those stored, %s\n", f.values, m.Values.Path)
	}
	if m.Candidates == facts.Used.String() && f.candidates != m.Candidates {
		fmt.Fprintf(stderr, "lamcap: only the values of facts competed when these were stored: --candidates used, with --pairs, has it so\n")
	}
	return keys, values, nil
}
