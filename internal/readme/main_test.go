package main

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// fake is a runner that knows the output of a few command lines.
type fake struct {
	outputs map[string]string
	ran     []string
}

func (f *fake) run(name string, args ...string) ([]byte, error) {
	line := name + " " + strings.Join(args, " ")
	f.ran = append(f.ran, line)
	out, ok := f.outputs[line]
	if !ok {
		return []byte("--- FAIL: why\n"), errors.New("exit status 1")
	}
	return []byte(out), nil
}

const markdownTable = "| κ | α_c |\n| --: | --: |\n| 1 | 0.5 |\n"

func newFake() *fake {
	return &fake{outputs: map[string]string{
		"go run ./cmd/lamcap capacity --format markdown": markdownTable,
		"go run ./cmd/lamcap verify":                     "┌─┐\n│1│\n└─┘\n",
		"go run ./cmd/lamcap show a b":                   "```\ncode\n```\n",
		"go run ./cmd/lamcap":                            "\n",
		"go run ./cmd/lamcap end":                        "a\n <!-- end --> \n",
		"go test ./extremes -run TestBudget -v -count=1": "=== RUN   TestBudget\n    budget_test.go:12: BEGIN TABLE\n        | function | error |\n        | --- | --- |\n        | D_n | 1e-9 |\n        END TABLE\n--- PASS: TestBudget (0.00s)\nPASS\n",
	}}
}

// readme runs the command on a file with this text and returns what became of it.
func readme(t *testing.T, text string, f *fake, flags ...string) (after, stdout, stderr string, code int) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "README.md")
	require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	var out, errs bytes.Buffer
	code = run(append(flags, file), &out, &errs, f.run)
	b, err := os.ReadFile(file)
	require.NoError(t, err)
	info, err := os.Stat(file)
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	return string(b), strings.ReplaceAll(out.String(), file, "README.md"), strings.ReplaceAll(errs.String(), file, "README.md"), code
}

const stale = `# lamcap

<!-- a comment -->
<!-- lamcap capacity --format markdown -->
old
<!-- end -->
between
<!-- lamcap   verify -->
<!-- end -->

<!-- go test ./extremes -run TestBudget -->

| old |

<!-- end -->
How to write a block:

` + "```" + `
<!-- lamcap nonsense -->
<!-- end -->
` + "```" + `
the end`

const fresh = `# lamcap

<!-- a comment -->
<!-- lamcap capacity --format markdown -->

| κ | α_c |
| --: | --: |
| 1 | 0.5 |

<!-- end -->
between
<!-- lamcap   verify -->

` + "```text" + `
┌─┐
│1│
└─┘
` + "```" + `

<!-- end -->

<!-- go test ./extremes -run TestBudget -->

| function | error |
| --- | --- |
| D_n | 1e-9 |

<!-- end -->
How to write a block:

` + "```" + `
<!-- lamcap nonsense -->
<!-- end -->
` + "```" + `
the end`

func TestRegenerates(t *testing.T) {
	f := newFake()
	after, stdout, stderr, code := readme(t, stale, f)
	assert.Equal(t, 0, code)
	assert.Empty(t, stdout+stderr)
	assert.Equal(t, fresh, after)
	assert.Equal(t, []string{
		"go run ./cmd/lamcap capacity --format markdown",
		"go run ./cmd/lamcap verify",
		"go test ./extremes -run TestBudget -v -count=1",
	}, f.ran)

	// What it wrote, it accepts.
	after, stdout, stderr, code = readme(t, fresh, newFake(), "-check")
	assert.Equal(t, 0, code)
	assert.Empty(t, stdout+stderr)
	assert.Equal(t, fresh, after)
}

func TestCheckPrintsADiffAndWritesNothing(t *testing.T) {
	text := strings.Replace(fresh, "| 1 | 0.5 |", "| 1 | 0.4 |", 1)
	after, stdout, stderr, code := readme(t, text, newFake(), "-check")
	assert.Equal(t, 1, code)
	assert.Equal(t, text, after)
	assert.Contains(t, stdout, "-| 1 | 0.4 |\n+| 1 | 0.5 |\n")
	assert.NotContains(t, stdout, "verify", "blocks that agree are no part of the diff")
	assert.Equal(t, "readme: README.md is out of date: run go run ./internal/readme README.md\n", stderr)
}

func TestHave(t *testing.T) {
	file := filepath.Join(t.TempDir(), "verify.txt")
	require.NoError(t, os.WriteFile(file, []byte("done before\r\n"), 0o600))
	f := newFake()
	text := "<!-- lamcap verify -->\n<!-- end -->\n"
	after, _, stderr, code := readme(t, text, f, "-have", "lamcap  verify="+file)
	assert.Equal(t, 0, code, stderr)
	assert.Equal(t, "<!-- lamcap verify -->\n\n```text\ndone before\n```\n\n<!-- end -->\n", after)
	assert.Empty(t, f.ran)

	after, _, stderr, code = readme(t, text, newFake(), "-have", "lamcap capacity --n=3="+file)
	assert.Equal(t, 2, code)
	assert.Contains(t, stderr, "-have lamcap capacity --n=3: no block shows this command")
	assert.Equal(t, text, after)

	_, _, stderr, code = readme(t, text, newFake(), "-have", "lamcap verify="+file+".missing")
	assert.Equal(t, 1, code)
	assert.Contains(t, stderr, "README.md: line 1: open ")
}

func TestOneRunServesAllBlocksOfACommand(t *testing.T) {
	f := newFake()
	block := "<!-- lamcap verify -->\n<!-- end -->\n"
	after, _, _, code := readme(t, block+block, f)
	assert.Equal(t, 0, code)
	assert.Len(t, f.ran, 1)
	assert.Equal(t, 2, strings.Count(after, "│1│"))
}

func TestFenceIsLongerThanThoseInside(t *testing.T) {
	after, _, _, code := readme(t, "<!-- lamcap show 'a b' -->\n<!-- end -->\n", newFake())
	assert.Equal(t, 0, code)
	assert.Contains(t, after, "\n````text\n```\ncode\n```\n````\n")
}

func TestFailures(t *testing.T) {
	for text, want := range map[string]string{
		"a\n<!-- lamcap bad -->\n<!-- end -->\n":                    "readme: README.md: line 2: go run ./cmd/lamcap bad: exit status 1\n--- FAIL: why\n",
		"<!-- lamcap verify -->\n":                                  "readme: README.md: line 1: the block has no <!-- end -->\n",
		"<!-- lamcap verify -->\n<!-- lamcap x -->\n<!-- end -->\n": "readme: README.md: line 2: the block of line 1 has no <!-- end -->\n",
		"x\n<!-- end -->\n":                                         "readme: README.md: line 2: <!-- end --> without a block\n",
		"<!-- lamcap show 'a -->\n<!-- end -->\n":                   "readme: README.md: line 1: lamcap show 'a: a quote is not closed\n",
		"<!-- lamcap -->\n<!-- end -->\n":                           "readme: README.md: line 1: lamcap printed nothing\n",
		"<!-- lamcap end -->\n<!-- end -->\n":                       "readme: README.md: line 1: lamcap end printed a line <!-- end -->\n",
	} {
		after, stdout, stderr, code := readme(t, text, newFake())
		assert.Equal(t, 1, code, text)
		assert.Equal(t, want, stderr)
		assert.Equal(t, text, after, "a failure changes nothing")
		assert.Empty(t, stdout)
	}
}

func TestUsage(t *testing.T) {
	for _, args := range [][]string{{}, {"a.md", "b.md"}, {"-nonsense", "a.md"}, {"-have", "lamcap verify", "a.md"}, {"-have", "=x", "a.md"}, {"-have", "lamcap verify=", "a.md"}} {
		var stdout, stderr bytes.Buffer
		assert.Equal(t, 2, run(args, &stdout, &stderr, newFake().run), args)
		assert.Contains(t, stderr.String(), errUsage.Error())
		assert.Empty(t, stdout.String())
	}
	var stdout, stderr bytes.Buffer
	assert.Equal(t, 0, run([]string{"-h"}, &stdout, &stderr, newFake().run))
	assert.Equal(t, 1, run([]string{filepath.Join(t.TempDir(), "none.md")}, &stdout, &stderr, newFake().run))
}

// The real runner keeps standard output apart from standard error.
func TestExecute(t *testing.T) {
	var stderr bytes.Buffer
	out, err := execute(&stderr)("go", "env", "GOOS", "GOARCH")
	require.NoError(t, err)
	assert.Len(t, strings.Fields(string(out)), 2)
	_, err = execute(&stderr)("go", "no-such-command")
	assert.Error(t, err)
	assert.Contains(t, stderr.String(), "no-such-command")
}

// What a run measured is no function of the code: it stays until another run is
// given.
func TestMeasuredBlocksStay(t *testing.T) {
	const text = "<!-- lamcap bench --part steps --format markdown -->\n| 1 ms |\n<!-- end -->\n"
	f := newFake()
	after, stdout, _, code := readme(t, text, f, "-check")
	assert.Zero(t, code)
	assert.Equal(t, text, after)
	assert.Empty(t, stdout)
	assert.Empty(t, f.ran)
	run := filepath.Join(t.TempDir(), "run")
	require.NoError(t, os.WriteFile(run, []byte("| 2 ms |\n"), 0o600))
	after, _, _, code = readme(t, text, f, "-have", "lamcap bench --part steps --format markdown="+run)
	assert.Zero(t, code)
	assert.Contains(t, after, "| 2 ms |")
	assert.NotContains(t, after, "| 1 ms |")
}
