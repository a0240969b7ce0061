package main

import (
	"encoding/json"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// allCommands are the root, every command and every page, that people see.
func allCommands(t *testing.T) []*cobra.Command {
	t.Helper()
	var all []*cobra.Command
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		if !c.Hidden {
			all = append(all, c)
		}
		for _, sub := range c.Commands() {
			walk(sub)
		}
	}
	walk(newRoot(&output{}))
	require.Greater(t, len(all), 30)
	return all
}

// ours leaves out cobra's own command.
func ours(c *cobra.Command) bool {
	path := c.CommandPath()
	return path != "lamcap" && path != "lamcap help"
}

func helpOf(t *testing.T, c *cobra.Command) string {
	t.Helper()
	var out, stderr strings.Builder
	args := append([]string{"help"}, strings.Fields(c.CommandPath())[1:]...)
	require.Equal(t, exitFine, run(args, &out, &stderr), "%s: %s", c.CommandPath(), stderr.String())
	return out.String()
}

func TestHelpFitsTheScreen(t *testing.T) {
	for _, c := range allCommands(t) {
		for line := range strings.Lines(helpOf(t, c)) {
			assert.LessOrEqual(t, utf8.RuneCountInString(strings.TrimSuffix(line, "\n")), helpWidth, "%s: %s", c.CommandPath(), line)
		}
	}
	first := helpOf(t, allCommands(t)[0])
	assert.LessOrEqual(t, strings.Count(first, "\n"), 48, "the first page is one screen")
}

// The first page and the package's documentation have every command.
func TestFirstPageHasEveryCommand(t *testing.T) {
	doc, err := os.ReadFile("doc.go")
	require.NoError(t, err)
	first := helpOf(t, allCommands(t)[0])
	for _, c := range newRoot(&output{}).Commands() {
		if c.Hidden {
			continue
		}
		assert.Contains(t, first, "\n  "+c.Name()+" ", "first page")
		if c.Runnable() {
			assert.NotEmpty(t, c.GroupID, c.Name())
			assert.Contains(t, string(doc), "//	lamcap "+c.Name(), "doc.go")
		}
	}
}

// A page says what a command does, what its columns are and how it is called.
func TestHelpIsComplete(t *testing.T) {
	columns := helpColumns()
	for _, c := range allCommands(t) {
		if !ours(c) || !c.Runnable() {
			continue
		}
		name := strings.TrimPrefix(c.CommandPath(), "lamcap ")
		assert.NotEmpty(t, c.Example, "%s: an example", name)
		assert.Greater(t, len(c.Long), len(c.Short), "%s: a text", name)
		if !c.HasSubCommands() && name != "completion" { // whose output is no table
			assert.NotEmpty(t, columns[name], "help/columns.txt: [%s]", name)
		}
	}
	for name := range columns {
		if name == "*" {
			continue
		}
		_, rest, err := newRoot(&output{}).Find(strings.Fields(name))
		assert.True(t, err == nil && len(rest) == 0, "help/columns.txt: [%s] is no command", name)
	}
}

// exampleLines are the command lines that the pages show.
func exampleLines(t *testing.T) []string {
	t.Helper()
	var lines []string
	for _, c := range allCommands(t) {
		text := c.Example
		if !c.Runnable() { // a page
			text = c.Long
		}
		for line := range strings.Lines(text) {
			line = strings.TrimPrefix(strings.TrimSpace(line), "source <(")
			line = strings.TrimSuffix(line, ")")
			if strings.HasPrefix(line, "lamcap ") && (c.Runnable() || strings.Contains(line, " --")) {
				lines = append(lines, line)
			} else if c.Runnable() && ours(c) && line != "" {
				assert.Fail(t, "no command", "%s: %s", c.CommandPath(), line)
			}
		}
	}
	require.Greater(t, len(lines), 40)
	return lines
}

func exampleWords(line string) []string {
	line, _, _ = strings.Cut(line, " | ")
	line, _, _ = strings.Cut(line, " > ")
	return strings.Fields(line)[1:]
}

// Examples are calls that commands accept, and those of pure theory run.
func TestExamplesOfTheHelp(t *testing.T) {
	quick := []string{"capacity", "finite-size", "plan", "version", "--version"}
	for _, line := range exampleLines(t) {
		words := exampleWords(line)
		c, rest, err := newRoot(&output{}).Find(words)
		require.NoError(t, err, line)
		require.NoError(t, c.ParseFlags(rest), line)
		require.NoError(t, c.ValidateArgs(c.Flags().Args()), line)
		if slices.Contains(quick, words[0]) {
			var out, stderr strings.Builder
			assert.Equal(t, exitFine, run(words, &out, &stderr), "%s: %s", line, stderr.String())
			assert.NotEmpty(t, out.String(), line)
		}
	}
}

// Small runs of every command that ends soon: the keys of their records.
func TestColumnsOfTheHelpAreTheColumns(t *testing.T) {
	folder := t.TempDir()
	sweep, certificate := filepath.Join(folder, "sweep"), filepath.Join(folder, "certificate")
	words, memory := filepath.Join(folder, "words.txt"), filepath.Join(folder, "W.npy")
	own := " --keys " + words + " --values " + words
	require.NoError(t, os.WriteFile(words, []byte("a 1 2\nb 2 1\nc 1 2\nd 0 0\ne 1 1\n"), 0o600)) // of which some contradict others
	tiny := " --d 4 --trials 2 --model dp --rule lbfgs"
	require.NoError(t, os.WriteFile(filepath.Join(folder, "pairs.csv"), []byte("a,a\nb,b\n"), 0o600))
	seen := map[string]map[string]bool{}
	for _, line := range []string{
		"capacity --kappa 0.25,1 --d 24",
		"finite-size --n 10", "finite-size --n 100 --expansion",
		"probability --d 12 --p 40", "probability --d 12 --quantile 0.5",
		"plan --facts 100", "plan --d 12",
		"margin --d 12 --p 20", "margin --d 12 --p 20 --scores 0",
		"volume --d 6 --p 8 --draws 100",
		"saddle --d 12 --p 60", "saddle --d 12 --p 200 --n 2 --scores 0",
		"criterion --d 12 --fraction 0.1", "criterion --d 12 --p 60", "criterion --d 4 --top 2 --n 4", "criterion --tail 0.1",
		"train --d 6 --p 8 --certificate " + certificate, "check " + certificate,
		"store --out " + memory + own, "recall --weights " + memory + own, "recall --pairs " + filepath.Join(folder, "pairs.csv") + " --weights " + memory + own,
		"inspect --references 20 --weights " + memory + own,
		"spectrum --references 20" + tiny, "spectrum --values --references 20" + tiny, "spectrum --histogram 2 --references 20" + tiny,
		"spectrum --references 20 --d 4,5 --trials 2 --model dp",
		"scores --rule hebb --bins 2 --d 4 --trials 2 --model dp",
		"sweep plan --load 1" + tiny, "sweep run --load 1 --out " + sweep + tiny, "sweep status " + sweep, "sweep collect " + sweep,
		"report " + sweep + " --out " + filepath.Join(folder, "report"),
		"version",
	} {
		var out, stderr strings.Builder
		args := append(strings.Fields(line), "--format", "json")
		require.Equal(t, exitFine, run(args, &out, &stderr), "%s: %s", line, stderr.String())
		c, _, err := newRoot(&output{}).Find(args)
		require.NoError(t, err)
		name := strings.TrimPrefix(c.CommandPath(), "lamcap ")
		if seen[name] == nil {
			seen[name] = map[string]bool{}
		}
		for d := json.NewDecoder(strings.NewReader(out.String())); ; {
			record := map[string]any{}
			err := d.Decode(&record)
			if err == io.EOF {
				break
			}
			require.NoError(t, err, line)
			for key := range record {
				seen[name][key] = true
			}
		}
	}
	columns := helpColumns()
	for _, name := range slices.Sorted(maps.Keys(seen)) {
		for _, key := range slices.Sorted(maps.Keys(seen[name])) {
			assert.True(t, explained(columns[name], key), "help/columns.txt: [%s]: %s", name, key)
		}
	}
}

// suffixes are those of lamcap help formats.
var suffixes = []string{"_error", "_interval", "_z", "_p_value", "_law", "_theory", "_std", "_range", "_status"}

// explained reports whether a key, or the one beside which it stands, is in a list: as it is, or by a
// pattern with a star.
func explained(list []columnHelp, key string) bool {
	if key == "table" {
		return true
	}
	for _, c := range list {
		for _, word := range strings.FieldsFunc(c.keys, func(r rune) bool { return r == ',' || r == ' ' || r == '…' }) {
			if stem, star := strings.CutSuffix(word, "*"); word == key || star && strings.HasPrefix(key, stem) {
				return true
			}
			if stem, star := strings.CutPrefix(word, "*"); star && strings.HasSuffix(key, stem) {
				return true
			}
		}
		if from, to, ok := strings.Cut(c.keys, " … "); ok { // error_0 … error_10
			stem := from[:strings.LastIndex(from, "_")+1]
			if strings.HasPrefix(key, stem) && strings.HasPrefix(to, stem) {
				return true
			}
		}
	}
	for _, s := range suffixes {
		if stem, ok := strings.CutSuffix(key, s); ok && explained(list, stem) {
			return true
		}
	}
	return false
}

func TestExplained(t *testing.T) {
	list := []columnHelp{{"a, b", ""}, {"limit_*", ""}, {"*_uncut", ""}, {"error_0 … error_10", ""}}
	for _, key := range []string{"a", "b", "a_error", "a_error_status", "limit_log", "ks_uncut", "ks_uncut_error", "error_7", "table"} {
		assert.True(t, explained(list, key), key)
	}
	for _, key := range []string{"c", "ab", "limit", "uncut", "c_error"} {
		assert.False(t, explained(list, key), key)
	}
}
