package page

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"strings"

	"lamcap/harness/chart"
	"lamcap/harness/table"
	"lamcap/internal/mathtext"
)

//go:embed assets
var assets embed.FS

// Write writes d as one HTML file. The errors are those of w, of drawing a figure and
// of a figure that is no plain drawing: one with a script, a style sheet or a link.
func Write(w io.Writer, d *Document) error {
	v, err := newView(d)
	if err != nil {
		return err
	}
	t, err := template.ParseFS(assets, "assets/page.html")
	if err != nil {
		return fmt.Errorf("page: %w", err)
	}
	// In memory first: an error leaves nothing behind.
	var b bytes.Buffer
	if err := t.Execute(&b, v); err != nil {
		return fmt.Errorf("page: %w", err)
	}
	_, err = w.Write(b.Bytes())
	return err
}

// view is what the template shows, all markup made.
type view struct {
	Title      string
	Policy     string // Content-Security-Policy
	Style      template.CSS
	Script     template.JS
	Abstract   []template.HTML
	Sections   []sectionView
	Provenance []tableView
}

type sectionView struct {
	ID      string
	Title   template.HTML
	Text    []template.HTML
	Figures []figureView
	Tables  []tableView
}

type figureView struct {
	ID             string
	Label          string // Title without markup
	Title, Caption template.HTML
	Drawings       []template.HTML
}

type tableView struct {
	HTML template.HTML
	File string       // name of the file to save
	CSV  template.URL // its content
}

func newView(d *Document) (*view, error) {
	style, script, err := readAssets()
	if err != nil {
		return nil, err
	}
	v := &view{
		Title:    strings.Join(strings.Fields(d.Title), " "),
		Policy:   policy(style, script),
		Style:    template.CSS(style),
		Script:   template.JS(script),
		Abstract: paragraphs(d.Abstract),
	}
	m := &maker{ids: reserved(), files: names{}}
	for _, s := range d.Sections {
		section, err := m.section(s)
		if err != nil {
			return nil, err
		}
		v.Sections = append(v.Sections, section)
	}
	v.Provenance, err = m.tables(d.Provenance)
	return v, err
}

func readAssets() (style, script string, err error) {
	css, err := assets.ReadFile("assets/page.css")
	if err != nil {
		return "", "", fmt.Errorf("page: %w", err)
	}
	js, err := assets.ReadFile("assets/page.js")
	if err != nil {
		return "", "", fmt.Errorf("page: %w", err)
	}
	return string(css), string(js), nil
}

// policy forbids everything but this style, this script and the empty icon, which
// keeps browsers from asking a server for one.
func policy(style, script string) string {
	hash := func(s string) string {
		sum := sha256.Sum256([]byte(s))
		return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
	}
	return "default-src 'none'; style-src " + hash(style) + "; script-src " + hash(script) +
		"; img-src data:; base-uri 'none'; form-action 'none'"
}

// maker numbers figures and tables and keeps ids apart.
type maker struct {
	ids     names // of elements
	files   names // of tables that can be saved
	figures int
}

func (m *maker) section(s Section) (sectionView, error) {
	id := s.ID
	if id == "" {
		id = s.Title
	}
	v := sectionView{ID: m.ids.unused(id, "section"), Title: text(s.Title), Text: paragraphs(s.Text)}
	for i := range s.Figures {
		f, err := m.figure(&s.Figures[i])
		if err != nil {
			return v, err
		}
		v.Figures = append(v.Figures, f)
	}
	var err error
	v.Tables, err = m.tables(s.Tables)
	return v, err
}

// figure draws f for light and for dark pages, and once more for phones, its panels one
// below the other, where it has several beside each other.
func (m *maker) figure(f *chart.Figure) (figureView, error) {
	m.figures++
	title := strings.Join(strings.Fields(f.Title), " ")
	v := figureView{ID: m.ids.unused("figure-"+f.Name, "figure"), Label: title, Title: text(title), Caption: text(f.Caption)}
	if title != "" && !strings.ContainsAny(title[len(title)-1:], ".?!:") {
		v.Title += "."
	}
	if title == "" {
		v.Label = f.Name
	}
	drawing := *f
	drawing.Title = "" // it is in the caption
	variants := []struct {
		class   string
		columns int
	}{{"", f.Columns}}
	if len(f.Panels) > 1 && f.Columns != 1 {
		variants[0].class = " desk"
		variants = append(variants, variants[0])
		variants[1].class, variants[1].columns = " phone", 1
	}
	for i, variant := range variants {
		drawing.Columns = variant.columns
		for _, t := range []struct {
			theme chart.Theme
			name  string
		}{{chart.Light, "light"}, {chart.Dark, "dark"}} {
			var b bytes.Buffer
			if err := drawing.Write(&b, "svg", t.theme); err != nil {
				return v, fmt.Errorf("page: figure %s: %w", f.Name, err)
			}
			svg, err := inline(b.Bytes(), fmt.Sprintf("%c%d%c", t.name[0], m.figures, "dp"[i]), t.name+variant.class)
			if err != nil {
				return v, fmt.Errorf("page: figure %s: %w", f.Name, err)
			}
			v.Drawings = append(v.Drawings, template.HTML(svg))
		}
	}
	return v, nil
}

func (m *maker) tables(ts []*table.Table) ([]tableView, error) {
	var views []tableView
	for _, t := range ts {
		var b, csv bytes.Buffer
		if err := table.Write(&b, table.HTML, t); err != nil {
			return nil, fmt.Errorf("page: table %s: %w", t.Name, err)
		}
		if err := table.Write(&csv, table.CSV, t); err != nil {
			return nil, fmt.Errorf("page: table %s: %w", t.Name, err)
		}
		views = append(views, tableView{
			HTML: template.HTML(b.String()),
			File: m.files.unused(t.Name, "table") + ".csv",
			CSV:  template.URL("data:text/csv;charset=utf-8;base64," + base64.StdEncoding.EncodeToString(csv.Bytes())),
		})
	}
	return views, nil
}

// text sets one line.
func text(s string) template.HTML {
	return template.HTML(mathtext.HTML(strings.Join(strings.Fields(s), " ")))
}

func paragraphs(ps []string) []template.HTML {
	var out []template.HTML
	for _, p := range ps {
		if html := text(p); html != "" {
			out = append(out, html)
		}
	}
	return out
}
