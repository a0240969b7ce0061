package main

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
)

const endMarker = "<!-- end -->"

var (
	// beginMarker matches the first line of a block.
	beginMarker = regexp.MustCompile(`^<!--\s+(lamcap(?:\s.*)?|go\s+test\s.*)\s-->$`)
	// fenceLine matches the first line of a code block, in which the markers
	// are text.
	fenceLine = regexp.MustCompile("^ {0,3}(```+|~~~+)")
	// logPrefix is what testing puts before the first line of a log entry.
	logPrefix = regexp.MustCompile(`^\s*[^\s:]+\.go:\d+: `)
)

// part is a stretch of the file up to and including the first line of a
// block, without the block's content; the last one is what remains.
type part struct {
	text    string
	command string // of the block that follows, "" for none
	line    int    // of the block's first line
	content string // of the block as it is
}

// split cuts a file into parts, with the contents of its blocks apart.
func split(text string) ([]part, error) {
	var parts []part
	var b, content strings.Builder
	fence, open, number := "", false, 0
	for line := range strings.Lines(text) {
		number++
		trimmed := strings.TrimSpace(line)
		begin := beginMarker.FindStringSubmatch(trimmed)
		if open {
			if begin != nil {
				return nil, fmt.Errorf("line %d: the block of line %d has no %s", number, parts[len(parts)-1].line, endMarker)
			}
			if trimmed != endMarker {
				content.WriteString(line)
				continue
			}
			open = false
			parts[len(parts)-1].content = content.String()
			content.Reset()
			b.WriteString(line)
			continue
		}
		b.WriteString(line)
		if f := fenceLine.FindStringSubmatch(line); fence == "" && f != nil {
			fence = f[1]
		} else if fence != "" && strings.HasPrefix(trimmed, fence) && strings.Trim(trimmed, fence[:1]) == "" {
			fence = ""
		}
		switch {
		case fence != "":
		case begin != nil:
			open = true
			parts = append(parts, part{text: b.String(), command: oneSpace(begin[1]), line: number})
			b.Reset()
		case trimmed == endMarker:
			return nil, fmt.Errorf("line %d: %s without a block", number, endMarker)
		}
	}
	if open {
		return nil, fmt.Errorf("line %d: the block has no %s", parts[len(parts)-1].line, endMarker)
	}
	return append(parts, part{text: b.String()}), nil
}

// splitWords splits a command line at white space outside quotes.
func splitWords(line string) ([]string, error) {
	var words []string
	var word strings.Builder
	inWord := false
	var quote rune
	for _, r := range line {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote != 0:
			word.WriteRune(r)
		case r == '"' || r == '\'':
			quote, inWord = r, true
		case r == ' ' || r == '\t':
			if inWord {
				words = append(words, word.String())
			}
			word.Reset()
			inWord = false
		default:
			word.WriteRune(r)
			inWord = true
		}
	}
	if quote != 0 {
		return nil, fmt.Errorf("%s: a quote is not closed", line)
	}
	if inWord {
		words = append(words, word.String())
	}
	return words, nil
}

// testTables returns what a test printed or logged between lines BEGIN TABLE
// and END TABLE, without the prefixes and the indentation of the log; several
// tables are separated by an empty line.
func testTables(out string) (string, error) {
	var tables []string
	var lines []string
	open := false
	for line := range strings.Lines(out) {
		line = strings.TrimRight(line, " \t\n")
		entry := strings.TrimSpace(logPrefix.ReplaceAllString(line, ""))
		switch {
		case entry == "BEGIN TABLE":
			if open {
				return "", errors.New("BEGIN TABLE twice without END TABLE")
			}
			open = true
		case entry == "END TABLE" && open:
			tables = append(tables, strings.Trim(strings.Join(dedent(lines), "\n"), "\n"))
			open, lines = false, nil
		case open && !strings.HasPrefix(line, "=== "): // === NAME of parallel tests
			lines = append(lines, line)
		}
	}
	if open {
		return "", errors.New("BEGIN TABLE without END TABLE")
	}
	if len(tables) == 0 {
		return "", errors.New("no lines BEGIN TABLE and END TABLE: does -run name the test that prints them?")
	}
	return strings.Join(tables, "\n\n"), nil
}

// dedent removes log prefixes, and from the other lines the indentation that
// they share.
func dedent(lines []string) []string {
	common := -1
	for _, line := range lines {
		if line == "" || logPrefix.MatchString(line) {
			continue
		}
		indent := len(line) - len(strings.TrimLeft(line, " \t"))
		if common < 0 || indent < common {
			common = indent
		}
	}
	out := make([]string, len(lines))
	for i, line := range lines {
		switch {
		case logPrefix.MatchString(line):
			out[i] = logPrefix.ReplaceAllString(line, "")
		case line != "":
			out[i] = line[common:]
		}
	}
	return out
}
