package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"lamcap/harness/sweep"
	"lamcap/harness/sweep/slurm"
	"lamcap/harness/table"
)

func newSweepRun(o *output) *cobra.Command {
	var grid sweepGrid
	var options sweep.RunOptions
	var out string
	c := &cobra.Command{
		Use:   "run [GRID.toml] --out DIR",
		Short: "Run the missing trials of a grid on this machine",
		Long: `Run the trials of a grid that have no record, on all cores, and store each as soon
as it is done: in DIR/records, one line of JSON a trial. Running again goes on where
the last run ended, however it did; an extended grid runs its new trials only. Without
a grid, that of DIR is run again.

A trial that fails is told at once and tried again by the next run; the others go on.
Interrupted, it finishes the trials in flight; twice, it ends at once, which loses
those and nothing else. One process at a time works in a folder.

Refused are a grid that has other options for a stored cell, and records that another
version of this program made: its numbers may differ. --allow-program-change goes on;
each record tells its program.

Exit code 1 if trials are missing in the end; the cells are printed all the same.`,
		Example: `  lamcap sweep run grid.toml --out runs/op
  lamcap sweep run --d 12,24 --load 0.8:1.2:0.1 --trials 100 --out runs/d`,
		Args: gridArgument,
		RunE: func(cmd *cobra.Command, args []string) error {
			plan, err := grid.planOrStored(cmd, args, out)
			if err != nil {
				return err
			}
			return runPlan(cmd, o, out, plan, options)
		},
	}
	flags := c.Flags()
	flags.SortFlags = false
	flags.StringVar(&out, "out", "", "`DIR` of the sweep (required)")
	integerFlag(c, &options.Workers, "workers", 1, "trials side by side (default: as many as cores); they change no record")
	flags.BoolVar(&options.FailFast, "fail-fast", false, "stop at the first trial that fails")
	flags.BoolVar(&options.AllowProgramChange, "allow-program-change", false, "go on with records that another program made")
	grid.add(c)
	return c
}

// runPlan runs what is missing and prints what there is.
func runPlan(cmd *cobra.Command, o *output, out string, plan *sweep.Plan, options sweep.RunOptions) error {
	ctx, stop := interruptible()
	defer stop()
	summary, err := runSweep(ctx, cmd, o, out, plan, options)
	if err != nil {
		return err
	}
	records, err := sweep.ReadRecords(out)
	if err != nil {
		return failure{err}
	}
	t := sweep.RecordsTable(plan, records)
	t.Notes = append(t.Notes, fmt.Sprintf("%d trials were stored before, %d are new: %s.", summary.Before, summary.New, roughly(summary.Elapsed.Seconds())))
	if err := o.print(cmd.OutOrStdout(), t); err != nil {
		return err
	}
	if err := summary.Err(); err != nil {
		return failure{err}
	}
	return nil
}

// runSweep runs what is missing of a plan in a folder.
func runSweep(ctx context.Context, cmd *cobra.Command, o *output, out string, plan *sweep.Plan, options sweep.RunOptions) (sweep.Summary, error) {
	var err error
	if options.Program, err = sweep.CurrentProgram(); err != nil {
		return sweep.Summary{}, failure{err}
	}
	options.Progress, options.Log = o.stderr, cmd.ErrOrStderr()
	defer refuseLargeFiles()()
	summary, err := sweep.Run(ctx, plan, out, options)
	if err != nil {
		return summary, failure{mayChange(err)}
	}
	return summary, nil
}

// mayChange adds to an error about another program what a user can do.
func mayChange(err error) error {
	if change := (*sweep.ProgramError)(nil); errors.As(err, &change) {
		return fmt.Errorf("%w, or give --allow-program-change", err)
	}
	return err
}

func newSweepStatus(o *output) *cobra.Command {
	return &cobra.Command{
		Use:   "status DIR",
		Short: "Show how far a sweep is",
		Long: `Show what is stored of each cell of a sweep, what is missing, which trials failed and
who works in DIR; also while it is running. Of a sweep that was submitted to Slurm,
too, what its queue says: where the controller does not answer, what the files say.`,
		Example: `  lamcap sweep status runs/op`,
		Args:    folderArgument,
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := sweep.ReadStatus(args[0])
			if err != nil {
				return failure{err}
			}
			ctx, stop := interruptible()
			defer stop()
			queue, err := slurm.ReadStatus(ctx, args[0], s.Records, &slurm.Client{})
			if err != nil {
				return failure{err}
			}
			tables := []*table.Table{s.Table()}
			if t := queue.Table(); t != nil {
				tables = append(tables, t)
				if m := slurm.MissingTable(sweep.Missing(s.Plan, s.Records), queue); m != nil {
					tables = append(tables, m)
				}
			}
			if queue.QueueError != nil {
				fmt.Fprintf(cmd.ErrOrStderr(), "lamcap: what Slurm's queue has is not known: %v\n", queue.QueueError)
			}
			return o.print(cmd.OutOrStdout(), tables...)
		},
	}
}
