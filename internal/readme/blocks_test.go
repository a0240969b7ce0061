package main

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestTestTables(t *testing.T) {
	for name, c := range map[string]struct{ out, want string }{
		"printed":                   {"=== RUN   TestX\nBEGIN TABLE\n| a |\n| - |\nEND TABLE\nPASS\n", "| a |\n| - |"},
		"one log entry":             {"    x_test.go:3: BEGIN TABLE\n        | a |\n        |   1 |\n        END TABLE\n", "| a |\n|   1 |"},
		"an entry a line":           {"    x_test.go:3: BEGIN TABLE\n    x_test.go:4: | a |\n    x_test.go:4: | 1 |\n    x_test.go:5: END TABLE\n", "| a |\n| 1 |"},
		"entries of several lines":  {"    x_test.go:3: BEGIN TABLE\n    x_test.go:4: **t**\n        \n        | a |\n    x_test.go:5: END TABLE\n", "**t**\n\n| a |"},
		"inner indentation is kept": {"BEGIN TABLE\n  a\n    b\nEND TABLE\n", "a\n  b"},
		"parallel tests":            {"BEGIN TABLE\na\n=== NAME  TestY\nb\nEND TABLE\n", "a\nb"},
		"several tables":            {"BEGIN TABLE\na\nEND TABLE\nnoise\nBEGIN TABLE\nb\nEND TABLE\n", "a\n\nb"},
		"testify's prefix":          {"    a_b-c_test.go:3: BEGIN TABLE\n        a.go:7: kept\n        END TABLE\n", "kept"},
	} {
		got, err := testTables(c.out)
		require.NoError(t, err, name)
		assert.Equal(t, c.want, got, name)
	}
	for out, want := range map[string]string{
		"PASS\n":                     "no lines BEGIN TABLE and END TABLE: does -run name the test that prints them?",
		"END TABLE\n":                "no lines BEGIN TABLE and END TABLE: does -run name the test that prints them?",
		"BEGIN TABLE\na\n":           "BEGIN TABLE without END TABLE",
		"BEGIN TABLE\nBEGIN TABLE\n": "BEGIN TABLE twice without END TABLE",
	} {
		_, err := testTables(out)
		assert.EqualError(t, err, want)
	}
}

func TestSplitWords(t *testing.T) {
	for line, want := range map[string][]string{
		"lamcap verify":              {"lamcap", "verify"},
		`lamcap  --n "10, 1e3" x`:    {"lamcap", "--n", "10, 1e3", "x"},
		`go test -run '^TestX$' ./x`: {"go", "test", "-run", "^TestX$", "./x"},
		`a'b c'd ""`:                 {"ab cd", ""},
	} {
		got, err := splitWords(line)
		require.NoError(t, err)
		assert.Equal(t, want, got, line)
	}
}

func TestMarkers(t *testing.T) {
	for line, want := range map[string]string{
		"<!-- lamcap capacity --kappa 0.1:1:0.1 -->": "lamcap capacity --kappa 0.1:1:0.1",
		"<!-- lamcap -->":              "lamcap",
		"<!--  go test ./x -run Y -->": "go test ./x -run Y",
		"<!-- lamcaps x -->":           "",
		"<!-- go vet ./x -->":          "",
		"<!-- lamcap x --> text":       "",
		"text <!-- lamcap x -->":       "",
		"<!-- end -->":                 "",
	} {
		got := ""
		if m := beginMarker.FindStringSubmatch(line); m != nil {
			got = m[1]
		}
		assert.Equal(t, want, got, line)
	}
}

func TestFencesHideMarkers(t *testing.T) {
	for _, text := range []string{
		"```\n<!-- lamcap x -->\n```\n",
		"````md\n```\n<!-- lamcap x -->\n```\n<!-- end -->\n````\n",
		"~~~\n```\n<!-- end -->\n~~~\n",
	} {
		parts, err := split(text)
		require.NoError(t, err)
		assert.Equal(t, []part{{text: text}}, parts)
	}
	parts, err := split("```\n<!-- lamcap x -->\n```\n<!-- lamcap y -->\n```\n<!-- end -->")
	require.NoError(t, err)
	assert.Equal(t, []part{{"```\n<!-- lamcap x -->\n```\n<!-- lamcap y -->\n", "lamcap y", 4, "```\n"}, {text: "<!-- end -->"}}, parts)
}
