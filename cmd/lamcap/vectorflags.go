package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"lamcap/harness/facts"
	"lamcap/harness/vectors"
)

// vectorFlags name a user's vectors and what belongs together.
type vectorFlags struct {
	keys, values, keysNames, valuesNames, pairs, candidates string
	preprocessKeys, preprocessValues                        string
}

// add adds them; those of preprocessing where it is for the user to say.
func (f *vectorFlags) add(c *cobra.Command, preprocessing bool) {
	flags := c.Flags()
	flags.StringVar(&f.keys, "keys", "", "`FILE` of the keys, a vector a row: .npy (float32, float64) or text (word and numbers)")
	flags.StringVar(&f.values, "values", "", "`FILE` of the values")
	flags.StringVar(&f.keysNames, "keys-names", "", "`FILE` of the words of keys in .npy, one a line")
	flags.StringVar(&f.valuesNames, "values-names", "", "`FILE` of the words of values in .npy")
	flags.StringVar(&f.pairs, "pairs", "", "CSV `FILE` of facts, key,value: rows counted from 0, or words (default: row i with row i)")
	flags.StringVar(&f.candidates, "candidates", "all", "the values that compete: all, or used (those of the facts)")
	if preprocessing {
		flags.StringVar(&f.preprocessKeys, "preprocess-keys", "none", "none, or steps: centre, unit, whiten, as centre,unit")
		flags.StringVar(&f.preprocessValues, "preprocess-values", "none", "none, or steps: centre, unit, whiten")
	}
}

// required refuses to go on without vectors.
func (f *vectorFlags) required() error {
	switch {
	case f.keys == "":
		return fmt.Errorf("keys are missing: give their file, --keys")
	case f.values == "":
		return fmt.Errorf("values are missing: give their file, --values")
	}
	return nil
}

// inputs are the files that are read.
func (f *vectorFlags) inputs() []string {
	return []string{f.keys, f.values, f.keysNames, f.valuesNames, f.pairs}
}

// read reads both sets.
func (f *vectorFlags) read() (keys, values *vectors.Set, err error) {
	if keys, err = facts.Read(f.keys, f.keysNames); err != nil {
		return nil, nil, fmt.Errorf("keys = %w", err)
	}
	if values, err = facts.Read(f.values, f.valuesNames); err != nil {
		return nil, nil, fmt.Errorf("values = %w", err)
	}
	return keys, values, nil
}

// facts reads everything, and warns of what is odd.
func (f *vectorFlags) facts(stderr io.Writer) (*facts.Facts, facts.Sources, error) {
	var from facts.Sources
	candidates, err := facts.ParseCandidates(f.candidates)
	if err != nil {
		return nil, from, err
	}
	var steps [2]vectors.Preprocessing
	for i, text := range []string{f.preprocessKeys, f.preprocessValues} {
		if steps[i], err = vectors.ParsePreprocessing(text); err != nil {
			return nil, from, fmt.Errorf("--preprocess-%s: %w", []string{"keys", "values"}[i], err)
		}
	}
	keys, values, err := f.read()
	if err != nil {
		return nil, from, err
	}
	pairs, err := f.readPairs(keys, values, stderr)
	if err != nil {
		return nil, from, err
	}
	if f.pairs != "" {
		if from.Pairs, err = facts.PairsSource(f.pairs); err != nil {
			return nil, from, err
		}
	}
	if keys, from.Keys, err = facts.Prepare(keys, steps[0]); err != nil {
		return nil, from, fmt.Errorf("keys = %w", err)
	}
	if values, from.Values, err = facts.Prepare(values, steps[1]); err != nil {
		return nil, from, fmt.Errorf("values = %w", err)
	}
	all, err := facts.New(keys, values, pairs, candidates)
	return all, from, err
}

// readPairs reads the facts, row by row without a file.
func (f *vectorFlags) readPairs(keys, values *vectors.Set, stderr io.Writer) ([]facts.Pair, error) {
	if f.pairs == "" {
		pairs, err := facts.RowByRow(keys, values)
		if err != nil {
			return nil, fmt.Errorf("%w, --pairs", err)
		}
		return pairs, nil
	}
	pairs, warnings, err := facts.ReadPairs(f.pairs, keys, values)
	if nameless := (*facts.NamelessError)(nil); errors.As(err, &nameless) {
		return nil, fmt.Errorf("pairs = %w: give their file, --%ss-names", err, nameless.Column)
	}
	if err != nil {
		return nil, fmt.Errorf("pairs = %w", err)
	}
	for _, w := range warnings {
		fmt.Fprintf(stderr, "lamcap: %s\n", w)
	}
	return pairs, nil
}
