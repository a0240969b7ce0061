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

// parse reads the markup of labels: _ and ^ lower and raise the letters or the digits
// that follow, or all in {}; Unicode's raised and lowered digits are written
// likewise; letters that stand alone are symbols and italic, as in formulas. A
// backslash takes the next rune as it is.
func parse(s string) []run {
	var p parser
	text := []rune(s)
	for i := 0; i < len(text); i++ {
		r := text[i]
		switch {
		case r == '\\' && i+1 < len(text):
			i++
			p.add(text[i], base, true)
		case (r == '_' || r == '^') && i > 0 && !unicode.IsSpace(text[i-1]) && i+1 < len(text):
			to := subscript
			if r == '^' {
				to = superscript
			}
			n, inner := script(text[i+1:])
			if n == 0 {
				p.add(r, base, false)
				continue
			}
			for _, x := range inner {
				p.add(x, to, false)
			}
			i += n
		default:
			if x, to := plain(r); to != base {
				p.add(x, to, false)
			} else {
				p.add(r, base, false)
			}
		}
	}
	return p.runs()
}

// script returns what a _ or ^ before text applies to and how many runes that takes.
func script(text []rune) (int, []rune) {
	if text[0] == '{' {
		if end := strings.IndexRune(string(text), '}'); end >= 0 {
			inner := []rune(string(text)[1:end])
			return len(inner) + 2, inner
		}
		return 0, nil
	}
	n := 0
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
	return n, text[:n]
}

// plain undoes Unicode's raised and lowered runes.
func plain(r rune) (rune, level) {
	const raised, lowered = "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ⁿᵀ", "₀₁₂₃₄₅₆₇₈₉₊₋ₙ"
	const meant = "0123456789+−nT"
	for i, x := range []rune(raised) {
		if x == r {
			return []rune(meant)[i], superscript
		}
	}
	for i, x := range []rune(lowered) {
		if x == r {
			return []rune(meant)[i], subscript
		}
	}
	return r, base
}

// parser collects runes with their levels.
type parser struct {
	text    []rune
	level   []level
	upright []bool // whatever the neighbors are
}

func (p *parser) add(r rune, l level, upright bool) {
	switch r {
	case '½', '¼', '¾': // too small to read when raised or lowered
		if l != base {
			for _, x := range map[rune]string{'½': "1/2", '¼': "1/4", '¾': "3/4"}[r] {
				p.add(x, l, upright)
			}
			return
		}
	case '-':
		if l != base {
			r = '−'
		}
	case '\n', '\t', '\r':
		r = ' '
	}
	p.text = append(p.text, r)
	p.level = append(p.level, l)
	p.upright = append(p.upright, upright)
}

func (p *parser) runs() []run {
	var runs []run
	for i, r := range p.text {
		next := run{level: p.level[i], italic: p.symbol(i)}
		if n := len(runs) - 1; n < 0 || runs[n].level != next.level || runs[n].italic != next.italic {
			runs = append(runs, next)
		}
		runs[len(runs)-1].text += string(r)
	}
	return runs
}

// symbol says whether rune i is a letter that stands alone: a symbol, not a word. The
// words a, A and I, the e of 1e5 and what follows an apostrophe are no symbols;
// Greek capitals are upright.
func (p *parser) symbol(i int) bool {
	r := p.text[i]
	if !unicode.IsLetter(r) || p.upright[i] || unicode.Is(unicode.Greek, r) && unicode.IsUpper(r) {
		return false
	}
	at := func(j int) rune {
		switch {
		case j < 0 || j >= len(p.text):
			return ' '
		case p.level[j] != p.level[i]:
			return 0 // neither a letter nor a space
		}
		return p.text[j]
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
