package page

import (
	"strconv"
	"strings"
)

// reserved returns the ids of the template.
func reserved() map[string]bool {
	ids := map[string]bool{}
	for _, id := range []string{"main", "title", "contents", "abstract", "provenance", "theme-auto", "theme-light", "theme-dark"} {
		ids[id] = true
	}
	return ids
}

// id makes an id (or the name of a file) that is not used yet from any text: small
// letters, digits, - and _, starting with a letter.
func (m *maker) id(s, otherwise string) string {
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
	for n := 2; m.ids[id]; n++ {
		id = base + "-" + strconv.Itoa(n)
	}
	m.ids[id] = true
	return id
}
