package table

import (
	"fmt"
	"math"
	"reflect"
	"strconv"
)

// Column describes one column of a [Table].
type Column struct {
	// Key names the column in json and csv: snake_case ASCII
	// (a to z, 0 to 9 and _, starting with a letter).
	Key string
	// Head is the header of human formats, printed as given: κ, p_c, alpha_c.
	// When empty, Key is shown.
	Head string
	// Digits is the number of significant digits in human formats, trailing
	// zeros kept; 0 means the shortest decimal that reads back exactly. With
	// Verb 'f' it is the number of digits after the point.
	Digits int
	// Verb is 0 or 'g' (a fixed point where it is readable, else an
	// exponent), 'f' (a fixed point; an exponent only for values ≥ 1e15 or
	// that would print as zero without being zero) or 'e' (an exponent always).
	Verb byte
	// Hidden columns appear in json and csv only.
	Hidden bool
}

// head is the header of human formats.
func (c Column) head() string {
	if c.Head == "" {
		return c.Key
	}
	return c.Head
}

// Table is a titled table with notes. A cell holds a float64, any integer
// type, a string, a bool, nil (missing), an [Interval] or a fmt.Stringer.
type Table struct {
	// Name identifies the table when several are written to json or csv.
	Name string
	// Title is the line above the table in human formats.
	Title string
	// Columns, in the order in which they are printed.
	Columns []Column
	// Rows holds one value per column.
	Rows [][]any
	// Vertical tables show a line for each column in human formats: a record
	// with many fields.
	Vertical bool
	// Notes are the lines below the table in human formats.
	Notes []string
}

// Interval is a cell with two ends: [0.70, 0.88] in human formats, a
// two-element array in json, two columns key_lo and key_hi in csv. A column
// holds either intervals (and missing cells) or none: so that csv keeps its
// columns, write Interval{NaN, NaN} where every interval may be absent: a missing
// cell in human formats.
type Interval struct{ Lo, Hi float64 }

func (i Interval) absent() bool { return math.IsNaN(i.Lo) && math.IsNaN(i.Hi) }

// Append adds a row. It panics when the number of values differs from the
// number of columns or a value has a type that is no cell.
func (t *Table) Append(values ...any) {
	t.checkRow(values)
	t.Rows = append(t.Rows, append([]any(nil), values...))
}

func (t *Table) checkRow(values []any) {
	if len(values) != len(t.Columns) {
		panic(fmt.Sprintf("table: %s: %d values in a row of %d columns", t.Name, len(values), len(t.Columns)))
	}
	for _, v := range values {
		toCell(v)
	}
}

// check panics on what only a programmer can get wrong: keys, verbs, row
// lengths, cell types and columns that mix intervals with other values.
func (t *Table) check() {
	seen := map[string]bool{"table": true} // the column that names the table
	for _, c := range t.Columns {
		if !snakeCase(c.Key) {
			panic(fmt.Sprintf("table: %s: column key %q is not snake_case ASCII", t.Name, c.Key))
		}
		if seen[c.Key] {
			panic(fmt.Sprintf("table: %s: column key %q is reserved or used twice", t.Name, c.Key))
		}
		seen[c.Key] = true
		switch c.Verb {
		case 0, 'g', 'f', 'e':
		default:
			panic(fmt.Sprintf("table: %s: column %s: verb %q is not g, f or e", t.Name, c.Key, c.Verb))
		}
		if c.Digits < 0 {
			panic(fmt.Sprintf("table: %s: column %s: %d digits", t.Name, c.Key, c.Digits))
		}
	}
	for _, row := range t.Rows {
		t.checkRow(row)
	}
	for i, c := range t.Columns {
		var intervals, others bool
		for _, row := range t.Rows {
			switch toCell(row[i]).kind {
			case interval:
				intervals = true
			case missing:
			default:
				others = true
			}
		}
		if intervals && others {
			panic(fmt.Sprintf("table: %s: column %s mixes intervals with other values", t.Name, c.Key))
		}
	}
}

func snakeCase(s string) bool {
	for i, r := range s {
		switch {
		case r >= 'a' && r <= 'z':
		case i > 0 && (r == '_' || r >= '0' && r <= '9'):
		default:
			return false
		}
	}
	return s != ""
}

// kind is what a cell holds, after Go's types are folded together.
type kind int

const (
	missing kind = iota
	float
	integer
	boolean
	text
	interval
)

// cell is a value ready to be written.
type cell struct {
	kind kind
	x    float64  // float
	s    string   // text, or the decimal digits of an integer
	b    bool     // boolean
	ends Interval // interval
}

// toCell folds the accepted types together and panics on any other.
func toCell(v any) cell {
	switch v := v.(type) {
	case nil:
		return cell{}
	case float64:
		return cell{kind: float, x: v}
	case int:
		return cell{kind: integer, s: strconv.Itoa(v)}
	case uint64:
		return cell{kind: integer, s: strconv.FormatUint(v, 10)}
	case string:
		return cell{kind: text, s: v}
	case bool:
		return cell{kind: boolean, b: v}
	case Interval:
		return cell{kind: interval, ends: v}
	}
	r := reflect.ValueOf(v)
	if s, ok := v.(fmt.Stringer); ok {
		if r.Kind() == reflect.Pointer && r.IsNil() {
			return cell{}
		}
		return cell{kind: text, s: s.String()}
	}
	switch r.Kind() {
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return cell{kind: integer, s: strconv.FormatInt(r.Int(), 10)}
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return cell{kind: integer, s: strconv.FormatUint(r.Uint(), 10)}
	case reflect.Float64:
		return cell{kind: float, x: r.Float()}
	case reflect.String:
		return cell{kind: text, s: r.String()}
	case reflect.Bool:
		return cell{kind: boolean, b: r.Bool()}
	}
	panic(fmt.Sprintf("table: a cell cannot hold a %T", v))
}
