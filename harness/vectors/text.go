package vectors

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strconv"
)

// layout is how the lines of a text are made up, decided by its first line
// (of word2vec, its second).
type layout struct {
	columns int
	words   bool // a word before the numbers
	commas  bool // between numbers, without words
	count   int  // lines that word2vec's first line tells; −1 without
}

// readText reads lines of vectors, of one of four layouts:
//
//	word 0.1 -0.2 …     GloVe: a word and d numbers
//	400000 300          word2vec: the numbers of lines and of columns, then as above
//	0.1 -0.2 …          d numbers
//	0.1,-0.2,…          d numbers
//
// separated by spaces or tabs. If the first line is of numbers only, no line has
// a word; otherwise d is how many numbers the first line ends with, and a word
// is all that stands before the last d fields of a line, spaces included.
//
// Blank lines are passed over.
func readText(file *os.File, size int64) (*Set, error) {
	capacity, err := countLines(file)
	if err != nil {
		return nil, err
	}
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	return parseText(file, capacity, size)
}

// countLines returns how many lines a text has, or one more.
func countLines(r io.Reader) (int64, error) {
	buffer := make([]byte, 1<<16)
	count := int64(1)
	for {
		n, err := r.Read(buffer)
		count += int64(bytes.Count(buffer[:n], []byte{'\n'}))
		if err == io.EOF {
			return count, nil
		}
		if err != nil {
			return 0, err
		}
	}
}

// parseText reads the vectors of a text of about that many lines and bytes.
func parseText(r io.Reader, count, size int64) (*Set, error) {
	in := newLines(r)
	s := &Set{}
	var form layout
	var numbers [][]byte // of a line
	var bad badNumbers
	atLine := make(map[string]int)
	for {
		line, ok, err := in.next()
		if err != nil {
			return nil, err
		}
		if !ok {
			break
		}
		if form.columns == 0 {
			if form, line, err = decide(in, line); err != nil {
				return nil, err
			}
			// A number has at least one digit and a separator: the file's size backs this.
			s.Columns = form.columns
			s.Data = make([]float64, 0, min(count*int64(s.Columns), size/2+1, MaxNumbers))
		}
		if s.Rows++; int64(s.Rows)*int64(s.Columns) > MaxNumbers {
			return nil, in.fail("more than %d numbers: want fewer vectors", MaxNumbers)
		}
		var word []byte
		if word, numbers, err = form.split(in, line, numbers[:0]); err != nil {
			return nil, err
		}
		for j, field := range numbers {
			v, err := parseNumber(field)
			switch {
			case err != nil:
				return nil, in.fail("column %d (counted from 0): %w", j, err)
			case !finite(v):
				bad.add(in.number, string(word), j, v)
			}
			s.Data = append(s.Data, v)
		}
		if form.words {
			name := string(word)
			if first, ok := atLine[name]; ok {
				return nil, in.fail("%q is the word of line %d, too: want different words", name, first)
			}
			atLine[name] = in.number
			s.Names = append(s.Names, name)
		}
	}
	switch {
	case s.Rows == 0:
		return nil, errors.New("no vectors: want lines of a word and numbers, or of numbers, or .npy")
	case form.count >= 0 && form.count != s.Rows:
		return nil, fmt.Errorf("%d vectors: the first line says %d: is the file whole?", s.Rows, form.count)
	}
	return s, bad.err()
}

// decide takes the layout from the first line, and returns the first line that
// holds a vector: that one, or the next after word2vec's.
func decide(in *lines, line []byte) (layout, []byte, error) {
	form := layout{count: -1}
	if fields := bytes.Split(line, []byte(",")); len(fields) > 1 && countNumbers(fields) == len(fields) {
		form.columns, form.commas = len(fields), true
		return form, line, nil
	}
	fields := splitFields(line, nil)
	if count, columns, ok := counts(fields); ok {
		first := bytes.Clone(line)
		second, ok, err := in.next()
		if err != nil {
			return form, nil, err
		}
		if ok {
			second = bytes.Clone(second)
			// Two whole numbers are a vector if two numbers follow.
			if next := splitFields(second, nil); len(next) != 2 || columns == 1 && countNumbers(next) == 1 {
				if columns == 0 || countNumbers(next) < columns || len(next) == columns {
					return form, nil, in.fail("%d fields that end with %d numbers: want a word and %d numbers, as the first line says", len(next), countNumbers(next), columns)
				}
				return layout{columns: columns, words: true, count: count}, second, nil
			}
			in.hold(second)
		}
		line, fields = first, splitFields(first, nil)
	}
	form.columns = countNumbers(fields)
	form.words = form.columns < len(fields)
	if form.columns == 0 {
		return form, nil, in.fail("ends with %q, which is no number: want a word and numbers, or numbers alone, or a .npy file", clip(fields[len(fields)-1]))
	}
	if v, _ := parseNumber(fields[0]); !form.words && !finite(v) {
		return form, nil, in.fail("%q may be a word or a number: want finite numbers, or begin with another line", fields[0])
	}
	return form, line, nil
}

// counts reads word2vec's first line.
func counts(fields [][]byte) (count, columns int, ok bool) {
	if len(fields) != 2 || len(bytes.Trim(fields[0], "0123456789"))+len(bytes.Trim(fields[1], "0123456789")) > 0 {
		return 0, 0, false
	}
	count, err1 := strconv.Atoi(string(fields[0]))
	columns, err2 := strconv.Atoi(string(fields[1]))
	return count, columns, err1 == nil && err2 == nil && columns <= MaxNumbers
}

// split takes a line apart. The numbers are appended to a slice given.
func (form *layout) split(in *lines, line []byte, numbers [][]byte) (word []byte, fields [][]byte, err error) {
	if form.commas {
		for field := range bytes.SplitSeq(line, []byte(",")) {
			numbers = append(numbers, field)
		}
	} else {
		numbers = splitFields(line, numbers)
	}
	if !form.words {
		if len(numbers) != form.columns {
			return nil, nil, in.fail("%d fields: want %d numbers, as in the first line", len(numbers), form.columns)
		}
		return nil, numbers, nil
	}
	before := len(numbers) - form.columns
	if before < 1 {
		return nil, nil, in.fail("%d fields: want a word and %d numbers, as in the first line", len(numbers), form.columns)
	}
	// A word of several fields is one with spaces, unless a number too many was taken for its end.
	if before > 1 && isNumber(numbers[before-1]) {
		return nil, nil, in.fail("%d numbers: want %d, as in the first line", countNumbers(numbers[1:]), form.columns)
	}
	for range form.columns {
		line = bytes.TrimRight(line, blanks)
		line = line[:bytes.LastIndexAny(line, blanks)+1]
	}
	return bytes.TrimRight(line, blanks), numbers[before:], nil
}

const blanks = " \t"

// splitFields appends what blanks separate: no other character does, since words
// may have any.
func splitFields(line []byte, fields [][]byte) [][]byte {
	for {
		line = bytes.TrimLeft(line, blanks)
		if len(line) == 0 {
			return fields
		}
		end := bytes.IndexAny(line, blanks)
		if end < 0 {
			end = len(line)
		}
		fields = append(fields, line[:end])
		line = line[end:]
	}
}

// countNumbers returns how many fields at the end are numbers.
func countNumbers(fields [][]byte) int {
	n := 0
	for n < len(fields) && isNumber(fields[len(fields)-1-n]) {
		n++
	}
	return n
}

func isNumber(field []byte) bool {
	_, err := parseNumber(field)
	return err == nil || errors.Is(err, errRange)
}

var errRange = errors.New("beyond the range of float64: want a size below 1.8e308")

// parseNumber reads a decimal number, or NaN or an infinity, which are told of
// as what they are. It takes no hexadecimal, and no underscores.
func parseNumber(field []byte) (float64, error) {
	field = bytes.Trim(field, blanks)
	if len(bytes.Trim(field, "0123456789.eE+-")) > 0 {
		switch string(bytes.ToLower(bytes.TrimLeft(field, "+-"))) {
		case "nan":
			return math.NaN(), nil
		case "inf", "infinity":
			if field[0] == '-' {
				return math.Inf(-1), nil
			}
			return math.Inf(1), nil
		}
		return 0, fmt.Errorf("%q is no number: want one such as -0.25 or 1e-3", clip(field))
	}
	v, err := strconv.ParseFloat(string(field), 64)
	switch {
	case err == nil:
		return v, nil
	case errors.Is(err, strconv.ErrRange):
		return v, fmt.Errorf("%s: %w", clip(field), errRange)
	}
	return 0, fmt.Errorf("%q is no number: want one such as -0.25 or 1e-3", clip(field))
}

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// clip shortens a field for a message.
func clip(field []byte) string {
	const longest = 40
	if len(field) > longest {
		return string(bytes.ToValidUTF8(field[:longest], nil)) + "…"
	}
	return string(field)
}

// badNumbers tells the first number of a text that is not finite, and how many more.
type badNumbers struct {
	first string
	count int
}

func (b *badNumbers) add(line int, word string, column int, v float64) {
	if b.count++; b.count > 1 {
		return
	}
	b.first = fmt.Sprintf("line %d", line)
	if word != "" {
		b.first += fmt.Sprintf(", %q", word)
	}
	b.first += fmt.Sprintf(", column %d (counted from 0): %g", column, v)
}

func (b *badNumbers) err() error {
	if b.count == 0 {
		return nil
	}
	return fmt.Errorf("%s%s: want finite numbers", b.first, others(b.count-1, "such number"))
}
