package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"lamcap/harness/sweep"
	"lamcap/harness/table"
)

// build is what can be told of the program that is running.
type build struct {
	sweep.Program
	time, goVersion, system string
}

// currentBuild asks the program itself; where it has no clean revision its file is hashed.
func currentBuild() (build, error) {
	p, err := sweep.CurrentProgram()
	if err != nil {
		return build{}, err
	}
	b := build{Program: p, goVersion: runtime.Version(), system: runtime.GOOS}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.time" {
				b.time = s.Value
			}
		}
	}
	return b, nil
}

// String is one line, as for a report of a bug.
func (b build) String() string {
	var text strings.Builder
	fmt.Fprintf(&text, "lamcap %s, ", b.Version)
	if b.Revision == "" {
		text.WriteString("unknown revision")
	} else {
		fmt.Fprintf(&text, "revision %s", b.Revision)
		if b.Modified {
			text.WriteString(" modified")
		}
		if b.time != "" {
			fmt.Fprintf(&text, " of %s", b.time)
		}
	}
	if b.Build != "" {
		fmt.Fprintf(&text, ", file %.12s", b.Build)
	}
	fmt.Fprintf(&text, ", %s %s/%s %s", b.goVersion, b.system, b.Arch, b.Instructions)
	return text.String()
}

func (b build) table() *table.Table {
	known := func(s string) any {
		if s == "" {
			return nil
		}
		return s
	}
	t := &table.Table{Name: "version", Vertical: true, Columns: []table.Column{
		{Key: "version"},
		{Key: "revision"},
		{Key: "modified"},
		{Key: "time"},
		{Key: "file_sha256", Head: "SHA-256 of the file"},
		{Key: "go", Head: "Go"},
		{Key: "os", Head: "OS"},
		{Key: "arch"},
		{Key: "instructions"},
	}}
	var modified any
	revision := any("unknown revision")
	if b.Revision != "" {
		revision, modified = b.Revision, b.Modified
	}
	t.Append(b.Version, revision, modified, known(b.time), known(b.Build), b.goVersion, b.system, b.Arch, b.Instructions)
	return t
}

func newVersion(o *output) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Which build of lamcap this is, and what it runs with",
		Long: `Which build of lamcap this is: the version of the module, the revision of the
repository that it was built from, whether files had been modified, and when the
revision was made; the version of Go, the system, and the instruction set in use
(see LAMCAP_SIMD, lamcap help seeds).

Go stamps a revision into a program that it builds in a clone, unless
-buildvcs=false is in force, and never into one of go run. Without a clean revision
the program's own file stands for it, by its SHA-256: records of a sweep have it, too,
and another program is not mixed into them unasked.

lamcap --version says the same in one line.`,
		Example: `  lamcap version
  lamcap version --format json
  lamcap --version`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			b, err := currentBuild()
			if err != nil {
				return failure{err}
			}
			return o.print(cmd.OutOrStdout(), b.table())
		},
	}
}
