package main

import (
	"embed"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"
)

// helpWidth is the width of all pages, in columns of a terminal.
const helpWidth = 80

// helpTexts are the pages that are no commands, and what columns of tables mean.
//
//go:embed help/*.txt
var helpTexts embed.FS

// groups are the questions under which the first page lists commands.
var groups = []struct {
	title    string
	commands []string
}{
	{"How many facts fit?", []string{"capacity", "finite-size", "probability", "plan", "criterion"}},
	{"What does training reach?", []string{"margin", "volume", "saddle"}},
	{"Is it true of finite memories?", []string{"verify", "compare", "spectrum", "scores", "reproduce"}},
	{"What of one memory, or my vectors?", []string{"train", "store", "recall", "inspect", "check", "pairings"}},
	{"Many experiments", []string{"sweep", "report"}},
	{"This program", []string{"bench", "version", "completion", "help"}},
}

// topics are pages of what commands share.
var topics = []struct{ name, short string }{
	{"theory", "symbols, units and what is exact"},
	{"formats", "tables, Markdown, CSV, JSON, LaTeX; what columns share"},
	{"seeds", "seeds, threads, instruction sets: which numbers repeat"},
	{"files", "what is read and written, and exit codes"},
}

// arrangeHelp gives every command its place, its columns and the width of the pages.
func arrangeHelp(root *cobra.Command) {
	for _, g := range groups {
		root.AddGroup(&cobra.Group{ID: g.title, Title: g.title})
		for _, name := range g.commands {
			c, _, err := root.Find([]string{name})
			if err != nil {
				panic("lamcap: " + err.Error())
			}
			c.GroupID = g.title
			if name == "help" { // cobra's own
				c.Short = "The page of a command, as lamcap help plan"
			}
		}
	}
	for _, t := range topics {
		text, err := helpTexts.ReadFile("help/" + t.name + ".txt")
		if err != nil {
			panic("lamcap: " + err.Error())
		}
		root.AddCommand(&cobra.Command{Use: t.name, Short: t.short, Long: strings.TrimSuffix(string(text), "\n")})
	}
	describe(root, helpColumns())
	root.SetUsageTemplate(usageTemplate)
}

// describe fits the text of a command to the width of a page, and adds what its columns mean.
func describe(c *cobra.Command, columns map[string][]columnHelp) {
	c.Long = reflowed(c.Long)
	if list := columns[strings.TrimPrefix(c.CommandPath(), "lamcap ")]; len(list) > 0 {
		c.Long += "\n\nColumns, by their json and csv keys (lamcap help formats):\n" + columnLines(list)
	}
	for _, sub := range c.Commands() {
		describe(sub, columns)
	}
}

// reflowed breaks the paragraphs of a text that are too wide; indented lines stay as they are.
func reflowed(text string) string {
	paragraphs := strings.Split(text, "\n\n")
	for i, p := range paragraphs {
		wide, indented := false, false
		for line := range strings.SplitSeq(p, "\n") {
			wide = wide || utf8.RuneCountInString(line) > helpWidth
			indented = indented || strings.HasPrefix(line, " ")
		}
		if wide && !indented {
			paragraphs[i] = strings.Join(wrapped(p, helpWidth), "\n")
		}
	}
	return strings.Join(paragraphs, "\n\n")
}

// columnHelp is a line of help/columns.txt.
type columnHelp struct{ keys, meaning string }

// helpColumns reads help/columns.txt: after a line [command], a line for each column of its
// tables, "key, key: meaning"; a key alone means what it does in [*].
func helpColumns() map[string][]columnHelp {
	text, err := helpTexts.ReadFile("help/columns.txt")
	if err != nil {
		panic("lamcap: " + err.Error())
	}
	columns, common := map[string][]columnHelp{}, map[string]string{}
	command := ""
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		if name, ok := strings.CutPrefix(line, "["); ok {
			command = strings.TrimSuffix(name, "]")
			continue
		}
		keys, meaning, given := strings.Cut(line, ": ")
		if command == "*" {
			common[keys] = meaning
			continue
		}
		if !given {
			for _, key := range strings.Fields(keys) {
				meaning, known := common[key]
				if !known {
					panic(fmt.Sprintf("lamcap: help/columns.txt: [%s]: %s has no meaning", command, key))
				}
				columns[command] = append(columns[command], columnHelp{key, meaning})
			}
			continue
		}
		columns[command] = append(columns[command], columnHelp{keys, meaning})
	}
	return columns
}

// columnLines is the list as a page shows it.
func columnLines(list []columnHelp) string {
	const most = 20 // wider names have a line of their own
	width := 0
	for _, c := range list {
		if n := utf8.RuneCountInString(c.keys); n <= most {
			width = max(width, n)
		}
	}
	var b strings.Builder
	for _, c := range list {
		meaning := strings.Join(wrapped(c.meaning, helpWidth-width-4), "\n"+strings.Repeat(" ", width+4))
		keys := c.keys
		if utf8.RuneCountInString(keys) > width {
			b.WriteString("\n  " + keys)
			keys = ""
		}
		fmt.Fprintf(&b, "\n  %-*s  %s", width, keys, meaning)
	}
	return b.String()
}

// wrapped breaks a text into lines of at most that many characters.
func wrapped(text string, width int) []string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(text) {
		switch {
		case line == "":
			line = word
		case utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) <= width:
			line += " " + word
		default:
			lines = append(lines, line)
			line = word
		}
	}
	return append(lines, line)
}

// usageTemplate is cobra's with flags that are wrapped and less said twice.
const usageTemplate = `{{if .HasParent}}Usage:{{if .Runnable}}
  {{.UseLine}}{{end}}{{if .HasAvailableSubCommands}}
  {{.CommandPath}} [command]{{end}}

{{end}}{{if .HasExample}}Examples:
{{.Example}}

{{end}}{{if .HasAvailableSubCommands}}{{$cmds := .Commands}}{{if eq (len .Groups) 0}}Commands:{{range $cmds}}{{if (or .IsAvailableCommand (eq .Name "help"))}}
  {{rpad .Name .NamePadding }} {{.Short}}{{end}}{{end}}

{{else}}{{range $group := .Groups}}{{.Title}}{{range $cmds}}{{if (and (eq .GroupID $group.ID) (or .IsAvailableCommand (eq .Name "help")))}}
  {{rpad .Name .NamePadding }} {{.Short}}{{end}}{{end}}
{{end}}{{end}}{{end}}{{if .HasHelpSubCommands}}Pages that are no commands{{range .Commands}}{{if .IsAdditionalHelpTopicCommand}}
  {{rpad .Name .NamePadding}} {{.Short}}{{end}}{{end}}
{{end}}{{if .HasAvailableLocalFlags}}{{if .HasParent}}Flags:
{{end}}{{.LocalFlags.FlagUsagesWrapped 80 | trimTrailingWhitespaces}}
{{end}}{{if .HasAvailableInheritedFlags}}
Every command:
{{.InheritedFlags.FlagUsagesWrapped 80 | trimTrailingWhitespaces}}
{{end}}`
