package vectors

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// The header of .npy is parsed here. That of npyio v0.14.0 allocates as much as
// the header says it has, panics when it has no end of line or its keys come in
// another order, lets a product of the shape overflow, and knows neither format
// 3.0 nor the size of the file.

const magic = "\x93NUMPY"

// maxHeader is as long as a header of format 1.0 may be: those of two numbers
// and a type have some hundred bytes.
const maxHeader = 1<<16 - 1

// header is what the first bytes of .npy say.
type header struct {
	order   binary.ByteOrder
	size    int // bytes of a number: 4 or 8
	fortran bool
	shape   [2]int // vectors, numbers of each
	length  int64  // of magic, version, length and text
}

// readHeader reads the header of a file of that many bytes.
func readHeader(r io.Reader, size int64) (header, error) {
	var h header
	fixed := make([]byte, len(magic)+2)
	if _, err := io.ReadFull(r, fixed); err != nil {
		return h, cut(err, size)
	}
	if string(fixed[:len(magic)]) != magic {
		return h, errors.New("does not begin like a .npy file: want one written by np.save")
	}
	var field [4]byte
	width := 4
	switch major, minor := fixed[len(magic)], fixed[len(magic)+1]; {
	case major == 1 && minor == 0:
		width = 2
	case (major == 2 || major == 3) && minor == 0:
	default:
		return h, fmt.Errorf(".npy format %d.%d: want 1.0, 2.0 or 3.0", major, minor)
	}
	if _, err := io.ReadFull(r, field[:width]); err != nil {
		return h, cut(err, size)
	}
	length := int64(binary.LittleEndian.Uint32(field[:]))
	h.length = int64(len(fixed)+width) + length
	if length > maxHeader {
		return h, fmt.Errorf("a header of %d bytes: want at most %d, as np.save writes for arrays of numbers", length, maxHeader)
	}
	text := make([]byte, length)
	if _, err := io.ReadFull(r, text); err != nil {
		return h, cut(err, size)
	}
	return h, h.parse(text)
}

// cut explains the end of a file within its header.
func cut(err error, size int64) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("the file ends after %d bytes, within its header: it is truncated; copy or save it again", size)
	}
	return err
}

// parse reads the text of a header, a Python dictionary such as
//
//	{'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }
//
// with the keys in any order, padded with spaces, ended by a line feed.
func (h *header) parse(text []byte) error {
	p := literal{rest: text}
	var descr, fortran, shape *value
	p.expect('{')
	for p.err == nil && !p.accept('}') {
		key := p.text()
		p.expect(':')
		v := p.value(0)
		var place **value
		switch key {
		case "descr":
			place = &descr
		case "fortran_order":
			place = &fortran
		case "shape":
			place = &shape
		default:
			p.fail("key %q", key)
			continue
		}
		if *place != nil {
			p.fail("a second %q", key)
		}
		*place = &v
		if !p.accept(',') {
			p.expect('}')
			break
		}
	}
	if p.space(); p.err == nil && len(p.rest) > 0 {
		p.fail("%q after the dictionary", p.rest)
	}
	if p.err != nil {
		return p.err
	}
	if descr == nil || fortran == nil || shape == nil {
		return errors.New("header: want the keys descr, fortran_order and shape")
	}
	if err := h.setType(*descr); err != nil {
		return err
	}
	switch {
	case fortran.kind == plain && fortran.word == "True":
		h.fortran = true
	case fortran.kind == plain && fortran.word == "False":
	default:
		return errors.New("header: fortran_order: want True or False")
	}
	return h.setShape(*shape)
}

// setType takes the type of the numbers.
func (h *header) setType(v value) error {
	if v.kind != quoted {
		return errors.New("dtype: a structured array: want an array of numbers; take its fields apart and save np.stack of them as float32")
	}
	d := v.word
	switch d {
	case "<f4", "<f8":
		h.order = binary.LittleEndian
	case ">f4", ">f8":
		h.order = binary.BigEndian
	default:
		kind := strings.TrimLeft(d, "<>|=")
		switch {
		case strings.HasPrefix(kind, "O"):
			return fmt.Errorf("dtype %q: an object array is a pickle, which runs code when it is loaded, and is not read: save np.asarray(a, dtype=\"float32\")", d)
		case strings.HasPrefix(kind, "U"), strings.HasPrefix(kind, "S"), strings.HasPrefix(kind, "V"), kind == "":
			return fmt.Errorf("dtype %q: want numbers, float32 or float64", d)
		case strings.HasPrefix(kind, "c"):
			return fmt.Errorf("dtype %q: complex numbers: want real ones, float32 or float64", d)
		}
		return fmt.Errorf("dtype %q: want float32 or float64: save a.astype(\"float32\")", d)
	}
	h.size = int(d[2] - '0')
	return nil
}

// setShape takes the two lengths.
func (h *header) setShape(v value) error {
	if v.kind != tuple {
		return errors.New("header: shape: want a tuple of lengths")
	}
	told := "(" + strings.Join(v.items, ", ") + ")"
	if len(v.items) == 1 {
		told = "(" + v.items[0] + ",)"
	}
	lengths := make([]int64, len(v.items))
	for i, item := range v.items {
		// A length that is too large for 63 bits stays MaxInt64, and is refused below.
		n, err := strconv.ParseInt(strings.TrimSuffix(item, "L"), 10, 64) // Python 2 wrote 3L
		if errors.Is(err, strconv.ErrSyntax) || n < 0 {
			return fmt.Errorf("shape %s: want lengths that are whole numbers and not negative", told)
		}
		lengths[i] = n
	}
	switch len(lengths) {
	case 2:
	case 0:
		return fmt.Errorf("shape (): a single number: want an array of shape (vectors, d)")
	case 1:
		return fmt.Errorf("shape %s: want two dimensions, (vectors, d): save a.reshape(1, -1) if it is one vector, a.reshape(-1, 1) if each number is one", told)
	default:
		return fmt.Errorf("shape %s: want two dimensions, (vectors, d): save a.reshape(-1, a.shape[-1]) if the vectors lie along the last", told)
	}
	rows, columns := lengths[0], lengths[1]
	if rows == 0 || columns == 0 {
		return fmt.Errorf("shape %s: no numbers: want at least one vector of at least one number", told)
	}
	if rows > MaxNumbers || columns > MaxNumbers || rows*columns > MaxNumbers {
		return fmt.Errorf("shape %s: want at most %d numbers", told, MaxNumbers)
	}
	h.shape = [2]int{int(rows), int(columns)}
	return nil
}

// The kinds of values that a header has.
const (
	quoted = iota // a string
	plain         // a number, True, False
	tuple
	list
)

type value struct {
	kind  int
	word  string   // quoted, plain
	items []string // of a tuple: plain words
}

// literal reads a Python literal; after an error it reads nothing more.
type literal struct {
	rest []byte
	err  error
}

func (p *literal) fail(format string, args ...any) {
	if p.err == nil {
		p.err = fmt.Errorf("header: "+format+": want {'descr': '<f4', 'fortran_order': False, 'shape': (vectors, d), }", args...)
	}
	p.rest = nil
}

func (p *literal) space() { p.rest = bytes.TrimLeft(p.rest, " \t\r\n") }

// next is the next character after spaces, 0 at the end.
func (p *literal) next() byte {
	if p.space(); len(p.rest) > 0 {
		return p.rest[0]
	}
	return 0
}

func (p *literal) accept(c byte) bool {
	if p.err != nil || p.next() != c {
		return false
	}
	p.rest = p.rest[1:]
	return true
}

func (p *literal) expect(c byte) {
	if p.err != nil || p.accept(c) {
		return
	}
	if len(p.rest) == 0 {
		p.fail("its end where %q should be", c)
		return
	}
	p.fail("%q where %q should be", p.rest[:1], c)
}

// text reads a string without escapes: no name of a type or key has any.
func (p *literal) text() string {
	quote := p.next()
	if quote != '\'' && quote != '"' {
		p.fail("no quoted text")
		return ""
	}
	end := bytes.IndexByte(p.rest[1:], quote)
	if end < 0 || bytes.ContainsAny(p.rest[1:1+end], "\\\n") {
		p.fail("a text without end")
		return ""
	}
	s := string(p.rest[1 : 1+end])
	p.rest = p.rest[end+2:]
	return s
}

// value reads a value. Of a list, such as those of structured types, it keeps
// nothing; how deep lists lie in each other is bounded.
func (p *literal) value(depth int) value {
	switch c := p.next(); {
	case depth > 16:
		p.fail("lists within lists")
	case c == '\'' || c == '"':
		return value{kind: quoted, word: p.text()}
	case c == '(' || c == '[':
		v := value{kind: tuple}
		closing := byte(')')
		if c == '[' {
			v.kind, closing = list, ']'
		}
		p.expect(c)
		for p.err == nil && !p.accept(closing) {
			item := p.value(depth + 1)
			if item.kind != plain && v.kind == tuple {
				v.kind = list // of a structured type; no shape
			}
			v.items = append(v.items, item.word)
			if !p.accept(',') {
				if p.expect(closing); len(v.items) == 1 && c == '(' && item.kind == plain {
					return item // (3) is 3, (3,) a tuple
				}
				break
			}
		}
		return v
	default:
		end := bytes.IndexFunc(p.rest, func(r rune) bool {
			return !(r == '-' || r == '+' || r == '.' || r == '_' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z')
		})
		if end < 0 {
			end = len(p.rest)
		}
		if end == 0 {
			p.fail("no value")
			return value{}
		}
		v := value{kind: plain, word: string(p.rest[:end])}
		p.rest = p.rest[end:]
		return v
	}
	return value{}
}
