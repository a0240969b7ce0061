package page_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"html"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"lamcap/harness/chart"
	"lamcap/harness/page"
	"lamcap/harness/page/pagetest"
	"lamcap/harness/table"
)

func render(t *testing.T, d *page.Document) string {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, page.Write(&b, d))
	return b.String()
}

func TestSameDocumentSameBytes(t *testing.T) {
	assert.Equal(t, render(t, pagetest.Sample()), render(t, pagetest.Sample()))
}

func between(t *testing.T, s, from, to string) string {
	t.Helper()
	_, s, ok := strings.Cut(s, from)
	require.True(t, ok, from)
	s, _, ok = strings.Cut(s, to)
	require.True(t, ok, to)
	return s
}

// The policy allows the style and the script that are there, and nothing else.
func TestPolicy(t *testing.T) {
	got := render(t, pagetest.Sample())
	policy := html.UnescapeString(between(t, got, `Content-Security-Policy" content="`, `"`))
	hash := func(s string) string {
		sum := sha256.Sum256([]byte(s))
		return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
	}
	assert.Equal(t, "default-src 'none'; style-src "+hash(between(t, got, "<style>", "</style>"))+
		"; script-src "+hash(between(t, got, "<script>", "</script>"))+"; img-src data:; base-uri 'none'; form-action 'none'", policy)
}

// Nothing in the page points outside of it.
func TestSelfContained(t *testing.T) {
	got := render(t, pagetest.Sample())
	for _, m := range regexp.MustCompile(`\s(?:src|href|srcset|action|data|poster)="([^"]*)"`).FindAllStringSubmatch(got, -1) {
		assert.Regexp(t, `^(#|data:)`, m[1])
	}
	assert.NotRegexp(t, `(?i)https?://|@import|\bfetch\(|XMLHttpRequest|\sstyle="`, got)
}

func TestIDsAreUnique(t *testing.T) {
	got := render(t, pagetest.Sample())
	ids := map[string]bool{}
	for _, m := range regexp.MustCompile(`\sid="([^"]*)"`).FindAllStringSubmatch(got, -1) {
		assert.False(t, ids[m[1]], m[1])
		assert.Regexp(t, `^[a-z][a-z0-9_-]*$`, m[1])
		ids[m[1]] = true
	}
	for _, m := range regexp.MustCompile(`(?:\shref="#|url\(#)([^")]*)`).FindAllStringSubmatch(got, -1) {
		assert.True(t, ids[m[1]], m[1])
	}
	assert.True(t, ids["transition"] && ids["stored-fraction-against-load"] && ids["main-2"], "anchors of the sections")
}

// Text that would do harm as markup is shown as it is.
func TestHostileTextIsInert(t *testing.T) {
	got := render(t, pagetest.Sample())
	assert.Equal(t, 1, strings.Count(got, "<script"))
	assert.Equal(t, 1, strings.Count(got, "</script"))
	assert.Equal(t, 1, strings.Count(got, "</style"))
	assert.Equal(t, 1, strings.Count(got, "</title"))
	for _, markup := range []string{"<img", "<!--", "]]>", ` onerror="`} {
		assert.NotContains(t, got, markup)
	}
	// Its title, its paragraph, the entry of the contents, and the figure's and the table's.
	assert.GreaterOrEqual(t, strings.Count(got, "&lt;script&gt;document.title="), 8)
	d := pagetest.Sample()
	d.Title, d.Abstract = pagetest.Hostile, []string{pagetest.Hostile}
	assert.Equal(t, 1, strings.Count(render(t, d), "<script"))
}

// Each figure is there for light and for dark pages, and its title is text.
func TestFigures(t *testing.T) {
	got := render(t, pagetest.Sample())
	for class, want := range map[string]int{"light": 2, "dark": 2, "light desk broad": 1, "dark desk broad": 1, "light phone": 1, "dark phone": 1} {
		assert.Equal(t, want, strings.Count(got, `<svg class="`+class+`"`), class)
	}
	assert.Contains(t, got, `<strong>Both problems.</strong> Points: 100 memories`)
	light, dark := between(t, got, `<svg class="light"`, "</svg>"), between(t, got, `<svg class="dark"`, "</svg>")
	assert.NotEqual(t, light, dark)
	d := pagetest.Sample()
	d.Sections[0].Figures[0].Title = "Another title"
	assert.Contains(t, render(t, d), light, "the title is not drawn")
}

// Figures have no edges on the page: its paper is theirs.
func TestPaper(t *testing.T) {
	got := render(t, &page.Document{Title: "Paper"})
	for _, theme := range []chart.Theme{chart.Light, chart.Dark} {
		c := theme.Background()
		assert.Contains(t, got, fmt.Sprintf("--paper: #%02x%02x%02x;", c.R, c.G, c.B))
	}
}

// Each table can be saved as the CSV that the command writes.
func TestTablesCanBeSaved(t *testing.T) {
	d := pagetest.Sample()
	got := render(t, d)
	files := regexp.MustCompile(`download="([^"]*)" href="data:text/csv;charset=utf-8;base64,([^"]*)"`).FindAllStringSubmatch(got, -1)
	var tables []*table.Table
	for _, s := range d.Sections {
		tables = append(tables, s.Tables...)
	}
	tables = append(tables, d.Provenance...)
	require.Len(t, files, len(tables))
	names := map[string]bool{}
	for i, file := range files {
		raw, err := base64.StdEncoding.DecodeString(html.UnescapeString(file[2]))
		require.NoError(t, err)
		var want bytes.Buffer
		require.NoError(t, table.Write(&want, table.CSV, tables[i]))
		assert.Equal(t, want.String(), string(raw))
		assert.Regexp(t, `^[a-z][a-z0-9_-]*\.csv$`, file[1])
		assert.False(t, names[file[1]], file[1])
		names[file[1]] = true
	}
	assert.True(t, names["half_points.csv"])
}

// A table is saved under its name, whatever else on the page is called so.
func TestTablesAreSavedUnderTheirNames(t *testing.T) {
	got := render(t, &page.Document{Sections: []page.Section{{ID: "capacity", Tables: []*table.Table{{Name: "capacity"}, {Name: "capacity"}}}}})
	assert.Contains(t, got, `id="capacity"`)
	assert.Contains(t, got, `download="capacity.csv"`)
	assert.Contains(t, got, `download="capacity-2.csv"`)
}

func TestAnEmptyDocumentIsAPage(t *testing.T) {
	got := render(t, &page.Document{Title: "Nothing"})
	assert.Contains(t, got, "<h1 id=\"title\">Nothing</h1>")
	assert.NotContains(t, got, "<section")
}

func TestWriteReturnsTheWritersError(t *testing.T) {
	closed, err := os.CreateTemp(t.TempDir(), "")
	require.NoError(t, err)
	require.NoError(t, closed.Close())
	assert.ErrorIs(t, page.Write(closed, pagetest.Sample()), os.ErrClosed)
}
