package table

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestLaTeXText(t *testing.T) {
	for text, want := range map[string]string{
		"κ":                `$\kappa$`,
		"α_c":              `$\alpha_c$`,
		"p_c":              `$p_c$`,
		"N_eff":            `$N_{\mathrm{eff}}$`,
		"x_κ":              `$x_{\kappa}$`,
		"p_½":              `$p_{1/2}$`,
		"d_in d_out":       `$d_{\mathrm{in}}$ $d_{\mathrm{out}}$`,
		"d²":               `$d^2$`,
		"σ_i²":             `$\sigma_i^2$`,
		"10⁻³":             `10${}^{-3}$`,
		"10^300":           `10${}^{300}$`,
		"2^-3":             `2${}^{-3}$`,
		"x^2²":             `$x^2 {}^2$`,
		"s₀":               `$s_0$`,
		"√d":               `$\sqrt{d}$`,
		"√D_n":             `$\sqrt{D_n}$`,
		"√(2 log n)":       `$\surd$(2 log n)`,
		"√12":              `$\sqrt{12}$`,
		"γ√d":              `$\gamma \sqrt{d}$`,
		"alpha_c":          `alpha\_c`,
		"d_n_error":        `d\_n\_error`,
		"snake_case_x":     `snake\_case\_x`,
		"κ ≤ 1, ½ × ∞ ± γ": `$\kappa$ $\le$ 1, $\frac{1}{2}$ $\times$ $\infty$ $\pm$ $\gamma$`,
		"x\u0304":          `$\bar{x}$`,
		"50% & $5 #1_":     `50\% \& \$5 \#1\_`,
		`{a} \ ~ ^`:        `\{a\} \textbackslash{} \textasciitilde{} \textasciicircum{}`,
		"|A| < 3":          `$|$A$|$ $<$ 3`,
		"--format":         `-{}-format`,
		"a – b":            `a -- b`,
		"é":                `é`,
		"日":                `[U+65E5]`,
		"√":                `$\surd$`,
		"_√x":              `\_$\sqrt{x}$`,
		"plain words":      `plain words`,
		"":                 ``,
	} {
		assert.Equal(t, want, latexText(text), "%q", text)
	}
}

func TestLaTeXNumbers(t *testing.T) {
	for number, want := range map[string]string{
		"12": "12", "0.5000": "0.5000", "-0.5": "$-0.5$", "1e300": "$10^{300}$", "-1e-5": "$-10^{-5}$",
		"1.5e6": `$1.5\times 10^{6}$`, "inf": `$\infty$`, "-inf": `$-\infty$`, "1.50e0": "1.50", "-1.50e0": "$-1.50$", "nan": "nan",
	} {
		assert.Equal(t, want, latexNumber(number))
	}
}

// A row that starts with a bracket would be read as the argument of \\.
func TestLaTeXRowProtectsItsStart(t *testing.T) {
	assert.Equal(t, "{[}1] & 2 \\\\\n", latexRow([]string{"[1]", "2"}))
	assert.Equal(t, "{*} & 2 \\\\\n", latexRow([]string{"*", "2"}))
	assert.Equal(t, "& 2 \\\\\n", latexRow([]string{"", "2"}))
}

// Tables wider than a line are set smaller, by the characters of their cells, and long texts as
// paragraphs; what is hidden takes no room.
func TestLaTeXOfWideTables(t *testing.T) {
	write := func(columns int, cell string, hidden bool) string {
		x := &Table{Title: "wide"}
		var row []any
		for i := range columns {
			x.Columns = append(x.Columns, Column{Key: fmt.Sprintf("c%d", i), Hidden: hidden && i > 2})
			row = append(row, cell)
		}
		x.Append(row...)
		var b bytes.Buffer
		require.NoError(t, Write(&b, LaTeX, x))
		return b.String()
	}
	assert.NotContains(t, write(6, "12345678", false), "size")        // 6 (8·5 + 12) = 312 pt
	assert.Contains(t, write(8, "12345678", false), "\\footnotesize") // 416, and 8 (8·4.25 + 6) = 320 when small
	assert.Contains(t, write(10, "12345678", false), "\\scriptsize")  // 400 when small
	assert.NotContains(t, write(10, "12345678", true), "size")
	assert.Contains(t, write(2, strings.Repeat("word ", 15), false), "{p{0.5\\linewidth}p{0.5\\linewidth}}")
	assert.Contains(t, write(2, strings.Repeat("word ", 12), false), "{ll}") // 60 characters
}
