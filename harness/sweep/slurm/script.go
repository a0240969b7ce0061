package slurm

import (
	"fmt"
	"strconv"
	"strings"
)

// script is what sbatch is given: the first argument is the offset of the array. The
// shell is replaced by the program, so that a signal to the job reaches it.
func script(program, plan string, cpus int) string {
	return fmt.Sprintf(`#!/bin/sh
# A task of a sweep: sbatch --array=… this file OFFSET.
export GOMAXPROCS=%d
exec %s sweep task --batch %s --offset "$1"
`, cpus, quote(program), quote(plan))
}

// quote makes a word of the shell of any text.
func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// arguments are those of sbatch for an array. What the user gave comes first: what
// the sweep relies on, last, wins. Sbatch expands % in the names of logs.
func (b *Batch) arguments(k int, o Options, script string) []string {
	a := b.Arrays[k]
	logs := strings.ReplaceAll(b.Folder, "%", "%%") + "/logs/%A_%a.log"
	var args []string
	if o.Partition != "" {
		args = append(args, "--partition="+o.Partition)
	}
	if o.Time != "" {
		args = append(args, "--time="+o.Time)
	}
	args = append(args, "--requeue")
	args = append(args, o.Arguments...)
	return append(args, "--parsable", "--job-name="+b.arrayName(k), "--array=0-"+strconv.Itoa(a.Tasks-1),
		"--nodes=1", "--ntasks=1", "--cpus-per-task="+strconv.Itoa(b.CPUs),
		"--chdir="+b.Folder, "--output="+logs, "--error="+logs, "--open-mode=append",
		script, strconv.Itoa(a.Offset))
}

// refused are options of sbatch that the sweep cannot do with, and why.
var refused = []struct{ long, short, why string }{
	{"array", "a", "the sweep makes its own arrays"},
	{"clusters", "M", "set SLURM_CLUSTERS, which Slurm's other commands heed too"},
	{"wait", "W", "submit returns at once, and sweep status tells how far it is"},
	{"wrap", "", "the sweep has its own script"},
	{"test-only", "", "lamcap sweep plan tells what would run"},
	{"parsable", "", "it is given anyway"},
}

// Validate reports the first option outside its range.
func (o Options) Validate() error {
	if o.Minutes < 0 {
		return fmt.Errorf("task-minutes = %g: want > 0", o.Minutes)
	}
	if o.CPUs < 0 {
		return fmt.Errorf("cpus-per-task = %d: want ≥ 1", o.CPUs)
	}
	for _, a := range o.Arguments {
		if !strings.HasPrefix(a, "-") {
			return fmt.Errorf("sbatch-arg = %s: want one option, its value after =: --sbatch-arg=--account=NAME", a)
		}
		name, _, _ := strings.Cut(a, "=")
		for _, r := range refused {
			if name == "--"+r.long || r.short != "" && !strings.HasPrefix(a, "--") && strings.HasPrefix(a, "-"+r.short) {
				return fmt.Errorf("sbatch-arg = %s: want no --%s: %s", a, r.long, r.why)
			}
		}
	}
	return nil
}
