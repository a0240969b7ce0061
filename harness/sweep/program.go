package sweep

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"strings"

	"lamcap/internal/simd"
)

// CurrentProgram describes the program that is running. Where no revision stands for it
// its own file is hashed, some 20 ms.
func CurrentProgram() (Program, error) {
	level, err := simd.Chosen()
	if err != nil {
		return Program{}, err
	}
	p := Program{Version: "unknown", Arch: runtime.GOARCH, Instructions: level.String()}
	if info, ok := debug.ReadBuildInfo(); ok {
		p.Version = info.Main.Version
		for _, s := range info.Settings {
			switch s.Key {
			case "vcs.revision":
				p.Revision = s.Value
			case "vcs.modified":
				p.Modified = s.Value == "true"
			}
		}
	}
	if p.Revision == "" || p.Modified {
		if p.Build, err = buildHash(); err != nil {
			return Program{}, fmt.Errorf("the program's own file, which tells it from others as no clean revision does: %w", err)
		}
	}
	return p, nil
}

// buildHash is the SHA-256 of the file of the program.
func buildHash() (string, error) {
	// The file that runs, even if its name has another content by now.
	f, err := os.Open("/proc/self/exe")
	if err != nil {
		path, err := os.Executable()
		if err != nil {
			return "", err
		}
		if f, err = os.Open(path); err != nil {
			return "", err
		}
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// String names the program for people, in one line.
func (p Program) String() string {
	text := p.Version
	if p.Revision != "" {
		text += " " + p.Revision
	}
	if p.Modified {
		text += " modified"
	}
	if p.Build != "" {
		text += " build " + p.Build
	}
	return text
}

// Same reports whether two are one program, on whatever machine.
func (p Program) Same(q Program) bool {
	p.Arch, p.Instructions, q.Arch, q.Instructions = "", "", "", ""
	return p == q
}

// change says what differs between the program that made records and another.
func (p Program) change(now Program) string {
	var list []string
	for _, f := range []struct{ name, old, now string }{
		{"version", p.Version, now.Version}, {"revision", p.Revision, now.Revision},
		{"modified", fmt.Sprint(p.Modified), fmt.Sprint(now.Modified)}, {"build", p.Build, now.Build},
	} {
		if f.old != f.now {
			list = append(list, fmt.Sprintf("%s %s → %s", f.name, orNone(f.old), orNone(f.now)))
		}
	}
	return strings.Join(list, ", ")
}

func orNone(s string) string {
	if s == "" {
		return "none"
	}
	return s
}
