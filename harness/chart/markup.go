package chart

import (
	"strings"
	"unicode"
)

// level is where a piece of text stands.
type level int

const (
	base level = iota
	subscript
	superscript
)

// run is a piece of text in one style.
type run struct {
	text   string
	level  level
	italic bool
}

// spelled writes Unicode's raised and lowered runes as markup; small replaces what is too small to
// read in scripts.
var (
	spelled = strings.NewReplacer(
		"⁰", "^{0}", "¹", "^{1}", "²", "^{2}", "³", "^{3}", "⁴", "^{4}", "⁵", "^{5}", "⁶", "^{6}", "⁷", "^{7}",
		"⁸", "^{8}", "⁹", "^{9}", "⁺", "^{+}", "⁻", "^{−}", "ⁿ", "^{n}", "ᵀ", "^{T}",
		"₀", "_{0}", "₁", "_{1}", "₂", "_{2}", "₃", "_{3}", "₄", "_{4}", "₅", "_{5}", "₆", "_{6}", "₇", "_{7}",
		"₈", "_{8}", "₉", "_{9}", "₊", "_{+}", "₋", "_{−}", "ₙ", "_{n}")
	small = strings.NewReplacer("½", "1/2", "¼", "1/4", "¾", "3/4", "-", "−")
)

// letter is a rune of a text.
type letter struct {
	rune
	level   level
	upright bool // whatever the neighbors are
}

// parse reads the markup of labels: _ and ^ lower and raise the letters or the digits
// that follow, or all in {}; Unicode's raised and lowered digits are written
// likewise; letters that stand alone are symbols and italic, as in formulas. A
// backslash takes the next rune as it is.
func parse(s string) (runs []run) {
	var all []letter
	text := []rune(spelled.Replace(s))
	for i := 0; i < len(text); i++ {
		r, next := text[i], text[i+1:]
		switch {
		case r == '\\' && len(next) > 0:
			i++
			all = append(all, letter{next[0], base, true})
			continue
		case (r == '_' || r == '^') && len(next) > 0 && (next[0] == '{' || i > 0 && !unicode.IsSpace(text[i-1])):
			to := subscript
			if r == '^' {
				to = superscript
			}
			n, inner := script(next)
			for _, x := range small.Replace(inner) {
				all = append(all, letter{x, to, false})
			}
			if i += n; n > 0 {
				continue
			}
		}
		all = append(all, letter{r, base, false})
	}
	for i, l := range all {
		next := run{level: l.level, italic: symbol(all, i)}
		if n := len(runs) - 1; n < 0 || runs[n].level != next.level || runs[n].italic != next.italic {
			runs = append(runs, next)
		}
		runs[len(runs)-1].text += string(l.rune)
	}
	return runs
}

// script returns how many runes a _ or ^ before text applies to and what they are.
func script(text []rune) (n int, inner string) {
	if text[0] == '{' {
		inner, _, ok := strings.Cut(string(text)[1:], "}")
		if !ok {
			return 0, ""
		}
		return len([]rune(inner)) + 2, inner
	}
	if strings.ContainsRune("+-−", text[0]) && len(text) > 1 && unicode.IsNumber(text[1]) {
		n = 1
	}
	same := unicode.IsLetter
	if unicode.IsNumber(text[n]) {
		same = unicode.IsNumber
	}
	start := n
	for n < len(text) && same(text[n]) {
		n++
	}
	if n == start && !unicode.IsSpace(text[n]) {
		n++
	}
	return n, string(text[:n])
}

// symbol says whether rune i is a letter that stands alone: a symbol, not a word. The
// words a, A and I, the e of 1e5 and what follows an apostrophe are no symbols;
// Greek capitals are upright.
func symbol(text []letter, i int) bool {
	r := text[i].rune
	if !unicode.IsLetter(r) || text[i].upright || unicode.Is(unicode.Greek, r) && unicode.IsUpper(r) {
		return false
	}
	at := func(j int) rune {
		switch {
		case j < 0 || j >= len(text):
			return ' '
		case text[j].level != text[i].level:
			return 0 // neither a letter nor a space
		}
		return text[j].rune
	}
	before, after := at(i-1), at(i+1)
	switch {
	case unicode.IsLetter(before) || unicode.IsLetter(after) || before == '\'' || before == '’':
		return false
	case strings.ContainsRune("aAI", r):
		return !unicode.IsSpace(before) || !unicode.IsSpace(after)
	case r == 'e' || r == 'E':
		return !unicode.IsDigit(before)
	}
	return true
}
