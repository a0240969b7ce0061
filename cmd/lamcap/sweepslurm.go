package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"

	"github.com/spf13/cobra"

	"lamcap/harness/sweep"
	"lamcap/harness/sweep/slurm"
	"lamcap/harness/table"
)

func newSweepSubmit(o *output) *cobra.Command {
	var grid sweepGrid
	var options slurm.Options
	var out string
	c := &cobra.Command{
		Use:   "submit [GRID.toml] --out DIR",
		Short: "Run the missing trials of a grid on a Slurm cluster",
		Long: `Submit the trials of a grid that have no record to Slurm, as job arrays, and
return. DIR must be on a file system that the nodes share, and so must be this
program. Neither may move while tasks are in the queue: those then fail, and what
they lack is submitted again from the new place.

Trials are packed into tasks that take --task-minutes by the estimate of lamcap
sweep plan; a task writes its records to a file of its own, which gets its name when
it is complete. Those files decide what is done, not the states of jobs.

Submitting again submits what is missing, but for what tasks in the queue will still
do: after a node was lost, a task was cancelled, or the grid was extended. Without a
grid, that of DIR is submitted again. See lamcap sweep status, collect and cancel.

Exit code 1 if something could not be submitted; what was submitted before stays so.`,
		Example: `  lamcap sweep submit grid.toml --out runs/op --partition short --time 1:00:00
  lamcap sweep submit --out runs/op --sbatch-arg=--account=theory`,
		Args: gridArgument,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := options.Validate(); err != nil {
				return err
			}
			plan, err := grid.planOrStored(cmd, args, out)
			if err != nil {
				return err
			}
			ctx, stop := interruptible()
			defer stop()
			return submitPlan(ctx, cmd, o, out, plan, options)
		},
	}
	flags := c.Flags()
	flags.SortFlags = false
	flags.StringVar(&out, "out", "", "`DIR` of the sweep (required)")
	positiveFlag(c, &options.Minutes, "task-minutes", fmt.Sprintf("how long a task should take (default %d)", slurm.DefaultMinutes))
	integerFlag(c, &options.CPUs, "cpus-per-task", 1, "trials that a task runs side by side (default 1)")
	flags.StringVar(&options.Partition, "partition", "", "partition (default: the cluster's)")
	flags.StringVar(&options.Time, "time", "", "time limit of a task, as sbatch has it (default: the partition's)")
	flags.StringArrayVar(&options.Arguments, "sbatch-arg", nil, "further option of sbatch, as --sbatch-arg=--account=NAME; may be repeated")
	flags.BoolVar(&options.AllowProgramChange, "allow-program-change", false, "go on with records that another program made")
	grid.add(c)
	return c
}

// submitPlan submits what is missing and prints what was submitted.
func submitPlan(ctx context.Context, cmd *cobra.Command, o *output, out string, plan *sweep.Plan, options slurm.Options) error {
	program, err := sweep.CurrentProgram()
	if err != nil {
		return failure{err}
	}
	options.Log = cmd.ErrOrStderr()
	s, err := slurm.Submit(ctx, out, plan, program, &slurm.Client{}, options)
	if s != nil {
		if printed := o.print(cmd.OutOrStdout(), s.Table(plan.Instances())); printed != nil {
			return printed
		}
	}
	if err != nil {
		return failure{mayChange(err)}
	}
	return nil
}

// planOrStored reads the grid, or, where none is given, that of the folder.
func (g *sweepGrid) planOrStored(cmd *cobra.Command, args []string, out string) (*sweep.Plan, error) {
	if out == "" {
		return nil, errors.New("out is missing: give the folder of the sweep, --out DIR")
	}
	if len(args) > 0 || g.given(cmd) {
		return g.plan(cmd, args)
	}
	plan, _, err := sweep.ReadPlan(sweep.PlanFile(out))
	if errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("out = %s: no sweep is stored there, and no grid is given: want a grid, as a file or as flags", out)
	}
	if err != nil {
		return nil, failure{err}
	}
	// The text is the folder's grid; the plan saves resolving it again.
	text, err := readGrid(sweep.GridFile(out))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, failure{err}
	}
	if err == nil && text != plan.Source {
		return g.plan(cmd, []string{sweep.GridFile(out)})
	}
	return plan, nil
}

// given reports whether one of the flags of a grid was.
func (g *sweepGrid) given(cmd *cobra.Command) bool {
	for name := range g.values {
		if cmd.Flags().Changed(name) {
			return true
		}
	}
	return false
}

func newSweepCollect(o *output) *cobra.Command {
	var prune bool
	c := &cobra.Command{
		Use:   "collect DIR",
		Short: "Merge the records of Slurm tasks into one file",
		Long: `Merge the records of tasks into DIR/records/collected.jsonl, each trial once. The
files of tasks may stay: they count once beside it. --prune removes those of tasks
that are not in the queue.

Exit code 1 if trials of the grid have no record: their cells are listed.`,
		Example: `  lamcap sweep collect runs/op`,
		Args:    folderArgument,
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx, stop := interruptible()
			defer stop()
			return collect(ctx, cmd, o, args[0], prune)
		},
	}
	c.Flags().BoolVar(&prune, "prune", false, "remove the files of tasks whose records are merged")
	return c
}

func collect(ctx context.Context, cmd *cobra.Command, o *output, dir string, prune bool) error {
	c, err := slurm.Collect(ctx, dir, prune, &slurm.Client{})
	if err != nil {
		return failure{err}
	}
	if err := o.print(cmd.OutOrStdout(), c.Tables()...); err != nil {
		return err
	}
	if err := c.Err(); err != nil {
		return failure{err}
	}
	return nil
}

func newSweepCancel(o *output) *cobra.Command {
	return &cobra.Command{
		Use:   "cancel DIR",
		Short: "Cancel the tasks of a sweep that are in Slurm's queue",
		Long: `Cancel the job arrays of a sweep that Slurm still has, and no other job. Tasks that
run keep the trials that they have completed.`,
		Example: `  lamcap sweep cancel runs/op`,
		Args:    folderArgument,
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx, stop := interruptible()
			defer stop()
			jobs, err := slurm.Cancel(ctx, args[0], &slurm.Client{})
			if err != nil {
				return failure{err}
			}
			t := &table.Table{Name: "cancelled", Columns: []table.Column{{Key: "job"}}}
			for _, j := range jobs {
				t.Append(j)
			}
			if len(jobs) == 0 {
				t.Notes = []string{"no task of the sweep is in the queue"}
			}
			return o.print(cmd.OutOrStdout(), t)
		},
	}
}

// folderArgument wants the folder of a sweep.
func folderArgument(c *cobra.Command, args []string) error {
	if len(args) != 1 {
		return fmt.Errorf("want the folder of a sweep, and nothing else: %s DIR", c.CommandPath())
	}
	return nil
}

// newSweepTask is what job scripts call: Slurm tells which task it is.
func newSweepTask() *cobra.Command {
	var batch string
	var offset int
	c := &cobra.Command{
		Use:    "task --batch FILE --offset N",
		Short:  "Run a task of lamcap sweep submit, called by Slurm",
		Hidden: true,
		Args:   noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if batch == "" {
				return errors.New("batch is missing: give plan.json of the submission, --batch FILE")
			}
			index, err := slurmNumber("SLURM_ARRAY_TASK_ID", -1)
			if err != nil {
				return err
			}
			attempt := slurm.Attempt{Job: os.Getenv("SLURM_JOB_ID"), Node: os.Getenv("SLURMD_NODENAME")}
			if attempt.Restart, err = slurmNumber("SLURM_RESTART_COUNT", 0); err != nil {
				return err
			}
			if attempt.Job == "" || filepath.Base(attempt.Job) != attempt.Job {
				return fmt.Errorf("SLURM_JOB_ID = %q: want the number of a job; Slurm calls this command", attempt.Job)
			}
			if attempt.Node == "" {
				attempt.Node, _ = os.Hostname()
			}
			program, err := sweep.CurrentProgram()
			if err != nil {
				return failure{err}
			}
			ctx, stop := interruptible()
			defer stop()
			var log io.Writer = cmd.OutOrStdout()
			if err := slurm.RunTask(ctx, batch, offset+index, program, attempt, log); err != nil {
				return failure{err}
			}
			return nil
		},
	}
	c.Flags().StringVar(&batch, "batch", "", "plan.json of the submission")
	c.Flags().IntVar(&offset, "offset", 0, "task of the array's index 0")
	return c
}

// slurmNumber reads a number that Slurm sets, or the one it stands for without one;
// negative means that there must be one.
func slurmNumber(variable string, otherwise int) (int, error) {
	text := os.Getenv(variable)
	if text == "" && otherwise >= 0 {
		return otherwise, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 {
		return 0, fmt.Errorf("%s = %q: want a number ≥ 0; Slurm calls this command, and sets it", variable, text)
	}
	return n, nil
}
