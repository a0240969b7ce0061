package sweep

import (
	"fmt"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
)

// bareCharacters are those of TOML keys without quotes.
const bareCharacters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-"

// keyLines finds the lines of keys, by their path in the grid, which the decoder does
// not tell. Keys come in the order of the text. A key in quotes has no line.
func keyLines(text string, keys []toml.Key) map[string]int {
	places := keyPlaces(text)
	lines := map[string]int{}
	experiment, zip, at := -1, -1, 0
	for _, k := range keys {
		name := k[len(k)-1]
		line := 0
		// The next of this name: names are found again and again.
		offsets := places[name]
		if i, _ := slices.BinarySearchFunc(offsets, at, func(p keyPlace, at int) int { return p.offset - at }); i < len(offsets) {
			line, at = offsets[i].line, offsets[i].offset+1
		}
		parts := slices.Clone(k)
		if k[0] == "experiment" {
			if len(k) == 1 {
				experiment, zip = experiment+1, -1
			}
			parts[0] = fmt.Sprintf("experiment[%d]", experiment)
			if len(k) > 1 && k[1] == "zip" {
				if len(k) == 2 {
					zip++
				}
				parts[1] = fmt.Sprintf("zip[%d]", zip)
			}
		}
		// Without its number too: what is no array of tables has none.
		last, _, _ := strings.Cut(parts[len(parts)-1], "[")
		for _, word := range []string{parts[len(parts)-1], last} {
			parts[len(parts)-1] = word
			if path := strings.Join(parts, "."); lines[path] == 0 {
				lines[path] = line
			}
		}
	}
	return lines
}

// keyPlace is where a word stands that may be a key.
type keyPlace struct{ offset, line int }

// keyPlaces finds all bare words before = or ], outside strings and comments.
func keyPlaces(text string) map[string][]keyPlace {
	text = bare(text)
	places := map[string][]keyPlace{}
	line := 1
	for i := 0; i < len(text); {
		word := text[i : len(text)-len(strings.TrimLeft(text[i:], bareCharacters))]
		if word == "" {
			if text[i] == '\n' {
				line++
			}
			i++
			continue
		}
		i += len(word)
		if after := strings.TrimLeft(text[i:min(len(text), i+100)], " \t"); after != "" && (after[0] == '=' || after[0] == ']') {
			places[word] = append(places[word], keyPlace{i - len(word), line})
		}
	}
	return places
}

// A grid has no more than three tables or lists within each other and keys of no more
// than three parts. The decoder takes quadratic time for both.
const mostNested, mostParts = 8, 8

// tooDeep returns the line in which there is more than any grid has, or 0.
func tooDeep(text string) int {
	line, depth, dots := 1, 0, 0
	for _, c := range []byte(bare(text)) {
		switch c {
		case '\n':
			line++
			dots = 0
		case '[', '{':
			depth++
			dots = 0
		case ']', '}':
			depth--
		case '.':
			dots++
		case ',', '=':
			dots = 0
		}
		if depth > mostNested || dots >= mostParts {
			return line
		}
	}
	return 0
}

// bare replaces what is in strings and comments by spaces, and keeps lines.
func bare(text string) string {
	out := []byte(text)
	for i := 0; i < len(text); {
		rest := text[i:]
		end := 0
		switch {
		case rest[0] == '#':
			end = index(rest, "\n")
		case strings.HasPrefix(rest, `"""`), strings.HasPrefix(rest, "'''"):
			end = 3 + afterString(rest[3:], rest[:3])
		case rest[0] == '"', rest[0] == '\'':
			end = 1 + afterString(rest[1:], rest[:1])
		default:
			i++
			continue
		}
		for j := i; j < i+end; j++ {
			if text[j] != '\n' {
				out[j] = ' '
			}
		}
		i += end
	}
	return string(out)
}

// afterString returns the length of a string with its closing quotes; one of a line ends
// with it, closed or not, so that what follows is not taken for a string.
func afterString(text, quotes string) int {
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '\\' && quotes[0] == '"':
			i++
		case text[i] == '\n' && len(quotes) == 1:
			return i
		case strings.HasPrefix(text[i:], quotes):
			return i + len(quotes)
		}
	}
	return len(text)
}

// index is that of s in text, its length if there is none.
func index(text, s string) int {
	if i := strings.Index(text, s); i >= 0 {
		return i
	}
	return len(text)
}
