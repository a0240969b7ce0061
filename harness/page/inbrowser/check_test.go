package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"lamcap/harness/page"
	"lamcap/harness/page/pagetest"
	"lamcap/internal/devtools"
)

// Each check finds what it is there for: the page of a document has no problem, and
// the same page with one thing wrong has that one.
func TestChecksCanFail(t *testing.T) {
	path, err := devtools.Find()
	if err != nil {
		t.Skip(err)
	}
	b, err := devtools.Start(path)
	require.NoError(t, err)
	defer func() { assert.NoError(t, b.Close()) }()
	var sample bytes.Buffer
	require.NoError(t, page.Write(&sample, pagetest.Sample()))
	light, dark, phone, noScript, paper := windows()[0], windows()[1], windows()[2], windows()[4], windows()[5]
	still := light
	still.hand = false

	look := func(t *testing.T, w window, html string) []string {
		file := filepath.Join(t.TempDir(), "page.html")
		require.NoError(t, os.WriteFile(file, []byte(html), 0o666))
		url, err := address(file)
		require.NoError(t, err)
		findings, err := (&checker{b: b, url: url}).window(w)
		require.NoError(t, err)
		var problems []string
		for _, f := range findings {
			problems = append(problems, f.problems...)
		}
		return problems
	}
	for _, w := range []window{light, phone, noScript} {
		t.Run(w.name, func(t *testing.T) { assert.Empty(t, look(t, w, sample.String())) })
	}
	type change struct {
		what, old, new string
		want           string // in one of the problems
	}
	for name, c := range map[string]struct {
		w       window
		policy  bool // kept: it forbids another style and another script
		changes []change
	}{
		"against the policy": {still, true, []change{
			{"a picture from elsewhere", "<h2 ", `<img alt="" src="https://example.org/x.png"><h2 `, "img points to https://example.org/x.png"},
			{"a style of its own", "<h2 ", `<h2 style="color: red" `, "h2 has an attribute style"},
			{"what the browser says of them", "<title>", "<title>", "Content Security Policy"},
		}},
		"light": {still, false, []change{
			{"a request", "</script>", "\nnew Image().src = 'http://example.org/y';</script>", "asked for http://example.org/y"},
			{"a word to the console", "</script>", "\nconsole.warn('slow', 1);</script>", "console.warning: slow 1"},
			{"an exception", "</script>", "\nnull.x;</script>", "TypeError"},
			{"an id twice", `id="contents"`, `id="main"`, "ids are used twice: main"},
			{"a link to nowhere", `href="#provenance"`, `href="#nowhere"`, "nothing at #nowhere"},
			{"no name", ` aria-label="Trials"`, ``, "has no name"},
			{"no policy", "", "", "the page has no policy"},
			{"faint text", "--soft: #555b66", "--soft: #999999", "contrast 2.8"},
			{"a head that moves", "position: sticky; top: 0;", "", "moves away with its rows"},
			{"both drawings", ".chart svg.dark { display: var(--dark); }", "", "figure-transition shows the drawing for dark colours"},
			{"an empty drawing", "</style>", "\n.chart svg * { display: none; }</style>", "figure-transition is empty"},
		}},
		"dark": {dark, false, []change{
			{"faint text", "--soft: #a6acb8", "--soft: #555b66", "contrast 2."},
			{"no drawing", ".chart svg.dark { display: var(--dark); }", ".chart svg.dark { display: none; }", "figure-transition shows 0 drawings for dark colours"},
		}},
		"phone": {phone, false, []change{
			{"a wide page", ".scroll { position: relative; overflow: auto;", ".scroll {", "the page is "},
		}},
		"no script": {noScript, false, []change{
			{"no choice", ":root:has(#theme-dark:checked)", ":root:has(#nothing:checked)", "the paper stays rgb(255, 255, 255)"},
		}},
		"paper": {paper, false, []change{
			{"cut on paper", ".scroll, .table .scroll { overflow: visible; max-height: none;", ".scroll {", "cut off on paper"},
			{"dark paper", "@media screen and (prefers", "@media all and (prefers", "shows the drawing for dark colours"},
		}},
		"by hand": {light, false, []change{
			{"a choice forgotten", "localStorage.setItem(key, radio.value)", "null", "shows the drawing for light colours"},
			{"numbers one way only", "sign * compareNumbers(a, b)", "compareNumbers(a, b)", "half_points, column 2, descending"},
			{"doubles of integers", "if (whole.test(a.s) && whole.test(b.s))", "if (false)", "trials, column 1, ascending"},
			{"missing first", "if (a.group !== b.group && (a.group >= NAN || b.group >= NAN)) return a.group - b.group;", "", "mixed, column 1, descending"},
			{"no CSV", "data:text/csv;charset=utf-8;base64,", "data:text/csv;charset=utf-8;base64,!", "is no CSV"},
		}},
		"what is shown": {light, false, []change{
			{"sorted by it", "const { value, lo, hi, text } = cell.dataset;", "const text = cell.innerText, value = undefined, lo = undefined, hi = undefined;", "trials, column 2, ascending"},
		}},
		"no keyboard": {light, false, []change{
			{"no button", `document.createElement("button")`, `document.createElement("span")`, "half_points, column 1: no button"},
		}},
	} {
		t.Run(name, func(t *testing.T) {
			html := sample.String()
			if !c.policy {
				html = regexp.MustCompile(`<meta http-equiv="Content-Security-Policy" content="[^"]*">`).ReplaceAllString(html, "")
			}
			for _, change := range c.changes {
				require.Contains(t, html, change.old, "nothing to change: %s", change.what)
				if change.old != "" {
					html = strings.ReplaceAll(html, change.old, change.new)
				}
			}
			problems := strings.Join(look(t, c.w, html), "\n")
			for _, change := range c.changes {
				assert.Contains(t, problems, change.want, change.what)
			}
		})
	}
}
