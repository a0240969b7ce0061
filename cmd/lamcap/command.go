package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"lamcap/harness/table"
)

// Exit codes of the command.
const (
	exitFine   = 0
	exitFailed = 1
	exitUsage  = 2
)

// failure is an error that is not the user's: a verification that failed, or
// output that could not be written.
type failure struct{ error }

func (f failure) Unwrap() error { return f.error }

// output is what every subcommand shares: where to print and in which format.
type output struct {
	format string
	stderr *os.File // nil when it is not a file: no progress is shown
}

// print writes tables in the chosen format.
func (o *output) print(w io.Writer, tables ...*table.Table) error {
	f, err := table.ParseFormat(o.format)
	if err != nil {
		return err
	}
	if err := table.Write(w, f, tables...); err != nil {
		return failure{fmt.Errorf("write the result: %w", err)}
	}
	return nil
}

// run executes the command line and returns the exit code.
func run(args []string, stdout, stderr io.Writer) int {
	file, _ := stderr.(*os.File)
	root := newRoot(&output{stderr: file})
	root.SetArgs(args)
	root.SetOut(stdout)
	root.SetErr(stderr)
	err := root.Execute()
	if err == nil {
		return exitFine
	}
	fmt.Fprintf(stderr, "lamcap: %v\n", err)
	if f := (failure{}); errors.As(err, &f) {
		return exitFailed
	}
	return exitUsage
}

func newRoot(o *output) *cobra.Command {
	root := &cobra.Command{
		Use:   "lamcap",
		Short: "Storage capacity of linear associative memories",
		Long: `lamcap computes how many facts a linear associative memory can store: the
exact finite-size theory with error bounds, checked against trained models.`,
		Version:       version(),
		SilenceUsage:  true,
		SilenceErrors: true,
		Args:          cobra.NoArgs,
		RunE:          func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	root.PersistentFlags().StringVar(&o.format, "format", string(table.TableFormat), strings.Join(table.Formats(), "|"))
	root.PersistentPreRunE = func(*cobra.Command, []string) error {
		// A wrong format is told before any work is done.
		_, err := table.ParseFormat(o.format)
		return err
	}
	root.CompletionOptions.HiddenDefaultCmd = true
	root.AddCommand(newCapacity(o), newFiniteSize(o), newTrain(o), newVerify(o))
	return root
}

// version returns the module version and VCS revision stamped into the binary.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	v := info.Main.Version
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			v += " " + s.Value
		}
	}
	return v
}
