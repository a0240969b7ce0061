package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"lamcap/harness/proof"
	"lamcap/harness/table"
	"lamcap/internal/files"
)

func newCheck(o *output) *cobra.Command {
	return &cobra.Command{
		Use:   "check FILE",
		Short: "Verify a certificate that train --certificate wrote",
		Long: `Verify a certificate of one instance, stored or not_storable, independently of
the training that found it: the instance is drawn again from its seed, and what
is claimed is computed anew in twice the working precision, by code that shares
nothing with the solvers.

  stored         every input is recalled by the weights in the file, with a
                 normalised margin of at least margin
  not_storable   no W has a normalised margin above margin_bound, by the
                 multipliers in the file; if exact is true, none recalls every
                 input whatever its margin

Exit code 1 when the certificate is not valid, 2 when the file is none.`,
		Example: "  lamcap check proof.json",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return fmt.Errorf("%d arguments: want one FILE, written by train --certificate", len(args))
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
			r, err := proof.Check(&c)
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
		{Key: "reason"},
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
	var recalled, margin, bound, exact any
	if r.Outcome == proof.Stored {
		recalled, margin = r.Recalled, r.Margin
	} else {
		bound, exact = r.Bound, r.Exact
	}
	s := c.Spec
	t.Append(r.Valid, r.Outcome, recalled, margin, bound, exact, r.Reason,
		s.Model, s.DIn, s.DOut, s.P, s.N, c.Address.Seed, s.Keys, s.Values, c.Fingerprint)
	return t
}
