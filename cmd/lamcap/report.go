package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"lamcap/harness/progress"
	"lamcap/harness/report"
	"lamcap/harness/sweep"
	"lamcap/harness/table"
	"lamcap/internal/numlist"
)

func newReport(o *output) *cobra.Command {
	var options report.Options
	var out string
	c := &cobra.Command{
		Use:   "report DIR",
		Short: "Tables, figures and a web page from the records of a sweep",
		Long: `Make a report of a sweep from its records alone: what was measured, with intervals,
the theory beside it, with its errors, and verdicts.

Sections are there where records for them are: capacity against the rank, fractions
stored and half-points (measure storage), accuracy beyond capacity (measure
training), singular values and scores (observe = ["spectrum", "scores"]).

The folder --out gets index.html, which is all of it in one file; tables/ as text,
Markdown, LaTeX and CSV; figures/ as SVG, PNG and PDF; and trials.parquet, a row for
each trial. It is written whole; an older report there is replaced, anything else
refused. A sweep that still runs can be reported on: the report is of the trials
that are done. The same records give the same bytes.

It takes about a second of one core for each load beyond capacity, and some seconds
for each with scores.`,
		Example: `  lamcap sweep run grid.toml --out sweep
  lamcap report sweep --out report`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return fmt.Errorf("%d arguments: want one, the folder of a sweep", len(args))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if out == "" {
				return fmt.Errorf("out is missing: give the folder of the report, --out DIR")
			}
			if err := report.Refuse(out); err != nil {
				return err
			}
			records, err := sweep.ReadRecords(args[0])
			if err != nil {
				return failure{err}
			}
			if len(records) == 0 {
				return failure{fmt.Errorf("%s: no records: want the folder of lamcap sweep run or submit, with trials that are done", args[0])}
			}
			if options.Title == "" {
				options.Title = storedTitle(cmd, args[0])
			}
			list, err := writeReport(o, out, records, options)
			if err != nil {
				return err
			}
			return o.print(cmd.OutOrStdout(), list)
		},
	}
	c.Flags().SortFlags = false
	c.Flags().StringVar(&out, "out", "", "`DIR` of the report (required)")
	c.Flags().StringVar(&options.Title, "title", "", "title (default: that of the grid, if it has one)")
	c.Flags().Var(&share{"confidence", &options.Confidence}, "confidence", "of intervals (default 0.95)")
	c.Flags().Var(&share{"rate", &options.Rate}, "rate", "bound on the probability of a false alarm anywhere (default 0.01)")
	return c
}

// storedTitle is that of the grid in a folder, "" where it has none: records are enough for a report.
func storedTitle(cmd *cobra.Command, dir string) string {
	plan, _, err := sweep.ReadPlan(sweep.PlanFile(dir))
	if err != nil {
		if !errors.Is(err, os.ErrNotExist) {
			fmt.Fprintf(cmd.ErrOrStderr(), "lamcap: the title is a general one: %v\n", err)
		}
		return ""
	}
	return plan.Title
}

// writeReport makes a report of records and lists its files, with what it says in short.
func writeReport(o *output, out string, records []sweep.Record, options report.Options) (*table.Table, error) {
	bar := progress.New(o.stderr, "report, sections", report.Steps)
	defer bar.Done()
	options.Progress = bar
	doc, err := report.Build(records, options)
	if err != nil {
		return nil, failure{err}
	}
	if err := report.Write(out, doc, records); err != nil {
		return nil, failure{err}
	}
	list, err := report.Files(out)
	if err != nil {
		return nil, failure{err}
	}
	list.Notes = append(list.Notes, doc.Abstract...)
	list.Notes = append(list.Notes, fmt.Sprintf("Open %s.", filepath.Join(out, "index.html")))
	return list, nil
}

// share is a flag that takes a number between 0 and 1.
type share struct {
	name  string
	value *float64
}

func (x *share) Set(text string) error {
	values, err := numlist.Floats(x.name, text, numlist.Range{LoOpen: true, Hi: 1, HiOpen: true}, 1)
	if err == nil {
		*x.value = values[0]
	}
	return err
}

func (x *share) String() string { return "" }
func (x *share) Type() string   { return "number" }
