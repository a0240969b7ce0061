package table

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"html"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// FuzzTables asks for the laws below of one table after another.
func FuzzTables(f *testing.F) {
	f.Fuzz(rapid.MakeFuzz(func(t *rapid.T) {
		for _, law := range []func(*rapid.T){csvReadsBack, jsonReadsBack, htmlReadsBack, markdownColumns, noTrailingSpaces, humanNumbers} {
			law(t)
		}
	}))
}

// anyTable draws a table with two columns of numbers, one of text and one of
// intervals, whose text may hold anything.
func anyTable(t *rapid.T) *Table {
	tab := &Table{
		Name:  "drawn",
		Title: rapid.String().Draw(t, "title"),
		Columns: []Column{
			{Key: "x", Head: rapid.String().Draw(t, "head"), Digits: rapid.IntRange(0, 8).Draw(t, "digits")},
			{Key: "text"},
			{Key: "ends", Digits: 2},
			{Key: "n", Verb: rapid.SampledFrom([]byte{0, 'g', 'f', 'e'}).Draw(t, "verb"), Digits: 3},
		},
		Notes: rapid.SliceOfN(rapid.String(), 0, 2).Draw(t, "notes"),
	}
	awkward := rapid.StringOf(rapid.SampledFrom([]rune("ab|_*`\\&%$#{}~^<> \n\t\",κ√½²_α日\u0304\u00a0-")))
	number := rapid.OneOf(rapid.Float64(), rapid.SampledFrom([]float64{math.NaN(), math.Inf(1), math.Inf(-1), 0, 1e300, 5e-324}))
	for range rapid.IntRange(0, 5).Draw(t, "rows") {
		tab.Append(number.Draw(t, "x"),
			rapid.OneOf(rapid.String(), awkward).Draw(t, "text"),
			Interval{number.Draw(t, "lo"), number.Draw(t, "hi")},
			number.Draw(t, "n"))
	}
	return tab
}

func write(t *rapid.T, f Format, tables ...*Table) string {
	var b bytes.Buffer
	if err := Write(&b, f, tables...); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestHumanFormatsHaveNoTrailingSpaces(t *testing.T) { rapid.Check(t, noTrailingSpaces) }

func noTrailingSpaces(t *rapid.T) {
	tab := anyTable(t)
	for _, f := range []Format{TableFormat, Markdown, LaTeX} {
		for line := range strings.Lines(write(t, f, tab)) {
			if line = strings.TrimSuffix(line, "\n"); strings.TrimRight(line, " \t\r") != line {
				t.Fatalf("%s: trailing space in %q", f, line)
			}
		}
	}
}

func TestMarkdownKeepsItsColumns(t *testing.T) { rapid.Check(t, markdownColumns) }

func markdownColumns(t *rapid.T) {
	tab := anyTable(t)
	tab.Title, tab.Notes = "", nil
	out := strings.TrimSuffix(write(t, Markdown, tab), "\n")
	lines := strings.Split(out, "\n")
	if len(lines) != len(tab.Rows)+2 {
		t.Fatalf("%d lines for %d rows:\n%s", len(lines), len(tab.Rows), out)
	}
	for _, line := range lines {
		// What is left after removing escaped pipes are the borders.
		if n := strings.Count(strings.ReplaceAll(line, `\|`, ""), "|"); n != len(tab.Columns)+1 {
			t.Fatalf("%d pipes in %q", n, line)
		}
	}
}

func TestCSVReadsBackExactly(t *testing.T) { rapid.Check(t, csvReadsBack) }

func csvReadsBack(t *rapid.T) {
	tab := anyTable(t)
	records, err := csv.NewReader(strings.NewReader(write(t, CSV, tab))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if len(records) != len(tab.Rows)+1 {
		t.Fatalf("%d records for %d rows", len(records), len(tab.Rows))
	}
	for i, row := range tab.Rows {
		r := records[i+1]
		sameFloat(t, row[0].(float64), r[0])
		// [RFC 4180] readers fold \r\n inside quotes into \n.
		if want := strings.ReplaceAll(row[1].(string), "\r\n", "\n"); want != r[1] {
			t.Fatalf("text %q came back as %q", want, r[1])
		}
		sameFloat(t, row[2].(Interval).Lo, r[2])
		sameFloat(t, row[2].(Interval).Hi, r[3])
		sameFloat(t, row[3].(float64), r[4])
	}
}

func sameFloat(t *rapid.T, want float64, s string) {
	got, err := strconv.ParseFloat(s, 64)
	if err != nil {
		t.Fatal(err)
	}
	if math.Float64bits(want) != math.Float64bits(got) && !(math.IsNaN(want) && math.IsNaN(got)) {
		t.Fatalf("%x came back as %x", want, got)
	}
}

// Text is inert, whatever it holds, and numbers read back to the last bit.
func TestHTMLReadsBackExactly(t *testing.T) { rapid.Check(t, htmlReadsBack) }

func htmlReadsBack(t *rapid.T) {
	tags := regexp.MustCompile(`</?(figure|figcaption|div|table|thead|tbody|tr|th|td|p|br|sub|sup|code)( [a-z-]+="[^"<>]*")*>`)
	cells := regexp.MustCompile(`<td( class="number")?( data-(value|text|lo)="([^"]*)")?( data-hi="([^"]*)")?>`)
	tab := anyTable(t)
	out := write(t, HTML, tab)
	if rest := tags.ReplaceAllString(out, ""); strings.ContainsAny(rest, "<>\"") {
		t.Fatalf("%q remains of %q", rest, out)
	}
	found := cells.FindAllStringSubmatch(out, -1)
	if len(found) != 4*len(tab.Rows) {
		t.Fatalf("%d cells of %d rows in %s", len(found), len(tab.Rows), out)
	}
	for i, row := range tab.Rows {
		x, text, ends, n := found[4*i], found[4*i+1], found[4*i+2], found[4*i+3]
		sameFloat(t, row[0].(float64), x[4])
		sameFloat(t, row[3].(float64), n[4])
		if got := html.UnescapeString(text[4]); text[3] != "text" || got != strings.ToValidUTF8(oneLine(row[1].(string)), "\ufffd") {
			t.Fatalf("%q came back as %q", row[1], got)
		}
		switch e := row[2].(Interval); {
		case e.absent() && (ends[2] != "" || ends[5] != ""):
			t.Fatalf("%v is shown as %s", e, ends[0])
		case !e.absent():
			sameFloat(t, e.Lo, ends[4])
			sameFloat(t, e.Hi, ends[6])
		}
	}
}

func TestJSONReadsBackExactly(t *testing.T) { rapid.Check(t, jsonReadsBack) }

func jsonReadsBack(t *rapid.T) {
	tab := anyTable(t)
	other := &Table{Name: "other", Columns: []Column{{Key: "a"}}}
	lines := strings.Split(strings.TrimSuffix(write(t, JSON, tab, other), "\n"), "\n")
	if len(tab.Rows) == 0 {
		return
	}
	if len(lines) != len(tab.Rows) {
		t.Fatalf("%d lines for %d rows", len(lines), len(tab.Rows))
	}
	for i, row := range tab.Rows {
		var o struct {
			Table  string
			X      *float64
			Status string `json:"x_status"`
			Text   string
			Ends   []*float64
			Lo     string `json:"ends_lo_status"`
			Hi     string `json:"ends_hi_status"`
		}
		if err := json.Unmarshal([]byte(lines[i]), &o); err != nil {
			t.Fatalf("%v in %s", err, lines[i])
		}
		if o.Table != "drawn" || o.Text != strings.ToValidUTF8(row[1].(string), "\ufffd") {
			t.Fatalf("%q came back as %q", row[1], o.Text)
		}
		samePointer(t, row[0].(float64), o.X, o.Status)
		samePointer(t, row[2].(Interval).Lo, o.Ends[0], o.Lo)
		samePointer(t, row[2].(Interval).Hi, o.Ends[1], o.Hi)
	}
}

func samePointer(t *rapid.T, want float64, got *float64, s string) {
	if got == nil {
		sameFloat(t, want, s)
		return
	}
	if s != "" || math.Float64bits(want) != math.Float64bits(*got) {
		t.Fatalf("%x came back as %x, status %q", want, *got, s)
	}
}

// A human number never claims to be zero when it is not, and Digits digits
// are enough for a relative error of half a unit in the last of them.
func TestHumanNumbersAreAccurate(t *testing.T) { rapid.Check(t, humanNumbers) }

func humanNumbers(t *rapid.T) {
	x := rapid.Float64().Draw(t, "x")
	c := Column{Digits: rapid.IntRange(1, 17).Draw(t, "digits"), Verb: rapid.SampledFrom([]byte{0, 'g', 'e'}).Draw(t, "verb")}
	got, err := strconv.ParseFloat(c.human(x), 64)
	if err != nil && !math.IsInf(got, 0) { // rounding up may overflow: 1.80e308
		t.Fatal(err)
	}
	if x == 0 && got != 0 {
		t.Fatalf("0 is shown as %s", c.human(x))
	}
	// Half a unit of the last digit is at most 5·10^−Digits of a leading
	// digit 1; reading the decimal back rounds once more, by 2^−53.
	// Subnormals and overflow are left to the parse above.
	limit := 5*math.Pow(10, float64(-c.Digits)) + 0x1p-52
	if a := math.Abs(x); a > 1e-300 && a < 1e300 && math.Abs(got-x) > limit*a {
		t.Fatalf("%v is shown as %s", x, c.human(x))
	}
}
