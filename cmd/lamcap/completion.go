package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"lamcap/harness/table"
)

func newCompletion() *cobra.Command {
	shells := []string{"bash", "zsh", "fish", "powershell"}
	return &cobra.Command{
		Use:   "completion SHELL",
		Short: "Completion of commands and flags in bash, zsh, fish or PowerShell",
		Long: `Print the script with which a shell, bash, zsh, fish or powershell, completes
commands, flags and what flags choose from. bash needs its package bash-completion.

To have it in every new shell write it where the shell looks for it:

  bash        /etc/bash_completion.d/lamcap, or
              ~/.local/share/bash-completion/completions/lamcap
  zsh         a file _lamcap in a folder of $fpath
  fish        ~/.config/fish/completions/lamcap.fish
  powershell  what $PROFILE runs`,
		Example: `  source <(lamcap completion bash)
  lamcap completion fish > ~/.config/fish/completions/lamcap.fish`,
		ValidArgs: shells,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 || !slices.Contains(shells, args[0]) {
				return fmt.Errorf("shell = %s: want bash, zsh, fish or powershell", strings.Join(args, " "))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			root, out := cmd.Root(), cmd.OutOrStdout()
			var err error
			switch args[0] {
			case "bash":
				err = root.GenBashCompletionV2(out, true)
			case "zsh":
				err = root.GenZshCompletion(out)
			case "fish":
				err = root.GenFishCompletion(out, true)
			case "powershell":
				err = root.GenPowerShellCompletionWithDesc(out)
			}
			if err != nil {
				return failure{fmt.Errorf("write the script: %w", err)}
			}
			return nil
		},
	}
}

// choice is what a flag chooses from.
type choice struct {
	words []string
	list  bool // several, separated by commas
}

// choices are of the flags that choose, by name: one that two commands have means the same.
func choices() map[string]choice {
	embeddings := choice{[]string{"gaussian", "sphere"}, true}
	steps := choice{[]string{"none", "centre", "unit", "whiten"}, true}
	return map[string]choice{
		"format":            {table.Formats(), false},
		"model":             {[]string{"dp", "op"}, true},
		"rule":              {[]string{"lbfgs", "hebb", "descent", "adam", "maxmargin"}, true},
		"embedding":         embeddings,
		"preprocess-keys":   steps,
		"preprocess-values": steps,
		"schedule":          {[]string{"constant", "root", "linear", "cosine"}, false},
		"loss":              {[]string{"cross-entropy", "hinge"}, false},
		"level":             {[]string{"score", "vector", "corrected"}, false},
		"part":              {[]string{"kernels", "steps", "decisions"}, true},
		"table":             {strings.Split(subjectNames(), ","), true},
		"measure":           {[]string{"storage", "training"}, true},
		"observe":           {[]string{"spectrum", "scores"}, true},
		"candidates":        {[]string{"all", "used"}, false},
	}
}

// completeFlags says to shells what flags take: words for those that choose, files and folders where
// the usage names FILE or DIR, and no file names for numbers; and no file names where a
// command takes no argument.
func completeFlags(c *cobra.Command, choices map[string]choice) {
	flags := func(f *pflag.Flag) {
		kind, _ := pflag.UnquoteUsage(f)
		var err error
		switch chosen, ok := choices[f.Name]; {
		case ok:
			err = c.RegisterFlagCompletionFunc(f.Name, chosen.complete)
		case f.Value.Type() == "bool" || takesFile(kind):
		case kind == "DIR":
			err = c.MarkFlagDirname(f.Name)
		default:
			err = c.RegisterFlagCompletionFunc(f.Name, cobra.NoFileCompletions)
		}
		if err != nil {
			panic("lamcap: " + err.Error())
		}
	}
	c.NonInheritedFlags().VisitAll(flags)
	if c.ValidArgsFunction == nil && c.Runnable() && !strings.Contains(c.Use, " ") {
		c.ValidArgsFunction = cobra.NoFileCompletions
	}
	for _, sub := range c.Commands() {
		completeFlags(sub, choices)
	}
}

// takesFile: the shell completes names of files by itself.
func takesFile(kind string) bool { return kind == "FILE" || kind == "PYTHON" }

// complete offers the words that are left to choose.
func (w choice) complete(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
	before, chosen := "", []string(nil)
	if i := strings.LastIndex(typed, ","); w.list && i >= 0 {
		before, chosen = typed[:i+1], strings.Split(typed[:i], ",")
	}
	var offered []string
	for _, word := range w.words {
		if full := before + word; strings.HasPrefix(full, typed) && !slices.Contains(chosen, word) {
			offered = append(offered, full)
		}
	}
	return offered, cobra.ShellCompDirectiveNoFileComp
}
