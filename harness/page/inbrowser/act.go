package main

import (
	"encoding/base64"
	"encoding/csv"
	"errors"
	"fmt"
	"strings"

	"lamcap/internal/devtools"
)

// tableContent is a table as the page holds it.
type tableContent struct {
	Name     string
	Vertical bool
	Columns  int
	Rows     [][]cell
}

func (p *opened) tables() ([]tableContent, error) {
	var tables []tableContent
	err := p.ask("p.tables()", &tables)
	return tables, err
}

// act checks what needs a hand, in a light window.
func (p *opened) act(tables []tableContent) ([]finding, error) {
	sorting := finding{subject: "sorting"}
	keys := finding{subject: "sorting by mouse and keyboard"}
	saving := finding{subject: "saving as CSV"}
	colours := finding{subject: "colours by choice"}
	err := errors.Join(p.sort(&sorting, tables), p.press(&keys, tables), p.saved(&saving, tables), p.choose(&colours, true))
	return []finding{sorting, keys, saving, colours}, err
}

// sortable are the tables with something to sort.
func sortable(tables []tableContent) []tableContent {
	var out []tableContent
	for _, t := range tables {
		if !t.Vertical && len(t.Rows) > 1 {
			out = append(out, t)
		}
	}
	return out
}

// sort compares the order after each click with that of the cells' values.
func (p *opened) sort(f *finding, tables []tableContent) error {
	tables = sortable(tables)
	var sorted [][][]struct {
		State  string
		Order  []int
		Others int
	}
	if err := p.ask("p.sorted()", &sorted); err != nil {
		return err
	}
	if len(tables) == 0 || len(sorted) != len(tables) {
		f.addf("%d tables can be sorted: want %d, and one at least", len(sorted), len(tables))
		return nil
	}
	for i, t := range tables {
		for column, clicks := range sorted[i] {
			for click, state := range []string{"ascending", "descending", "none"} {
				got := clicks[click]
				if got.State != state || got.Others > 0 {
					f.addf("%s, column %d: aria-sort = %q after %d clicks, and %d others sort: want %s", t.Name, column+1, got.State, click+1, got.Others, state)
				}
				if problem := misplaced(t.Rows, column, state, got.Order); problem != "" {
					f.addf("%s, column %d, %s: %s", t.Name, column+1, state, problem)
				}
			}
		}
	}
	f.subject = fmt.Sprintf("%s: %d tables", f.subject, len(tables))
	return nil
}

// press sorts each table by the mouse and by keys.
func (p *opened) press(f *finding, tables []tableContent) error {
	for i, t := range sortable(tables) {
		head := fmt.Sprintf("p.head(%d, 0)", i)
		var there bool
		if err := p.ask(head+".querySelector('button') !== null", &there); err != nil {
			return err
		}
		if !there {
			f.addf("%s, column 1: no button", t.Name)
			continue
		}
		button := "(() => { const p = " + strings.TrimSpace(probe) + "; return " + head + ".querySelector('button'); })()"
		for _, step := range []struct {
			by   string
			do   func() error
			want string
		}{
			{"a click", func() error { return p.Click(button) }, "ascending"},
			{"Enter", func() error { return errors.Join(p.Evaluate(button+".focus()", nil), p.Press("Enter")) }, "descending"},
			{"the space bar", func() error { return p.Press("Space") }, "none"},
		} {
			var got string
			if err := errors.Join(step.do(), p.ask(head+".getAttribute('aria-sort')", &got)); err != nil {
				return err
			}
			if got != step.want {
				f.addf("%s: aria-sort = %s after %s: want %s", t.Name, got, step.by, step.want)
			}
		}
	}
	return nil
}

// saved reads the files that the page offers.
func (p *opened) saved(f *finding, tables []tableContent) error {
	var files []struct{ File, Data string }
	if err := p.ask("p.saved()", &files); err != nil {
		return err
	}
	if len(files) < len(tables) || len(files) == 0 {
		f.addf("%d files for %d tables", len(files), len(tables))
		return nil
	}
	names := map[string]bool{}
	var lengths []int // of the files, to be found among those of the tables
	for _, file := range files {
		encoded, ok := strings.CutPrefix(file.Data, "data:text/csv;charset=utf-8;base64,")
		raw, err := base64.StdEncoding.DecodeString(encoded)
		records, csvErr := csv.NewReader(strings.NewReader(string(raw))).ReadAll()
		switch {
		case !ok || err != nil || csvErr != nil || len(records) == 0:
			f.addf("%s is no CSV", file.File)
		case names[file.File] || !strings.HasSuffix(file.File, ".csv"):
			f.addf("the name %q: want another .csv for each", file.File)
		}
		names[file.File] = true
		lengths = append(lengths, len(records)-1)
	}
	if len(files) == len(tables) {
		for i, t := range tables {
			if !t.Vertical && lengths[i] != len(t.Rows) {
				f.addf("%s has %d rows, its file %d", t.Name, len(t.Rows), lengths[i])
			}
		}
	}
	f.subject = fmt.Sprintf("%s: %d files", f.subject, len(files))
	return nil
}

// choose changes the colours by the buttons, under a light and a dark system, and
// ends as it began. kept: the choice outlives the page.
func (p *opened) choose(f *finding, kept bool) error {
	light := devtools.View{Width: 1280, Height: 800, NoScript: !kept}
	dark := light
	dark.Dark = true
	var papers []string
	see := func(wantDark bool) error {
		var paper string
		err := errors.Join(p.ask("p.paper()", &paper), p.drawn(f, wantDark))
		papers = append(papers, paper)
		return err
	}
	choose := func(name string) error {
		return p.Click(`document.getElementById("theme-` + name + `").closest("label")`)
	}
	err := errors.Join(see(false), choose("dark"), see(true))
	if kept {
		err = errors.Join(err, p.Reload(), see(true))
	}
	err = errors.Join(err, choose("light"), p.Look(dark), see(false), choose("auto"), see(true), p.Look(light), see(false))
	if len(papers) > 1 && papers[0] == papers[1] {
		f.addf("the paper stays %s", papers[0])
	}
	return err
}
