package table

import (
	"fmt"
	"strings"
	"unicode"
)

// latexText turns a line of text into LaTeX that plain pdflatex compiles:
// special characters escaped, Greek letters, relations, roots, exponents and
// names with a subscript (p_c, α_c, N_eff, d²) in math. Accented Latin letters
// are left to inputenc; what pdflatex has no glyph for shows its code point.
func latexText(s string) string {
	rs := []rune(s)
	var w latexWriter
	for i := 0; i < len(rs); {
		if atom, n := mathAtom(rs, i); n > 0 {
			w.math(atom)
			i += n
			continue
		}
		escaped, math := escapeRune(rs, i)
		if math {
			w.math(escaped)
		} else {
			w.text(escaped)
		}
		i++
	}
	w.text("")
	return w.b.String()
}

// latexWriter joins neighbouring pieces of math: $a$$b$ would start a display.
type latexWriter struct {
	b      strings.Builder
	inMath bool
}

func (w *latexWriter) math(s string) {
	if w.inMath {
		w.b.WriteByte(' ')
	} else {
		w.b.WriteByte('$')
	}
	w.inMath = true
	w.b.WriteString(s)
}

func (w *latexWriter) text(s string) {
	if w.inMath {
		w.b.WriteByte('$')
	}
	w.inMath = false
	w.b.WriteString(s)
}

// escapeRune sets one character, and says whether it must be set in math.
func escapeRune(rs []rune, i int) (s string, math bool) {
	r := rs[i]
	switch r {
	case '&', '%', '$', '#', '_', '{', '}':
		return "\\" + string(r), false
	case '\\':
		return "\\textbackslash{}", false
	case '~':
		return "\\textasciitilde{}", false
	case '^':
		return "\\textasciicircum{}", false
	case '<', '>', '|': // other glyphs in the default text encoding
		return string(r), true
	case '-':
		if i > 0 && rs[i-1] == '-' {
			return "{}-", false // no dash from two hyphens
		}
	case '‐', '‑':
		return "-", false
	case '–':
		return "--", false
	case '—':
		return "---", false
	case '“':
		return "``", false
	case '”':
		return "''", false
	case '‘':
		return "`", false
	case '’':
		return "'", false
	case '…':
		return "\\ldots{}", false
	case '\u00a0', '\u202f', '\u2009':
		return "~", false
	}
	if m, ok := mathSymbol(r); ok {
		return m, true
	}
	if r >= 0x180 || r > unicode.MaxASCII && !unicode.IsLetter(r) {
		return fmt.Sprintf("[U+%04X]", r), false // pdflatex would stop here
	}
	return string(r), false
}

// mathAtom reads a variable with its accent, subscript and exponent, a root,
// or a bare exponent at rs[i], and returns its LaTeX and its length in runes;
// length 0 means there is none.
func mathAtom(rs []rune, i int) (string, int) {
	r := at(rs, i)
	if r == '√' {
		return root(rs, i)
	}
	if s, n := scripts(rs, i, false); n > 0 { // 10³, )²
		return "{}" + s, n // an empty base: two exponents in a row compile
	}
	base, greek := greekLetter(r)
	if !greek {
		if !latinLetter(r) || i > 0 && (latinLetter(rs[i-1]) || digit(rs[i-1]) || rs[i-1] == '_') {
			return "", 0
		}
		base = string(r)
	}
	n := 1
	if accent, ok := accentOf(at(rs, i+n)); ok {
		base = accent + "{" + base + "}"
		n++
	}
	s, m := scripts(rs, i+n, true)
	if !greek && n+m == 1 {
		return "", 0 // a letter of a word, or a lone one: text
	}
	return base + s, n + m
}

// root sets √x with the argument under the bar when it is one name or number.
func root(rs []rune, i int) (string, int) {
	if s, n := mathAtom(rs, i+1); n > 0 {
		return "\\sqrt{" + s + "}", n + 1
	}
	n := 0
	for latinLetter(at(rs, i+1+n)) || digit(at(rs, i+1+n)) {
		n++
	}
	if n == 0 {
		return "\\surd", 1
	}
	return "\\sqrt{" + upright(string(rs[i+1:i+1+n])) + "}", n + 1
}

// scripts reads sub- and superscripts at rs[i]: _c, _eff, ^K, ₀, ², in any
// order, one each. Without a base only superscripts count, since _ separates
// words.
func scripts(rs []rune, i int, base bool) (string, int) {
	var sub, sup string
	n := 0
	for {
		r := at(rs, i+n)
		if _, ok := raised[r]; ok && sup == "" {
			s, m := mapped(rs, i+n, raised)
			sup, n = s, n+m
			continue
		}
		if _, ok := lowered[r]; ok && sub == "" && base {
			s, m := mapped(rs, i+n, lowered)
			sub, n = s, n+m
			continue
		}
		if r == '^' && sup == "" || r == '_' && sub == "" && base {
			s, m := scriptRun(rs, i+n+1)
			if m > 0 {
				if r == '^' {
					sup = s
				} else {
					sub = s
				}
				n += m + 1
				continue
			}
		}
		break
	}
	var out string
	if sub != "" {
		out += "_" + braced(sub)
	}
	if sup != "" {
		out += "^" + braced(sup)
	}
	return out, n
}

// scriptRun reads the word after _ or ^. A word followed by another
// underscore belongs to a snake_case name and is none.
func scriptRun(rs []rune, i int) (string, int) {
	n := 0
	minus := at(rs, i) == '-' && digit(at(rs, i+1))
	if minus {
		n++
	}
	if s, ok := greekLetter(at(rs, i+n)); ok && !scriptLetter(at(rs, i+n+1)) {
		return s, n + 1
	}
	if at(rs, i+n) == '½' {
		return "1/2", n + 1
	}
	start := i + n
	for latinLetter(at(rs, i+n)) || digit(at(rs, i+n)) {
		n++
	}
	if i+n == start || at(rs, i+n) == '_' {
		return "", 0
	}
	s := upright(string(rs[start : i+n]))
	if minus {
		s = "-" + s
	}
	return s, n
}

func scriptLetter(r rune) bool {
	_, greek := greekLetter(r)
	return greek || latinLetter(r) || digit(r) || r == '_'
}

// upright sets a word upright and leaves numbers and single letters alone.
func upright(s string) string {
	if len(s) == 1 || strings.Trim(s, "0123456789") == "" {
		return s
	}
	return "\\mathrm{" + s + "}"
}

// braced groups a script of more than one character.
func braced(s string) string {
	if len(s) == 1 {
		return s
	}
	return "{" + s + "}"
}

func mapped(rs []rune, i int, table map[rune]string) (string, int) {
	var b strings.Builder
	n := 0
	for {
		s, ok := table[at(rs, i+n)]
		if !ok {
			return b.String(), n
		}
		b.WriteString(s)
		n++
	}
}

func at(rs []rune, i int) rune {
	if i < 0 || i >= len(rs) {
		return 0
	}
	return rs[i]
}

func latinLetter(r rune) bool { return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' }
func digit(r rune) bool       { return r >= '0' && r <= '9' }
