package table

import (
	"bytes"
	"encoding/csv"
	"strconv"
)

// writeCSV writes t with a header of keys; named adds the column "table".
func writeCSV(b *bytes.Buffer, t *Table, named bool) error {
	pairs := make([]bool, len(t.Columns)) // columns of intervals take two fields
	var header []string
	if named {
		header = append(header, "table")
	}
	for i, c := range t.Columns {
		for _, row := range t.Rows {
			pairs[i] = pairs[i] || toCell(row[i]).kind == interval
		}
		if pairs[i] {
			header = append(header, c.Key+"_lo", c.Key+"_hi")
		} else {
			header = append(header, c.Key)
		}
	}
	w := csv.NewWriter(b)
	if err := w.Write(header); err != nil {
		return err
	}
	for _, values := range t.Rows {
		var record []string
		if named {
			record = append(record, t.Name)
		}
		for i, value := range values {
			v := toCell(value)
			switch {
			case v.kind == interval:
				record = append(record, machine(v.ends.Lo), machine(v.ends.Hi))
			case pairs[i]:
				record = append(record, "", "")
			default:
				record = append(record, csvField(v))
			}
		}
		if len(record) == 1 && record[0] == "" {
			// encoding/csv writes an empty line here, which readers skip.
			w.Flush()
			b.WriteString("\"\"\n")
			continue
		}
		if err := w.Write(record); err != nil {
			return err
		}
	}
	w.Flush()
	return w.Error()
}

func csvField(v cell) string {
	switch v.kind {
	case float:
		return machine(v.x)
	case integer, text:
		return v.s
	case boolean:
		return strconv.FormatBool(v.b)
	}
	return ""
}

// machine writes any float64 so that strconv.ParseFloat reads it back.
func machine(x float64) string {
	if s := status(x); s != "" {
		return s
	}
	return exact(x)
}
