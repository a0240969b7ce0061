package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"

	"github.com/rogpeppe/go-internal/diff"
)

func main() {
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr, execute(os.Stderr)))
}

// runner runs a command and returns its standard output, also when it fails.
type runner func(name string, args ...string) (stdout []byte, err error)

// execute returns a runner of real commands whose standard error goes to stderr.
func execute(stderr io.Writer) runner {
	return func(name string, args ...string) ([]byte, error) {
		cmd := exec.Command(name, args...)
		cmd.Stderr = stderr
		return cmd.Output()
	}
}

// errUsage marks what the caller of this command did wrong.
var errUsage = errors.New("usage: readme [-check] [-have COMMAND=FILE]... README.md")

// run is main without the process: it returns the exit code.
func run(args []string, stdout, stderr io.Writer, command runner) int {
	err := update(args, stdout, stderr, command)
	switch {
	case err == nil, errors.Is(err, flag.ErrHelp):
		return 0
	case errors.Is(err, errUsage):
		fmt.Fprintln(stderr, "readme:", err)
		return 2
	default:
		fmt.Fprintln(stderr, "readme:", err)
		return 1
	}
}

func update(args []string, stdout, stderr io.Writer, command runner) error {
	have := outputs{}
	flags := flag.NewFlagSet("readme", flag.ContinueOnError)
	flags.SetOutput(stderr)
	check := flags.Bool("check", false, "write nothing; print a diff and exit 1 if the file would change")
	flags.Var(have, "have", "`COMMAND=FILE`: take the output of COMMAND from FILE (repeatable)")
	if err := flags.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return err
		}
		return fmt.Errorf("%w (%w)", err, errUsage)
	}
	if flags.NArg() != 1 {
		return fmt.Errorf("%d files given, want one (%w)", flags.NArg(), errUsage)
	}
	file := flags.Arg(0)
	old, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	text, err := regenerate(string(old), have, command)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	if text == string(old) {
		return nil
	}
	if *check {
		if _, err := stdout.Write(diff.Diff(file, old, file+" as the commands print it now", []byte(text))); err != nil {
			return err
		}
		return fmt.Errorf("%s is out of date: run go run ./internal/readme %s", file, file)
	}
	info, err := os.Stat(file)
	if err != nil {
		return err
	}
	return os.WriteFile(file, []byte(text), info.Mode().Perm())
}

// outputs are the outputs that are already there: command to file name.
type outputs map[string]string

func (o outputs) String() string { return "" }

// Set reads COMMAND=FILE. The last = separates: commands have some of their own.
func (o outputs) Set(s string) error {
	i := strings.LastIndexByte(s, '=')
	if i < 0 || strings.TrimSpace(s[:i]) == "" || s[i+1:] == "" {
		return errors.New("want COMMAND=FILE, as in 'lamcap verify'=verify.txt")
	}
	o[oneSpace(s[:i])] = s[i+1:]
	return nil
}

// oneSpace makes commands comparable however they are spaced.
func oneSpace(s string) string { return strings.Join(strings.Fields(s), " ") }

// regenerate returns text with the contents of all blocks made anew.
func regenerate(text string, have outputs, command runner) (string, error) {
	parts, err := split(text)
	if err != nil {
		return "", err
	}
	unused := map[string]bool{}
	for name := range have {
		unused[name] = true
	}
	made := map[string]string{} // several blocks may show the same command
	var b strings.Builder
	for _, p := range parts {
		b.WriteString(p.text)
		if p.command == "" {
			continue
		}
		delete(unused, p.command)
		if _, ok := have[p.command]; !ok && measured(p.command) {
			b.WriteString(p.content)
			continue
		}
		content, ok := made[p.command]
		if !ok {
			if content, err = generate(p.command, have, command); err != nil {
				return "", fmt.Errorf("line %d: %w", p.line, err)
			}
			made[p.command] = content
		}
		b.WriteString("\n" + content + "\n")
	}
	for name := range unused {
		return "", fmt.Errorf("-have %s: no block shows this command (%w)", name, errUsage)
	}
	return b.String(), nil
}

// measured reports whether a command prints what differs from run to run: such a
// block shows one run, and is made anew with -have only.
func measured(line string) bool { return strings.HasPrefix(line+" ", "lamcap bench ") }

// generate returns the content of a block, which ends in a newline.
func generate(line string, have outputs, command runner) (string, error) {
	words, err := splitWords(line)
	if err != nil {
		return "", err
	}
	test := words[0] == "go"
	var args []string
	if test {
		args = append(append(args, words[1:]...), "-v", "-count=1")
	} else {
		args = append([]string{"run", "./cmd/lamcap"}, words[1:]...)
	}
	var out []byte
	if file, ok := have[line]; ok {
		out, err = os.ReadFile(file)
	} else if out, err = command("go", args...); err != nil {
		err = fmt.Errorf("go %s: %w%s", strings.Join(args, " "), err, tail(out))
	}
	if err != nil {
		return "", err
	}
	content := strings.ReplaceAll(string(out), "\r\n", "\n")
	markdown := asMarkdown(words)
	if test {
		if content, err = testTables(content); err != nil {
			return "", fmt.Errorf("go %s: %w", strings.Join(args, " "), err)
		}
		markdown = strings.HasPrefix(content, "|") || strings.Contains(content, "\n|")
	}
	content = strings.Trim(content, "\n") + "\n"
	if strings.TrimSpace(content) == "" {
		return "", fmt.Errorf("%s printed nothing", line)
	}
	for l := range strings.Lines(content) {
		if strings.TrimSpace(l) == endMarker {
			return "", fmt.Errorf("%s printed a line %s", line, endMarker)
		}
	}
	if markdown {
		return content, nil
	}
	fence := "```"
	for strings.Contains(content, fence) {
		fence += "`"
	}
	return fence + "text\n" + content + fence + "\n", nil
}

// asMarkdown reports whether the words ask for the markdown format.
func asMarkdown(words []string) bool {
	for i, w := range words {
		if w == "--format=markdown" || w == "--format" && i+1 < len(words) && words[i+1] == "markdown" {
			return true
		}
	}
	return false
}

// tail returns the last lines of the output of a failed command, where
// go test says why.
func tail(out []byte) string {
	const lines = 20
	all := strings.Split(string(bytes.TrimSpace(out)), "\n")
	if s := strings.Join(all[max(0, len(all)-lines):], "\n"); s != "" {
		return "\n" + s
	}
	return ""
}
