package table

import (
	"bytes"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Headers are printed as given. Libraries that draw tables like to make titles of them:
// alpha_c becomes ALPHA C, and κ a K that nobody can tell from the letter.
func TestHeadersAreNotTitles(t *testing.T) {
	heads := []string{"alpha_c", "κ", "α_c", "D_n", "N_eff", "log n", "d.p", "camelCase", "bits/weight"}
	keys := []string{"alpha_limit", "kappa", "alpha_c", "d_n", "n_eff", "log_n", "dp", "camel_case", "bits_per_weight"}
	// What TeX and HTML make of them, where that is not the head itself.
	typeset := map[Format]map[string]string{
		LaTeX: {"alpha_c": `alpha\_c`, "κ": `$\kappa$`, "α_c": `$\alpha_c$`, "D_n": `$D_n$`, "N_eff": `$N_{\mathrm{eff}}$`},
		HTML:  {"alpha_c": "alpha_c", "α_c": "α<sub>c</sub>", "D_n": "D<sub>n</sub>", "N_eff": "N<sub>eff</sub>"},
	}
	for _, vertical := range []bool{false, true} {
		tab := &Table{Name: "heads", Vertical: vertical}
		row := []any{}
		for i, head := range heads {
			tab.Columns = append(tab.Columns, Column{Key: keys[i], Head: head})
			row = append(row, float64(i))
		}
		tab.Append(row...)
		for _, f := range []Format{TableFormat, Markdown, LaTeX, HTML, CSV, JSON} {
			var out bytes.Buffer
			require.NoError(t, Write(&out, f, tab))
			for i, head := range heads {
				want := head
				if f.Machine() {
					want = keys[i]
				} else if made, ok := typeset[f][head]; ok {
					want = made
				}
				// Between what surrounds a cell in one format or another.
				cell := regexp.MustCompile(`(?m)(^|[ >",{│|&])` + regexp.QuoteMeta(want) + `($|[ <",:│|&])`)
				assert.Regexp(t, cell, out.String(), "%s, vertical %v: %s", f, vertical, head)
			}
			assert.NotRegexp(t, `ALPHA|Alpha|Κ|KAPPA|Α|alpha c|D n|CAMEL|LOG`, out.String(), "%s", f)
		}
	}
}
