package page

import (
	"strconv"
	"strings"
)

// names are ids, or names of files, that are taken.
type names map[string]bool

// reserved returns the ids of the template.
func reserved() names {
	ids := names{}
	for _, id := range []string{"main", "title", "contents", "abstract", "provenance", "theme-auto", "theme-light", "theme-dark"} {
		ids[id] = true
	}
	return ids
}

// unused makes a name that is not taken yet, from any text, and takes it: small letters,
// digits, - and _, starting with a letter.
func (taken names) unused(s, otherwise string) string {
	base := strings.Trim(strings.Map(func(r rune) rune {
		switch {
		case r >= 'A' && r <= 'Z':
			return r - 'A' + 'a'
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9', r == '_':
			return r
		}
		return '-'
	}, s), "-_")
	for strings.Contains(base, "--") {
		base = strings.ReplaceAll(base, "--", "-")
	}
	switch {
	case base == "":
		base = otherwise
	case base[0] >= '0' && base[0] <= '9':
		base = otherwise + "-" + base
	}
	id := base
	for n := 2; taken[id]; n++ {
		id = base + "-" + strconv.Itoa(n)
	}
	taken[id] = true
	return id
}
