package main

import (
	_ "embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"

	"lamcap/internal/devtools"
)

//go:embed probe.js
var probe string

// finding is the result of one check; no problems: it is good.
type finding struct {
	subject  string
	problems []string
}

func (f *finding) addf(format string, a ...any) {
	f.problems = append(f.problems, fmt.Sprintf(format, a...))
}

// window is a way to look at the page.
type window struct {
	name string
	devtools.View
	hand bool // sort, choose and save, too
}

func windows() []window {
	return []window{
		{"light", devtools.View{Width: 1280, Height: 800}, true},
		{"dark", devtools.View{Width: 1280, Height: 800, Dark: true}, false},
		{"phone", devtools.View{Width: 390, Height: 844, Phone: true}, false},
		{"small-phone", devtools.View{Width: 320, Height: 568, Phone: true, Dark: true}, false},
		{"no-script", devtools.View{Width: 1280, Height: 800, NoScript: true}, true},
		{"paper", devtools.View{Width: 794, Height: 1123, Dark: true, Print: true}, false},
	}
}

// checker looks at one page.
type checker struct {
	b        *devtools.Browser
	url      string
	pictures string         // folder, "" for none
	tables   []tableContent // of the first window
}

// window opens the page in w and returns what was found; the error is one of the
// browser or of writing a picture.
func (c *checker) window(w window) (findings []finding, err error) {
	p, err := c.open(w.View)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", w.name, err)
	}
	defer func() {
		if err = errors.Join(err, p.Close()); err != nil {
			err = fmt.Errorf("%s: %w", w.name, err)
		}
	}()
	if c.pictures != "" {
		err = p.picture(filepath.Join(c.pictures, w.name+".png"))
	}
	f := finding{subject: fmt.Sprintf("%s: %d × %d", w.name, w.Width, w.Height)}
	tables, readErr := p.tables()
	err = errors.Join(err, readErr, p.look(&f, w.View))
	if c.tables == nil {
		c.tables = tables
	} else if !reflect.DeepEqual(tables, c.tables) {
		f.addf("the tables are not those of the first window")
	}
	findings = []finding{f}
	switch {
	case w.hand && w.NoScript:
		colours := finding{subject: "colours by choice, without scripts"}
		err = errors.Join(err, p.choose(&colours, false))
		findings = append(findings, colours)
	case w.hand:
		acted, actErr := p.act(tables)
		findings, err = append(findings, acted...), errors.Join(err, actErr)
	}
	// Whatever happened since it was opened.
	findings[0].problems = append(findings[0].problems, p.complaints(c.url)...)
	return findings, err
}

// opened is a page in a tab.
type opened struct{ *devtools.Tab }

func (c *checker) open(v devtools.View) (*opened, error) {
	t, err := c.b.Open(c.url, v)
	return &opened{t}, err
}

// ask decodes the value of an expression in which p is the probe.
func (p *opened) ask(expression string, result any) error {
	return p.Evaluate("(() => { const p = "+strings.TrimSpace(probe)+"; return "+expression+"; })()", result)
}

func (p *opened) picture(path string) error {
	png, err := p.Screenshot(true)
	if err != nil {
		return err
	}
	return os.WriteFile(path, png, 0o666)
}

// complaints are what the browser said, and what was asked of the network.
func (p *opened) complaints(url string) []string {
	problems := p.Messages()
	for _, r := range p.Requests() {
		if r != url && !strings.HasPrefix(r, "data:") {
			problems = append(problems, "asked for "+r)
		}
	}
	return problems
}

// look checks what does not need a hand.
func (p *opened) look(f *finding, v devtools.View) error {
	var size struct {
		Width  int
		Widest []string
	}
	var structure, faint, lost []string
	var cut int
	err := errors.Join(p.ask("p.size()", &size), p.ask("p.structure()", &structure), p.ask("p.faint()", &faint),
		p.ask("p.lost()", &lost), p.ask("p.cut()", &cut), p.drawn(f, v.Dark && !v.Print))
	if size.Width > v.Width {
		f.addf("the page is %d wide in a window of %d: %s", size.Width, v.Width, strings.Join(size.Widest, ", "))
	}
	f.problems = append(f.problems, structure...)
	for _, s := range faint {
		f.addf("contrast %s: want 4.5", s)
	}
	for _, s := range lost {
		f.addf("the head of table %s moves away with its rows", s)
	}
	if v.Print && cut > 0 {
		f.addf("%d figures or tables are cut off on paper", cut)
	}
	return err
}

// drawn checks that of every figure the drawing for these colours is shown, and no other.
func (p *opened) drawn(f *finding, dark bool) error {
	var figures []struct {
		ID       string
		Drawings []struct {
			Theme         string
			Shown         bool
			Width, Height float64
			Ink           int
		}
	}
	if err := p.ask("p.figures()", &figures); err != nil {
		return err
	}
	if len(figures) == 0 {
		f.addf("no figures: nothing to check")
	}
	theme := "light"
	if dark {
		theme = "dark"
	}
	for _, figure := range figures {
		shown := 0
		for _, d := range figure.Drawings {
			switch {
			case !d.Shown:
			case d.Theme != theme:
				f.addf("%s shows the drawing for %s colours", figure.ID, d.Theme)
			case d.Width < 200 || d.Height < 100:
				f.addf("%s is %.0f × %.0f", figure.ID, d.Width, d.Height)
			case d.Ink < 2:
				f.addf("%s is empty", figure.ID)
			default:
				shown++
			}
		}
		if shown != 1 {
			f.addf("%s shows %d drawings for %s colours: want one", figure.ID, shown, theme)
		}
	}
	return nil
}
