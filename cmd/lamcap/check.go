package main

import (
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"lamcap/harness/pattern"
	"lamcap/harness/proof"
	"lamcap/harness/table"
	"lamcap/internal/files"
)

func newCheck(o *output) *cobra.Command {
	var given vectorFlags
	c := &cobra.Command{
		Use:   "check FILE",
		Short: "Verify a certificate that train or store wrote",
		Long: `Verify a certificate of one instance, stored or not_storable, independently of
the training that found it: the instance is drawn again from its seed, and what
is claimed is computed anew in twice the working precision, by code that shares
nothing with the solvers.

  stored         every input is recalled by the weights in the file, with a
                 normalised margin of at least margin
  not_storable   no W has a normalised margin above margin_bound, by the
                 multipliers in the file; if exact is true, none recalls every
                 input whatever its margin

A certificate of store holds no vectors, only their fingerprint: give the same
--keys, --values, --pairs, --candidates and preprocessing as store was given.
Vectors are scaled by powers of 2 to numbers near 1, and margins are of those.

Exit code 1 when the certificate is not valid, 2 when the file is none.`,
		Example: `  lamcap check proof.json
  lamcap check proof.json --keys K.npy --values V.npy --pairs pairs.csv`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return fmt.Errorf("%d arguments: want one FILE, written by train --certificate or store --certificate", len(args))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			f, err := files.Open(args[0])
			if err != nil {
				return fmt.Errorf("%s: no certificate can be read there: %w", args[0], files.Cause(err))
			}
			defer f.Close()
			var c proof.Certificate
			if err := c.Read(f); err != nil {
				return err
			}
			r, err := given.check(cmd, &c)
			if err != nil {
				return err
			}
			if err := o.print(cmd.OutOrStdout(), checkTable(&c, r)); err != nil {
				return err
			}
			if !r.Valid {
				return failure{fmt.Errorf("the certificate is not valid: %s", r.Reason)}
			}
			return nil
		},
	}
	c.Flags().SortFlags = false
	given.add(c, true)
	return c
}

// check verifies a certificate, with the vectors given if it is of such.
func (f *vectorFlags) check(cmd *cobra.Command, c *proof.Certificate) (proof.Report, error) {
	given := ""
	cmd.Flags().Visit(func(flag *pflag.Flag) {
		if flag.Name != "format" {
			given = flag.Name
		}
	})
	if c.Spec.Model != pattern.Facts {
		if given != "" {
			return proof.Report{}, fmt.Errorf("%s = %v: the certificate is of a drawn instance, which needs no vectors", given, cmd.Flag(given).Value)
		}
		return proof.Check(c)
	}
	if err := f.required(); err != nil {
		return proof.Report{}, fmt.Errorf("the certificate is of given facts, p = %d among n = %d values: %w", c.Spec.P, c.Spec.N, err)
	}
	all, _, err := f.facts(cmd.ErrOrStderr())
	if err != nil {
		return proof.Report{}, err
	}
	return proof.CheckFor(c, all.Instance())
}

// checkTable is one record: the verdict, what was verified, and of what.
func checkTable(c *proof.Certificate, r proof.Report) *table.Table {
	t := &table.Table{Name: "check", Vertical: true, Columns: []table.Column{
		{Key: "valid"},
		{Key: "outcome"},
		{Key: "recalled"},
		{Key: "margin", Digits: 4},
		{Key: "margin_bound", Digits: 4},
		{Key: "exact"},
		{Key: "reason", Hidden: true},
		{Key: "model"},
		{Key: "d_in"},
		{Key: "d_out"},
		{Key: "p"},
		{Key: "n"},
		{Key: "seed"},
		{Key: "keys_embedding"},
		{Key: "values_embedding"},
		{Key: "fingerprint"},
	}}
	if r.Reason != "" { // longer than a table is wide
		t.Notes = []string{"Not valid: " + r.Reason + "."}
	}
	var recalled, margin, bound, exact any
	switch {
	case !r.Computed: // another instance
	case r.Outcome == proof.Stored:
		recalled, margin = r.Recalled, r.Margin
	default:
		bound, exact = r.Bound, r.Exact
	}
	s := c.Spec
	var seed, keys, values any = c.Address.Seed, s.Keys, s.Values
	if s.Model == pattern.Facts { // given, not drawn
		seed, keys, values = nil, nil, nil
	}
	t.Append(r.Valid, r.Outcome, recalled, margin, bound, exact, r.Reason,
		s.Model, s.DIn, s.DOut, s.P, s.N, seed, keys, values, c.Fingerprint)
	return t
}
