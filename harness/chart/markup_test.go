package chart

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"
)

// shown writes runs so that tests can be read: <_..> and <^..> for scripts, *..* for
// italics.
func shown(runs []run) string {
	var b strings.Builder
	for _, r := range runs {
		s := r.text
		if r.italic {
			s = "*" + s + "*"
		}
		switch r.level {
		case subscript:
			s = "<_" + s + ">"
		case superscript:
			s = "<^" + s + ">"
		}
		b.WriteString(s)
	}
	return b.String()
}

func TestMarkup(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"load", "load"},
		{"load α = p/d²", "load *α* = *p*/*d*<^2>"},
		{"α_c(κ)", "*α*<_*c*>(*κ*)"},
		{"p_½", "*p*<_1/2>"},
		{"p_{½}/d", "*p*<_1/2>/*d*"},
		{"d_in", "*d*<_in>"},
		{"d_in d_out", "*d*<_in> *d*<_out>"},
		{"σ/√d", "*σ*/√*d*"},
		{"x_i^2", "*x*<_*i*><^2>"},
		{"10^-3", "10<^−3>"},
		{"10⁻³", "10<^−3>"},
		{"x^{n+1}", "*x*<^*n*><^+1>"},
		{"1e-3", "1e-3"},
		{"P(storable)", "*P*(storable)"},
		{"Hebb's rule, a d of 10", "Hebb's rule, a *d* of 10"},
		{"ΔE, Φ(x)", "ΔE, Φ(*x*)"},
		{"√(d I(κ)), A_c", "√(*d* *I*(*κ*)), *A*<_*c*>"},
		{"QRᵀ", "QR<^*T*>"},
		{`max\_margin`, "max_margin"},
		{`time (\s)`, "time (s)"},
		{"_x", "_*x*"},       // nothing to lower it against
		{"x_ y", "*x*_ *y*"}, // nothing to lower
		{"x_", "*x*_"},
		{"x_{n", "*x*_{*n*"}, // no end
		{`\`, `\`},
		{"", ""},
	} {
		assert.Equal(t, c.want, shown(parse(c.text)), c.text)
	}
}

// Markup moves and slants runes; it does not lose any but its own.
func TestMarkupKeepsText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`[a-zα-ω0-9 ()/=,]{0,20}`).Draw(t, "text")
		var all string
		for _, r := range parse(text) {
			assert.NotEmpty(t, r.text)
			all += r.text
		}
		assert.Equal(t, text, all)
	})
	rapid.Check(t, func(t *rapid.T) { parse(rapid.String().Draw(t, "text")) })
}
