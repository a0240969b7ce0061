package sweep

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"time"
	"unicode/utf8"
)

// field is one member of a flat JSON object that stands for a T. encoding/json would
// do, but that it takes keys in any case, keeps the last of two members of one key and
// has no infinities: a file that is trusted as the only copy has to be read strictly.
type field[T any] struct {
	key string
	// write returns the member's value as JSON, nil to leave it out.
	write func(x *T) []byte
	// read takes the member out of m.
	read func(x *T, m members) error
	// free says of a field that it may differ between two runs of one trial.
	free bool
}

// irreproducible marks a field.
func (f field[T]) irreproducible() field[T] {
	f.free = true
	return f
}

// members are those of a JSON object that were not read yet.
type members map[string][]byte

// parseObject splits the text of a JSON object into its members.
func parseObject(text []byte) (members, error) {
	if !utf8.Valid(text) {
		return nil, errors.New("not valid UTF-8")
	}
	if !json.Valid(text) {
		return nil, syntaxError(text)
	}
	text = bytes.TrimSpace(text)
	if text[0] != '{' {
		return nil, fmt.Errorf("%.20s: want a JSON object", text)
	}
	// The syntax is known to be right: the decoder returns no errors.
	m, d := make(members, 64), json.NewDecoder(bytes.NewReader(text))
	for d.Token(); d.More(); {
		name, _ := d.Token()
		key := name.(string)
		if _, twice := m[key]; twice {
			return nil, fmt.Errorf("%s is given twice", key)
		}
		var value json.RawMessage
		d.Decode(&value)
		m[key] = value
	}
	return m, nil
}

func syntaxError(text []byte) error {
	var any json.RawMessage
	err := json.Unmarshal(text, &any)
	if syntax := (*json.SyntaxError)(nil); errors.As(err, &syntax) {
		return fmt.Errorf("not JSON at byte %d: %w", syntax.Offset, err)
	}
	return err
}

// take removes a member and returns its value.
func (m members) take(key string) ([]byte, error) {
	text, ok := m[key]
	if !ok {
		return nil, fmt.Errorf("%s is missing", key)
	}
	delete(m, key)
	return text, nil
}

// empty returns an error if members are left.
func (m members) empty() error {
	if len(m) == 0 {
		return nil
	}
	return fmt.Errorf("%s is not known", slices.Sorted(maps.Keys(m))[0])
}

// appendFields appends the members of x, each with a comma before it but for the first
// of an object.
func appendFields[T any](b []byte, fields []field[T], x *T) []byte {
	for _, f := range fields {
		value := f.write(x)
		if value == nil {
			continue
		}
		if b[len(b)-1] != '{' {
			b = append(b, ',')
		}
		b = append(append(append(append(b, '"'), f.key...), `":`...), value...)
	}
	return b
}

func readFields[T any](m members, fields []field[T], x *T) error {
	for _, f := range fields {
		if err := f.read(x, m); err != nil {
			return err
		}
	}
	return nil
}

// differences appends what differs between the reproducible fields of a and b.
func differences[T any](list []string, fields []field[T], a, b *T) []string {
	for _, f := range fields {
		if f.free {
			continue
		}
		x, y := f.write(a), f.write(b)
		if bytes.Equal(x, y) {
			continue
		}
		const short = 80
		if len(x) > short || len(y) > short {
			list = append(list, f.key+" differ")
			continue
		}
		list = append(list, fmt.Sprintf("%s = %s and %s", f.key, shown(x), shown(y)))
	}
	return list
}

func shown(value []byte) string {
	if value == nil {
		return "nothing"
	}
	return string(value)
}

func wrong(key string, text []byte, want string) error {
	return fmt.Errorf("%s = %.40s: want %s", key, text, want)
}

func intField[T any](key string, at func(*T) *int) field[T] {
	return field[T]{
		key:   key,
		write: func(x *T) []byte { return strconv.AppendInt(nil, int64(*at(x)), 10) },
		read: func(x *T, m members) error {
			text, err := m.take(key)
			if err != nil {
				return err
			}
			// Sizes and counts; on every machine the same range.
			n, err := strconv.ParseInt(string(text), 10, 32)
			if err != nil || n < 0 {
				return wrong(key, text, "an integer ≥ 0 and below 2³¹")
			}
			*at(x) = int(n)
			return nil
		},
	}
}

func uintField[T any](key string, at func(*T) *uint64) field[T] {
	return field[T]{
		key:   key,
		write: func(x *T) []byte { return strconv.AppendUint(nil, *at(x), 10) },
		read: func(x *T, m members) error {
			text, err := m.take(key)
			if err != nil {
				return err
			}
			if *at(x), err = strconv.ParseUint(string(text), 10, 64); err != nil {
				return wrong(key, text, "an integer ≥ 0 and below 2⁶⁴")
			}
			return nil
		},
	}
}

func boolField[T any](key string, at func(*T) *bool) field[T] {
	return field[T]{
		key:   key,
		write: func(x *T) []byte { return strconv.AppendBool(nil, *at(x)) },
		read: func(x *T, m members) error {
			text, err := m.take(key)
			if err != nil {
				return err
			}
			switch string(text) {
			case "true":
				*at(x) = true
			case "false":
				*at(x) = false
			default:
				return wrong(key, text, "true or false")
			}
			return nil
		},
	}
}

func textField[T any](key string, at func(*T) *string) field[T] {
	return field[T]{
		key:   key,
		write: func(x *T) []byte { return quote(*at(x)) },
		read: func(x *T, m members) error {
			text, err := m.take(key)
			if err != nil {
				return err
			}
			*at(x), err = unquote(text)
			if err != nil {
				return wrong(key, text, "a string")
			}
			return nil
		},
	}
}

// nameField is a value that has a name.
func nameField[T any, V fmt.Stringer](key string, at func(*T) *V, parse func(string) (V, error)) field[T] {
	return field[T]{
		key:   key,
		write: func(x *T) []byte { return quote((*at(x)).String()) },
		read: func(x *T, m members) error {
			text, err := m.take(key)
			if err != nil {
				return err
			}
			name, err := unquote(text)
			if err != nil {
				return wrong(key, text, "a name")
			}
			v, err := parse(name)
			if err != nil {
				return err
			}
			if v.String() != name {
				return wrong(key, text, v.String())
			}
			*at(x) = v
			return nil
		},
	}
}

func timeField[T any](key string, at func(*T) *time.Time) field[T] {
	return field[T]{
		key:   key,
		write: func(x *T) []byte { return quote(at(x).UTC().Format(time.RFC3339Nano)) },
		read: func(x *T, m members) error {
			text, err := m.take(key)
			if err != nil {
				return err
			}
			s, err := unquote(text)
			if err != nil {
				return wrong(key, text, "a time")
			}
			t, err := time.Parse(time.RFC3339Nano, s)
			if err != nil {
				return wrong(key, text, "a time as 2006-01-02T15:04:05Z")
			}
			*at(x) = t.UTC()
			return nil
		},
	}
}

// floatField keeps every bit but those of a NaN. What JSON has no number for is null,
// with its name under a second key, as in all the program's json.
func floatField[T any](key string, at func(*T) *float64) field[T] {
	return field[T]{
		key: key,
		write: func(x *T) []byte {
			b := appendFloat(nil, *at(x))
			if name := notFinite(*at(x)); name != "" {
				b = append(b, `,"`+key+`_status":"`+name+`"`...)
			}
			return b
		},
		read: func(x *T, m members) error {
			text, err := m.take(key)
			if err != nil {
				return err
			}
			var name string
			if s, ok := m[key+"_status"]; ok {
				delete(m, key+"_status")
				if name, err = unquote(s); err != nil {
					return wrong(key+"_status", s, "nan, inf or -inf")
				}
			}
			*at(x), err = parseFloat(key, text, name)
			return err
		},
	}
}

// listField is left out where there is no list.
func listField[T any](key string, at func(*T) *[]float64) field[T] {
	return field[T]{
		key: key,
		write: func(x *T) []byte {
			if *at(x) == nil {
				return nil
			}
			values, names, all := []byte{'['}, []byte{'['}, true
			for i, v := range *at(x) {
				if i > 0 {
					values, names = append(values, ','), append(names, ',')
				}
				name := notFinite(v)
				values, names, all = appendFloat(values, v), append(names, quote(name)...), all && name == ""
			}
			values = append(values, ']')
			if !all {
				values = append(append(values, `,"`+key+`_status":`...), append(names, ']')...)
			}
			return values
		},
		read: func(x *T, m members) error {
			text, ok := m[key]
			if !ok {
				return nil
			}
			delete(m, key)
			var values []json.RawMessage
			if err := json.Unmarshal(text, &values); err != nil || values == nil {
				return wrong(key, text, "a list of numbers")
			}
			names := make([]string, len(values))
			if s, ok := m[key+"_status"]; ok {
				delete(m, key+"_status")
				var given []string
				if err := json.Unmarshal(s, &given); err != nil || len(given) != len(values) {
					return wrong(key+"_status", s, "a name for each of "+key+`: "", nan, inf or -inf`)
				}
				names = given
			}
			list := make([]float64, len(values))
			for i, v := range values {
				var err error
				if list[i], err = parseFloat(key, v, names[i]); err != nil {
					return err
				}
			}
			*at(x) = list
			return nil
		},
	}
}

func appendFloat(b []byte, x float64) []byte {
	if notFinite(x) != "" {
		return append(b, "null"...)
	}
	return strconv.AppendFloat(b, x, 'g', -1, 64)
}

// notFinite is the name of what is no number in JSON, "" of a number.
func notFinite(x float64) string {
	switch {
	case math.IsNaN(x):
		return "nan"
	case math.IsInf(x, 1):
		return "inf"
	case math.IsInf(x, -1):
		return "-inf"
	}
	return ""
}

func parseFloat(key string, text []byte, name string) (float64, error) {
	if string(text) == "null" {
		switch name {
		case "nan":
			return math.NaN(), nil
		case "inf":
			return math.Inf(1), nil
		case "-inf":
			return math.Inf(-1), nil
		}
		return 0, fmt.Errorf("%s = null with %s_status = %q: want nan, inf or -inf", key, key, name)
	}
	x, err := strconv.ParseFloat(string(text), 64)
	switch {
	case err != nil:
		return 0, wrong(key, text, "a number")
	case name != "":
		return 0, fmt.Errorf("%s = %.40s with %s_status = %q: want no status of a number", key, text, key, name)
	}
	return x, nil
}

func quote(s string) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false) // <, > and & stay readable
	if err := e.Encode(s); err != nil {
		panic("sweep: " + err.Error()) // no string fails to encode
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

func unquote(text []byte) (string, error) {
	if text[0] != '"' {
		return "", wrong("text", text, "a string")
	}
	if n := len(text) - 1; bytes.IndexByte(text, '\\') < 0 {
		return string(text[1:n]), nil
	}
	var s string
	err := json.Unmarshal(text, &s)
	return s, err
}
