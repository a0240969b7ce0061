package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"lamcap/harness/report"
	"lamcap/harness/reproduce"
	"lamcap/harness/sweep"
	"lamcap/internal/files"
)

func newReproduce(o *output) *cobra.Command {
	var options sweep.RunOptions
	var out string
	var quick, full bool
	c := &cobra.Command{
		Use:   "reproduce",
		Short: "Run the paper's kinds of figure, and write the report of them",
		Long: `Run the grid behind the paper's kinds of figure and write the report: capacity by
rank, the fraction stored of OP and DP about capacity and its half-point by dimension,
recall beyond capacity, singular values and scores, each beside its theory.

It takes about ten minutes on two cores; --quick is a smaller grid, about a minute, and
--full a larger one, hours. Interrupted, the same command goes on where it was; the
sizes share no folder.

The folder --out gets sweep/, with the grid and a record of every trial (lamcap sweep
status shows it), and report/, as of lamcap report: open report/index.html.`,
		Example: `  lamcap reproduce --quick
  lamcap reproduce --out paper`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			size := reproduce.Default
			switch {
			case quick && full:
				return fmt.Errorf("quick and full: want one of them")
			case quick:
				size = reproduce.Quick
			case full:
				size = reproduce.Full
			}
			if out == "" {
				out = "reproduction"
				if size != reproduce.Default {
					out += "-" + size.String()
				}
			}
			plan, err := size.Plan()
			if err != nil {
				return failure{err}
			}
			if err := os.MkdirAll(out, 0o755); err != nil {
				return fmt.Errorf("out = %s: no folder can be made there (%w): want a place that is writable", out, files.Cause(err))
			}
			folder := filepath.Join(out, "report")
			if err := report.Refuse(folder); err != nil {
				return err
			}
			records := filepath.Join(out, "sweep")
			ctx, stop := interruptible()
			defer stop()
			summary, err := runSweep(ctx, cmd, o, records, plan, options)
			if err != nil {
				return err
			}
			if summary.Interrupted {
				return failure{summary.Err()}
			}
			all, err := sweep.ReadRecords(records)
			if err != nil {
				return failure{err}
			}
			list, err := writeReport(o, folder, all, report.Options{Title: plan.Title})
			if err != nil {
				return err
			}
			if err := o.print(cmd.OutOrStdout(), list); err != nil {
				return err
			}
			if err := summary.Err(); err != nil { // of trials that failed; the report is of the others
				return failure{err}
			}
			return nil
		},
	}
	flags := c.Flags()
	flags.SortFlags = false
	flags.StringVar(&out, "out", "", "`DIR` of sweep and report (default reproduction, or reproduction-quick, reproduction-full)")
	flags.BoolVar(&quick, "quick", false, "a smaller grid: about a minute")
	flags.BoolVar(&full, "full", false, "a larger grid: hours")
	flags.BoolVar(&options.AllowProgramChange, "allow-program-change", false, "go on with records that another program made")
	return c
}
