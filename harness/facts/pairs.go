package facts

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"lamcap/harness/vectors"
	"lamcap/internal/files"
)

// Pair is a fact: rows of the sets of keys and of values, counted from 0.
type Pair struct{ Key, Value int }

// RowByRow pairs row i of the keys with row i of the values.
func RowByRow(keys, values *vectors.Set) ([]Pair, error) {
	if keys.Rows != values.Rows {
		return nil, fmt.Errorf("%d keys and %d values: want as many of both, or the facts as a file of pairs", keys.Rows, values.Rows)
	}
	pairs := make([]Pair, keys.Rows)
	for i := range pairs {
		pairs[i] = Pair{i, i}
	}
	return pairs, nil
}

// ReadPairs is [ParsePairs] of a file. Errors name it.
func ReadPairs(path string, keys, values *vectors.Set) (pairs []Pair, warnings []string, err error) {
	text, err := files.Read(path)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", path, files.Cause(err))
	}
	if pairs, warnings, err = ParsePairs(bytes.NewReader(text), keys, values); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	for i, w := range warnings {
		warnings[i] = path + ": " + w
	}
	return pairs, warnings, nil
}

// ParsePairs reads facts, one a line, as comma-separated key,value: rows counted
// from 0, or words where the vectors have them. A column is one of words if all
// of its fields are. A first line key,value is a header; what follows # at the
// beginning of a line is a comment, and a word that begins so is quoted, "#". A
// fact that is there twice is used once, and warned of.
func ParsePairs(from io.Reader, keys, values *vectors.Set) (pairs []Pair, warnings []string, err error) {
	records, header, err := readRecords(from)
	if err != nil {
		return nil, nil, err
	}
	if len(records) == 0 {
		return nil, nil, errors.New("no pairs: want lines key,value")
	}
	if !header && len(records) > 1 {
		if err := unknownHeader(records[0], records[1], keys, values); err != nil {
			return nil, nil, err
		}
	}
	if header && slices.Contains(keys.Names, "key") && slices.Contains(values.Names, "value") {
		warnings = append(warnings, "the first line is taken for a header, though both of its words are vectors: repeat it if it is a fact, too")
	}
	var columns [2][]int
	for c, set := range []*vectors.Set{keys, values} {
		rows, ambiguous, err := column(records, c, set)
		if err != nil {
			return nil, nil, err
		}
		if columns[c] = rows; ambiguous {
			warnings = append(warnings, fmt.Sprintf("each %s is a word and a row number: they are taken for words", columnNames[c]))
		}
	}
	first := make(map[Pair]int, len(records))
	var again []string
	for i, r := range records {
		p := Pair{columns[0][i], columns[1][i]}
		if line, ok := first[p]; ok {
			again = append(again, fmt.Sprintf("line %d (that of line %d)", r.line, line))
			continue
		}
		first[p] = r.line
		pairs = append(pairs, p)
	}
	if len(again) > 0 {
		warnings = append(warnings, "facts given again are used once: "+list(again, 5))
	}
	return pairs, warnings, nil
}

var columnNames = [2]string{"key", "value"}

// record is a line of a file of pairs.
type record struct {
	fields [2]string
	line   int
}

func readRecords(from io.Reader) (records []record, header bool, err error) {
	r := csv.NewReader(from)
	r.Comment, r.FieldsPerRecord, r.TrimLeadingSpace, r.ReuseRecord = '#', -1, true, true
	for first := true; ; first = false {
		fields, err := r.Read()
		if err == io.EOF {
			return records, header, nil
		}
		if wrong := (*csv.ParseError)(nil); errors.As(err, &wrong) {
			return nil, false, fmt.Errorf("line %d: %w", wrong.Line, wrong.Err)
		}
		if err != nil {
			return nil, false, err
		}
		line, _ := r.FieldPos(0)
		if len(fields) != 2 {
			return nil, false, fmt.Errorf("line %d: %d fields: want two, key,value", line, len(fields))
		}
		var one record
		for i, f := range fields {
			one.fields[i] = strings.TrimSpace(f)
		}
		if first {
			one.fields[0] = strings.TrimPrefix(one.fields[0], "\ufeff")
			if strings.EqualFold(one.fields[0], columnNames[0]) && strings.EqualFold(one.fields[1], columnNames[1]) {
				header = true
				continue
			}
		}
		one.line = line
		records = append(records, one)
	}
}

// column reads column c as rows of a set.
func column(records []record, c int, set *vectors.Set) (rows []int, ambiguous bool, err error) {
	what := columnNames[c]
	byName := make(map[string]int, len(set.Names))
	for i, name := range set.Names {
		byName[name] = i
	}
	rows = make([]int, len(records))
	words, unknown := 0, -1
	for i, r := range records {
		row, ok := byName[r.fields[c]]
		if !ok && unknown < 0 {
			unknown = i
		}
		if rows[i] = row; ok {
			words++
		}
	}
	numbers := make([]int, len(records))
	wrong := -1
	for i, r := range records {
		n, err := strconv.Atoi(r.fields[c])
		if err != nil || n < 0 || n >= set.Rows {
			wrong = i
			break
		}
		numbers[i] = n
	}
	switch {
	case words == len(records):
		return rows, wrong < 0, nil
	case wrong < 0:
		return numbers, false, nil
	case words > 0: // a column of words
		r := records[unknown]
		return nil, false, fmt.Errorf("line %d: %s = %s: no such word in %s (others of the column are)", r.line, what, r.fields[c], orSet(set))
	}
	r := records[wrong]
	if set.Names != nil && !isInteger(r.fields[c]) {
		return nil, false, fmt.Errorf("line %d: %s = %s: no such word in %s, nor a row", r.line, what, r.fields[c], orSet(set))
	}
	err = fmt.Errorf("line %d: %s = %s: want a row of %s, 0 to %d", r.line, what, r.fields[c], orSet(set), set.Rows-1)
	if set.Names == nil && r.fields[c] != "" && !startsNumber(r.fields[c]) {
		err = &NamelessError{Column: what, err: err}
	}
	return nil, false, err
}

// NamelessError is that facts have words where the vectors have none.
type NamelessError struct {
	Column string // key or value
	err    error
}

// Error says where.
func (e *NamelessError) Error() string { return e.err.Error() + " (these vectors have no words)" }

// unknownHeader refuses a first line of words that are in neither set, where the next
// is a fact.
func unknownHeader(first, next record, keys, values *vectors.Set) error {
	for c, set := range []*vectors.Set{keys, values} {
		word := first.fields[c]
		if word == "" || startsNumber(word) || slices.Contains(set.Names, word) {
			return nil
		}
		if n, err := strconv.Atoi(next.fields[c]); (err != nil || n < 0 || n >= set.Rows) && !slices.Contains(set.Names, next.fields[c]) {
			return nil
		}
	}
	return fmt.Errorf("line %d: %s,%s: no such words, and a header has to be key,value: want that, or none", first.line, first.fields[0], first.fields[1])
}

// startsNumber tells what is meant for a number from a word.
func startsNumber(s string) bool {
	s = strings.TrimLeft(s, "+-.")
	return s != "" && s[0] >= '0' && s[0] <= '9'
}

func isInteger(s string) bool {
	s = strings.TrimPrefix(s, "-")
	return s != "" && strings.Trim(s, "0123456789") == ""
}

func orSet(s *vectors.Set) string {
	if s.Source == "" {
		return "the vectors"
	}
	return s.Source
}

// list joins the first of some words, and counts the others.
func list(words []string, most int) string {
	if len(words) > most {
		return strings.Join(words[:most], ", ") + fmt.Sprintf(" and %d more", len(words)-most)
	}
	return strings.Join(words, ", ")
}
