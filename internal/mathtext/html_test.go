package mathtext

import (
	"html"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"
)

func TestHTML(t *testing.T) {
	for text, want := range map[string]string{
		"":                      "",
		"κ":                     "κ",
		"α_c(κ)":                "α<sub>c</sub>(κ)",
		"2α_c":                  "2α<sub>c</sub>",
		"Σσ_i":                  "Σσ<sub>i</sub>",
		"p_½":                   "p<sub>½</sub>",
		"p_c (k = 1)":           "p<sub>c</sub> (k = 1)",
		"p_½ OP":                "p<sub>½</sub> OP",
		"D_{n,k}":               "D<sub>n,k</sub>",
		"D_{p_c}":               "D<sub>p<sub>c</sub></sub>",
		"‖W‖_F":                 "‖W‖<sub>F</sub>",
		"D_{n":                  "D_{n",
		"D_n²":                  "D<sub>n</sub>²",
		"x\u0304_i":             "x\u0304<sub>i</sub>",
		"10^300, 2^-3, (d)^2":   "10<sup>300</sup>, 2<sup>−3</sup>, (d)<sup>2</sup>",
		"d_in/d_out":            "d<sub>in</sub>/d<sub>out</sub>",
		"alpha_c, n_eff_bound":  "alpha_c, n_eff_bound",
		"_x, x_, x_ y, ^2, a^":  "_x, x_, x_ y, ^2, a^",
		"run `p_c <x>` & p_c":   "run <code>p_c &lt;x&gt;</code> &amp; p<sub>c</sub>",
		"one ` of p_c":          "one ` of p<sub>c</sub>",
		"<script>\"'&amp;]]>":   "&lt;script&gt;&#34;&#39;&amp;amp;]]&gt;",
		"a_<b>":                 "a_&lt;b&gt;",
		"a_{<b>}":               "a<sub>&lt;b&gt;</sub>",
		"bell \a, \x00, \xff\n": "bell \ufffd, \ufffd, \ufffd\n",
	} {
		assert.Equal(t, want, HTML(text), "%q", text)
	}
}

// Whatever the text, the tags are those of this package and what a reader sees is
// the text without the marks of scripts and code.
func TestTextIsInert(t *testing.T) {
	tags := strings.NewReplacer("<sub>", "", "</sub>", "", "<sup>", "", "</sup>", "", "<code>", "", "</code>", "")
	marks := strings.NewReplacer("_", "", "^", "", "`", "", "{", "", "}", "", "-", "", "−", "")
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.OneOf(rapid.String(), rapid.StringOf(rapid.SampledFrom([]rune("ab1α_^`{}<>&\"'- ½\u0304\n")))).Draw(t, "s")
		got := tags.Replace(HTML(s))
		if strings.ContainsAny(got, "<>\"'") {
			t.Fatalf("%q became %q", s, HTML(s))
		}
		if want := marks.Replace(clean(s)); marks.Replace(html.UnescapeString(got)) != want {
			t.Fatalf("%q reads %q", s, html.UnescapeString(got))
		}
	})
}
