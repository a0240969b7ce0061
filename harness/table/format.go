package table

import (
	"bytes"
	"fmt"
	"io"
	"strings"
)

// Format is the name of an output format.
type Format string

// The formats that [Write] knows. HTML is a piece of a page, not a document, so it is
// not among [Formats], from which a user chooses.
const (
	TableFormat Format = "table"
	Markdown    Format = "markdown"
	CSV         Format = "csv"
	JSON        Format = "json"
	LaTeX       Format = "latex"
	HTML        Format = "html"
)

// Formats lists the names of all formats, the default first.
func Formats() []string {
	return []string{string(TableFormat), string(Markdown), string(CSV), string(JSON), string(LaTeX)}
}

// ParseFormat returns the format of that name. The error says what was given
// and what is allowed.
func ParseFormat(s string) (Format, error) {
	names := Formats()
	for _, name := range names {
		if s == name {
			return Format(name), nil
		}
	}
	last := len(names) - 1
	return "", fmt.Errorf("format = %s: want %s or %s", s, strings.Join(names[:last], ", "), names[last])
}

// Machine reports whether programs read the format: json and csv.
func (f Format) Machine() bool { return f == JSON || f == CSV }

// Write writes the tables to w in format f.
//
// json puts one object on a line, keys in column order. A NaN or an infinity
// is null, followed by the key "<key>_status" with "nan", "inf" or "-inf"
// (for the end of an interval "<key>_lo_status" or "<key>_hi_status"); a
// missing cell is null without a status. csv follows [RFC 4180] with a header
// of keys, "nan", "inf" and "-inf" for what is not finite and an empty field
// for what is missing. When several tables are written, each json object
// starts with "table": Name, and csv separates the tables by an empty line
// and gives each a first column table.
//
// html is a figure of class "table" for each table, for a page that brings the
// style: cells that hold a number or a bool carry it as data-value, to the last
// bit, intervals as data-lo and data-hi, missing cells none of these.
//
// markdown, latex and html carry the title, the table and the notes; latex wraps
// them in a table environment when there is a title or a note and needs
// nothing but the booktabs package.
//
// The only errors are those of w and an unknown format. Write panics on a
// malformed table: a key that is not snake_case ASCII or appears twice, a row
// of the wrong length, a value of a type that no cell can hold.
func Write(w io.Writer, f Format, tables ...*Table) error {
	if _, err := ParseFormat(string(f)); err != nil && f != HTML {
		return err
	}
	for _, t := range tables {
		t.check()
		if len(tables) > 1 && t.Name == "" {
			panic("table: one of several tables has no name")
		}
	}
	// Rendering to memory first keeps the renderers free of write errors and
	// never leaves half a table behind a failure.
	var b bytes.Buffer
	for i, t := range tables {
		if i > 0 && f != JSON {
			b.WriteByte('\n')
		}
		several := len(tables) > 1
		switch f {
		case TableFormat:
			if err := writeTerminal(&b, t); err != nil {
				return err
			}
		case Markdown:
			writeMarkdown(&b, t)
		case CSV:
			if err := writeCSV(&b, t, several); err != nil {
				return err
			}
		case JSON:
			writeJSON(&b, t, several)
		case LaTeX:
			writeLaTeX(&b, t)
		case HTML:
			writeHTML(&b, t)
		}
	}
	_, err := w.Write(b.Bytes())
	return err
}
