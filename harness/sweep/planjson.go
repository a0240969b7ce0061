package sweep

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"lamcap/internal/files"
)

// MarshalJSON returns the program as a flat object with the keys that a record has for
// it.
func (p Program) MarshalJSON() ([]byte, error) {
	return append(appendFields([]byte{'{'}, programFields, &p), '}'), nil
}

// UnmarshalJSON is the inverse of [Program.MarshalJSON].
func (p *Program) UnmarshalJSON(text []byte) error {
	m, err := parseObject(text)
	if err != nil {
		return err
	}
	var read Program
	if err := first(readFields(m, programFields, &read), m.empty); err != nil {
		return err
	}
	*p = read
	return nil
}

// planFile is a plan with the program that runs it.
type planFile struct {
	Format  int     `json:"format"`
	Title   string  `json:"title"`
	Program Program `json:"program"`
	Source  string  `json:"source"`
	Cells   []Work  `json:"cells"`
}

// WritePlan writes a plan and the program that runs it, whole or not at all, a line for
// each cell.
func WritePlan(path string, p *Plan, program Program) error {
	return files.Replace(path, func(w io.Writer) error { return writePlan(w, p, program) })
}

func writePlan(w io.Writer, p *Plan, program Program) error {
	made, err := program.MarshalJSON()
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "{\"format\":%d,\"title\":%s,\n\"program\":%s,\n\"source\":%s,\n\"cells\":[", recordFormat, quote(p.Title), made, quote(p.Source))
	for i, c := range p.Cells {
		if err != nil {
			return err
		}
		text, e := c.MarshalJSON()
		if e != nil {
			return e
		}
		separator := ",\n"
		if i == 0 {
			separator = "\n"
		}
		_, err = fmt.Fprintf(w, "%s%s", separator, text)
	}
	return errors.Join(err, last(fmt.Fprint(w, "\n]}\n")))
}

func last(_ int, err error) error { return err }

// ReadPlan is the inverse of [WritePlan].
func ReadPlan(path string) (*Plan, Program, error) {
	text, err := files.Read(path)
	if err != nil {
		return nil, Program{}, err
	}
	p, program, err := parsePlan(text)
	if err != nil {
		return nil, Program{}, fmt.Errorf("%s: not a plan: %w", path, err)
	}
	return p, program, nil
}

// parsePlan reads the text of a plan.
func parsePlan(text []byte) (*Plan, Program, error) {
	var f planFile
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	err := d.Decode(&f)
	if err == nil && len(bytes.TrimSpace(text[d.InputOffset():])) > 0 {
		err = errors.New("more follows after the plan")
	}
	if err == nil && f.Format != recordFormat {
		err = fmt.Errorf("format = %d: this program reads format %d", f.Format, recordFormat)
	}
	p := &Plan{Title: f.Title, Source: f.Source, Cells: f.Cells}
	if err == nil {
		err = p.validate()
	}
	if err != nil {
		return nil, Program{}, err
	}
	return p, f.Program, nil
}

// validate reports the first cell that no sweep can run.
func (p *Plan) validate() error {
	seen := make(map[Address]struct{}, len(p.Cells))
	for _, w := range p.Cells {
		if w.Trials < 1 {
			return fmt.Errorf("%v: trials = %d: want ≥ 1", w.Address, w.Trials)
		}
		if err := w.storable(); err != nil {
			return fmt.Errorf("%v: %w", w.Address, err)
		}
		if _, twice := seen[w.Address]; twice {
			return fmt.Errorf("%v: is planned twice: want each cell once", w.Address)
		}
		seen[w.Address] = struct{}{}
	}
	return nil
}

// PlanFile and GridFile are where a folder has its plan and the text of its grid.
func PlanFile(dir string) string { return filepath.Join(dir, "plan.json") }

// GridFile is the text of the grid as it was given last.
func GridFile(dir string) string { return filepath.Join(dir, "grid.toml") }
