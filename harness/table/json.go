package table

import (
	"bytes"
	"encoding/json"
	"strconv"
)

// writeJSON writes one object a line; named starts each with "table".
func writeJSON(b *bytes.Buffer, t *Table, named bool) {
	for _, values := range t.Rows {
		o := object{b: b}
		b.WriteByte('{')
		if named {
			o.member("table", quoted(t.Name))
		}
		for i, value := range values {
			key := t.Columns[i].Key
			switch v := toCell(value); v.kind {
			case float:
				o.member(key, jsonNumber(v.x))
				o.status(key, v.x)
			case integer:
				o.member(key, v.s)
			case boolean:
				o.member(key, strconv.FormatBool(v.b))
			case text:
				o.member(key, quoted(v.s))
			case interval:
				o.member(key, "["+jsonNumber(v.ends.Lo)+","+jsonNumber(v.ends.Hi)+"]")
				o.status(key+"_lo", v.ends.Lo)
				o.status(key+"_hi", v.ends.Hi)
			default:
				o.member(key, "null")
			}
		}
		b.WriteString("}\n")
	}
}

// object writes the members of a JSON object in the order of the calls, which
// a map would not keep.
type object struct {
	b     *bytes.Buffer
	begun bool
}

func (o *object) member(key, value string) {
	if o.begun {
		o.b.WriteByte(',')
	}
	o.begun = true
	o.b.WriteString(`"` + key + `":` + value)
}

// status adds the key that tells a NaN or an infinity from a missing value.
func (o *object) status(key string, x float64) {
	if s := status(x); s != "" {
		o.member(key+"_status", quoted(s))
	}
}

func jsonNumber(x float64) string {
	if status(x) != "" {
		return "null"
	}
	return exact(x)
}

func quoted(s string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false) // <, > and & stay readable
	if err := e.Encode(s); err != nil {
		panic("table: " + err.Error()) // no string fails to encode
	}
	return string(bytes.TrimSuffix(b.Bytes(), []byte("\n")))
}
