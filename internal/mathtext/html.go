package mathtext

import (
	"html"
	"strings"
	"unicode"
)

// HTML returns s as a piece of HTML without line breaks of its own. Text that is no
// UTF-8 and control characters come out as U+FFFD, white space as it is.
func HTML(s string) string {
	spans := strings.Split(clean(s), "`")
	if len(spans)%2 == 0 { // an unpaired backtick is no code
		return scripted(strings.Join(spans, "`"))
	}
	var b strings.Builder
	for i, span := range spans {
		if i%2 == 0 {
			b.WriteString(scripted(span))
		} else {
			b.WriteString("<code>" + html.EscapeString(span) + "</code>")
		}
	}
	return b.String()
}

func clean(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && !unicode.IsSpace(r) {
			return unicode.ReplacementChar
		}
		return r
	}, strings.ToValidUTF8(s, string(unicode.ReplacementChar)))
}

// scripted escapes s and sets its indices and exponents.
func scripted(s string) string {
	rs := []rune(s)
	var b strings.Builder
	for i := 0; i < len(rs); {
		script, n := "", 0
		tag := "sub"
		switch {
		case rs[i] == '_' && (variable(rs, i) || at(rs, i-1) == '‖'):
			script, n = scriptAt(rs, i+1)
		case rs[i] == '^' && raisable(at(rs, i-1)):
			tag = "sup"
			script, n = scriptAt(rs, i+1)
		}
		if n == 0 {
			b.WriteString(html.EscapeString(string(rs[i])))
			i++
			continue
		}
		b.WriteString("<" + tag + ">" + scripted(script) + "</" + tag + ">")
		i += 1 + n
	}
	return b.String()
}

// variable reports whether a one-letter name, maybe with an accent, ends before
// rs[i]: the p of p_c, and not that of alpha_c or of exp_c.
func variable(rs []rune, i int) bool {
	i--
	if unicode.Is(unicode.Mn, at(rs, i)) {
		i--
	}
	return unicode.IsLetter(at(rs, i)) && !word(at(rs, i-1)) ||
		unicode.Is(unicode.Greek, at(rs, i)) && !unicode.Is(unicode.Latin, at(rs, i-1)) && at(rs, i-1) != '_'
}

// raisable reports whether r can carry an exponent.
func raisable(r rune) bool { return word(r) && r != '_' || r == ')' || unicode.Is(unicode.Mn, r) }

// scriptAt reads the index or exponent at rs[i] and says how many runes it takes;
// 0 where there is none, as before the second underscore of a snake_case name.
func scriptAt(rs []rune, i int) (string, int) {
	if at(rs, i) == '{' {
		for j := i + 1; j < len(rs) && !strings.ContainsRune("{\n", rs[j]); j++ {
			if rs[j] == '}' {
				return string(rs[i+1 : j]), j + 1 - i
			}
		}
		return "", 0
	}
	n := 0
	if sign := at(rs, i); (sign == '-' || sign == '−') && unicode.IsDigit(at(rs, i+1)) {
		n++
	}
	start := n
	for r := at(rs, i+n); r != '_' && word(r); r = at(rs, i+n) {
		n++
	}
	if n == start || at(rs, i+n) == '_' {
		return "", 0
	}
	return strings.Replace(string(rs[i:i+n]), "-", "−", 1), n
}

// word reports whether r can be part of a name: letters, digits, ½ and _, but not
// the raised and lowered digits, which are scripts themselves.
func word(r rune) bool {
	return r == '_' || r == '½' || unicode.IsLetter(r) || unicode.IsDigit(r)
}

func at(rs []rune, i int) rune {
	if i < 0 || i >= len(rs) {
		return 0
	}
	return rs[i]
}
