package table_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"lamcap/harness/table"
)

// A vertical table turns human formats only; json keeps one object a line.
func TestVertical(t *testing.T) {
	record := &table.Table{Vertical: true, Columns: []table.Column{
		{Key: "outcome"}, {Key: "p_c", Digits: 3}, {Key: "secret", Hidden: true},
	}}
	record.Append("stored", 115.467, 1)
	for format, want := range map[table.Format]string{
		table.TableFormat: "┌─────────┬────────┐\n│ field   │ value  │\n├─────────┼────────┤\n│ outcome │ stored │\n│ p_c     │ 115    │\n└─────────┴────────┘\n",
		table.Markdown:    "| field   | value  |\n| ------- | ------ |\n| outcome | stored |\n| p_c     | 115    |\n",
		table.JSON:        `{"outcome":"stored","p_c":115.467,"secret":1}` + "\n",
		table.CSV:         "outcome,p_c,secret\nstored,115.467,1\n",
	} {
		var b strings.Builder
		require.NoError(t, table.Write(&b, format, record))
		assert.Equal(t, want, b.String(), format)
	}
	var b strings.Builder
	require.NoError(t, table.Write(&b, table.LaTeX, record))
	assert.Contains(t, b.String(), `$p_c$ & 115 \\`)
	assert.True(t, table.JSON.Machine() && table.CSV.Machine())
	assert.False(t, table.TableFormat.Machine() || table.Markdown.Machine() || table.LaTeX.Machine())
}
