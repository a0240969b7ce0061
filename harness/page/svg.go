package page

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"html"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"
)

// elements are those of a plain drawing. Scripts, style sheets, links, pictures and
// foreign content are not among them.
var elements = map[string]bool{
	"svg": true, "g": true, "defs": true, "symbol": true, "use": true, "clipPath": true, "title": true, "desc": true,
	"path": true, "rect": true, "circle": true, "ellipse": true, "line": true, "polyline": true, "polygon": true,
	"text": true, "tspan": true, "linearGradient": true, "radialGradient": true, "stop": true,
}

// reference matches what points to another place: url(…).
var reference = regexp.MustCompile(`(?i)url\(\s*['"]?([^)'"]*)['"]?\s*\)`)

// enlarged is how much larger a drawing is on a screen with room than on paper, where
// its text is smaller than that of a page.
const enlarged = 1.5

// broad drawings (in CSS pixels on paper) would be too small on a phone, and scroll.
const broad = 400

// inline makes an SVG file part of a page: without its prolog, title and description,
// which the figure has around it, of that class (and of class broad if it is broad), with short ids that begin with the
// prefix, and style attributes, which the page's policy forbids, as attributes of
// their own.
func inline(svg []byte, prefix, class string) (string, error) {
	in := inliner{prefix: prefix, ids: map[string]string{}, defined: map[string]bool{}}
	if err := in.copy(svg, class); err != nil {
		return "", fmt.Errorf("svg: %w", err)
	}
	for id := range in.ids {
		if !in.defined[id] {
			return "", errors.New("svg: it refers to what is not there")
		}
	}
	return strings.TrimSpace(in.b.String()), nil
}

// inliner copies a drawing.
type inliner struct {
	prefix  string
	b       strings.Builder
	ids     map[string]string // new by old
	defined map[string]bool   // by old
}

func (in *inliner) id(old string) string {
	id, ok := in.ids[old]
	if !ok {
		id = in.prefix + strconv.Itoa(len(in.ids))
		in.ids[old] = id
	}
	return id
}

func (in *inliner) copy(svg []byte, class string) error {
	d := xml.NewDecoder(bytes.NewReader(svg))
	depth, roots := 0, 0
	for {
		token, err := d.Token()
		switch {
		case errors.Is(err, io.EOF) && roots == 0:
			return errors.New("no element svg: want one")
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
		switch token := token.(type) {
		case xml.StartElement:
			name := token.Name.Local
			if !elements[name] {
				return fmt.Errorf("an element %s: want a plain drawing", name)
			}
			if depth == 1 && (name == "title" || name == "desc") {
				if err := d.Skip(); err != nil {
					return err
				}
				continue
			}
			in.b.WriteString("<" + name)
			if depth == 0 {
				if roots++; roots > 1 || name != "svg" {
					return fmt.Errorf("an element %s at the top: want one svg", name)
				}
				if class, err = in.root(&token, class); err != nil {
					return err
				}
				in.b.WriteString(` class="` + class + `" aria-hidden="true" focusable="false"`)
			}
			if err := in.attributes(token.Attr); err != nil {
				return err
			}
			in.b.WriteByte('>')
			depth++
		case xml.EndElement:
			depth--
			in.b.WriteString("</" + token.Name.Local + ">")
		case xml.CharData:
			in.b.WriteString(html.EscapeString(string(token)))
		}
	}
}

// root enlarges the drawing and returns its class.
func (in *inliner) root(svg *xml.StartElement, class string) (string, error) {
	for i, a := range svg.Attr {
		if a.Name.Local != "width" && a.Name.Local != "height" {
			continue
		}
		pixels, err := length(a.Value)
		if err != nil {
			return "", fmt.Errorf("%s = %q: %w", a.Name.Local, a.Value, err)
		}
		if a.Name.Local == "width" && pixels > broad {
			class += " broad"
		}
		svg.Attr[i].Value = strconv.FormatFloat(math.Round(enlarged*pixels), 'f', -1, 64)
	}
	return class, nil
}

// length returns a length in CSS pixels.
func length(s string) (float64, error) {
	number := strings.TrimRight(s, "abcdefghijklmnopqrstuvwxyz")
	unit, ok := map[string]float64{"": 1, "px": 1, "pt": 96. / 72, "in": 96, "cm": 96 / 2.54, "mm": 96 / 25.4}[s[len(number):]]
	x, err := strconv.ParseFloat(number, 64)
	if err != nil || !ok || !(x > 0) || math.IsInf(x, 0) {
		return 0, errors.New("want a length in px, pt, in, cm or mm")
	}
	return unit * x, nil
}

// attributes writes attributes, those of style in place of it and over those of the
// same name, as SVG has it.
func (in *inliner) attributes(attributes []xml.Attr) error {
	var names []string
	values := map[string]string{}
	set := func(name, value string) {
		if _, ok := values[name]; !ok {
			names = append(names, name)
		}
		values[name] = value
	}
	var style string
	for _, a := range attributes {
		name := a.Name.Local
		switch {
		case a.Name.Space == "xmlns", name == "xmlns", name == "version", name == "class":
			// HTML knows the name space; a class could be one of the page's.
		case name == "role", strings.HasPrefix(name, "aria-"):
			// The drawing is hidden from assistive technology: the figure has a label.
		case strings.HasPrefix(strings.ToLower(name), "on"):
			return fmt.Errorf("an attribute %s: want a plain drawing", name)
		case name == "style":
			style = a.Value
		case name == "id":
			in.defined[a.Value] = true
			set("id", in.id(a.Value))
		case name == "href":
			if !strings.HasPrefix(a.Value, "#") {
				return fmt.Errorf("a link to %q: want one within the drawing", a.Value)
			}
			set("href", "#"+in.id(a.Value[1:]))
		default:
			set(name, a.Value)
		}
	}
	for declaration := range strings.SplitSeq(style, ";") {
		if name, value, ok := strings.Cut(declaration, ":"); ok {
			set(strings.TrimSpace(name), strings.TrimSpace(value))
		}
	}
	for _, name := range names {
		value := values[name]
		for _, r := range reference.FindAllStringSubmatch(value, -1) {
			if !strings.HasPrefix(r[1], "#") {
				return fmt.Errorf("a reference to %q: want one within the drawing", r[1])
			}
		}
		value = reference.ReplaceAllStringFunc(value, func(s string) string {
			return "url(#" + in.id(reference.FindStringSubmatch(s)[1][1:]) + ")"
		})
		in.b.WriteString(" " + name + `="` + html.EscapeString(value) + `"`)
	}
	return nil
}
