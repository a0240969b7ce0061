package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"lamcap/harness/facts"
	"lamcap/harness/learn"
	"lamcap/harness/pattern"
	"lamcap/harness/sweep"
	"lamcap/harness/table"
	"lamcap/harness/vectors"
)

// offered is what a shell is told of a command line.
func offered(t *testing.T, words ...string) (list []string, directive string) {
	t.Helper()
	var out, stderr strings.Builder
	require.Equal(t, exitFine, run(append([]string{"__complete"}, words...), &out, &stderr), "%q: %s", words, stderr.String())
	list = strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
	return list[:len(list)-1], list[len(list)-1]
}

const noFiles, foldersOnly, asUsual = ":4", ":16", ":0"

// Pages that are no commands are offered, too.
func TestCompletionOfHelp(t *testing.T) {
	list, directive := offered(t, "help", "f")
	assert.Equal(t, noFiles, directive)
	var names []string
	for _, line := range list {
		name, _, _ := strings.Cut(line, "\t")
		names = append(names, name)
	}
	assert.ElementsMatch(t, []string{"finite-size", "formats", "files"}, names)
}

func TestCompletionOfFlags(t *testing.T) {
	for _, c := range []struct {
		words     string
		want      []string
		directive string
	}{
		{"train|--rule|", []string{"lbfgs", "hebb", "descent", "adam", "maxmargin"}, noFiles},
		{"train|--rule=|", []string{"lbfgs", "hebb", "descent", "adam", "maxmargin"}, noFiles},
		{"scores|--rule|hebb,|", []string{"hebb,lbfgs", "hebb,descent", "hebb,adam", "hebb,maxmargin"}, noFiles},
		{"train|--schedule|c|", []string{"constant", "cosine"}, noFiles},
		{"capacity|--format|", table.Formats(), noFiles},
		{"bench|--part|steps,d|", []string{"steps,decisions"}, noFiles},
		{"saddle|--loss|", []string{"cross-entropy", "hinge"}, noFiles},
		{"train|--rank|", nil, noFiles},
		{"train|--certificate|", nil, asUsual},
		{"report|--out|", nil, foldersOnly},
		{"capacity|", nil, noFiles},
		{"check|", nil, asUsual},
	} {
		words := strings.Split(strings.TrimSuffix(c.words, "|"), "|")
		if last := words[len(words)-1]; !strings.HasSuffix(last, "=") && !slices.Contains([]string{"hebb,", "c", "steps,d"}, last) {
			words = append(words, "")
		}
		list, directive := offered(t, words...)
		assert.Equal(t, c.want, slices.Clip(emptyIsNil(list)), c.words)
		assert.Equal(t, c.directive, directive, c.words)
	}
}

func emptyIsNil(list []string) []string {
	if len(list) == 0 {
		return nil
	}
	return list
}

// What is offered is accepted by the parsers, all of it.
func TestChoicesAreAccepted(t *testing.T) {
	parsers := map[string]func(string) error{
		"format":            func(s string) error { _, err := table.ParseFormat(s); return err },
		"model":             func(s string) error { _, err := pattern.ParseModel(s); return err },
		"rule":              func(s string) error { _, err := learn.ParseRule(s); return err },
		"embedding":         func(s string) error { _, _, err := embeddings(s); return err },
		"schedule":          func(s string) error { _, err := learn.ParseSchedule(s); return err },
		"candidates":        func(s string) error { _, err := facts.ParseCandidates(s); return err },
		"preprocess-keys":   func(s string) error { _, err := vectors.ParsePreprocessing(s); return err },
		"preprocess-values": func(s string) error { _, err := vectors.ParsePreprocessing(s); return err },

		"measure": func(s string) error { _, err := sweep.ParseMeasure(s); return err },
		"table":   func(s string) error { _, err := chosenSubjects(s); return err },
	}
	for name, chosen := range choices() {
		parse, ok := parsers[name]
		if !ok {
			continue // told by the commands: below
		}
		for _, word := range chosen.words {
			assert.NoError(t, parse(word), "--%s %s", name, word)
		}
		err := parse("nonsense")
		require.Error(t, err, name)
		for _, word := range chosen.words { // and the error names each
			assert.Contains(t, err.Error(), word, "--%s", name)
		}
	}
	for _, line := range []string{
		"saddle --d 12 --p 60 --loss %", "margin --d 8 --p 12 --level %", "bench --part %", "sweep plan --d 4 --load 1 --measure training --observe %",
	} {
		words := strings.Fields(line)
		flag := strings.TrimPrefix(words[len(words)-2], "--")
		var out, stderr strings.Builder
		assert.Equal(t, exitUsage, run(append(words[:len(words)-1:len(words)-1], "nonsense"), &out, &stderr), line)
		for _, word := range choices()[flag].words {
			assert.Contains(t, stderr.String(), word, "--%s", flag)
		}
	}
}

// Every flag of every command is one that chooses, a file, a folder, or known to take what no shell can
// offer: a new one has to say which.
func TestEveryFlagIsCompleted(t *testing.T) {
	free := strings.Fields(`
		d d-in d-out p n rank kappa load alpha seed trials restarts max-evaluations memory threads
		learning-rate beta1 beta2 epsilon momentum ridge tolerance gradient-tolerance loss-tolerance gap topk
		facts probability quantile fraction top tail margin scores precision draws references histogram bins
		rate confidence repeats experiment title task-minutes cpus-per-task partition time sbatch-arg workers components
	`)
	chosen := choices()
	used := map[string]bool{}
	for _, c := range allCommands(t) {
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			kind, usage := pflag.UnquoteUsage(f)
			used[f.Name] = true
			_, choosing := chosen[f.Name]
			_, completed := c.GetFlagCompletionFunc(f.Name)
			switch {
			case choosing:
				assert.True(t, completed, "%s --%s", c.CommandPath(), f.Name)
			case f.Value.Type() == "bool" || takesFile(kind) || kind == "DIR":
			default:
				assert.Contains(t, free, f.Name, "%s --%s: %s: in choices (completion.go), FILE or DIR in its usage, or a value like a number?", c.CommandPath(), f.Name, usage)
				assert.True(t, completed, "%s --%s: no names of files", c.CommandPath(), f.Name)
			}
		})
	}
	for name := range chosen {
		assert.True(t, used[name], "no command has --%s", name)
	}
	for _, name := range free {
		assert.True(t, used[name], "no command has --%s", name)
	}
}

// The shells' scripts are written, and bash completes with its own.
func TestCompletionInShells(t *testing.T) {
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		var out, stderr strings.Builder
		require.Equal(t, exitFine, run([]string{"completion", shell}, &out, &stderr), stderr.String())
		assert.Contains(t, out.String(), "__complete", shell)
	}
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("no bash")
	}
	folder := t.TempDir()
	self, err := os.Executable()
	require.NoError(t, err)
	// The test binary is the command if it is called lamcap.
	require.NoError(t, os.Symlink(self, filepath.Join(folder, "lamcap")))
	complete := func(line string) string {
		words := strings.Split(line, " ")
		script := `source <(lamcap completion bash)
COMP_WORDS=(` + strings.Join(quoted(words), " ") + `) COMP_CWORD=` + itoa(len(words)-1) + ` COMP_LINE=` + quoted([]string{line})[0] + ` COMP_POINT=` + itoa(len(line)) + ` COMP_TYPE=9
# What the package bash-completion provides.
_get_comp_words_by_ref() { words=("${COMP_WORDS[@]}"); cword=$COMP_CWORD; cur=${COMP_WORDS[COMP_CWORD]}; prev=${COMP_WORDS[COMP_CWORD-1]}; }
__ltrim_colon_completions() { :; }
__start_lamcap
printf '%s\n' "${COMPREPLY[@]}"`
		c := exec.Command(bash, "--norc", "-c", script)
		c.Env = append(os.Environ(), "PATH="+folder+":"+os.Getenv("PATH"))
		out, err := c.Output()
		require.NoError(t, err, string(out))
		return strings.TrimSpace(string(out))
	}
	assert.Equal(t, "adam", complete("lamcap train --rule ad"))
	assert.Equal(t, "constant\ncosine", complete("lamcap train --schedule co"))
	assert.Contains(t, complete("lamcap pl"), "plan")
}

func quoted(words []string) []string {
	var list []string
	for _, w := range words {
		list = append(list, "'"+w+"'")
	}
	return list
}

func itoa(i int) string { return (&integer{value: &i}).String() }
