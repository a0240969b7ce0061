package table

import (
	"bytes"
	"flag"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/olekukonko/tablewriter/pkg/twwidth"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// verdict is a Stringer, as the verdicts and statuses of other packages are.
type verdict int

func (v verdict) String() string { return [...]string{"ok", "DISAGREES"}[v] }

// capacityTable has the headers and magnitudes of the command's main table.
func capacityTable() *Table {
	t := &Table{
		Name:  "capacity",
		Title: "Capacity at rank m = κ d, α_c = log n · I(κ)/D_n",
		Columns: []Column{
			{Key: "kappa", Head: "κ"},
			{Key: "n", Head: "n"},
			{Key: "log_n", Hidden: true},
			{Key: "alpha_limit", Head: "alpha_limit", Digits: 4},
			{Key: "alpha_c", Head: "α_c", Digits: 6},
			{Key: "p_c", Head: "p_c", Digits: 5},
			{Key: "rank", Head: "m"},
			{Key: "n_eff", Head: "N_eff", Digits: 4},
		},
		Notes: []string{"√d ≥ ½ is assumed; n → ∞ gives alpha_limit.\nN_eff = E Σ σ_i² ± 0.1 at d² = 576"},
	}
	t.Append(0.25, 10.0, math.Log(10), 0.338, 0.78123456789, 105.8, 6, 389.25)
	t.Append(0.5, 1e6, math.Log(1e6), 0.5, 0.7049598, 12345.678, 12, 1e7)
	t.Append(1, 1e300, 300*math.Ln10, 0.5, 0.507527, 1.0, 24, 576.0)
	t.Append(1e-15, math.Inf(1), math.Inf(1), 2e-15, math.NaN(), nil, uint64(math.MaxUint64), math.Inf(-1))
	return t
}

// awkwardTable has the characters that one format or another gives a meaning.
func awkwardTable() *Table {
	t := &Table{
		Name:  "awkward_cells",
		Title: "100% of P(|A| = k) & co_",
		Columns: []Column{
			{Key: "interval", Head: "95% interval", Digits: 2},
			{Key: "text", Head: "|A| & text"},
			{Key: "certified", Head: "certified_"},
			{Key: "verdict", Head: "verdict"},
			{Key: "mean", Head: "x\u0304", Digits: 3, Verb: 'e'},
			{Key: "p_value", Head: "p-value", Digits: 4, Verb: 'f'},
		},
		Notes: []string{"Run `lamcap verify --seed 1 | cat`; exit 1 < 2.", "", "*: p < 0.05"},
	}
	t.Append(Interval{0.70, 0.88}, `a, "b" and 'c'`, true, verdict(0), 1.5, 0.25)
	t.Append(Interval{-0.1, math.Inf(1)}, "two\nlines\tand a tab", false, verdict(1), -1e-12, 1e-9)
	t.Append(nil, "a|b & c_d #5 $x$ {~} ^ \\ <b> *", true, nil, 0.0, 0.0)
	t.Append(Interval{math.NaN(), 1}, "κ ≤ 1, 日本", nil, verdict(0), math.NaN(), 1e17)
	return t
}

func TestGolden(t *testing.T) {
	empty := &Table{Name: "empty", Columns: []Column{{Key: "kappa", Head: "κ"}, {Key: "n"}}}
	narrow := &Table{Name: "narrow", Columns: []Column{{Key: "note"}}}
	narrow.Append(nil)
	narrow.Append("-")
	for name, tables := range map[string][]*Table{
		"capacity": {capacityTable()},
		"awkward":  {awkwardTable()},
		"empty":    {empty},
		"several":  {capacityTable(), awkwardTable(), empty, narrow},
		"narrow":   {narrow},
	} {
		for f, extension := range map[Format]string{TableFormat: "txt", Markdown: "md", CSV: "csv", JSON: "jsonl", LaTeX: "tex", HTML: "html"} {
			t.Run(name+"/"+string(f), func(t *testing.T) {
				got := render(t, f, tables...)
				file := filepath.Join("testdata", name+"."+extension)
				if *update {
					require.NoError(t, os.WriteFile(file, []byte(got), 0o644))
				}
				want, err := os.ReadFile(file)
				require.NoError(t, err)
				assert.Equal(t, string(want), got)
			})
		}
	}
}

func render(t testing.TB, f Format, tables ...*Table) string {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, Write(&b, f, tables...))
	return b.String()
}

// The renderer of terminal tables measures κ as two columns in some locales.
func TestTerminalIgnoresLocale(t *testing.T) {
	want := render(t, TableFormat, awkwardTable())
	twwidth.SetEastAsian(true)
	defer twwidth.SetEastAsian(false)
	assert.Equal(t, want, render(t, TableFormat, awkwardTable()))
	twwidth.SetEastAsian(true)
	md := render(t, Markdown, awkwardTable())
	twwidth.SetEastAsian(false)
	assert.Equal(t, render(t, Markdown, awkwardTable()), md)
}

// Every line of a terminal table has the same width, however wide its cells.
func TestTerminalIsRectangular(t *testing.T) {
	long := &Table{Name: "long", Columns: []Column{{Key: "a", Head: "a_long_header_" + strings.Repeat("κ", 90)}, {Key: "b"}}}
	long.Append(strings.Repeat("no wrapping ", 40)+"x\u0304", "b.c")
	for _, tab := range []*Table{capacityTable(), awkwardTable(), long} {
		tab.Title, tab.Notes = "", nil
		lines := strings.Split(strings.TrimSuffix(render(t, TableFormat, tab), "\n"), "\n")
		assert.Len(t, lines, len(tab.Rows)+4, "three rules, a header, the rows: nothing is wrapped")
		for _, line := range lines {
			assert.Equal(t, displayWidth(lines[0]), displayWidth(line), line)
		}
	}
}

func TestHeadersAreUntouched(t *testing.T) {
	tab := &Table{Name: "heads", Columns: []Column{{Key: "a", Head: "alpha_c"}, {Key: "b", Head: "logN.max"}, {Key: "c", Head: "κ"}}}
	for _, f := range []Format{TableFormat, Markdown} {
		out := render(t, f, tab)
		for _, c := range tab.Columns {
			assert.Contains(t, out, " "+c.Head+" ", "%s", f)
		}
	}
}

func TestFormats(t *testing.T) {
	assert.Equal(t, []string{"table", "markdown", "csv", "json", "latex"}, Formats())
	for _, name := range Formats() {
		f, err := ParseFormat(name)
		require.NoError(t, err)
		assert.Equal(t, Format(name), f)
	}
	for _, name := range []string{"xml", "", "JSON", " csv", "html"} {
		_, err := ParseFormat(name)
		assert.EqualError(t, err, "format = "+name+": want table, markdown, csv, json or latex")
	}
	assert.EqualError(t, Write(&bytes.Buffer{}, "xml"), "format = xml: want table, markdown, csv, json or latex")
}

func TestWriteReturnsTheWritersError(t *testing.T) {
	closed, err := os.CreateTemp(t.TempDir(), "")
	require.NoError(t, err)
	require.NoError(t, closed.Close())
	for _, f := range Formats() {
		assert.ErrorIs(t, Write(closed, Format(f), capacityTable()), os.ErrClosed, f)
	}
}

func TestNoTablesWriteNothing(t *testing.T) {
	for _, f := range append(Formats(), string(HTML)) {
		assert.Empty(t, render(t, Format(f)), f)
	}
}

func TestProgrammersMistakesPanic(t *testing.T) {
	write := func(c ...Column) func() {
		return func() { _ = Write(&bytes.Buffer{}, JSON, &Table{Name: "bad", Columns: c}) }
	}
	for _, key := range []string{"", "Kappa", "κ", "p-value", "1st", "_x", "a b", "table"} {
		assert.Panics(t, write(Column{Key: key}), "key %q", key)
	}
	assert.Panics(t, write(Column{Key: "a"}, Column{Key: "a"}), "the same key twice")
	assert.Panics(t, write(Column{Key: "a", Verb: 'd'}))
	assert.Panics(t, write(Column{Key: "a", Digits: -1}))
	tab := &Table{Name: "t", Columns: []Column{{Key: "a"}}}
	assert.PanicsWithValue(t, "table: t: 2 values in a row of 1 columns", func() { tab.Append(1, 2) })
	assert.PanicsWithValue(t, "table: a cell cannot hold a []int", func() { tab.Append([]int{1}) })
	tab.Append(Interval{0, 1})
	tab.Append(2.5)
	assert.PanicsWithValue(t, "table: t: column a mixes intervals with other values", func() { _ = Write(&bytes.Buffer{}, CSV, tab) })
	assert.Panics(t, func() { _ = Write(&bytes.Buffer{}, CSV, &Table{}, &Table{Name: "b"}) }, "a table without a name among several")
}

// The caller may reuse the slice it passed.
func TestAppendCopies(t *testing.T) {
	tab := &Table{Name: "t", Columns: []Column{{Key: "a"}}}
	row := []any{1}
	tab.Append(row...)
	row[0] = 2
	assert.Equal(t, "a\n1\n", render(t, CSV, tab))
}

func TestCellTypes(t *testing.T) {
	type load float64
	type name string
	var absent *bytes.Buffer
	tab := &Table{Name: "t", Columns: []Column{{Key: "a"}}}
	for _, v := range []any{int8(-3), uint16(7), int64(math.MinInt64), load(0.5), name("x"), verdict(1), absent, bytes.NewBufferString("s")} {
		tab.Append(v)
	}
	assert.Equal(t, "a\n-3\n7\n-9223372036854775808\n0.5\nx\nDISAGREES\n\"\"\ns\n", render(t, CSV, tab))
}

// An interval of two NaN is absent; with one end it is shown.
func TestAbsentIntervals(t *testing.T) {
	tab := &Table{Name: "absent", Columns: []Column{{Key: "x"}, {Key: "interval"}}}
	tab.Append(1, Interval{Lo: math.NaN(), Hi: math.NaN()})
	tab.Append(2, Interval{Lo: math.NaN(), Hi: 1})
	for format, want := range map[Format]string{
		Markdown: "|        - |", LaTeX: "1 & - \\\\", CSV: "1,nan,nan\n", JSON: `"x":1,"interval":[null,null]`,
	} {
		var b strings.Builder
		require.NoError(t, Write(&b, format, tab))
		assert.Contains(t, b.String(), want, format)
	}
}
