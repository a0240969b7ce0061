package table

import (
	"testing"

	"github.com/stretchr/testify/assert"
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
