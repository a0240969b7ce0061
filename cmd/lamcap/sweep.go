package main

import (
	"fmt"
	"io"
	"runtime"
	"strings"

	"github.com/BurntSushi/toml"
	"github.com/spf13/cobra"

	"lamcap/harness/sweep"
	"lamcap/harness/table"
	"lamcap/internal/files"
	"lamcap/quartercircle"
)

// exampleGrid is the grid that the help shows.
const exampleGrid = `title = "storage of OP and DP"
seed = 1                     # "0xffff" for any 64-bit number

[[experiment]]
name = "transition"          # what shares a name shares keys
measure = "storage"          # or "training", observe = ["spectrum", "scores"]
[experiment.axes]            # all combinations: values, ranges, lists of both
model = ["op", "dp"]
d = [12, "24:96:24"]         # or d_in and d_out
load = "0.9:1.1:0.05"        # p/p_c; or alpha = p log p/(d_in d_out); or p
[[experiment.zip]]           # lists of one length that vary together
kappa = [0.25, 1]            # or rank
trials = [20, 200]           # of each cell; if the same a number beside name
`

func indented(text string) string {
	return "  " + strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n  ") + "\n"
}

func newSweep(o *output) *cobra.Command {
	c := &cobra.Command{
		Use:   "sweep",
		Short: "Run a grid of experiments, trial by trial, and keep every trial",
		Long: `Run a grid of experiments and keep every trial.

A grid is a TOML file or flags:

` + indented(exampleGrid) + `
A key stands in one place of an experiment: as an option beside its name, in axes or
in a zip. Further keys: rule, n, embedding, seed, max_evaluations, restarts,
learning_rate, gradient_tolerance and loss_tolerance.`,
		Example: `  lamcap sweep plan --d 12,24 --load 0.9:1.1:0.05 --trials 100
  lamcap sweep run grid.toml --out runs/op
  lamcap sweep status runs/op`,
		Args: noArguments,
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(newSweepPlan(o), newSweepRun(o), newSweepStatus(o), newSweepSubmit(o), newSweepCollect(o), newSweepCancel(o), newSweepTask())
	return c
}

func newSweepPlan(o *output) *cobra.Command {
	var grid sweepGrid
	c := &cobra.Command{
		Use:   "plan [GRID.toml]",
		Short: "List the cells of a grid and estimate the time",
		Long: `List what a grid resolves to, cell by cell, and estimate the time of a trial and
of all: loads are rounded to whole numbers of facts, and cells that are the same
become one, with the larger number of trials. Times are rough, within a factor of
three for most cells, more next to capacity.

The grid is a file (lamcap help sweep) or flags, not both.`,
		Example: `  lamcap sweep plan grid.toml
  lamcap sweep plan --d 12,24 --load 0.8:1.2:0.1 --trials 100`,
		Args: gridArgument,
		RunE: func(cmd *cobra.Command, args []string) error {
			p, err := grid.plan(cmd, args)
			if err != nil {
				return err
			}
			return o.print(cmd.OutOrStdout(), planTable(p, runtime.GOMAXPROCS(0)))
		},
	}
	grid.add(c)
	return c
}

// gridArgument allows a grid file.
func gridArgument(_ *cobra.Command, args []string) error {
	if len(args) > 1 {
		return fmt.Errorf("unexpected argument %s: want one grid file, or flags", args[1])
	}
	return nil
}

// sweepGrid is a grid given as a file or as flags, whose names are those of other
// commands; each has the TOML key of the same name, with _ for -.
type sweepGrid struct {
	values map[string]*string
}

// gridFlag is one flag of a sweep.
type gridFlag struct {
	name, initial, usage string
	words                bool // a list of words
}

func sweepFlags() []gridFlag {
	return []gridFlag{
		{"experiment", "sweep", "name of the experiment, which its random streams have", false},
		{"measure", "storage", "storage, training or both", true},
		{"observe", "", "spectrum, scores or both: what is kept of trained memories", true},
		{"d", "", "dimension of keys and values: a list, 12,24,48 or 24:96:24", false},
		{"d-in", "", "dimension of keys, with --d-out in place of --d", false},
		{"d-out", "", "dimension of values", false},
		{"model", "dp,op", "op (one shared pool), dp (a pool for each input) or both", true},
		{"rule", "lbfgs", "rules: hebb, descent, adam, lbfgs, maxmargin", true},
		{"kappa", "", "ranks as fractions of the smaller dimension: 0.25,0.5,1 (default 1)", false},
		{"rank", "", "ranks m of W = QRᵀ, in place of --kappa", false},
		{"load", "", "loads p/p_c: 0.8:1.2:0.1", false},
		{"alpha", "", "loads p log p/(d_in d_out), in place of --load", false},
		{"p", "", "numbers of facts, in place of --load", false},
		{"n", "", "candidates of each input in model dp (default p)", false},
		{"embedding", "gaussian", "gaussian or sphere (norm √d); keys,values when they differ", false},
		{"trials", "20", "instances of each cell", false},
		{"seed", "1", "master seeds: any 64-bit numbers, decimal or 0x hexadecimal", false},
		{"max-evaluations", "", "budget of a training in passes over the data", false},
		{"restarts", "", "random starts at a rank below full", false},
		{"learning-rate", "", "step size of adam and descent", false},
		{"gradient-tolerance", "", "gradient at which measure training ends", false},
		{"loss-tolerance", "", "mean loss at which measure training ends below capacity", false},
	}
}

// add adds the flags.
func (g *sweepGrid) add(c *cobra.Command) {
	c.Flags().SortFlags = false
	g.values = map[string]*string{}
	for _, f := range sweepFlags() {
		g.values[f.name] = c.Flags().String(f.name, f.initial, f.usage)
	}
}

// plan reads the file, or the flags as the file that says the same, and resolves it.
func (g *sweepGrid) plan(cmd *cobra.Command, args []string) (*sweep.Plan, error) {
	var name, text string
	var err error
	if len(args) > 0 {
		name = args[0]
		for _, f := range sweepFlags() {
			if cmd.Flags().Changed(f.name) {
				return nil, fmt.Errorf("%s = %s with %s: want the grid as a file or as flags, not both", f.name, *g.values[f.name], name)
			}
		}
		text, err = readGrid(name)
	} else {
		text, err = g.toml(cmd)
	}
	if err != nil {
		return nil, err
	}
	grid, err := sweep.ParseGrid(text, name)
	if err != nil {
		return nil, err
	}
	return grid.Plan(quartercircle.NewSpectra())
}

// readGrid reads a file, not more of it than a grid may have.
func readGrid(name string) (string, error) {
	f, err := files.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, sweep.MaxGridBytes+1))
	return string(text), err
}

// toml writes the flags as a grid of one experiment.
func (g *sweepGrid) toml(cmd *cobra.Command) (string, error) {
	given := cmd.Flags().Changed
	if !g.given(cmd) {
		return "", fmt.Errorf("no grid: want a TOML file, or flags such as --d 12,24 --load 0.8:1.2:0.1")
	}
	options, axes := map[string]any{}, map[string]any{}
	for _, f := range sweepFlags() {
		if f.initial == "" && !given(f.name) {
			continue
		}
		var value any = *g.values[f.name]
		if f.words {
			value = trimmed(strings.Split(*g.values[f.name], ","))
		}
		switch f.name {
		case "experiment":
			options["name"] = value
		case "observe", "trials":
			options[f.name] = value
		default:
			axes[strings.ReplaceAll(f.name, "-", "_")] = value
		}
	}
	options["axes"] = axes
	text, err := toml.Marshal(map[string]any{"experiment": []map[string]any{options}})
	return string(text), err
}

func trimmed(words []string) []string {
	for i, w := range words {
		words[i] = strings.TrimSpace(w)
	}
	return words
}

// planTable lists the cells with their time, and what all of them take.
func planTable(p *sweep.Plan, cores int) *table.Table {
	t := &table.Table{Name: "sweep_plan", Title: p.Title, Columns: []table.Column{
		{Key: "experiment"},
		{Key: "measure"},
		{Key: "model"},
		{Key: "rule"},
		{Key: "d_in"},
		{Key: "d_out"},
		{Key: "rank"},
		{Key: "kappa", Head: "κ", Digits: 3},
		{Key: "p"},
		{Key: "n"},
		{Key: "load", Head: "p/p_c", Digits: 3},
		{Key: "alpha", Head: "α", Digits: 3},
		{Key: "keys_embedding", Hidden: true},
		{Key: "values_embedding", Hidden: true},
		{Key: "seed"},
		{Key: "trials"},
		{Key: "trial_seconds", Head: "s/trial", Digits: 2},
		{Key: "cell_seconds", Head: "s/cell", Digits: 2},
		{Key: "max_evaluations", Hidden: true},
		{Key: "restarts", Hidden: true},
		{Key: "learning_rate", Hidden: true},
		{Key: "gradient_tolerance", Hidden: true},
		{Key: "loss_tolerance", Hidden: true},
		{Key: "spectrum", Hidden: true},
		{Key: "scores", Hidden: true},
	}}
	longest := 0.0
	for _, w := range p.Cells {
		s, o, one := w.Spec, w.Options, sweep.Seconds(w.Cell)
		longest = max(longest, one)
		t.Append(w.Experiment, w.Measure, s.Model, w.Rule, s.DIn, s.DOut, w.Rank, w.Kappa(), s.P, s.N, w.Load(), w.Alpha(),
			s.Keys, s.Values, w.Seed, w.Trials, one, float64(w.Trials)*one,
			o.MaxEvaluations, o.Restarts, o.LearningRate, o.GradientTolerance, o.LossTolerance, o.Spectrum, o.Scores)
	}
	core := p.Seconds()
	t.Notes = []string{
		fmt.Sprintf("%s, %s: about %s of one core, %s on the %d of this machine.", counted(len(p.Cells), "cell"), counted(p.Instances(), "instance"), roughly(core), roughly(max(core/float64(cores), longest)), cores),
		"p/p_c: p_c of N_eff weights. Times are estimates, within a factor of three for most cells.",
	}
	return t
}

// counted is "1 cell", "2 cells".
func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// roughly writes seconds to two digits in a unit that is readable.
func roughly(seconds float64) string {
	const year = 365.25 * 24 * 3600
	switch {
	case seconds > year:
		return fmt.Sprintf("%.2g years", seconds/year)
	case seconds > 48*3600:
		return fmt.Sprintf("%.2g days", seconds/(24*3600))
	case seconds > 90*60:
		return fmt.Sprintf("%.2g h", seconds/3600)
	case seconds > 90:
		return fmt.Sprintf("%.2g min", seconds/60)
	}
	return fmt.Sprintf("%.2g s", seconds)
}
