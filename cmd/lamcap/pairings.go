package main

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"lamcap/harness/chart"
	"lamcap/harness/pairings"
	"lamcap/harness/progress"
	"lamcap/harness/vectors"
	"lamcap/internal/files"
	"lamcap/internal/numlist"
)

// pairingsFlags are the words of the command line.
type pairingsFlags struct {
	keys, values         string
	keySteps, valueSteps []string
	components           int
	p, seed, figure      string
	trials               int
}

func newPairings(o *output) *cobra.Command {
	var f pairingsFlags
	c := &cobra.Command{
		Use:   "pairings",
		Short: "Random pairings of your own vectors: how many facts are stored",
		Long: `Draw p keys and p values from given vectors, pair them at random, and decide
whether a memory stores the p facts, all values being candidates: the fraction of
instances stored against p, with intervals, beside

  Gaussian theory     vectors with independent normal entries, as many
  pool theory         what facts with such values take of the weights,
                      by projection; keys Gaussian

Vectors are .npy files (n×d, float32 or float64) or text (a word, then numbers, on
each line); without --keys and --values those of 1,500 words, GloVe's, in their
leading 24 components.

Preprocessing is fitted on all vectors: none, or steps out of centre, unit and whiten,
separated by commas. Given several times, the n-th of the keys goes with the n-th of
the values; where there are fewer of one, its last goes on. Invertible linear maps and
the lengths of the keys and affine maps of the values change no instance, whitening
of the values for example: only centring keys, and unit norm of values, can.

Same seed, same instances, whatever the preprocessing and the number of threads. A
decision takes about 0.1 s at d = 24 and a second at d = 100, on one core.`,
		Example: `  lamcap pairings
  lamcap pairings --components 48 --trials 20 --figure pairings.svg
  lamcap pairings --keys K.npy --values V.npy --p 100:140:5`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd, o) },
	}
	flags := c.Flags()
	flags.SortFlags = false
	flags.StringVar(&f.keys, "keys", "", "`FILE` of keys (default: words built in)")
	flags.StringVar(&f.values, "values", "", "`FILE` of values")
	flags.StringArrayVar(&f.keySteps, "preprocess-keys", []string{"none", "centre", "whiten"}, "`STEPS` of the keys; may be repeated")
	flags.StringArrayVar(&f.valueSteps, "preprocess-values", []string{"none", "centre", "whiten", "whiten,unit"}, "`STEPS` of the values; may be repeated")
	integerFlag(c, &f.components, "components", 1, "leading principal directions to keep of keys and values (default: all; 24 of the words)")
	flags.StringVar(&f.p, "p", "", "numbers of facts, 100,120 or 100:140:5 (default: where theory expects the transition)")
	integerFlag(c, &f.trials, "trials", 1, "instances at each load (default 20)")
	flags.StringVar(&f.seed, "seed", "1", "any 64-bit number, decimal or 0x hexadecimal")
	flags.StringVar(&f.figure, "figure", "", "`FILE` for a figure, its name ending in ."+strings.Join(chart.Formats(), ", ."))
	return c
}

func (f *pairingsFlags) run(cmd *cobra.Command, o *output) error {
	ensembles, err := f.ensembles()
	if err != nil {
		return err
	}
	options := pairings.Options{Trials: f.trials}
	if options.Trials == 0 {
		options.Trials = 20
	}
	if options.Seed, err = numlist.Uint64("seed", f.seed); err != nil {
		return err
	}
	if f.p != "" {
		most := min(ensembles[0].Keys.Rows, ensembles[0].Values.Rows)
		if options.Loads, err = numlist.Ints("p", f.p, 2, most, maxRows); err != nil {
			return fmt.Errorf("%w (there are %d keys and %d values)", err, ensembles[0].Keys.Rows, ensembles[0].Values.Rows)
		}
	}
	format, err := f.figureFormat()
	if err != nil {
		return err
	}

	ctx, stop := interruptible()
	defer stop()
	predictions, loads, err := pairings.Plan(ctx, ensembles, options)
	switch {
	case ctx.Err() != nil:
		return failure{errors.New("interrupted: nothing was measured")}
	case err != nil:
		return err
	}
	options.Loads = loads
	bar := progress.New(o.stderr, "instances", len(ensembles)*len(loads)*options.Trials)
	options.Progress = bar
	var ms []*pairings.Measurement
	for i, e := range ensembles {
		m, err := pairings.Decide(ctx, e, options)
		if err != nil {
			bar.Done()
			if ctx.Err() == nil {
				return failure{err}
			}
			if len(ms) > 0 {
				if err := o.print(cmd.OutOrStdout(), pairings.Tables(ms)...); err != nil {
					return err
				}
			}
			return failure{errors.New("interrupted: only what was complete is printed, and no figure drawn")}
		}
		m.Prediction = predictions[i]
		ms = append(ms, m)
	}
	bar.Done()
	if err := o.print(cmd.OutOrStdout(), pairings.Tables(ms)...); err != nil {
		return err
	}
	if f.figure == "" {
		return nil
	}
	err = files.Replace(f.figure, func(w io.Writer) error { return pairings.Figure(ms).Write(w, format, chart.Light) })
	if err != nil {
		return failure{fmt.Errorf("figure = %s: %w", f.figure, files.Cause(err))}
	}
	return nil
}

// figureFormat is that of the file's name; "" without a figure.
func (f *pairingsFlags) figureFormat() (string, error) {
	if f.figure == "" {
		return "", nil
	}
	format := strings.ToLower(strings.TrimPrefix(filepath.Ext(f.figure), "."))
	if !slices.Contains(chart.Formats(), format) {
		return "", fmt.Errorf("figure = %s: want a name that ends in .%s", f.figure, strings.Join(chart.Formats(), ", ."))
	}
	return format, files.RefuseUnwritable("figure", f.figure)
}

// ensembles reads and preprocesses the vectors.
func (f *pairingsFlags) ensembles() ([]pairings.Ensemble, error) {
	var raw pairings.Ensemble
	var err error
	switch {
	case f.keys == "" && f.values == "":
		raw.Keys = pairings.Words()
		raw.Values = raw.Keys
		if f.components == 0 {
			f.components = 24
		}
	case f.keys == "" || f.values == "":
		return nil, errors.New("give both --keys and --values, the same file if they are the same, or neither")
	default:
		if raw.Keys, err = vectors.Read(f.keys); err != nil {
			return nil, fmt.Errorf("keys: %w", err)
		}
		if raw.Values, err = vectors.Read(f.values); err != nil {
			return nil, fmt.Errorf("values: %w", err)
		}
	}
	if f.components > 0 {
		if raw.Keys, err = pairings.Leading(raw.Keys, f.components); err != nil {
			return nil, fmt.Errorf("keys: %w", err)
		}
		if raw.Values, err = pairings.Leading(raw.Values, f.components); err != nil {
			return nil, fmt.Errorf("values: %w", err)
		}
	}
	var out []pairings.Ensemble
	for i := range max(len(f.keySteps), len(f.valueSteps)) {
		keys, err := vectors.ParsePreprocessing(f.keySteps[min(i, len(f.keySteps)-1)])
		if err != nil {
			return nil, fmt.Errorf("preprocess-keys: %w", err)
		}
		values, err := vectors.ParsePreprocessing(f.valueSteps[min(i, len(f.valueSteps)-1)])
		if err != nil {
			return nil, fmt.Errorf("preprocess-values: %w", err)
		}
		e, err := raw.Preprocess(keys, values)
		if err != nil {
			return nil, err
		}
		out = append(out, e)
	}
	return out, nil
}
