package page

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"html"
	"io"
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

// inline makes an SVG file part of a page: without its prolog, title and description,
// which the figure has around it, of that class, with short ids that begin with the
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
				in.b.WriteString(` class="` + class + `" aria-hidden="true" focusable="false"`)
			}
			if err := in.attributes(token.Attr, depth == 0); err != nil {
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

// attributes writes attributes, those of style in place of it and over those of the
// same name, as SVG has it.
func (in *inliner) attributes(attributes []xml.Attr, root bool) error {
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
