package main

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"lamcap/harness/table"
	"lamcap/internal/numlist"
	"lamcap/internal/simd"
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
	root.SetArgs(append([]string{}, args...)) // nil would mean those of the process
	out := &watched{Writer: stdout}
	root.SetOut(out)
	root.SetErr(stderr)
	err := root.Execute()
	if out.err != nil && !errors.As(err, new(failure)) {
		// Help and the version print without looking at errors.
		err = failure{fmt.Errorf("write the result: %w", out.err)}
	}
	if err == nil {
		return exitFine
	}
	fmt.Fprintf(stderr, "lamcap: %v\n", err)
	if f := (failure{}); errors.As(err, &f) {
		return exitFailed
	}
	return exitUsage
}

// watched remembers the first error of a writer.
type watched struct {
	io.Writer
	err error
}

func (w *watched) Write(p []byte) (int, error) {
	n, err := w.Writer.Write(p)
	if w.err == nil {
		w.err = err
	}
	return n, err
}

func newRoot(o *output) *cobra.Command {
	var showVersion bool
	root := &cobra.Command{
		Use:   "lamcap",
		Short: "Storage capacity of linear associative memories",
		Long: `lamcap computes how many facts a linear associative memory can store: the
exact finite-size theory with error bounds, checked against trained models.`,
		SilenceUsage:  true,
		SilenceErrors: true,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) > 0 {
				return unknownCommand(c, args[0])
			}
			return nil
		},
		RunE: func(c *cobra.Command, _ []string) error {
			if !showVersion {
				return c.Help()
			}
			b, err := currentBuild()
			if err != nil {
				return failure{err}
			}
			fmt.Fprintln(c.OutOrStdout(), b)
			return nil
		},
	}
	// Not cobra's flag: it would have to know the text of every command's start.
	root.Flags().BoolVarP(&showVersion, "version", "v", false, "which build this is, in one line")
	root.PersistentFlags().StringVar(&o.format, "format", string(table.TableFormat), "`FORMAT` of the result: "+strings.Join(table.Formats(), ", "))
	root.PersistentPreRunE = func(c *cobra.Command, _ []string) error {
		// A wrong format or instruction set is told before any work is done.
		if _, err := table.ParseFormat(o.format); err != nil {
			return err
		}
		if c == root { // prints help
			return nil
		}
		_, err := simd.Chosen()
		return err
	}
	root.SetFlagErrorFunc(flagError)
	root.CompletionOptions.DisableDefaultCmd = true
	root.AddCommand(newCapacity(o), newFiniteSize(o), newProbability(o), newPlan(o), newMargin(o), newVolume(o), newSaddle(o), newCriterion(o), newTrain(o), newCheck(o), newStore(o), newRecall(o), newInspect(o), newVerify(o), newCompare(o), newPairings(o), newBench(o))
	root.AddCommand(newSpectrum(o), newScores(o), newReproduce(o), newSweep(o), newReport(o), newVersion(o), newCompletion())
	strictHelp(root)
	arrangeHelp(root)
	completeFlags(root, choices())
	return root
}

// strictHelp makes lamcap help COMMAND an error where there is no such command,
// and independent of what the root checks before other commands.
func strictHelp(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	help, _, err := root.Find([]string{"help"})
	if err != nil {
		panic("lamcap: " + err.Error())
	}
	help.PersistentPreRunE = func(*cobra.Command, []string) error { return nil }
	help.RunE = func(_ *cobra.Command, args []string) error {
		c, rest, err := root.Find(args)
		if err != nil {
			return err
		}
		if len(rest) > 0 {
			return unknownCommand(c, rest[0])
		}
		c.InitDefaultHelpFlag()
		return c.Help()
	}
	commands := help.ValidArgsFunction
	help.ValidArgsFunction = func(c *cobra.Command, args []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
		offered, directive := commands(c, args, typed)
		for _, t := range topics {
			if len(args) == 0 && strings.HasPrefix(t.name, typed) {
				offered = append(offered, cobra.CompletionWithDesc(t.name, t.short))
			}
		}
		return offered, directive
	}
}

// unknownCommand says which ones there are.
func unknownCommand(c *cobra.Command, name string) error {
	meant := ""
	c.SuggestionsMinimumDistance = 2 // edits; cobra's default is none
	if similar := c.SuggestionsFor(name); len(similar) > 0 {
		meant = "did you mean " + strings.Join(similar, " or ") + "? "
	}
	return fmt.Errorf("unknown command %q for %q: %s%s lists all there is", name, c.CommandPath(), meant, pageOf(c))
}

// pageOf is the command line that prints the page of a command.
func pageOf(c *cobra.Command) string {
	root := c.Root().Name()
	return root + " help" + strings.TrimPrefix(c.CommandPath(), root)
}

// noArguments refuses what stands beside the flags.
func noArguments(c *cobra.Command, args []string) error {
	if len(args) > 0 {
		if c.HasSubCommands() {
			return unknownCommand(c, args[0])
		}
		return fmt.Errorf("unexpected argument %s: values belong to flags, and those of a list are separated by commas", args[0])
	}
	return nil
}

// flagError says of a wrong flag what its own parser said.
func flagError(c *cobra.Command, err error) error {
	if unknown := (*pflag.NotExistError)(nil); errors.As(err, &unknown) {
		return fmt.Errorf("%w: %s lists the flags", err, pageOf(c))
	}
	var wrong *pflag.InvalidValueError
	// What strconv says of a bool does not name the flag.
	if syntax := (*strconv.NumError)(nil); errors.As(err, &wrong) && !errors.As(err, &syntax) {
		return wrong.Unwrap()
	}
	return err
}

// integer is a flag that takes an integer as people write it (1e3) in a range.
type integer struct {
	name   string
	lo, hi int
	value  *int
}

// integerFlag adds an integer flag that is 0 unless given.
func integerFlag(c *cobra.Command, value *int, name string, lo int, usage string) {
	c.Flags().Var(&integer{name, lo, math.MaxInt32, value}, name, usage)
}

func (i *integer) Set(text string) error {
	values, err := numlist.Ints(i.name, text, i.lo, i.hi, 1)
	if err == nil {
		*i.value = values[0]
	}
	return err
}

func (i *integer) String() string {
	if i.value == nil || *i.value == 0 {
		return ""
	}
	return strconv.Itoa(*i.value)
}

func (i *integer) Type() string { return "integer" }

// number is a flag that takes a number in a range as people write it.
type number struct {
	name  string
	in    numlist.Range
	value *float64
}

// numberFlag adds a flag for a number in a range.
func numberFlag(c *cobra.Command, value *float64, name string, in numlist.Range, usage string) {
	c.Flags().Var(&number{name, in, value}, name, usage)
}

// positiveFlag adds a flag for a number > 0 that is 0 unless given.
func positiveFlag(c *cobra.Command, value *float64, name, usage string) {
	numberFlag(c, value, name, numlist.Range{LoOpen: true, Hi: math.MaxFloat64}, usage)
}

func (x *number) Set(text string) error {
	values, err := numlist.Floats(x.name, text, x.in, 1)
	if err == nil {
		*x.value = values[0]
	}
	return err
}

func (x *number) String() string {
	if x.value == nil || *x.value == 0 {
		return ""
	}
	return strconv.FormatFloat(*x.value, 'g', -1, 64)
}

func (x *number) Type() string { return "number" }

// seed is a flag that takes any number of 64 bits.
type seed struct{ value *uint64 }

// seedFlag adds --seed, 1 unless given.
func seedFlag(c *cobra.Command, value *uint64, usage string) {
	*value = 1
	c.Flags().Var(&seed{value}, "seed", usage+": any 64-bit number, decimal or 0x hexadecimal")
}

func (s *seed) Set(text string) error {
	n, err := numlist.Uint64("seed", text)
	if err == nil {
		*s.value = n
	}
	return err
}

func (s *seed) String() string {
	if s.value == nil {
		return ""
	}
	return strconv.FormatUint(*s.value, 10)
}

func (s *seed) Type() string { return "integer" }
